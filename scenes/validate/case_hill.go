package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("hill-vortex", "Hill's spherical vortex: its speed, impulse and shape, at three spacings", "Hill 1894", func(r *Run) (*Result, error) {
		return hillVortex(r, func(float64) vortex.Solver {
			s := vortons("transpose", 1.5)
			s.Turn, s.LongestStep = 1, 0.1
			return s
		}, 0.1)
	})
	register("hill-mesh", "Hill's spherical vortex with the solver mesh, at three spacings", "Hill 1894", func(r *Run) (*Result, error) {
		return hillVortex(r, func(cell float64) vortex.Solver {
			s := mesh(cell)
			s.LongestStep = 0.1
			return s
		}, noGoal) // faint vorticity spreads from a coarse vortex
	})
}

// hillVortex moves the vortex of Hill, On a spherical vortex, 1894, by its diameter. It
// has the speed U = Γ/(5a) and the impulse 2πUa³, and does not change its shape. Its way is
// the way of its impulse, Σ x ρ α_φ over Σ ρ α_φ. solver returns the solver for
// a spacing in m. quickMoment is the goal of the second moments in a quick run.
func hillVortex(r *Run, solver func(cell float64) vortex.Solver, quickMoment float64) (*Result, error) {
	ball := &vorticity.Ball{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 5}
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "way", X: figure.Axis{Label: "time t U/a"}, Y: figure.Axis{Label: "way x/a − t U/a"},
	}}}
	exact := float64(2 * math.Pi * ball.Speed())
	var measures []Measure
	var f *vortex.Flow
	var h float64
	sizes := []float64{8, 12, 24}
	if r.Quick {
		sizes = []float64{5, 8}
	}
	for k, cells := range sizes {
		goal := func(full, quick float64) float64 {
			if k < len(sizes)-1 {
				return noGoal
			}
			return r.pick(full, quick)
		}
		h = 1 / cells
		f = &vortex.Flow{}
		f.Fill(&vorticity.CellMean{Distribution: ball, Edge: h}, h, 1, vortex.Blend{})
		var way, impulse, along, across series
		err := r.flow(f, solver(h), idealGas(), 2*ball.Radius/ball.Speed(), 20, func() {
			var all, x, xx, yy float64
			for i, at := range f.Vortons.X {
				w := float64(at.Cross(f.Vortons.Strength(i)).X / 2)
				all, x, xx, yy = all+w, x+float64(w*at.X), xx+float64(w*at.X*at.X), yy+float64(w*(float64(at.Y*at.Y)+float64(at.Z*at.Z)))
			}
			x /= all
			way.add(f.Time, x)
			impulse.add(f.Time, all)
			along.add(f.Time, xx/all-float64(x*x))
			across.add(f.Time, yy/all)
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%g cells: ", cells)
		measures = append(measures, number(name+"speed", "m/s", way.last()/f.Time, ball.Speed(), ball.Speed(), goal(0.01, 0.04)))
		if k == len(sizes)-1 {
			measures = append(measures,
				number(name+"impulse at the start", "m⁴/s", impulse.y[0], exact, exact, goal(1e-3, 0.02)),
				number(name+"impulse at the end, of the start", "", impulse.last()/impulse.y[0], 1, 1, goal(1e-3, 0.01)),
				number(name+"second moment along the way, of the start", "", along.last()/along.y[0], 1, 1, goal(0.02, quickMoment)),
				number(name+"second moment across, of the start", "", across.last()/across.y[0], 1, 1, goal(0.02, quickMoment)))
		}
		c := figure.Curve{Name: fmt.Sprintf("%g cells per radius", cells), X: way.x}
		for i, t := range way.x {
			c.Y = append(c.Y, way.y[i]-float64(t*ball.Speed()))
		}
		plot.Panels[0].Curve = append(plot.Panels[0].Curve, c)
	}
	return r.gasResult(f, h, plot, measures...), nil
}
