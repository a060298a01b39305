package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("thermal", "a ball of warm gas let go: how it widens as it rises, and its speed", "Scorer 1957", thermal)
}

// thermal compares a rising cloud of warm gas with Scorer, Experiments on convection of isolated
// masses of buoyant fluid, J. Fluid Mech. 2, 1957. Its half width r grows as a quarter of the height
// z of its top above a virtual origin, its volume is 3r³, and it rises at the speed
// 1.2 √(g′r) with its mean buoyancy g′. Its impulse grows by the buoyancy, which is
// exact.
func thermal(r *Run) (*Result, error) {
	const (
		radius = 0.1  // of the ball, m
		warm   = 0.01 // excess of its temperature, over the ambient one
		pull   = 100  // gravity, m/s²
		shake  = 2    // vorticity in the ball at the start, 1/s, so that the flow is not symmetric
		first  = 0.3  // height of the top from which on it counts, m
		last   = 0.8  // and up to which
		edge   = 0.1  // share of the largest buoyancy at which the cloud ends
	)
	cell, end := radius/r.pick(8, 4), 3.2
	gas := idealGas()
	gas.Gravity = vec.New(0, -pull, 0)
	f := &vortex.Flow{}
	noise := &vorticity.Noise{Size: vec.New(2, 2, 2).Mul(radius), Amplitude: shake}
	n := int(math.Ceil(radius/cell)) + 2
	for k := -n; k <= n; k++ {
		for j := -n; j <= n; j++ {
			for i := -n; i <= n; i++ {
				x := vec.New(float64(i), float64(j), float64(k)).Mul(cell)
				share := min(1, max(0, float64((radius-x.Len())/(3*cell))+0.5)) // a surface of three cells
				if share > 0 {
					f.AddVorton(x, noise.Vorticity(x).Mul(share), vortex.BallRadius(cell*cell*cell), gas.DensityOf(gas.Temperature*(1+float64(warm*share))), vortex.Blend{})
				}
			}
		}
	}
	s := mesh(cell)
	s.Expansion = true // which keeps the heat

	var top, width, impulse series
	given := 0.
	err := r.flow(f, s, gas, end, 60, func() {
		var all, x, z, push float64
		most := 0.
		for i, at := range f.Vortons.X {
			light := 1 - f.Vortons.Density[i]/gas.Density
			most = max(most, light)
			light = float64(light * f.Vortons.Volume(i))
			all, x, z = all+light, x+float64(light*at.X), z+float64(light*at.Z)
			push += float64(at.Cross(f.Vortons.Strength(i)).Y / 2)
		}
		high, wide := math.Inf(-1), 0.
		for i, at := range f.Vortons.X {
			if 1-f.Vortons.Density[i]/gas.Density > edge*most {
				high, wide = max(high, at.Y), max(wide, math.Hypot(at.X-x/all, at.Z-z/all))
			}
		}
		given = all * pull // the same at all times
		top.add(f.Time, high)
		width.add(high, wide)
		impulse.add(f.Time, push)
	})
	if err != nil {
		return nil, err
	}
	late := width.between(first, last)
	slope, start := late.line()
	origin := -start / slope
	// With r = slope (z − origin) and g′ = F/(3r³), the speed is c √(F/3)/r, so the square of
	// z − origin grows at a steady rate.
	var square series
	for i, z := range top.y {
		if z > first && z < last {
			square.add(top.x[i], float64((z-origin)*(z-origin)))
		}
	}
	rate, _ := square.line()
	c := slope * rate / (2 * math.Sqrt(given/3))
	var push series // by the buoyancy, given gas.Density
	for _, t := range impulse.x {
		push.add(t, impulse.y[0]+float64(given*t))
	}
	measured := figure.Curve{Name: "Scorer, a quarter", X: late.x}
	for _, z := range late.x {
		measured.Y = append(measured.Y, late.y[0]+float64((z-late.x[0])/4))
	}
	plot := &figure.Plot{Columns: 2, Panels: []figure.Panel{
		{Name: "width", X: figure.Axis{Label: "height of the top [m]"}, Y: figure.Axis{Label: "half width [m]"}, Curve: []figure.Curve{{Name: "simulated", X: width.x, Y: width.y}, measured}},
		{Name: "impulse", X: figure.Axis{Label: "time [s]"}, Y: figure.Axis{Label: "impulse over the density [m⁴/s]"}, Curve: []figure.Curve{{Name: "simulated", X: impulse.x, Y: impulse.y, Dots: true}, {Name: "by the buoyancy", X: push.x, Y: push.y}}},
	}}
	return r.gasResult(f, cell, plot,
		number("growth of the half width, of the height", "", slope, 0.25, 0.25, r.pick(0.25, 0.6)),
		number("speed, of √(g′r)", "", c, 1.2, 1.2, r.pick(0.25, 0.35)),
		number("impulse at the end", "m⁴/s", impulse.last(), push.last(), push.last(), r.pick(0.01, 0.02))), nil
}
