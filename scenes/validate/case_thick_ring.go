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
	register("thick-ring", "a vortex ring with a thick Gauss core: its speed by spacing", "exact, Lamb 1932; Saffman 1970", thickRing)
}

// thickRing compares the speed of the impulse of a ring with vorticity exp(−s²/a²),
//
//	dX/dt = Σ Γ (ρ² u_x + 2 x ρ u_ρ) / Σ Γ ρ²,  X = Σ Γ x ρ² / Σ Γ ρ²,
//
// by vortons and by circular filaments with elliptic integrals (Lamb, Hydrodynamics, 1932,
// art. 161). Two numbers of filaments are extrapolated.
func thickRing(r *Run) (*Result, error) {
	const core = 0.2
	ring := &vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Core: core, Circulation: 1}
	coarse, fine := filamentRing(core, 24), filamentRing(core, 48)
	exact := fine + (fine-coarse)/3
	saffman := (math.Log(8/core) - 0.558) / (4 * math.Pi)
	m := []Measure{number("thin ring of Saffman, for comparison", "m/s", saffman, exact, exact, noGoal)}
	var errors series
	sizes := []float64{3, 4, 6, 8}
	if r.Quick {
		sizes = []float64{3, 4}
	}
	var f *vortex.Flow
	for k, across := range sizes {
		h := 2 * core / across
		f = &vortex.Flow{}
		f.Fill(ring, h, 1, vortex.Blend{})
		// The speed is taken over a short step, in which the impulse stays.
		place := func() float64 {
			var all, x float64
			for i, at := range f.Vortons.X {
				w := at.Cross(f.Vortons.Strength(i)).X
				all, x = all+w, x+float64(w*at.X)
			}
			return x / all
		}
		before := place()
		const dt = 1e-3
		if err := r.flow(f, vortons("transpose", 0.9), idealGas(), dt, 1, func() {}); err != nil {
			return nil, err
		}
		u := (place() - before) / dt
		goal := noGoal
		if k == len(sizes)-1 {
			goal = r.pick(5e-3, 5e-2)
		}
		one := number(fmt.Sprintf("%g cells across 2a: speed", across), "m/s", u, exact, exact, goal)
		m = append(m, one)
		errors.add(across, one.Error)
	}
	var ten figure.Curve
	for n := 12.; n <= 48; n += 4 {
		ten.X, ten.Y = append(ten.X, n/6), append(ten.Y, math.Abs(filamentRing(core, int(n))/exact-1))
	}
	ten.Name = "filaments"
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "error", X: figure.Axis{Label: "cells across 2a", Log: true}, Y: figure.Axis{Label: "error of the speed", Log: true},
		Curve: []figure.Curve{{Name: "vortons", X: errors.x, Y: errors.y}, ten},
	}}}
	return r.gasResult(f, 2*core/sizes[len(sizes)-1], plot, m...), nil
}

// filamentRing returns the speed of the impulse of a Gauss ring, R = Γ = 1, by filaments
// on a square lattice of n points across 6a.
func filamentRing(core float64, n int) float64 {
	h := 6 * core / float64(n)
	type filament struct{ x, rho, gamma float64 }
	var list []filament
	for i := range n {
		for j := range n {
			x, y := float64(h*(float64(i)+0.5))-float64(3*core), float64(h*(float64(j)+0.5))-float64(3*core)
			if s2 := float64(x*x) + float64(y*y); s2 < 9*core*core {
				list = append(list, filament{x, 1 + y, h * h / (math.Pi * core * core) * num.Exp(-s2/(core*core))})
			}
		}
	}
	var top, bottom float64
	for _, p := range list {
		// A square of even vorticity moves itself as a round core with the same mean
		// logarithm of distances: ln a − ¼ for a circle, and ln h − 0.8051 for a square.
		a := h * num.Exp(-0.8051+0.25)
		ux, ur := p.gamma/(4*math.Pi*p.rho)*(math.Log(8*p.rho/a)-0.25), 0.
		for _, q := range list {
			if q != p {
				vx, vr := filamentVelocity(p.x-q.x, p.rho, q.rho)
				ux, ur = ux+float64(q.gamma*vx), ur+float64(q.gamma*vr)
			}
		}
		top += float64(p.gamma * (float64(p.rho*p.rho*ux) + float64(2*p.x*p.rho*ur)))
		bottom += float64(p.gamma * p.rho * p.rho)
	}
	return top / bottom
}

// filamentVelocity returns the velocity along the axis and away from it that a circular
// filament of radius b and circulation 1 induces at the distance xi along the axis and rho
// from it.
func filamentVelocity(xi, rho, b float64) (ux, ur float64) {
	far2 := float64((rho+b)*(rho+b)) + float64(xi*xi)
	near2 := float64((rho-b)*(rho-b)) + float64(xi*xi)
	k, e := elliptic(4 * rho * b / far2)
	l := 1 / (2 * math.Pi * math.Sqrt(far2))
	ux = l * (k + float64((float64(b*b)-float64(rho*rho)-float64(xi*xi))/near2*e))
	ur = l * xi / rho * (-k + float64((float64(b*b)+float64(rho*rho)+float64(xi*xi))/near2*e))
	return ux, ur
}

// elliptic returns the complete elliptic integrals K and E of the parameter m = k² by the
// arithmetic-geometric mean.
func elliptic(m float64) (k, e float64) {
	a, b, c, sum, power := 1., math.Sqrt(1-m), math.Sqrt(m), 0., 0.5
	for range 40 {
		sum += float64(power * c * c)
		if math.Abs(c) < 1e-16 {
			break
		}
		a, b, c = (a+b)/2, math.Sqrt(a*b), (a-b)/2
		power *= 2
	}
	k = math.Pi / (2 * a)
	return k, k * (1 - sum)
}
