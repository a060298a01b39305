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
	m := Frame(edges)
	w := Weld(m)
	if n, at := w.OpenEdges(); n != 0 {
		t.Errorf("%d edges are open, the first at %v", n, at)
	}
	width := 1. / 150
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
