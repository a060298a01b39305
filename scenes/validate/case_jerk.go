package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/gauge"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("jerk", "a jet ring by the techniques of the articles: which of them jerk", "Gourlay 2012, figures 9 and 10", jerk)
}

// jerk compares the mean jerk of the vortons of article C's jet ring by technique, with
// nothing but advection. The article plots it and says which technique is smoother than
// which.
func jerk(r *Run) (*Result, error) {
	end := r.pick(8, 2)
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "jerk", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "mean jerk (m/s³)", Log: true},
	}}}
	var f *vortex.Flow
	var means []float64
	ways := []struct {
		name, at  string
		technique vortex.Technique
		mollify   float64
	}{
		{"direct at grid", "grid", &vortex.Direct{}, 0},
		{"tree at grid", "grid", &vortex.Tree{Leaves: "super"}, 0},
		{"tree, scale 1", "grid", &vortex.Tree{Leaves: "super"}, 1},
		{"tree, scale 2", "grid", &vortex.Tree{Leaves: "super"}, 2},
		{"tree, scale 5", "grid", &vortex.Tree{Leaves: "super"}, 5},
		{"Poisson, expanded", "grid", &vortex.Poisson{Method: "multigrid", Edge: "zero", Border: 0.5, Tolerance: 1e-4}, 0},
		{"direct at vortons", "vortons", &vortex.Direct{}, 0},
	}
	var exact series
	for _, w := range ways {
		s := gourlay(w.technique)
		s.At, s.Mollify, s.Stretching = w.at, w.mollify, 0
		gas := idealGas()
		f = &vortex.Flow{}
		f.Fill(&vorticity.JetRing{Axis: vec.New(1, 0, 0), Radius: 1, Thickness: 1, Circulation: 200}, 0.25, gas.Density, vortex.Blend{})
		meter := &gauge.Meter{Gauge: &gauge.Jerk{Of: "vortons"}, Interval: s.LongestStep}
		state := &gauge.Gas{Flow: f, Medium: gas, Solver: s, Dt: s.LongestStep}
		meter.BeforeGas(state)
		err := f.Advance(s, gas, end, func(vortex.StepInfo) error {
			r.steps++
			meter.AfterGas(state)
			meter.BeforeGas(state)
			return r.Ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		c, sum, n := figure.Curve{Name: w.name}, 0., 0.
		var all series
		for _, row := range meter.Take() {
			if row[0] >= 1 {
				all.add(row[0], row[1])
				sum, n = sum+row[1], n+1
			}
		}
		smooth := all.mean(0.2)
		c.X, c.Y = smooth.x, smooth.y
		exact = *smooth
		plot.Panels[0].Curve = append(plot.Panels[0].Curve, c)
		means = append(means, sum/n)
	}
	direct := len(ways) - 1
	m := []Measure{note(ways[direct].name+": mean from 1 s on", "m/s³", means[direct])}
	for k := range direct {
		m = append(m, note(ways[k].name+": mean, of direct at vortons", "", means[k]/means[direct]))
	}
	// A ratio of 1 or more is the article's order. It calls the last two the smoothest, in no
	// order.
	const scale2, scale5, poisson = 3, 4, 5
	for _, pair := range [][2]int{{0, 1}, {1, 2}, {2, scale2}, {scale2, scale5}, {scale2, poisson}} {
		rough, smooth := pair[0], pair[1]
		ratio := means[rough] / means[smooth]
		m = append(m, Measure{fmt.Sprintf("%s, of %s", ways[rough].name, ways[smooth].name), "", ratio, math.NaN(), max(0, 1-ratio), 0})
	}
	m = append(m, number("tree, scale 2: about as direct at vortons", "", means[scale2]/means[direct], 1, 1, 0.5))
	// Figure 9 of the article has about 300 m/s³ after 1 s, and 30 after 8 s.
	m = append(m, number("direct at vortons: after 1 s", "m/s³", exact.at(1.1), 300, 300, 0.2))
	if !r.Quick {
		m = append(m, number("direct at vortons: after 8 s", "m/s³", exact.at(7.9), 30, 30, 0.2))
	}
	return r.gasResult(f, 0.25, plot, m...), nil
}
