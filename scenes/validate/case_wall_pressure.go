package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/gauge"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("wall-pressure", "a dam break hits a wall: time of impact and final pressure", "Lobovský et al. 2014", wallPressure)
}

// wallPressure compares the pressure on the wall across a dam break with the measurement
// of Lobovský et al., Experimental investigation of dynamic pressure loads during dam
// break, J. Fluids Struct. 48, 2014, fig. 31: the median of a hundred runs at their
// sensor 2, 15 mm above the ground. The peak of the impact differs between their runs, so
// the comparison uses the arrival time of the pressure and the plateau after it.
//
// The tank is as theirs, 150 mm across, and the water has friction on its ground and
// sides. Without friction the front is at the wall too early. The plateau then follows
// from Bernoulli's law for Ritter's wave, 1 to 0.8 ρgH.
func wallPressure(r *Run) (*Result, error) {
	const depth, across, g, rho, arrived, end = 0.3, 0.15, 9.81, 1000., 0.25, 6.
	w := sim.New(r.pick(0.0075, 0.015), rho)
	w.Viscosity = 1e-6
	w.Gravity = vec.New(0, -g, 0)
	tank := &boundary.Box{Max: vec.New(1.61, 1.2, across), Inside: true}
	w.Walls = []boundary.Boundary{body.New(tank, body.Motion{}, 1)}
	w.Fill(&shape.Box{Max: vec.New(0.6, depth, across)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		return nil, err
	}
	sensor := &gauge.PressureAt{At: vec.New(1.61, 0.015, across/2)}
	var press series
	err := r.advance(w, r.solver(), end*math.Sqrt(depth/g), int(r.pick(1200, 600)), func() error {
		v := sensor.Read(nil, w, w.Carry(pressure))[0]
		press.add(w.Time*math.Sqrt(g/depth), v/(rho*g*depth))
		return nil
	})
	if err != nil {
		return nil, err
	}
	want := published("lobovsky_pressure", 2)
	low, high := published("lobovsky_pressure", 1), published("lobovsky_pressure", 3)
	smooth, measured := press.mean(0.1), want.between(0, end)
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "pressure", X: figure.Axis{Label: "τ = t √(g/H)"}, Y: figure.Axis{Label: "pressure p/(ρgH)"}, Curve: []figure.Curve{
			{Name: "simulation, mean over 0.1 τ", X: smooth.x, Y: smooth.y},
			{Name: "Lobovský et al., median", X: measured.x, Y: measured.y},
		},
	}}}
	first := func(s *series) float64 { return s.first(arrived) }
	// The plateau is the mean from after the impact to before the wave that
	// comes back.
	plateau := func(s *series) float64 { return s.between(3, 5).average() }
	return r.result(w, plot,
		number("arrival τ", "", first(&press), first(want), first(want), r.pick(0.05, 0.1)),
		note("arrival τ, earliest 2.5 % of runs", "", first(high)),
		note("arrival τ, latest 2.5 %", "", first(low)),
		number("plateau, 3 < τ < 5", "", plateau(&press), plateau(want), plateau(want), r.pick(0.1, 0.5)),
		note("plateau, lowest 2.5 %", "", plateau(low)),
		note("plateau, highest 2.5 %", "", plateau(high)),
		note("highest pressure", "", highest(press.y)),
		note("highest pressure, median run", "", highest(want.y)),
	), nil
}
