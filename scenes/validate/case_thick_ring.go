package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/scenes/validate/theory"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("thick-ring", "a vortex ring with a thick Gauss core: its speed by spacing, and its path", "exact, Lamb 1932; Saffman 1970", thickRing)
}

// thickRing compares the speed of the impulse of a ring with vorticity exp(−s²/a²),
//
//	dX/dt = Σ Γ (ρ² u_x + 2 x ρ u_ρ) / Σ Γ ρ²,  X = Σ Γ x ρ² / Σ Γ ρ²,
//
// by vortons and by circular filaments with elliptic integrals (Lamb, Hydrodynamics, 1932,
// art. 161). Two numbers of filaments are extrapolated. Then the path of two radii by the
// solver mesh is compared with the path of the filaments.
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
		before := impulsePlace(f)
		const dt = 1e-3
		if err := r.flow(f, vortons("transpose", 0.9), idealGas(), dt, 1, func() {}); err != nil {
			return nil, err
		}
		u := (impulsePlace(f) - before) / dt
		goal := noGoal
		if k == len(sizes)-1 {
			goal = r.pick(5e-3, 5e-2)
		}
		one := number(fmt.Sprintf("%g cells across 2a: speed", across), "m/s", u, exact, exact, goal)
		m = append(m, one)
		errors.add(across, one.Error)
	}
	// Over the whole way the core turns five times.
	time := r.pick(8.4, 1)
	path := filamentPath(core, time)
	for _, across := range []float64{r.pick(6, 3), r.pick(8, 4)} {
		x, err := r.ringPath(ring, across, time)
		if err != nil {
			return nil, err
		}
		goal := noGoal
		if across == r.pick(8, 4) {
			goal = r.pick(0.01, 0.04)
		}
		m = append(m, number(fmt.Sprintf("mesh, %g cells across 2a: path of %.2g R", across, path), "m", x, path, path, goal))
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
	c := theory.GaussRing(core, 0, n)
	dx, dr := make([]float64, len(c.X)), make([]float64, len(c.X))
	c.Rates(dx, dr)
	var top, bottom float64
	for i, g := range c.Gamma {
		top += float64(g * (float64(c.Rho[i]*c.Rho[i]*dx[i]) + float64(2*c.X[i]*c.Rho[i]*dr[i])))
		bottom += float64(g * c.Rho[i] * c.Rho[i])
	}
	return top / bottom
}

// filamentPath returns how far a Gauss ring, R = Γ = 1, gets in a time. The scatter of numbers of
// filaments is 0.2 %, because filaments of the core come close to each other as it turns.
func filamentPath(core, time float64) float64 {
	mean := 0.
	for _, n := range []int{16, 20} {
		c := theory.GaussRing(core, 0, n)
		const dt = 0.1
		for range int(math.Round(time / dt)) {
			c.Move(dt)
		}
		x, _ := c.Place()
		mean += float64(x / 2)
	}
	return mean
}

// ringPath moves the ring for a time by the solver mesh, at a number of cells across 2a, and
// returns the way of its impulse.
func (r *Run) ringPath(ring *vorticity.Ring, across, time float64) (float64, error) {
	h := 2 * ring.Core / across
	f := &vortex.Flow{}
	f.Fill(ring, h, 1, vortex.Blend{})
	s := mesh(h)
	s.LongestStep = 0.1 // each step smooths the vorticity
	if err := r.flow(f, s, idealGas(), time, 1, func() {}); err != nil {
		return 0, err
	}
	return impulsePlace(f), nil
}

// impulsePlace returns the place of the impulse along the axis x.
func impulsePlace(f *vortex.Flow) float64 {
	var all, x float64
	for i, at := range f.Vortons.X {
		w := at.Cross(f.Vortons.Strength(i)).X
		all, x = all+w, x+float64(w*at.X)
	}
	return x / all
}
