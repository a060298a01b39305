package out

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func readOBJ(t testing.TB, file string) (*mesh.Mesh, error) {
	f, err := (&obj{}).Decode(strings.NewReader(file))
	if err != nil {
		return nil, err
	}
	return f.Mesh, nil
}

// The mesh that is read has the triangles of the mesh that was written, positions to the precision of float32 at the largest of them, and
// normals to 5 decimals.
func TestOBJExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range []float64{1e-30, 1e-9, 2e-7, 1e-3, 0.7, 1, 3.2, 16, 1e5, 9e7, 1e12, 1e30} {
		m := wave(5, 40)
		largest := 0.0
		for i := range m.Pos { // of every magnitude up to size
			m.Pos[i] = m.Pos[i].Mul(size * math.Exp(-20*rng.Float64()*float64(i%2))).Round()
			largest = max(largest, math.Abs(m.Pos[i].X), math.Abs(m.Pos[i].Y), math.Abs(m.Pos[i].Z))
		}
		got, err := readOBJ(t, string(encode(t, &obj{}, &Frame{Mesh: m})))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Tri, m.Tri) || len(got.Nrm) != len(m.Nrm) || len(got.Pos) != len(m.Pos) {
			t.Fatalf("%d vertices, %d normals, %d triangles", len(got.Pos), len(got.Nrm), len(got.Tri))
		}
		step := float64(math.Nextafter32(float32(largest), math.MaxFloat32)) - largest
		for i := range m.Pos {
			d := got.Pos[i].Sub(m.Pos[i])
			if e := max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)); e > 0.51*step {
				t.Errorf("size %g, vertex %d: %v, want %v: off by %.2g, of %.2g", size, i, got.Pos[i], m.Pos[i], e, step)
			}
			if d := got.Nrm[i].Sub(m.Nrm[i]); d.Len() > 1e-5 {
				t.Errorf("normal %d: %v, want %v", i, got.Nrm[i], m.Nrm[i])
			}
		}
	}
}

// A mesh of more lines than are worked out at once.
func TestOBJLong(t *testing.T) {
	longtest.NotShort(t)
	m := wave(3, 280)
	if len(m.Pos) <= 1<<16 {
		t.Fatalf("%d vertices are too few", len(m.Pos))
	}
	got, err := readOBJ(t, string(encode(t, &obj{}, &Frame{Mesh: m})))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Tri, m.Tri) {
		t.Error("other triangles are read than were written")
	}
	for i, p := range m.Pos {
		if got.Pos[i].Sub(p).Len() > 1e-6 {
			t.Fatalf("vertex %d: %v, want %v", i, got.Pos[i], p)
		}
	}
}

// The layout of the file is a promise to other programs.
func TestOBJText(t *testing.T) {
	m := &mesh.Mesh{
		Pos: []vec.Vec3{{}, {X: 1.5}, {Y: -0.1, Z: 1e-7}},
		Nrm: []vec.Vec3{{Z: 1}, {Z: -1}, {X: 0.6, Y: -0.8}},
		Tri: [][3]int32{{0, 1, 2}},
	}
	const want = `# y up, metres
# breakwater-frame 2
# breakwater-time 0.03333333333333333
# breakwater-dt 0
# breakwater-fingerprint ab
o liquid
v 0 0 0
v 1.5 0 0
v 0 -0.1 0.0000001
vn 0.00000 0.00000 1.00000
vn 0.00000 0.00000 -1.00000
vn 0.60000 -0.80000 0.00000
s 1
f 1//1 2//2 3//3
# end
`
	if got := string(encode(t, &obj{}, &Frame{Index: 2, Time: 1.0 / 30, Fingerprint: "ab", Mesh: m})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, bad := range []func(){
		func() { m.Nrm[0].X = math.NaN() },
		func() { m.Pos[0].X = 1e39 },
		func() { m.Tri[0][0] = 3 },
		func() { m.Nrm = m.Nrm[1:] },
	} {
		bad()
		if err := (&obj{}).Encode(new(bytes.Buffer), &Frame{Mesh: m}); err == nil {
			t.Errorf("wrote %+v", m)
		}
	}
}

// Files of other programs.
func TestOBJForeign(t *testing.T) {
	m, err := readOBJ(t, "# a cube's side\r\nmtllib x.mtl\r\ng side\r\n\tv 0 0 0 1.0\r\nv 1 0 0 0.5 0.5 0.5\nv 1e0 +1. 0\nv .0 1 -0\n"+
		"vt 0 0\nvn 0 0 2\nvn 0 2 0\ns 1\nusemtl y\nf 1/1/1 2/1/1 \\\n 3/1/2 -1/1/-2")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Pos, []vec.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}) || !slices.Equal(m.Tri, [][3]int32{{0, 1, 2}, {0, 2, 3}}) {
		t.Errorf("read %+v", m)
	}
	// Vertex 2 has the second normal, the others the first.
	if !slices.Equal(m.Nrm, []vec.Vec3{{Z: 1}, {Z: 1}, {Y: 1}, {Z: 1}}) {
		t.Errorf("normals %v", m.Nrm)
	}
	for _, faces := range []string{"f 1 2 3", "f 1/1 2/1 3/1", "f 1//1 2//1 3"} {
		m, err := readOBJ(t, faces+"\nvn 0 1 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\n") // defined after use
		if err != nil || len(m.Tri) != 1 || m.Nrm != nil {
			t.Errorf("%s: %+v, %v", faces, m, err)
		}
	}
}

