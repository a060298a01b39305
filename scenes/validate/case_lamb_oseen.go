package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("lamb-oseen", "a straight vortex that spreads by viscosity: its vorticity and its velocity", "exact, Oseen 1911", lambOseen)
}

// lambOseen lets a straight vortex spread. Its vorticity and its velocity are
//
//	ω = Γ/(4πνt) exp(−r²/(4νt)),  u = Γ/(2πr) (1 − exp(−r²/(4νt)))
//
// (Oseen, Ark. Mat. Astron. Fys. 7, 1911; Lamb, Hydrodynamics, 1932, art. 334a). Vorticity
// that vortons exchange is compared in the middle of a column, beyond the reach of its
// ends. Cores that grow are compared by the velocity beside a long line of vortons.
func lambOseen(r *Run) (*Result, error) {
	const nu, start, end, gamma = 0.1, 0.4, 0.6, 1.
	vorticity := func(rho, t float64) float64 {
		return float64(gamma / (4 * math.Pi * nu * t) * num.Exp(-rho*rho/(4*nu*t)))
	}
	gas := idealGas()
	gas.Viscosity = nu
	var m []Measure
	var f *vortex.Flow
	sizes := []float64{1. / 4, 1. / 6, 1. / 8, 1. / 12}
	if r.Quick {
		sizes = sizes[:2]
	}
	panel := figure.Panel{Name: "vorticity", X: figure.Axis{Label: "distance from the axis (m)"}, Y: figure.Axis{Label: "vorticity (1/s)"}}
	for k, h := range sizes {
		// No vorton is beyond 1.5 m, where there is a thousandth of the vorticity at the end.
		const wide, half = 1.5, 1.
		n, layers := int(math.Round(wide/h)), int(math.Round(half/h))
		f = &vortex.Flow{}
		for z := -layers; z <= layers; z++ {
			for y := -n; y <= n; y++ {
				for x := -n; x <= n; x++ {
					at := vec.New(float64(x), float64(y), float64(z)).Mul(h)
					if rho := math.Hypot(at.X, at.Y); rho <= wide {
						f.AddVorton(at, vec.New(0, 0, vorticity(rho, start)), vortex.BallRadius(h*h*h), gas.Density, vortex.Blend{})
					}
				}
			}
		}
		first := f.Invariants(gas).Strength.Z
		s := vortons("none", 2)
		s.Diffusion, s.LongestStep = "exchange", 0.05
		if err := r.flow(f, s, gas, end-start, 1, func() {}); err != nil {
			return nil, err
		}
		var off, all float64
		c := figure.Curve{Name: fmt.Sprintf("%.3g m", h), Dots: true}
		for i, x := range f.Vortons.X {
			if math.Abs(x.Z) > h/2 {
				continue
			}
			rho := math.Hypot(x.X, x.Y)
			want := vorticity(rho, end)
			d := f.Vortons.W[i].Z - want
			off, all = off+float64(d*d), all+float64(want*want)
			if k == len(sizes)-1 && math.Abs(x.Y) < 2*h && x.X > 0 {
				c.X, c.Y = append(c.X, rho), append(c.Y, f.Vortons.W[i].Z)
			}
		}
		goal := noGoal
		if k == len(sizes)-1 {
			goal = r.pick(0.01, 0.05)
			panel.Curve = append(panel.Curve, c)
		}
		name := fmt.Sprintf("exchange, %.3g m: ", h)
		m = append(m, curve(name+"vorticity, L2", math.Sqrt(off/all), goal))
		if k == len(sizes)-1 {
			m = append(m, number(name+"circulation, of the start", "", f.Invariants(gas).Strength.Z/first, 1, 1, 1e-6))
		}
	}
	exact := figure.Curve{Name: "exact"}
	for k := range 61 {
		rho := float64(k) / 40
		exact.X, exact.Y = append(exact.X, rho), append(exact.Y, vorticity(rho, end))
	}
	panel.Curve = append(panel.Curve, exact)

	// A line of Gauss cores a quarter of a core apart. Its ends are so far away that they
	// change the velocity by 1e-5.
	long := 200.
	sigma := math.Sqrt(2 * nu * start)
	apart := sigma / 4
	line := &vortex.Flow{}
	count := int(long / apart)
	s := vortons("none", 2)
	s.Kernel, s.Diffusion, s.LongestStep = "gauss", "cores", 0.05
	ball := sigma / s.Core
	for k := range count {
		at := vec.New(0, 0, (float64(k)-float64(count-1)/2)*apart)
		line.AddVorton(at, vec.New(0, 0, gamma*apart/(4*math.Pi/3*ball*ball*ball)), ball, gas.Density, vortex.Blend{})
	}
	if err := r.flow(line, s, gas, end-start, 1, func() {}); err != nil {
		return nil, err
	}
	for _, rho := range []float64{0.25, 0.5, 1} {
		got := s.VelocityAt(line, gas, vec.New(rho, 0, 0)).Y
		want := gamma / (2 * math.Pi * rho) * (1 - num.Exp(-rho*rho/(4*nu*end)))
		m = append(m, number(fmt.Sprintf("cores: velocity at %g m", rho), "m/s", got, want, want, 1e-3))
	}
	return r.gasResult(f, sizes[len(sizes)-1], &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}}, m...), nil
}
