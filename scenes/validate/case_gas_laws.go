package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("gas-laws", "one vorton, heat that spreads, and fuel that burns", "exact", gasLaws)
}

// gasLaws checks the far field of a vorton, the variance of a ball of warm gas, which grows
// by 2κt along each axis, and fuel at a fixed temperature, by Arrhenius's law.
func gasLaws(r *Run) (*Result, error) {
	var m []Measure
	// Figure 3 of article C: Ω = 0.1 and r = 1.
	alpha := vec.New(0, 0, 0.2*4*math.Pi/3)
	for _, c := range []struct {
		name        string
		at, r, want float64
	}{
		{"vorton: peak for R = 1", 1, 1, 0.2 / 3}, {"vorton: peak for R = 2", 2, 2, 0.05 / 3}, {"vorton: peak for R = 5", 5, 5, 0.2 / 75},
		{"vorton: far field for R = 5", 7, 5, 0.2 / (3 * 49)},
	} {
		got := vortex.Induced(vec.New(c.at, 0, 0), alpha, c.r).Len()
		m = append(m, number(c.name, "m/s", got, c.want, c.want, 1e-6))
	}

	const kappa, s2, dt = 0.05, 0.04, 0.02
	gas := idealGas()
	gas.Conduction = kappa
	side := int(r.pick(22, 16))
	h := 2.2 / float64(side)
	f := &vortex.Flow{}
	radius := h * math.Cbrt(3/(4*math.Pi))
	for k := range side * side * side {
		x := vec.New(float64(k%side), float64(k/side%side), float64(k/(side*side))).Sub(vec.New(1, 1, 1).Mul(float64(side-1) / 2)).Mul(h)
		f.AddVorton(x, vec.Vec3{}, radius, 1-float64(0.5*num.Exp(-x.Dot(x)/(2*s2))), vortex.Blend{})
	}
	s := vortons("none", 2)
	s.LongestStep = dt
	var variance, total series
	err := r.flow(f, s, gas, 5*dt, 10, func() {
		var all, second float64
		for i, x := range f.Vortons.X {
			d := f.Vortons.Density[i] - 1
			all, second = all+d, second+float64(d*x.X*x.X)
		}
		variance.add(f.Time, second/all)
		total.add(f.Time, all)
	})
	if err != nil {
		return nil, err
	}
	grown := variance.last() - variance.y[0]
	m = append(m,
		number("heat: growth of the variance", "m²", grown, 2*kappa*5*dt, 2*kappa*5*dt, r.pick(1e-2, 3e-2)),
		number("heat: total, of the start", "", total.last()/total.y[0], 1, 1, 1e-6))

	fire := &vortex.Flow{}
	fire.AddVorton(vec.Vec3{}, vec.Vec3{}, 1, 0.5, vortex.Blend{Fuel: 0.6, Flame: 0.1, Smoke: 0.3}) // twice the ambient temperature
	hot := *idealGas()
	burning := vortons("none", 2)
	burning.LongestStep = 0.1
	burning.Flame = &vortex.Flame{Activation: 4 * hot.Temperature, Rate: 2, SmokeTemperature: 2 * hot.Temperature, SmokeRate: 3}
	if err := r.flow(fire, burning, &hot, 1, 10, func() {}); err != nil {
		return nil, err
	}
	mix := fire.Vortons.Mix
	left := 0.6 * num.Exp(-2*num.Exp(-2))
	m = append(m,
		number("burning: fuel after 1 s", "", mix.Fuel[0], left, left, 1e-6),
		number("burning: fuel, flame and smoke", "", mix.Fuel[0]+mix.Flame[0]+mix.Smoke[0], 1, 1, 1e-6))

	// A vorton with fuel in gas at rest, which gets the heat of the burnt fuel; and a cold one.
	heated := &vortex.Flow{}
	heated.AddVorton(vec.Vec3{}, vec.Vec3{}, 1, 0.5, vortex.Blend{Fuel: 0.6})
	heated.AddVorton(vec.New(50, 0, 0), vec.Vec3{}, 1, 1, vortex.Blend{Fuel: 0.6})
	burning.Flame.Heat, burning.Flame.Activation = 400*hot.HeatCapacity, 200*hot.Temperature
	burning.Flame.Rate = num.Exp(100)
	if err := r.flow(heated, burning, &hot, 1, 10, func() {}); err != nil {
		return nil, err
	}
	rise := hot.TemperatureOf(heated.Vortons.Density[0]) - 2*hot.Temperature
	given := float64(400 * (0.6 - heated.Vortons.Mix.Fuel[0]))
	m = append(m,
		number("burning: heat, of what has burnt", "K", rise, given, given, 1e-4),
		number("burning: cold fuel", "", heated.Vortons.Mix.Fuel[1], 0.6, 0.6, 1e-6))

	exact := figure.Curve{Name: "exact", X: variance.x, Dots: true}
	for _, t := range variance.x {
		exact.Y = append(exact.Y, variance.y[0]+float64(2*kappa*t))
	}
	return r.gasResult(f, h, &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "variance", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "variance of the heat (m²)"},
		Curve: []figure.Curve{{Name: "simulation", X: variance.x, Y: variance.y}, exact},
	}}}, m...), nil
}
