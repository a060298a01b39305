package scenes

import (
	"testing"

	"breakwater/sim/longtest"
	"breakwater/surface"
	"breakwater/surface/mesh"
	"breakwater/surface/meshtest"
)

// TestStillWater runs the pool at rest, of coarser particles, for a while: from
// frame to frame its surface moves by less than four thousandths of a radius in the
// mean, with no damping but the viscosity of water.
func TestStillWater(t *testing.T) {
	longtest.NotShort(t)
	s, err := Load("still-water")
	if err != nil {
		t.Fatal(err)
	}
	s.Liquid.Spacing *= 1.5
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	var before *mesh.Mesh
	for n := 15; n <= 21; n++ {
		if err := b.World.Advance(b.Solver, s.Time.At(n), nil); err != nil {
			t.Fatal(err)
		}
		got := new(mesh.Mesh)
		if err := b.Surface.Surface(got, surface.Cloud{X: b.World.X, V: b.World.V, Spacing: s.Liquid.Spacing, Walls: b.Solids}); err != nil {
			t.Fatal(err)
		}
		if before != nil {
			e, _ := meshtest.Deviation(got, before)
			e /= s.Liquid.Spacing / 2
			t.Logf("frame %d: %.5f radii", n, e)
			if e > 0.004 || e == 0 {
				t.Errorf("frame %d: the surface moved by %.4f radii in the mean", n, e)
			}
		}
		before = got
	}
}
