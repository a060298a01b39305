package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("hill-vortex", "Hill's spherical vortex: its speed, impulse and shape", "Hill 1894", hillVortex)
}

// hillVortex moves the vortex of Hill, On a spherical vortex, 1894, by its radius, with
// sums at the vortons. It has the speed U = Γ/(5a) and the impulse 2πUa³, and does not
// change its shape. Its way is the way of its impulse, Σ x ρ α_φ over Σ ρ α_φ.
func hillVortex(r *Run) (*Result, error) {
	ball := &vortex.Ball{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 5}
	gas := &vortex.Gas{Density: 1, Temperature: 293, HeatCapacity: 1}
	f := &vortex.Flow{}
	h := r.pick(1./12, 1./6)
	f.Fill(ball, h, gas.Density, vortex.Blend{})
	s := gourlay(&vortex.Direct{})
	s.At, s.Mollify, s.Stretching, s.LongestStep = "vortons", 1.5, 1, r.pick(1./60, 1./20)
	var way, impulse, spread series
	err := r.flow(f, s, gas, ball.Radius/ball.Speed(), 20, func() {
		var all, x, xx float64
		for i, at := range f.Vortons.X {
			w := at.Cross(f.Vortons.Strength(i)).X / 2
			all, x, xx = all+w, x+w*at.X, xx+w*at.X*at.X
		}
		x /= all
		way.add(f.Time, x)
		impulse.add(f.Time, all)
		spread.add(f.Time, xx/all-x*x)
	})
	if err != nil {
		return nil, err
	}
	want := figure.Curve{Name: "exact", X: way.x, Dots: true}
	for _, t := range way.x {
		want.Y = append(want.Y, t*ball.Speed())
	}
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "way", X: figure.Axis{Label: "time t U/a"}, Y: figure.Axis{Label: "way x/a"},
		Curve: []figure.Curve{{Name: "simulation", X: way.x, Y: way.y}, want},
	}}}
	exact := 2 * math.Pi * ball.Speed()
	return r.gasResult(f, h, plot,
		number("speed", "m/s", way.last()/f.Time, ball.Speed(), ball.Speed(), r.pick(0.05, 0.15)),
		number("impulse at the start", "m⁴/s", impulse.y[0], exact, exact, r.pick(0.01, 0.05)),
		number("impulse at the end, of the start", "", impulse.last()/impulse.y[0], 1, 1, r.pick(0.02, 0.1)),
		number("second moment along the way, of the start", "", spread.last()/spread.y[0], 1, 1, noGoal),
	), nil
}
