package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/gauge"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("hydrostatic", "water at rest: its pressure compared with the weight above", "", hydrostatic)
}

// hydrostatic compares the pressure of a liquid at rest in a two-dimensional tank with
// ρg(H−y). Gauges are spread evenly over all of it. Their mean over the second half of
// the run counts.
func hydrostatic(r *Run) (*Result, error) {
	const depth, width, g, rho, across, samples = 1., 1., 9.81, 1000., 20, 200
	d := r.pick(0.01, 0.04)
	w := sim.New2D(d, rho)
	w.Gravity = vec.New(0, -g, 0)
	w.Viscosity = 1e-6
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(width, 1.5*depth, 0), Inside: true}}
	w.Fill(&shape.Box{Max: vec.New(width, depth, 0)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		return nil, err
	}
	start := w.Stats()
	s := r.solver()
	if err := r.advance(w, s, 1, 1, func() error { return nil }); err != nil {
		return nil, err
	}
	var sum [across * across]float64
	err := r.advance(w, s, 2, samples-1, func() error {
		for i := range sum {
			gauge := &gauge.PressureAt{At: cell(i, across, width, depth)}
			sum[i] += gauge.Read(nil, w, w.Carry(pressure))[0] / samples
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var l2, worst float64
	got, exact := figure.Curve{Name: "simulation", Dots: true}, figure.Curve{Name: "exact", X: []float64{0, 1}, Y: []float64{1, 0}}
	for i := range sum {
		y := cell(i, across, width, depth).Y
		press := sum[i]
		e := math.Abs(press-float64(rho*g*(depth-y))) / (rho * g * depth)
		l2, worst = l2+e*e/float64(len(sum)), max(worst, e)
		got.X, got.Y = append(got.X, y/depth), append(got.Y, press/(rho*g*depth))
	}
	end := w.Stats()
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "pressure", X: figure.Axis{Label: "height y/H"}, Y: figure.Axis{Label: "pressure p/(ρgH)"}, Curve: []figure.Curve{got, exact},
	}}}
	return r.result(w, plot,
		curve("pressure: L2", math.Sqrt(l2), r.pick(0.01, 0.03)),
		curve("pressure: largest", worst, noGoal),
		number("depth", "m", 2*end.Center.Y, 2*start.Center.Y, depth, 0.005),
		number("kinetic energy/(mgH)", "", end.Kinetic/(float64(w.Len())*w.Mass()*g*depth), 0, 1, 5e-4),
	), nil
}

// cell returns the middle of cell i of a grid of n by n over a rectangle from
// the origin.
func cell(i, n int, width, height float64) vec.Vec3 {
	return vec.New((float64(i%n)+0.5)/float64(n)*width, (float64(i/n)+0.5)/float64(n)*height, 0)
}

// pressure names what incompressible solvers carry of it, in Pa.
const pressure = "pressure"
