package body

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// motions are one of each kind, and all of them together.
func motions() map[string]Motion {
	m := map[string]Motion{
		"velocity":    {Velocity: vec.New(0.3, 0, -0.1)},
		"turn":        {Axis: vec.New(0, 1, 0.3), Center: vec.New(0.2, 0.1, 0), Turn: 90},
		"oscillation": {Amplitude: vec.New(0.1, 0.05, 0), Frequency: 1.5, Phase: 30, Ramp: 0.4},
		"swing":       {Axis: vec.New(0, 0, 2), Center: vec.New(0.5, 0, 0.5), Swing: 12, Frequency: 0.8},
		"keyframes": {
			Axis: vec.New(1, 0, 0), Times: []float64{0.1, 0.5, 0.6, 1.4},
			Positions: []vec.Vec3{{}, {X: 0.2}, {X: 0.25, Y: 0.1}, {X: -0.1}}, Angles: []float64{0, 30, 20, 20},
		},
	}
	all := m["keyframes"]
	all.Velocity, all.Turn, all.Amplitude, all.Swing, all.Frequency = vec.New(0, 0, 0.2), 45, vec.New(0, 0, 0.02), 5, 2
	m["all"] = all
	return m
}

// TestMotion checks that a body starts where the scene has it, that back undoes
// there, that speed is the rate of there, and that none is above TopSpeed.
func TestMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for name, m := range motions() {
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		b := New(&boundary.Box{Min: vec.New(-0.5, -0.5, -0.5), Max: vec.New(0.5, 0.5, 0.5), Inside: true}, m, 0)
		if d := b.Place(vec.New(1, 2, 3)).Sub(vec.New(1, 2, 3)).Len(); d > 1e-12 {
			t.Errorf("%s: a body starts %g m off", name, d)
		}
		for range 300 {
			at := 1.6 * rng.Float64()
			x := vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5)
			const e = 1e-6
			before, p, after := m.at(at-e), m.at(at), m.at(at+e)
			there := p.toWorld(x, m.Center)
			if d := p.toRest(there, m.Center).Sub(x).Len(); d > 1e-12 {
				t.Fatalf("%s: back misses by %g m", name, d)
			}
			want := after.toWorld(x, m.Center).Sub(before.toWorld(x, m.Center)).Mul(1 / (2 * e))
			v := p.speed(there, m.Center)
			if d := v.Sub(want).Len(); d > 1e-4 {
				t.Fatalf("%s at %g s: speed %v, differences give %v", name, at, v, want)
			}
			if top := b.TopSpeed(at, 0, math.Inf(1)); v.Len() > top*(1+1e-9) {
				t.Fatalf("%s at %g s: speed %g is above the bound %g", name, at, v.Len(), top)
			}
		}
	}
	for name, m := range map[string]Motion{
		"no axis": {Turn: 1}, "no frequency": {Swing: 1, Axis: vec.New(1, 0, 0)}, "one key": {Times: []float64{1}},
		"order": {Times: []float64{1, 1}, Angles: []float64{1, 2}}, "lengths": {Times: []float64{1, 2}, Angles: []float64{1}}, "nothing": {Times: []float64{1, 2}},
	} {
		if m.Check() == nil {
			t.Errorf("%s: no fault is found", name)
		}
	}
}
