package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// excess sets d to the excess of the density over the ambient density at the points of
// the grid, in kg/m³.
func excess(d []float64, v *Vortons, gas *Gas, g *Grid, b *bins) {
	clear(d)
	perCell := 1 / g.CellVolume()
	g.deposit(b, v.X, func(p, i int, w float64) { d[p] += float64(w * v.Volume(i) * (v.Density[i] - gas.Density) * perCell) })
}

// buoyancy adds the baroclinic generation of vorticity for dt (Gourlay, part 8),
//
//	dω/dt = ∇ρ × g / ρ,
//
// for a pressure gradient of ρg. d is the excess of the density at the points of the grid.
// ρ in the denominator is the density of the vorton, or for Boussinesq's approximation
// the ambient density.
func buoyancy(v *Vortons, d []float64, gas *Gas, g *Grid, dt float64) {
	slopes := make([]vec.Vec3, g.Points())
	par.For(len(slopes), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			slopes[p] = g.slopesScalar(d, p)
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

// slopesScalar is slopes for numbers.
func (g *Grid) slopesScalar(u []float64, p int) vec.Vec3 {
	i, j, k := g.place(p)
	row, slice := g.strides()
	step, at, edge := [3]int{1, row, slice}, [3]int{i, j, k}, g.Edge.Array()
	var d [3]float64
	for a := range d {
		lo, hi := p, p
		if at[a] > 0 {
			lo -= step[a]
		}
		if at[a] < g.N[a] {
			hi += step[a]
		}
		d[a] = (u[hi] - u[lo]) / (edge[a] * float64((hi-lo)/step[a]))
	}
	return vec.New(d[0], d[1], d[2])
}
