package mesh

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestExtrusion compares the volume of a square with a triangular hole, and checks that all faces look
// outward.
func TestExtrusion(t *testing.T) {
	lines := [][]vec.Vec3{
		{{X: 0, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 4}, {X: 0, Y: 4}},
		{{X: 1, Y: 1}, {X: 2, Y: 3}, {X: 3, Y: 1}}, // to the right about: a hole
	}
	m := Extrusion(lines, 0.5)
	if got := m.Volume(); math.Abs(got-7) > 1e-12 {
		t.Errorf("the volume is %g, want 7", got)
	}
	for k, tri := range m.Tri {
		a, b, c := m.Pos[tri[0]], m.Pos[tri[1]], m.Pos[tri[2]]
		if n := b.Sub(a).Cross(c.Sub(a)); n.Len() > 0 && n.Unit().Dot(m.Nrm[tri[0]]) < 1-1e-12 {
			t.Errorf("triangle %d has the normal %v and turns about %v", k, m.Nrm[tri[0]], n.Unit())
		}
	}
}
