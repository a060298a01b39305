package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("sphere", "a sphere in a uniform stream at Re = 100 and 300: its drag, by spacing", "measured, Schiller and Naumann 1933", sphere)
}

// sphere compares the drag coefficient of a sphere with the one of Schiller and Naumann, Über die
// grundlegenden Berechnungen bei der Schwerkraftaufbereitung, Z. VDI 77, 1933,
//
//	C_D = 24/Re (1 + 0.15 Re^0.687),
//
// which fits measurements within some 5 %. Johnson and Patel, Flow past a sphere up to a Reynolds
// number of 300, J. Fluid Mech. 378, 1999, compute 0.656 at Re = 300. Lengths are diameters and
// times are diameters over the speed.
func sphere(r *Run) (*Result, error) {
	end := r.pick(8, 4)
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "drag", X: figure.Axis{Label: "time t U/D"}, Y: figure.Axis{Label: "drag coefficient"},
	}}}
	var measures []Measure
	var f *vortex.Flow
	var cell float64
	flows := []struct{ re, cells, goal float64 }{{100, 8, noGoal}, {100, 12, 0.08}, {300, 8, noGoal}, {300, 12, noGoal}, {300, 16, 0.08}}
	if r.Quick {
		flows = flows[:1]
		flows[0].goal = 0.3
	}
	for _, x := range flows {
		cell = 1 / x.cells
		gas := idealGas()
		gas.Wind, gas.Viscosity = vec.New(1, 0, 0), 1/x.re
		f = &vortex.Flow{}
		ball := vortex.NewBody(solids.NewBall(vec.Vec3{}, 0.5), vec.NoTurn)
		f.Bodies = []*vortex.Body{ball}
		s := mesh(cell)
		s.Low, s.High = vec.New(-1.5, -1.75, -1.75), vec.New(5, 1.75, 1.75)
		var drag series
		// Samples per unit of time, one per step. The steps are short enough to have one part each: where
		// the number of parts changes, the slip at the surface changes with their length, and the force jumps.
		samples := 30 * max(1, x.cells/12)
		err := r.flow(f, s, gas, end, int(math.Round(end*samples)), func() {
			if f.Time > 0 {
				drag.add(f.Time, float64(ball.Impulse.X*samples/(math.Pi/8)))
			}
		})
		if err != nil {
			return nil, err
		}
		want := 24 / x.re * (1 + float64(0.15*num.Pow(x.re, 0.687)))
		name := fmt.Sprintf("Re = %g, %g cells", x.re, x.cells)
		measures = append(measures, number(name+": drag coefficient", "", drag.between(end-1, end).average(), want, want, x.goal))
		late := drag.between(1, end) // later than the start, in which the drag has no bound
		plot.Panels[0].Curve = append(plot.Panels[0].Curve, figure.Curve{Name: name, X: late.x, Y: late.y})
	}
	return r.gasResult(f, cell, plot, measures...), nil
}
