package out

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// A file has the triangles in their order, the way they turn, and the normals
// of their planes.
func TestSTLBack(t *testing.T) {
	m := mesh.Sphere(vec.New(1, 2, 3), 0.25, 16)
	f := &Frame{Index: 1, Mesh: m, Fingerprint: "c0ffee"}
	data := encode(t, &stl{}, f)
	got, err := ReadMesh("ball.stl", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tri) != len(m.Tri) {
		t.Fatalf("%d triangles, want %d", len(got.Tri), len(m.Tri))
	}
	for i, tri := range m.Tri {
		for k, v := range tri {
			if want := m.Pos[v].Round(); got.Pos[got.Tri[i][k]] != want {
				t.Fatalf("triangle %d, corner %d: %v, want %v", i, k, got.Pos[got.Tri[i][k]], want)
			}
		}
		row := data[stlHead+i*stlRow:]
		n := vec.New(bitsOf(row), bitsOf(row[4:]), bitsOf(row[8:]))
		out := got.Pos[got.Tri[i][0]].Sub(vec.New(1, 2, 3))
		if math.Abs(n.Len()-1) > 1e-6 || n.Dot(out) <= 0 {
			t.Fatalf("triangle %d at %v has the normal %v", i, out, n)
		}
	}
	if w := mesh.Weld(got); w.Check() != nil || math.Abs(w.Volume()/m.Volume()-1) > 1e-6 {
		t.Errorf("welded: %v, volume %g, want %g", w.Check(), w.Volume(), m.Volume())
	}
}

func bitsOf(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// A triangle without an area has no normal; a mesh may be of nothing.
func TestSTLDegenerate(t *testing.T) {
	f := &Frame{Mesh: &mesh.Mesh{Pos: []vec.Vec3{{}, {X: 1}}, Tri: [][3]int32{{0, 1, 1}}}}
	data := encode(t, &stl{}, f)
	if !bytes.Equal(data[stlHead:stlHead+12], make([]byte, 12)) {
		t.Errorf("a normal of % x", data[stlHead:stlHead+12])
	}
	data = encode(t, &stl{}, &Frame{Mesh: &mesh.Mesh{}})
	if m, err := ReadMesh("none.stl", bytes.NewReader(data)); err != nil || len(m.Tri) != 0 {
		t.Errorf("nothing reads back as %v, %v", m, err)
	}
	for _, far := range []float64{1e39, math.NaN()} {
		f.Mesh.Pos[1].X = far
		if err := (&stl{}).Encode(&bytes.Buffer{}, f); err == nil {
			t.Errorf("wrote a corner at %g", far)
		}
	}
}