func TestOBJFaults(t *testing.T) {
	const three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
	for _, c := range []struct{ file, want string }{
		{"", "no vertices"},
		{"v 0 0\n", "line 1: fewer than 3"},
		{"v 0 0 x\n", `line 1: "x" is not`},
		{"v 0 0 nan\n", "not a finite"},
		{"v 0 0 1e999\n", "not a finite"},
		{"v 0 0 .\n", "not a finite"},
		{"v 0 0 1.2.3\n", "not a finite"},
		{three + "f 1 2\n", "line 4: a face with 2 corners"},
		{three + "f 1 2 4\n", "line 4: vertex 4 of 3"},
		{three + "f 1 2 0\n", "line 4: corner \"0\": vertex"},
		{three + "f 1 2 -4\n", "there are 3 up to here"},
		{three + "f 1 2 -0\n", "there are 3 up to here"},
		{three + "f 1 2 3.5\n", "not a whole number"},
		{three + "f 1 2 99999999999\n", "too large"},
		{three + "f 1//1 2//1 3//1\n", "normal 1 of 0"},
		{three + "f 1// 2// 3//\n", "normal: no number"},
		{"v 0 0 " + strings.Repeat("1", objMaxLine), "line 1: longer than"},
		{strings.Repeat("v 0 0 0 \\\n", objMaxLine/8), "longer than"},
		{"# breakwater-time x\n", "line 1: comment breakwater-time"},
		{"# breakwater-time 1\n" + three + "f 1 2 3\n", "cut short after line 6"},
	} {
		if _, err := readOBJ(t, c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.file, err, c.want)
		}
	}
}

func FuzzReadOBJ(f *testing.F) {
	f.Add(encode(f, &obj{}, testFrame(1, 2)))
	f.Add([]byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 -1//-1\n"))
	f.Add([]byte("f 1/2/3 \\\n4/5/6 -7//-8\n# breakwater-time 1\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		frame, err := (&obj{}).Decode(bytes.NewReader(file))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := (&obj{}).Encode(&b, frame); err != nil {
			return // a float64 that no float32 holds, or normals of another length
		}
		back, err := (&obj{}).Decode(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if again := encode(t, &obj{}, back); !bytes.Equal(again, b.Bytes()) {
			t.Fatal("what was written and read is written otherwise")
		}
	})
}

func BenchmarkMesh(b *testing.B) {
	const n = 387 // 300k triangles
	frame := &Frame{Mesh: wave(1, n)}
	for _, name := range []string{"obj", "plymesh"} {
		benchmarkFormat(b, fmt.Sprintf("%s/triangles=%d", name, len(frame.Mesh.Tri)), registrytest.New(b, &Formats, name), frame, float64(len(frame.Mesh.Tri)), "triangles/s")
	}
}
