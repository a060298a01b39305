package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("leapfrog", "two vortex rings pass through each other: when they do", "ring equations, Helmholtz 1858", leapfrog)
}

// leapfrog compares two rings of vortons on one axis with the equations of two circular
// filaments whose velocities the same kernel smooths. There the circulations and cores
// stay, so the vortons stretch in the form that keeps them.
func leapfrog(r *Run) (*Result, error) {
	const gap, sigma, passes = 0.8, 0.15, 4
	n := int(r.pick(100, 80))
	want := &filaments{x: [2]float64{0, gap}, rho: [2]float64{1, 1}, sigma: sigma}
	end, most := 0., int(r.pick(passes, 2))
	var times, wantRadius series
	for dt := 0.02; len(times.x) < most; {
		before := want.x[0] - want.x[1]
		want.step(dt)
		end += dt
		wantRadius.add(end, want.rho[0])
		if now := want.x[0] - want.x[1]; before*now < 0 {
			times.add(end-dt*now/(now-before), 0)
		}
	}
	end += 0.3
	f := &vortex.Flow{}
	for k := range 2 {
		f.AddRing(&vorticity.Ring{Center: vec.New(gap*float64(k), 0, 0), Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 1}, n, sigma, 1)
	}
	s := vortons("transpose", 1)
	var ahead, radius series
	err := r.flow(f, s, idealGas(), end, int(end/0.05), func() {
		var x [2]float64
		var rho float64
		for i, p := range f.Vortons.X {
			x[i/n] += p.X / float64(n)
			if i < n {
				rho += math.Hypot(p.Y, p.Z) / float64(n)
			}
		}
		ahead.add(f.Time, x[0]-x[1])
		radius.add(f.Time, rho)
	})
	if err != nil {
		return nil, err
	}
	var got []float64
	for i := 1; i < len(ahead.y); i++ {
		if a, b := ahead.y[i-1], ahead.y[i]; a*b < 0 {
			got = append(got, ahead.x[i]-(ahead.x[i]-ahead.x[i-1])*b/(b-a))
		}
	}
	var m []Measure
	for k, t := range times.x {
		at := math.NaN()
		if k < len(got) {
			at = got[k]
		}
		one := number(fmt.Sprintf("passing %d: time", k+1), "s", at, t, t, 5e-3)
		if math.IsNaN(at) {
			one.Error = 1
		}
		m = append(m, one)
	}
	inv := f.Invariants(idealGas())
	m = append(m, number("impulse at the end", "m⁴/s", inv.Impulse.X, 2*math.Pi, 2*math.Pi, 1e-3))
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "radius", X: figure.Axis{Label: "time t Γ/R²"}, Y: figure.Axis{Label: "radius of the first ring/R"},
		Curve: []figure.Curve{{Name: "vortons", X: radius.x, Y: radius.y}, {Name: "ring equations", X: wantRadius.x, Y: wantRadius.y}},
	}}}
	return r.gasResult(f, 2*math.Pi/float64(n), plot, m...), nil
}

// filaments are two circular filaments of circulation 1 on the axis x, with a core radius
// of the algebraic kernel of Winckelmans and Leonard (1993).
type filaments struct {
	x, rho [2]float64
	sigma  float64
}

// rates returns dx/dt and dρ/dt of both by the midpoint rule along the filaments, which
// converges faster than any power of the number of parts.
func (f *filaments) rates() (dx, drho [2]float64) {
	const parts = 400
	for i := range 2 {
		for j := range 2 {
			xi := f.x[i] - f.x[j]
			for k := range parts {
				sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / parts)
				// The point is (0, ρ_i, 0) and the filament's (ξ, ρ_j cos, ρ_j sin) has the tangent (0, −sin, cos).
				d := vec.New(xi, f.rho[i]-float64(f.rho[j]*cos), float64(-f.rho[j]*sin))
				d2, s2 := d.Dot(d), float64(f.sigma*f.sigma)
				g := (d2 + float64(2.5*s2)) / num.Pow(d2+s2, 2.5)
				u := vec.New(0, -sin, cos).Cross(d).Mul(float64(g*f.rho[j]) * 2 * math.Pi / parts / (4 * math.Pi))
				dx[i], drho[i] = dx[i]+u.X, drho[i]+u.Y
			}
		}
	}
	return dx, drho
}

// step moves the filaments for dt by the Runge-Kutta scheme of the fourth order.
func (f *filaments) step(dt float64) {
	start := *f
	var x, rho [2]float64
	for s, part := range [4]float64{0.5, 0.5, 1, 0} {
		dx, drho := f.rates()
		weight := [4]float64{1, 2, 2, 1}[s] / 6
		for i := range 2 {
			x[i], rho[i] = x[i]+float64(weight*dx[i]), rho[i]+float64(weight*drho[i])
			f.x[i], f.rho[i] = start.x[i]+float64(part*dt*dx[i]), start.rho[i]+float64(part*dt*drho[i])
		}
	}
	for i := range 2 {
		f.x[i], f.rho[i] = start.x[i]+float64(dt*x[i]), start.rho[i]+float64(dt*rho[i])
	}
}
