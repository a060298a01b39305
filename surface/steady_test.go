package surface

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"breakwater/surface/meshtest"
)

// TestSteady moves the particles of a pool by a thousandth of a spacing at random, as
// particles of water at rest move between frames. Its surface may change by two
// thousandths of a radius in the mean, and no piece may appear or vanish.
func TestSteady(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	box := vec.Box{Max: vec.New(20*d, 8*d, 20*d)}
	c := Cloud{Spacing: d, Walls: []Wall{tank{vec.Box{Max: vec.New(20*d, 1, 20*d)}, 2 * d}}}
	c.X = lattice(box, d, 0.1, 5)
	m := registrytest.New(t, &Methods, "sph")
	rng := rand.New(rand.NewPCG(7, 7))
	var before *mesh.Mesh
	for frame := range 4 {
		got := surfaceOf(t, m, c)
		if _, pieces := got.Components(); len(pieces) != 1 {
			t.Errorf("frame %d: %d pieces", frame, len(pieces))
		}
		if before != nil {
			if e, _ := meshtest.Deviation(got, before); e/(d/2) > 0.002 || e == 0 {
				t.Errorf("frame %d: the surface moved by %.4g radii in the mean", frame, e/(d/2))
			}
		}
		before = got
		for i, x := range c.X {
			c.X[i] = x.Add(vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Mul(0.002 * d))
		}
	}
}

// TestSteadyInWaves lets a pool swash by a fiftieth of a radius from frame to frame, as
// freshly poured water does. The surface must follow the particles to two thousandths of
// a radius in the mean. No part may appear or vanish.
func TestSteadyInWaves(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	const long, deep = 30 * d, 8 * d
	c := Cloud{Spacing: d, Walls: []Wall{tank{vec.Box{Max: vec.New(long, 1, 10*d)}, 2 * d}}}
	rest := lattice(vec.Box{Max: vec.New(long, deep, 10*d)}, d, 0.1, 5)
	m := registrytest.New(t, &Methods, "sph")
	// A standing wave in shallow water, as displacements: volume is kept.
	const k = math.Pi / long
	moved := func(p vec.Vec3, a float64) vec.Vec3 {
		return p.Add(vec.New(-a/(k*deep)*math.Sin(k*p.X), a*p.Y/deep*math.Cos(k*p.X), 0))
	}
	var before *mesh.Mesh
	for frame := range 6 {
		c.X = nil
		for _, p := range rest {
			c.X = append(c.X, moved(p, 0.02*d/2*float64(frame)))
		}
		got := surfaceOf(t, m, c)
		if _, pieces := got.Components(); len(pieces) != 1 {
			t.Errorf("frame %d: %d pieces", frame, len(pieces))
		}
		if before != nil {
			for v, p := range before.Pos {
				before.Pos[v] = moved(p, 0.02*d/2)
			}
			mean, largest := meshtest.Deviation(got, before)
			t.Logf("frame %d: mean %.5f r, greatest %.4f r", frame, mean/(d/2), largest/(d/2))
			if e := mean / (d / 2); e > 0.002 || e == 0 {
				t.Errorf("frame %d: the surface moved by %.4g radii in the mean otherwise than its particles", frame, e)
			}
		}
		before = got
	}
}
