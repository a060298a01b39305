package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/num"
	"breakwater/sim/period"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("taylor-green", "four vortices in a periodic square at Re 100: their rate of decay", "Taylor and Green 1937", taylorGreen)
}

// taylorGreen compares the decay of the two-dimensional vortices of Taylor and
// Green, Mechanism of the production of small eddies from large ones, Proc. R.
// Soc. A 158, 1937,
//
//	u = −U e^{bt} cos(2πx/L) sin(2πy/L),  v = U e^{bt} sin(2πx/L) cos(2πy/L),
//
// with b = −8π²ν/L², at Re = UL/ν = 100. The rate is the slope of the straight line
// through the logarithm of the speeds up to t = L/U, in which the energy falls to a
// fifth.
func taylorGreen(r *Run) (*Result, error) {
	const length, speed, nu, rho = 1., 1., 0.01, 1000.
	d := r.pick(0.005, 0.02)
	w := sim.New2D(d, rho)
	w.Viscosity = nu
	w.Period = period.Period{X: true, Y: true, Max: vec.New(length, length, 0)}
	w.Closed = true
	w.Fill(&shape.Box{Max: vec.New(length, length, 0)}, vec.Vec3{})
	const k = 2 * math.Pi / length
	for i, x := range w.X {
		w.V[i] = vec.New(float64(-speed*math.Cos(float64(k*x.X))*math.Sin(float64(k*x.Y))), float64(speed*math.Sin(float64(k*x.X))*math.Cos(float64(k*x.Y))), 0)
	}
	if err := w.Init(); err != nil {
		return nil, err
	}
	const b = -8 * math.Pi * math.Pi * nu / (length * length)
	start := momentsOf(w)
	var got, want series
	var st, sl, stt, stl, n, off float64
	err := r.advance(w, r.solver(), length/speed, 50, func() error {
		m := momentsOf(w)
		t, l := w.Time, float64(math.Log(m.energy/start.energy)/2)
		got.add(t, m.energy/start.energy)
		want.add(t, num.Exp(float64(2*b*t)))
		st, sl, stt, stl, n = st+t, sl+l, stt+float64(t*t), stl+float64(t*l), n+1
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all float64
	for i, x := range w.X {
		f := float64(speed * num.Exp(float64(b*w.Time)))
		e := vec.New(float64(-f*math.Cos(float64(k*x.X))*math.Sin(float64(k*x.Y))), float64(f*math.Sin(float64(k*x.X))*math.Cos(float64(k*x.Y))), 0)
		d := w.V[i].Sub(e)
		off, all = off+d.Dot(d), all+e.Dot(e)
	}
	end := momentsOf(w)
	rate := (float64(n*stl) - float64(st*sl)) / (float64(n*stt) - float64(st*st))
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "energy", X: figure.Axis{Label: "time t U/L"}, Y: figure.Axis{Label: "kinetic energy E/E₀", Log: true}, Curve: []figure.Curve{
			{Name: "simulation", X: got.x, Y: got.y}, {Name: "exact", X: want.x, Y: want.y, Dots: true},
		},
	}}}
	return r.result(w, plot,
		number("decay rate", "1/s", rate, b, b, r.pick(0.02, 0.05)),
		number("energy at the end", "", got.last(), want.last(), want.last(), r.pick(0.05, 0.15)),
		curve("velocities at the end: L2", math.Sqrt(off/all), noGoal),
		number("momentum, of Σ m‖v‖", "", end.momentum/start.flow, 0, 1, 1e-5),
	), nil
}
