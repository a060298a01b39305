package out

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// stlOf writes m as binary STL.
func stlOf(m *mesh.Mesh) []byte {
	b := append([]byte("solid, some programs say"), make([]byte, 56)...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.Tri)))
	put := func(v vec.Vec3) {
		for _, x := range [3]float64{v.X, v.Y, v.Z} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		}
	}
	for _, t := range m.Tri {
		put(vec.Vec3{})
		for _, v := range t {
			put(m.Pos[v])
		}
		b = append(b, 0, 0)
	}
	return b
}

const textSTL = `solid corner
 facet normal 0 0 1
  outer loop
   vertex 0 0 0
   vertex 1e0 0 0
   vertex 0 1 0
  endloop
 endfacet
endsolid corner
`

func TestReadMesh(t *testing.T) {
	ball := mesh.Sphere(vec.New(1, 2, 3), 0.5, 24)
	file := stlOf(ball)
	m, err := ReadMesh("Ball.STL", bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	w := mesh.Weld(m)
	if len(m.Tri) != len(ball.Tri) || len(w.Pos) != len(ball.Pos) || math.Abs(w.Volume()-ball.Volume()) > 1e-6 {
		t.Errorf("%d triangles, %d vertices, %g m³; want %d, %d, %g", len(m.Tri), len(w.Pos), w.Volume(), len(ball.Tri), len(ball.Pos), ball.Volume())
	}
	if n, _ := w.OpenEdges(); n != 0 {
		t.Errorf("%d edges are open", n)
	}
	w.Tri = w.Tri[1:]
	if n, _ := w.OpenEdges(); n != 3 {
		t.Errorf("%d edges are open where a triangle is missing, want 3", n)
	}
	if m, err = ReadMesh("a.stl", strings.NewReader(textSTL)); err != nil || len(m.Tri) != 1 || m.Pos[1] != vec.New(1, 0, 0) {
		t.Errorf("text: %v, %v", m, err)
	}
	if m, err = ReadMesh("a.obj", strings.NewReader("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")); err != nil || len(m.Tri) != 1 {
		t.Errorf("obj: %v, %v", m, err)
	}
	for name, text := range map[string]string{
		"a.stl": string(file[:len(file)-1]), "b.stl": "solid x\nvertex 1 2\n", "c.stl": textSTL[:80], "d.stl": "", "e.stl": "solid x\nouter loop\nvertex 0 0 0\nendloop\nendsolid",
		"f.txt": "", "g": "",
	} {
		if _, err := ReadMesh(name, strings.NewReader(text)); err == nil {
			t.Errorf("%s: no fault is found", name)
		}
	}
}

func FuzzReadSTL(f *testing.F) {
	f.Add(stlOf(mesh.Sphere(vec.Vec3{}, 1, 6)))
	f.Add([]byte(textSTL))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := readSTL(bytes.NewReader(file))
		if err != nil {
			return
		}
		for _, tri := range m.Tri {
			for _, v := range tri {
				if !m.Pos[v].Finite() {
					t.Fatalf("corner %v", m.Pos[v])
				}
			}
		}
		again, err := readSTL(bytes.NewReader(stlOf(m)))
		if err != nil || len(again.Tri) != len(m.Tri) {
			t.Fatalf("what was read is read back as %d triangles of %d: %v", len(again.Tri), len(m.Tri), err)
		}
	})
}
