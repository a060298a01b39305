package mesh

import (
	"math"
	"strings"
	"testing"

	"breakwater/sim/vec"
)

// TestBlades pulls vertices of a ball away: a few are blades, and neither is a
// ball nor one that is stretched as a whole.
func TestBlades(t *testing.T) {
	m := Sphere(vec.Vec3{}, 1, 48)
	if err := m.Blades(); err != nil {
		t.Error(err)
	}
	if l, _ := m.Longest(); l < 0.02 || l > 0.2 {
		t.Errorf("the longest side of a ball is %g", l)
	}
	for v := range m.Pos {
		m.Pos[v].Y *= 40
	}
	if err := m.Blades(); err != nil {
		t.Errorf("stretched: %v", err)
	}
	m = Sphere(vec.Vec3{}, 1, 48)
	away := m.Pos[100].Add(vec.New(0, 3, 0))
	m.Pos[100] = away
	if err := m.Blades(); err == nil || !strings.Contains(err.Error(), "protrude as blades") {
		t.Errorf("a vertex that is 3 radii away: %v", err)
	}
	if l, at := m.Longest(); math.Abs(l-3) > 0.2 || at.Sub(away).Len() > 2 {
		t.Errorf("the longest side is %g m long, at %v", l, at)
	}
	if err := new(Mesh).Blades(); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}
