package out

import (
	"bytes"
	"io"
	"math"
	"slices"
	"testing"

	"breakwater/out/particles"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// TestMeshFields writes attributes of vertices, and places that no float32
// holds, and reads them back.
func TestMeshFields(t *testing.T) {
	frame := testFrame(1, 3)
	n := len(frame.Mesh.Pos)
	heat, force := make([]float64, n), make([]vec.Vec3, n)
	for i := range heat {
		heat[i], force[i] = float64(i)/4, vec.New(float64(i), -1, 0.5)
		frame.Mesh.Pos[i] = frame.Mesh.Pos[i].Add(vec.New(1e6, 0, 0))
	}
	frame.Fields, frame.Exact = []particles.Field{{Name: "he at", Scalar: heat}, {Name: "force", Vector: force}}, true
	for _, name := range []string{"plymesh", "vtp"} {
		format := registrytest.New(t, &Formats, name)
		data := encode(t, format, frame)
		if _, err := format.Check(bytes.NewReader(data), int64(len(data))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		p, err := particles.Read("a."+format.Ext(), data, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(p.X, frame.Mesh.Pos) {
			t.Errorf("%s: places are rounded: %v", name, p.X[1])
		}
		for _, f := range p.Fields {
			if f.Name == "he_at" && !slices.Equal(f.Scalar, heat) || f.Name == "force" && !slices.Equal(f.Vector, force) {
				t.Errorf("%s: %s is %v%v", name, f.Name, f.Scalar, f.Vector)
			}
		}
		for _, want := range []string{"he_at", "force"} {
			if !slices.Contains(p.Names, want) {
				t.Errorf("%s: no %s among %v", name, want, p.Names)
			}
		}
		for _, bad := range []particles.Field{{Name: "velocity_x"[:0], Scalar: heat}, {Name: "force", Scalar: heat}, {Name: "short", Scalar: heat[1:]}, {Name: "wild", Scalar: append(heat[1:n:n], math.NaN())}} {
			with := *frame
			with.Fields = append(slices.Clone(frame.Fields), bad)
			if err := format.Encode(io.Discard, &with); err == nil {
				t.Errorf("%s: field %q is written", name, bad.Name)
			}
		}
	}
}

// FuzzVTP reads meshes.
func FuzzVTP(f *testing.F) {
	vtp := registrytest.New(f, &Formats, "vtp").(Decoder)
	f.Add(encode(f, registrytest.New(f, &Formats, "vtp"), testFrame(1, 2)))
	for _, form := range []string{
		`ascii">0 0 0 1 0 0 0 1 0`,
		`binary">JAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAA==`, // 36 bytes and the same numbers
	} {
		f.Add([]byte(`<VTKFile type="PolyData" byte_order="LittleEndian"><PolyData><Piece NumberOfPoints="3" NumberOfPolys="1">
<Points><DataArray type="Float32" NumberOfComponents="3" format="` + form + `</DataArray></Points>
<Polys><DataArray type="Int32" Name="connectivity" format="ascii">0 1 2</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">3</DataArray></Polys></Piece></PolyData></VTKFile>`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, err := vtp.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i, tri := range frame.Mesh.Tri {
			for _, v := range tri {
				if v < 0 || int(v) >= len(frame.Mesh.Pos) {
					t.Errorf("triangle %d has vertex %d of %d", i, v, len(frame.Mesh.Pos))
				}
			}
		}
	})
}

// BenchmarkWriteMesh writes half a million triangles.
func BenchmarkWriteMesh(b *testing.B) {
	frame := testFrame(1, 500)
	for _, e := range Formats.Entries() {
		f := registrytest.New(b, &Formats, e.Name)
		if f.Needs()&NeedsMesh == 0 {
			continue
		}
		b.Run(e.Name, func(b *testing.B) {
			b.SetBytes(int64(len(encode(b, f, frame))))
			for b.Loop() {
				if err := f.Encode(io.Discard, frame); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
