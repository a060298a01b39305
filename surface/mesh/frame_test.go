package mesh

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

func TestCylinder(t *testing.T) {
	m := Cylinder(vec.New(1, 0, 2), vec.New(1.5, 2, 2), 0.4, 64)
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	want := math.Pi * 0.16 * vec.New(0.5, 2, 0).Len()
	if got := m.Volume(); math.Abs(got/want-1) > 0.01 {
		t.Errorf("volume %g, want %g", got, want)
	}
}

// TestFrame checks that each edge of a cube is found once, and that the bars
// are closed, outward and outside the cube.
func TestFrame(t *testing.T) {
	cube := &Mesh{Pos: []vec.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {Z: 1}, {X: 1, Z: 1}, {X: 1, Y: 1, Z: 1}, {Y: 1, Z: 1}}}
	for _, q := range [][4]int32{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}} {
		cube.Tri = append(cube.Tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	if v := cube.Volume(); math.Abs(v-1) > 1e-12 {
		t.Fatalf("the cube holds %g", v)
	}
	edges := cube.SharpEdges(25)
	if len(edges) != 12 {
		t.Fatalf("%d edges, want 12", len(edges))
	}
	const width = 1. / 150
	m := Frame(edges, width)
	w := Weld(m)
	if n, at := w.OpenEdges(); n != 0 {
		t.Errorf("%d edges are open, the first at %v", n, at)
	}
	if got, want := w.Volume(), 12*(1+width)*width*width; math.Abs(got/want-1) > 1e-6 {
		t.Errorf("the bars hold %g, want %g", got, want)
	}
	in := vec.Box{Max: vec.New(1, 1, 1)}
	for i, p := range m.Pos {
		if d, _ := in.Dist(p); d < -1e-9 {
			t.Errorf("vertex %d at %v is %g deep in the cube", i, p, d)
		}
		if l := m.Nrm[i].Len(); math.Abs(l-1) > 1e-9 {
			t.Errorf("normal %d has the length %g", i, l)
		}
	}
}

// TestFrameOfRing checks that the bar along a ring has no joints, and so no faces
// within it, whichever way its edges go.
func TestFrameOfRing(t *testing.T) {
	const n, width = 48, 0.02
	var edges []Edge
	at := func(i int) vec.Vec3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%n) / n)
		return vec.New(cos, 0, sin)
	}
	for i := range n {
		e := Edge{A: at(i), B: at(i + 1), Out: at(i).Add(at(i + 1)).Unit()}
		if i%3 == 0 {
			e.A, e.B = e.B, e.A
		}
		edges = append(edges, e)
	}
	m := Frame(edges, width)
	if got := len(m.Tri); got != 8*n {
		t.Errorf("%d triangles, want %d: four sides and no ends", got, 8*n)
	}
	w := Weld(m)
	if open, where := w.OpenEdges(); open != 0 {
		t.Errorf("%d edges are open, the first at %v", open, where)
	}
	middle := 1 + 0.52*width
	if got, want := w.Volume(), 2*math.Pi*middle*width*width; math.Abs(got/want-1) > 0.02 {
		t.Errorf("the ring holds %g, want %g", got, want)
	}
}
