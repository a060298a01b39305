package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// excess sets d to the excess of the density over the ambient density at the points of
// the grid, in kg/m³.
func excess(d []float64, v *Vortons, gas *Gas, g *grid.Grid, b *grid.Bins) {
	clear(d)
	perCell := 1 / g.CellVolume()
	g.Deposit(b, v.X, func(p, i int, w float64) { d[p] += float64(w * v.Volume(i) * (v.Density[i] - gas.Density) * perCell) })
}

// buoyancy adds the baroclinic generation of vorticity for dt (Gourlay, part 8),
//
//	dω/dt = ∇ρ × g / ρ,
//
// for a pressure gradient of ρg. d is the excess of the density at the points of the grid.
// ρ in the denominator is the density of the vorton, or for Boussinesq's approximation
// the ambient density.
func buoyancy(v *Vortons, d []float64, gas *Gas, g *grid.Grid, dt float64) {
	slopes := make([]vec.Vec3, g.Points())
	par.For(len(slopes), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			slopes[p] = g.SlopesOfNumber(d, p)
		}
	})
	par.For(v.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			rho := gas.Density
			if gas.Variable {
				rho = v.Density[i]
			}
			v.W[i] = v.W[i].Add(g.Fetch(slopes, v.X[i]).Cross(gas.Gravity).Mul(dt / rho))
		}
	})
}
