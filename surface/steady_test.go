package surface

import (
	"math/rand/v2"
	"testing"

	"breakwater/sim/plug"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestSteady moves the particles of a pool by a thousandth of a spacing at
// random, as those of water at rest do between frames: its surface may change by
// two thousandths of a radius in the mean, and nothing may come or go.
func TestSteady(t *testing.T) {
	const d = 0.02
	box := vec.Box{Max: vec.New(20*d, 8*d, 20*d)}
	c := Cloud{Spacing: d, Walls: []Wall{tank{vec.Box{Max: vec.New(20*d, 1, 20*d)}, 2 * d}}}
	c.X = lattice(box, d, 0.1, 5)
	m, err := Methods.New("sph", plug.None)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	var before *mesh.Mesh
	for frame := range 4 {
		got := surfaceOf(t, m, c)
		if _, pieces := got.Components(); len(pieces) != 1 {
			t.Errorf("frame %d: %d pieces", frame, len(pieces))
		}
		if before != nil {
			if e := got.DeviationFrom(before).Mean / (d / 2); e > 0.002 || e == 0 {
				t.Errorf("frame %d: the surface moved by %.4g radii in the mean", frame, e)
			}
		}
		before = got
		for i, x := range c.X {
			c.X[i] = x.Add(vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Mul(0.002 * d))
		}
	}
}
