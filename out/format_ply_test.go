package out

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"breakwater/out/particles"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// A set that was rounded comes back bit by bit: a run resumed from a file continues from
// the same state.
func TestPLYExact(t *testing.T) {
	frame := testFrame(7, 30)
	frame.Time, frame.Dt = 1.0/3, math.Nextafter(1e-3, 0)
	for _, c := range []struct {
		format string
		clear  func(f *Frame)
	}{
		{"ply", func(f *Frame) { f.Image, f.Mesh, f.Volume = nil, nil, nil }},
		{"ply", func(f *Frame) {
			f.Image, f.Mesh, f.Volume = nil, nil, nil
			f.Vortons, f.Carried = testParticles(5), []float64{1234567, 293.1, math.Nextafter(300, 0)}
			f.Vortons.Bodies = nil
		}},
		{"plymesh", func(f *Frame) { f.Image, f.Particles, f.Volume = nil, nil, nil }},
	} {
		want := *frame
		c.clear(&want)
		format := registrytest.New(t, &Formats, c.format)
		got, err := format.(Decoder).Decode(bytes.NewReader(encode(t, format, &want)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, &want) {
			t.Errorf("%s: the data read differ from the data written", c.format)
		}
	}
}

// A mesh without normals or velocities, and sets with nothing in them.
func TestPLYLess(t *testing.T) {
	m := wave(1, 3)
	m.Nrm, m.Vel = nil, nil
	f := registrytest.New(t, &Formats, "plymesh")
	back, err := f.(Decoder).Decode(bytes.NewReader(encode(t, f, &Frame{Mesh: m})))
	if err != nil || !reflect.DeepEqual(back.Mesh, m) {
		t.Errorf("%v, %v", back, err)
	}
	for _, c := range []struct {
		format string
		frame  *Frame
	}{
		{"ply", &Frame{Particles: testParticles(0)}},
		{"plymesh", &Frame{Mesh: &mesh.Mesh{}}},
		{"obj", &Frame{Mesh: &mesh.Mesh{}}},
	} {
		f := registrytest.New(t, &Formats, c.format)
		b := encode(t, f, c.frame)
		if _, err := f.(Decoder).Decode(bytes.NewReader(b)); err != nil {
			t.Errorf("%s: %v", c.format, err)
		}
	}
}

// Values that a file cannot hold are not written.
func TestPLYRefuses(t *testing.T) {
	f := registrytest.New(t, &Formats, "ply")
	for _, c := range []struct {
		what string
		do   func(f *Frame)
	}{
		{"NaN", func(f *Frame) { f.Particles.X[2].Y = math.NaN() }},
		{"a float32's overflow", func(f *Frame) { f.Particles.V[2].Z = 1e39 }},
		{"an infinite density", func(f *Frame) { f.Particles.Rho[0] = math.Inf(1) }},
		{"an infinite attribute", func(f *Frame) { f.Particles.Attr[1].Data[0] = math.Inf(-1) }},
		{"a taken name", func(f *Frame) { f.Particles.Attr[1].Name = "vx" }},
		{"a name twice", func(f *Frame) { f.Particles.Attr[1].Name = "kappa" }},
		{"a name of two words", func(f *Frame) { f.Particles.Attr[1].Name = "a b" }},
		{"too few densities", func(f *Frame) { f.Particles.Rho = f.Particles.Rho[1:] }},
		{"too few values", func(f *Frame) { f.Particles.Attr[0].Data = nil }},
	} {
		frame := &Frame{Particles: testParticles(5)}
		c.do(frame)
		if err := f.Encode(new(bytes.Buffer), frame); err == nil {
			t.Errorf("wrote %s", c.what)
		}
	}
}

// Files of other programs: any format, order, types and further elements.
func TestPLYForeign(t *testing.T) {
	head := func(format string) string {
		return "ply\r\nformat " + format + " 1.0\r\ncomment made by hand\r\nobj_info none\r\n" +
			"element camera 1\r\nproperty double far\r\nproperty list uchar short view\r\n" +
			"element vertex 2\r\nproperty uchar red\r\nproperty double z\r\nproperty float32 y\r\nproperty int16 x\r\nproperty float vx\r\nproperty int Label\r\nproperty int bad-name\r\n" +
			"element face 1\r\nproperty list int8 uint vertex_index\r\nend_header\r\n"
	}
	numbers := func(order binary.AppendByteOrder) string {
		b := order.AppendUint64(nil, math.Float64bits(9))
		b = append(b, 2)
		b = order.AppendUint16(order.AppendUint16(b, 1), 2)
		for i := range 2 {
			b = append(b, 255)
			b = order.AppendUint64(b, math.Float64bits(0.1+float64(i)))
			b = order.AppendUint32(b, math.Float32bits(0.5))
			b = order.AppendUint16(b, 0xffff)
			b = order.AppendUint32(b, math.Float32bits(-2))
			b = order.AppendUint32(b, uint32(40+i))
			b = order.AppendUint32(b, 0)
		}
		b = append(b, 3)
		for range 3 {
			b = order.AppendUint32(b, 1)
		}
		return string(b)
	}
	for format, file := range map[string]string{
		"ascii":                head("ascii") + "9 2 1\n2 255 0.1 0.5 -1 -2 40 0\n255 1.1 5e-1 -1 -2.0 41 0\n3 1 1 1 ",
		"binary_little_endian": head("binary_little_endian") + numbers(binary.LittleEndian),
		"binary_big_endian":    head("binary_big_endian") + numbers(binary.BigEndian),
	} {
		f, err := registrytest.New(t, &Formats, "ply").(Decoder).Decode(strings.NewReader(file))
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		p := f.Particles
		if p.X[0] != vec.New(-1, 0.5, 0.1) || p.X[1].Z != 1.1 || p.V[0] != vec.New(-2, 0, 0) || !slices.Equal(p.ID, []uint32{0, 1}) {
			t.Errorf("%s: read %+v", format, p)
		}
		if len(p.Attr) != 2 || p.Attr[0].Name != "red" || p.Attr[1].Name != "label" || p.Attr[1].Data[1] != 41 {
			t.Errorf("%s: attributes %+v", format, p.Attr)
		}
		m, err := registrytest.New(t, &Formats, "plymesh").(Decoder).Decode(strings.NewReader(file))
		if err != nil || !slices.Equal(m.Mesh.Tri, [][3]int32{{1, 1, 1}}) || len(m.Mesh.Nrm)+len(m.Mesh.Vel) != 0 {
			t.Errorf("%s: mesh %+v, %v", format, m, err)
		}
	}
}

// Every fault of what a file means is reported.
func TestPLYFaults(t *testing.T) {
	const xyz = "property float x\nproperty float y\nproperty float z\n"
	little := "ply\nformat binary_little_endian 1.0\n"
	for _, c := range []struct{ file, want string }{
		{"ply\nformat ascii 1.0\ncomment breakwater-time soon\n", "breakwater-time"},
		{"ply\nformat ascii 1.0\ncomment breakwater-dt inf\n", "not finite"},
		{little + "element vertex 1\n" + xyz + "end_header\n\x00\x00\xc0\x7f" + strings.Repeat("\x00", 8), "property x is NaN"},
		{little + "element vertex 1\n" + xyz + "property int id\nend_header\n" + strings.Repeat("\x00", 12) + "\xff\xff\xff\xff", "id -1"},
	} {
		_, err := registrytest.New(t, &Formats, "ply").(Decoder).Decode(strings.NewReader(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.file, err, c.want)
		}
	}
	face := func(list string) string {
		return "ply\nformat ascii 1.0\nelement vertex 3\n" + xyz + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 1 0 0 0 1 0\n" + list
	}
	for list, want := range map[string]string{
		"3 0 1 3": "vertex 3 of 3", "3 0 1 -1": "vertex -1", "2 0 1": "2 corners",
	} {
		_, err := registrytest.New(t, &Formats, "plymesh").(Decoder).Decode(strings.NewReader(face(list)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("face %s: %v, want %q", list, err, want)
		}
	}
}

// FuzzReadPLY reads particles; see fuzzPLY.
func FuzzReadPLY(f *testing.F) {
	format := registrytest.New(f, &Formats, "ply")
	f.Add(encode(f, format, testFrame(1, 2)))
	f.Add([]byte("ply\nformat binary_big_endian 1.0\nelement vertex 4000000000\nproperty double x\nproperty double y\nproperty double z\nend_header\n"))
	fuzzPLY(f, format, func(_ testing.TB, frame *Frame) { frame.Particles.Round() })
}

// FuzzMesh reads meshes, as the surface cache has them and as other programs write them;
// see fuzzPLY. Triangles are of vertices that the mesh has, and each vertex has all or
// none of a normal, a velocity and a field.
func FuzzMesh(f *testing.F) {
	format := registrytest.New(f, &Formats, "plymesh")
	cache := testFrame(1, 2)
	n := len(cache.Mesh.Pos)
	cache.Fields = []particles.Field{{Name: "foam", Scalar: make([]float64, n)}, {Name: "vorticity", Vector: make([]vec.Vec3, n)}}
	cache.Objects = []Object{{Body: particle.Body{X: vec.New(1, 2, 3), Turn: vec.Quat{W: 1}, Spin: vec.New(0, 1, 0)}}}
	f.Add(encode(f, format, cache))
	cache.Quads = true
	f.Add(encode(f, format, cache))
	f.Add([]byte("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n" +
		"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 1 0 0 0 1 0\n3 0 1 2\n"))
	f.Add([]byte("ply\nformat binary_big_endian 1.0\nelement vertex 4000000000\nproperty double x\nproperty double y\nproperty double z\n" +
		"element face 4000000000\nproperty list uchar int vertex_indices\nend_header\n"))
	fuzzPLY(f, format, func(t testing.TB, frame *Frame) {
		m := frame.Mesh
		n := len(m.Pos)
		for i, tri := range m.Tri {
			if min(tri[0], tri[1], tri[2]) < 0 || int(max(tri[0], tri[1], tri[2])) >= n {
				t.Fatalf("triangle %d has the vertices %v of %d", i, tri, n)
			}
		}
		if len(m.Nrm) != 0 && len(m.Nrm) != n || len(m.Vel) != 0 && len(m.Vel) != n {
			t.Fatalf("%d vertices, %d normals, %d velocities", n, len(m.Nrm), len(m.Vel))
		}
		for _, field := range frame.Fields {
			if len(field.Scalar)+len(field.Vector) != n {
				t.Fatalf("field %q has %d values for %d vertices", field.Name, len(field.Scalar)+len(field.Vector), n)
			}
		}
	})
}

// fuzzPLY checks that whatever is read without an error can be written, and is then read
// the same. check is called with what was read.
func fuzzPLY(f *testing.F, format PerFrame, check func(t testing.TB, frame *Frame)) {
	f.Fuzz(func(t *testing.T, file []byte) {
		frame, err := format.(Decoder).Decode(bytes.NewReader(file))
		if err != nil {
			return
		}
		check(t, frame)
		var b bytes.Buffer
		if err := format.Encode(&b, frame); err != nil {
			return // a float64 that no float32 holds
		}
		back, err := format.(Decoder).Decode(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if again := encode(t, format, back); !bytes.Equal(again, b.Bytes()) {
			t.Fatal("what was written and read is written otherwise")
		}
	})
}

func BenchmarkPLY(b *testing.B) {
	for _, n := range []int{16_000, 1_000_000} {
		format := registrytest.New(b, &Formats, "ply")
		frame := &Frame{Particles: testParticles(n)}
		benchmarkFormat(b, fmt.Sprint("particles=", n), format, frame, float64(n), "particles/s")
	}
}

// benchmarkFormat measures how fast a frame of the given number of units is written and
// read.
func benchmarkFormat(b *testing.B, name string, format PerFrame, frame *Frame, units float64, unit string) {
	whole := encode(b, format, frame)
	b.Run("write/"+name, func(b *testing.B) {
		b.SetBytes(int64(len(whole)))
		var buf bytes.Buffer
		for b.Loop() {
			buf.Reset()
			if err := format.Encode(&buf, frame); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(units*float64(b.N)/b.Elapsed().Seconds(), unit)
	})
	b.Run("read/"+name, func(b *testing.B) {
		b.SetBytes(int64(len(whole)))
		for b.Loop() {
			if _, err := format.(Decoder).Decode(bytes.NewReader(whole)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(units*float64(b.N)/b.Elapsed().Seconds(), unit)
	})
}
