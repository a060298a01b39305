package vortex

import (
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestCarriers looks for heat and mixture outside of the carriers, where no loop looks: after vortons are deposited and
// after they react, beside a source that opens and a body that conducts heat, at the start and later.
func TestCarriers(t *testing.T) {
	gas := still()
	gas.HeatCapacity = 1000
	gas.Conduction, gas.Viscosity, gas.Gravity = 1e-3, 1e-3, vec.New(0, -9.81, 0)
	hot := NewBody(solids.NewBall(vec.New(0.4, 0, 0), 0.1), vec.NoTurn)
	hot.Temperature, hot.Conductance = 500, 10
	f := &Flow{Bodies: []*Body{hot}, Sources: []Source{
		{Region: &shape.Sphere{Center: vec.New(0, -0.2, 0), Radius: 0.15}, Temperature: 1200, Mix: Blend{Fuel: 1}, Stop: 10},
		{Region: &shape.Sphere{Center: vec.New(0, 0.9, 0), Radius: 0.1}, Temperature: 900, Mix: Blend{Smoke: 1}, Start: 0.05, Stop: 10},
	}}
	for _, s := range []*Mesh{
		{Expansion: true, Conserve: true, Flame: &Flame{Activation: 3000, Rate: 1e4, SmokeTemperature: 2000, Heat: 2e6, Air: 15, Soot: 1}},
		{Expansion: true},
		{Flame: &Flame{Activation: 300, Rate: 2, SmokeTemperature: 2000, SmokeRate: 5, Heat: 1e5}},
	} {
		s.Cell, s.Keep, s.Most, s.Turn, s.LongestStep = 0.05, 1e-4, 1e7, 1, 0.02
		for _, end := range []float64{0, 0.06} {
			checkCarriers(t, s, *f, &gas, end)
		}
	}
}

// checkCarriers looks at a part of a step after a time.
func checkCarriers(t *testing.T, s *Mesh, x Flow, gas *Gas, end float64) {
	if err := x.Advance(s, gas, end, nil); err != nil {
		t.Fatal(err)
	}
	full := 0
	look := func(when string) {
		t.Helper()
		in := make([]bool, s.lattice.Len())
		s.lattice.Rows(s.carriers, 0, len(in), func(p, q int) {
			for ; p < q; p++ {
				in[p] = true
			}
		})
		for p := range in {
			for c := heatExcess; c < channels; c++ {
				if v := s.node[c][p]; v != 0 && !in[p] {
					t.Fatalf("%s: node %v carries %g in channel %d", when, s.lattice.At(p), v, c)
				} else if v != 0 {
					full++
				}
			}
		}
		if n := s.carriers.Hi[1] - s.carriers.Lo[1]; n >= s.lattice.N[1] {
			t.Errorf("%s: all planes may carry something", when)
		}
	}
	s.load(&x.Vortons, gas)
	s.bounds(&x, gas)
	s.fit(s.extent(&x))
	s.ambient, s.grows = gas.Temperature, false
	s.toNodes(s.x, s.now[:])
	look("deposited")
	if !s.splits() {
		s.levelHeat(x.Sources)
	}
	s.cold = append(s.cold[:0], s.node[heatExcess]...)
	s.carryAt(&x)
	s.sources(&x, gas, x.Time)
	look("sources")
	s.velocity()
	s.project()
	sums, l := make([]push, 1), Ledger{}
	if s.splits() {
		s.react(&x, gas, 0.01, sums, &l)
	} else {
		s.atBodies(x.Bodies, gas, 0.01, sums)
		s.diffuse(gas, 0.01)
	}
	look("reacted")
	if full == 0 {
		t.Error("nothing carries anything")
	}
}
