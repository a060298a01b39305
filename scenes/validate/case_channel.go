package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/num"
	"breakwater/sim/period"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	register("poiseuille", "a force sets a liquid between two plates in motion: its speed over time", "Morris, Fox and Zhu 1997",
		func(r *Run) (*Result, error) { return channel(r, 1e-4, 0, poiseuille) })
	register("couette", "a moving plate drags a liquid along: its speed over time", "Morris, Fox and Zhu 1997",
		func(r *Run) (*Result, error) { return channel(r, 0, 1.25e-5, couette) })
}

// The flows of Morris, Fox and Zhu, Modeling Low Reynolds Number Incompressible
// Flows Using SPH, J. Comput. Phys. 136, 1997, section 4: plates 1 mm apart,
// in a liquid with the viscosity of water, at a Reynolds number of 0.0125.
const (
	channelWidth = 1e-3    // L, m
	channelNu    = 1e-6    // ν, m²/s
	channelTop   = 1.25e-5 // highest speed, m/s
)

// poiseuille returns the speed at height y and time t with the plates at rest
// and the acceleration 1e-4 m/s² along them:
//
//	F/2ν y(L−y) − Σ 4FL²/(νπ³(2n+1)³) sin((2n+1)πy/L) exp(−(2n+1)²π²νt/L²).
func poiseuille(y, t float64) float64 {
	const f, l, nu = 1e-4, channelWidth, channelNu
	u := f / (2 * nu) * y * (l - y)
	for n := range 40 {
		k := float64(2*n + 1)
		u -= float64(4 * f * l * l / (nu * num.Pow(math.Pi*k, 3)) * math.Sin(k*math.Pi*y/l) * num.Exp(-k*k*math.Pi*math.Pi*nu*t/(l*l)))
	}
	return u
}

// couette returns the speed at height y and time t where the upper plate moves
// with V = 1.25e-5 m/s from time 0 on:
//
//	Vy/L + Σ 2V/(nπ) (−1)ⁿ sin(nπy/L) exp(−n²π²νt/L²).
func couette(y, t float64) float64 {
	const v, l, nu = channelTop, channelWidth, channelNu
	u := v * y / l
	for n := 1.; n < 80; n++ {
		u += float64(2 * v / (n * math.Pi) * num.Pow(-1, n) * math.Sin(n*math.Pi*y/l) * num.Exp(-n*n*math.Pi*math.Pi*nu*t/(l*l)))
	}
	return u
}

// channel compares the speeds with the exact ones at several times. The steps are short
// enough for viscosity as an explicit sum. In longer steps, which iisph takes if
// allowed, viscosity is solved for, by a form that is a few percent too strong at the
// plates. The result reports its final error too.
func channel(r *Run, force, plate float64, exact func(y, t float64) float64) (*Result, error) {
	const l = channelWidth
	d := r.pick(0.02, 0.05) * l
	times := []float64{0.0225, 0.045, 0.1125, 0.225, 1}
	if r.Quick {
		times = times[:3]
	}
	right := figure.Curve{Name: "exact"}
	var got []figure.Curve
	var measures []Measure
	run := func(s sim.Solver, longest float64, each func(w *sim.World, t, off float64)) (*sim.World, error) {
		w := plates(d, force, plate)
		if err := w.Init(); err != nil {
			return nil, err
		}
		for _, t := range times {
			if err := r.advance(w, s, t, max(1, int(math.Ceil((t-w.Time)/longest))), func() error { return nil }); err != nil {
				return nil, err
			}
			var off float64
			for i, x := range w.X {
				e := (w.V[i].X - exact(x.Y, t)) / channelTop
				off += e * e / float64(w.Len())
			}
			each(w, t, math.Sqrt(off))
		}
		return w, nil
	}
	w, err := run(usual(), 0.1*d*d/channelNu, func(w *sim.World, t, off float64) {
		name := fmt.Sprintf("t = %g s", t)
		dots := figure.Curve{Name: name, Dots: true}
		for k := range 51 {
			y := float64(k) / 50
			right.X, right.Y = append(right.X, y), append(right.Y, exact(y*l, t)/channelTop)
		}
		right.X, right.Y = append(right.X, math.NaN()), append(right.Y, math.NaN()) // the line ends
		for i, x := range w.X {
			if x.X < d { // a column
				dots.X, dots.Y = append(dots.X, x.Y/l), append(dots.Y, w.V[i].X/channelTop)
			}
		}
		got = append(got, dots)
		measures = append(measures, curve(name+": L2, of the highest speed", off, r.pick(0.01, 0.02)))
	})
	if err != nil {
		return nil, err
	}
	last := 0.
	if _, err := run(newSolver("iisph"), math.Inf(1), func(_ *sim.World, _, off float64) { last = off }); err != nil {
		return nil, err
	}
	measures = append(measures, curve("the last, with the implicit viscosity of iisph", last, noGoal))
	panel := figure.Panel{
		Name: "speed", X: figure.Axis{Label: "height y/L"}, Y: figure.Axis{Label: "speed u/V, V the highest"},
		Curve: append([]figure.Curve{right}, got...),
	}
	return r.result(w, &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}}, measures...), nil
}

// plates returns the liquid between its plates.
func plates(d, force, plate float64) *sim.World {
	const l, across = channelWidth, 20
	w := sim.New2D(d, 1000)
	w.Viscosity = channelNu
	w.Gravity = vec.New(force, 0, 0)
	w.Period = period.Period{X: true, Max: vec.New(across*d, 0, 0)}
	w.Closed = true
	w.Walls = []boundary.Boundary{
		body.New(&boundary.Plane{Normal: vec.New(0, 1, 0)}, body.Motion{}, 1),
		body.New(&boundary.Plane{Point: vec.New(0, l, 0), Normal: vec.New(0, -1, 0)}, body.Motion{Velocity: vec.New(plate, 0, 0)}, 1),
	}
	w.Fill(&shape.Box{Max: vec.New(across*d, l, 0)}, vec.Vec3{})
	return w
}
