package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("thermal", "warm gas let go, as a ball and flatter: how it widens as it rises, and its speed", "measured, Scorer 1957; computed, Morrison et al. 2023", thermal)
}

// thermal compares rising clouds of warm gas with Scorer, Experiments on convection of isolated
// masses of buoyant fluid, J. Fluid Mech. 2, 1957, and with Morrison, Jeevanjee, Lecoanet and
// Peters, What controls the entrainment rate of dry buoyant thermals with varying initial aspect
// ratio?, J. Atmos. Sci. 80, 2023. The half width r of a cloud grows by a share of the height of its
// top. For a ball, the share is about 0.15 in experiments and computations. For spheroids half and twice
// as high as wide, the shares differ by a factor of 3 (Morrison et al.). If the share follows a power
// of height over width, it is 0.15 √3 for the flat spheroid. A cloud has a volume of 3r³ and rises at the speed
// 1.2 √(g′r) with its mean buoyancy g′ (Scorer). Its impulse grows by the buoyancy, which is exact.
func thermal(r *Run) (*Result, error) {
	const ballGrowth = 0.15
	ball, err := r.rise(1)
	if err != nil {
		return nil, err
	}
	measures := []Measure{number("ball: growth of the half width, of the height", "", ball.slope, ballGrowth, ballGrowth, r.pick(0.25, 0.5))}
	widths := []figure.Curve{{Name: "ball", X: ball.width.x, Y: ball.width.y}, ball.grows("growth 0.15", ballGrowth)}
	if !r.Quick {
		flat, err := r.rise(0.5)
		if err != nil {
			return nil, err
		}
		flatGrowth := ballGrowth * math.Sqrt(3)
		measures = append(measures, number("half as high as wide: growth", "", flat.slope, flatGrowth, flatGrowth, 0.25))
		widths = append(widths, figure.Curve{Name: "half as high as wide", X: flat.width.x, Y: flat.width.y}, flat.grows("growth 0.26", flatGrowth))
	}
	plot := &figure.Plot{Columns: 2, Panels: []figure.Panel{
		{Name: "width", X: figure.Axis{Label: "height of the top [m]"}, Y: figure.Axis{Label: "half width [m]"}, Curve: widths},
		{Name: "impulse", X: figure.Axis{Label: "time [s]"}, Y: figure.Axis{Label: "impulse over the density [m⁴/s]"}, Curve: []figure.Curve{
			{Name: "ball", X: ball.impulse.x, Y: ball.impulse.y, Dots: true}, {Name: "by the buoyancy", X: ball.push.x, Y: ball.push.y},
		}},
	}}
	measures = append(measures,
		number("ball: speed, of √(g′r)", "", ball.speed, 1.2, 1.2, r.pick(0.25, 0.35)),
		number("ball: impulse at the end", "m⁴/s", ball.impulse.last(), ball.push.last(), ball.push.last(), r.pick(0.01, 0.02)))
	return r.gasResult(ball.flow, ball.cell, plot, measures...), nil
}

// risen is a cloud of warm gas that has risen.
type risen struct {
	flow    *vortex.Flow
	cell    float64 // m
	width   series  // half width over the height of the top, m
	late    series  // where it counts
	slope   float64 // of late
	speed   float64 // of √(g′r)
	impulse series  // over time, over the density, m⁴/s
	push    series  // likewise, by the buoyancy
}

// grows returns the half width over the height of the top where it counts, if it grows by a share
// of the height.
func (c *risen) grows(name string, share float64) figure.Curve {
	x := &c.late
	curve := figure.Curve{Name: name, X: x.x}
	for _, z := range x.x {
		curve.Y = append(curve.Y, x.y[0]+float64(share*(z-x.x[0])))
	}
	return curve
}

// rise lets go of a spheroid of warm gas whose height is aspect times its width. Its volume is that
// of a ball of 0.1 m.
func (r *Run) rise(aspect float64) (*risen, error) {
	const (
		radius = 0.1  // of the ball, m
		warm   = 0.01 // excess of its temperature, over the ambient one
		pull   = 100  // gravity, m/s²
		shake  = 2    // vorticity in the ball at the start, 1/s, so that the flow is not symmetric
		first  = 0.3  // height of the top from which on it counts, m
		last   = 0.8  // and up to which
		edge   = 0.1  // share of the largest buoyancy at which the cloud ends
	)
	c := &risen{cell: radius / r.pick(8, 4), flow: &vortex.Flow{}}
	wide := radius / math.Cbrt(aspect)
	tall := wide * aspect
	gas := idealGas()
	gas.Gravity = vec.New(0, -pull, 0)
	f := c.flow
	noise := &vorticity.Noise{Size: vec.New(2, 2, 2).Mul(radius), Amplitude: shake}
	n := int(math.Ceil(max(wide, tall)/c.cell)) + 2
	for k := -n; k <= n; k++ {
		for j := -n; j <= n; j++ {
			for i := -n; i <= n; i++ {
				x := vec.New(float64(i), float64(j), float64(k)).Mul(c.cell)
				// The distance to the surface is a value that is 0 on it, over its slope.
				scaled := vec.New(x.X/wide, x.Y/tall, x.Z/wide)
				inside := radius
				if at := scaled.Len(); at > 0 {
					inside = (1 - at) * at / vec.New(scaled.X/wide, scaled.Y/tall, scaled.Z/wide).Len()
				}
				share := min(1, max(0, float64(inside/(3*c.cell))+0.5)) // a surface of three cells
				if share > 0 {
					f.AddVorton(x, noise.Vorticity(x).Mul(share), vortex.BallRadius(c.cell*c.cell*c.cell), gas.DensityOf(gas.Temperature*(1+float64(warm*share))), vortex.Blend{})
				}
			}
		}
	}
	s := mesh(c.cell)
	s.Expansion = true // which keeps the heat

	var top series
	given := 0.
	err := r.flow(f, s, gas, 3.2, 60, func() {
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
		c.width.add(high, wide)
		c.impulse.add(f.Time, push)
	})
	if err != nil {
		return nil, err
	}
	c.late = *c.width.between(first, last)
	slope, start := c.late.line()
	c.slope = slope
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
	c.speed = slope * rate / (2 * math.Sqrt(given/3))
	for _, t := range c.impulse.x { // the impulse is given gas.Density
		c.push.add(t, c.impulse.y[0]+float64(given*t))
	}
	return c, nil
}
