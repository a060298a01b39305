package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("puffing", "a hot plume above a burner, which puffs as pool fires do", "measured, Cetegen and Ahmed 1993", puffing)
}

// puffing compares the frequency at which the speed above a burner of the diameter D in m rises
// and falls with the frequency of pool fires, 1.5/√D Hz. The law does not depend on
// the speed of the gas, here 0.9 m/s. At a third of it, the plume necks to 6 cells across and stays
// steady.
func puffing(r *Run) (*Result, error) {
	const (
		d      = 0.3  // diameter, m
		dt     = 0.02 // between samples, s
		settle = 0.9  // time that the vortex of the start takes to leave, s
	)
	cell, end := d/r.pick(14, 11), r.pick(2.8, 1.8)
	gas := vortex.Air()
	gas.Gravity, gas.Variable, gas.Viscosity, gas.Conduction = vec.New(0, -9.81, 0), true, 1.5e-4, 2e-4
	f := &vortex.Flow{}
	f.Sources = []vortex.Source{{
		Region:      &shape.Cylinder{Bottom: vec.New(0, cell/4, 0), Top: vec.New(0, 1.45*cell, 0), Radius: d / 2},
		Temperature: 1200, Flow: 0.9 * math.Pi * d * d / 4, Burner: true, Stop: math.Inf(1),
	}}
	// A faint vorton, so that the flow is not symmetric.
	f.AddVorton(vec.New(0.3*d, 0.3*d, 0), vec.New(0, 0, 0.3), vortex.BallRadius(cell*cell*cell), gas.Density*0.99, vortex.Blend{})
	f.Bodies = []*vortex.Body{vortex.NewBody(solids.NewBox(vec.New(0, -d, 0), vec.New(4*d, d, 4*d)), vec.NoTurn)}
	s := mesh(cell)
	s.Expansion, s.Conserve, s.Turn, s.LongestStep = true, true, 1, dt
	s.Low, s.High = vec.New(-1.2*d, -0.3*d, -1.2*d), vec.New(1.2*d, 2.6*d, 1.2*d)

	var all, late series
	most, least := 0., math.Inf(1) // in the second half of the time, to see puffs that die out
	err := r.flow(f, s, &gas, end, int(math.Round(end/dt)), func() {
		v := nearest(f, vec.New(0, d/2, 0)).Y
		all.add(f.Time, v)
		if f.Time > settle {
			late.add(f.Time, v)
		}
		if f.Time > (settle+end)/2 {
			most, least = max(most, v), min(least, v)
		}
	})
	if err != nil {
		return nil, err
	}
	up := late.risesThroughMean()
	rate := math.NaN()
	if n := len(up); n > 1 {
		rate = float64(n-1) / (up[n-1] - up[0])
	}
	want := 1.5 / math.Sqrt(d)
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "speed", X: figure.Axis{Label: "time [s]"}, Y: figure.Axis{Label: "upward speed at the height D/2 [m/s]"},
		Curve: []figure.Curve{{Name: "simulated", X: all.x, Y: all.y}},
	}}}
	return r.gasResult(f, cell, plot,
		number("frequency", "Hz", rate, want, want, r.pick(0.15, 0.25)),
		note("puffs", "", float64(len(up))),
		note("highest speed over the lowest, in the second half", "", most/least)), nil
}

// nearest returns the velocity of the vorton nearest to x. Unlike the solver's VelocityAt, it
// includes the velocity by expansion and bodies.
func nearest(f *vortex.Flow, x vec.Vec3) (v vec.Vec3) {
	least := math.Inf(1)
	for i, at := range f.Vortons.X {
		if d := at.Sub(x).Len(); d < least {
			least, v = d, f.Vortons.V[i]
		}
	}
	return v
}

// risesThroughMean returns the places at which y rises through its mean. A rise counts once y
// was below the mean by half the standard deviation, so that small waves do not count.
func (s *series) risesThroughMean() (at []float64) {
	n := float64(len(s.y))
	mean, square := 0.0, 0.0
	for _, y := range s.y {
		mean += y / n
	}
	for _, y := range s.y {
		square += float64((y-mean)*(y-mean)) / n
	}
	low, below := mean-float64(math.Sqrt(square)/2), false
	for k, y := range s.y {
		if below && y >= mean {
			before := s.y[k-1]
			at = append(at, s.x[k-1]+float64((mean-before)/(y-before)*(s.x[k]-s.x[k-1])))
			below = false
		}
		below = below || y < low
	}
	return at
}
