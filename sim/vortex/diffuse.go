package vortex

import (
	"math"

	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// exchange is the particle strength exchange of Gourlay, parts 3, 10 and 12, between the
// vortons of a cell of the grid and of the cells next to it:
//
//	E = 2 rate dt (q_a − q_b) exp(−|x_a − x_b|² / (4 size)²),  q_a −= E,  q_b += E,
//
// with size the mean diameter of the two. It keeps the sum of q times volume, which the
// article has too because there all vortons are of one size. The rate is in 1/s.
type exchange struct {
	bins  *grid.Bins
	grid  *grid.Grid
	cells [][3]int // the cells after a cell with which it exchanges
	both  bool     // slice after slice, as the article's serial PHASE_BOTH
}

// faces are the three cells that the articles visit.
var faces = [][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

// run calls pair for each pair of vortons in a cell, and in it and the cells after it.
// The slices of cells along z go in two phases, even ones and then odd ones. A pair is in
// a slice or in it and the next, so no two concurrent calls share a vorton, and each
// vorton has its calls in the same order on any number of threads (part 12).
func (e *exchange) run(pair func(a, b int32)) {
	if e.both {
		for k := range e.grid.N[2] {
			e.slice(k, pair)
		}
		return
	}
	for phase := range 2 {
		par.Each((e.grid.N[2]+1-phase)/2, func(s int) { e.slice(2*s+phase, pair) })
	}
}

// slice is run for the cells of a slice.
func (e *exchange) slice(k int, pair func(a, b int32)) {
	n := e.grid.N
	for j := range n[1] {
		for i := range n[0] {
			own := e.bins.In((k*n[1]+j)*n[0] + i)
			for m, a := range own {
				for _, b := range own[m+1:] {
					pair(a, b)
				}
			}
			for _, o := range e.cells {
				ci, cj, ck := i+o[0], j+o[1], k+o[2]
				if len(own) == 0 || ci < 0 || cj < 0 || ci >= n[0] || cj >= n[1] || ck >= n[2] {
					continue
				}
				for _, a := range own {
					for _, b := range e.bins.In((ck*n[1]+cj)*n[0] + ci) {
						pair(a, b)
					}
				}
			}
		}
	}
}

// falloff returns the factors of the exchange at both ends of a pair.
func falloff(v *Vortons, gain float64, a, b int32) (atA, atB float64) {
	d := v.X[a].Sub(v.X[b])
	size := float64(4 * (v.Radius[a] + v.Radius[b]))
	e := float64(gain * num.Exp(-d.Dot(d)/(size*size)))
	if v.Radius[a] == v.Radius[b] {
		return e, e
	}
	volA, volB := v.Volume(int(a)), v.Volume(int(b))
	return 2 * e * volB / (volA + volB), 2 * e * volA / (volA + volB)
}

// vorticity exchanges vorticity with the given rate for dt.
func (e *exchange) vorticity(v *Vortons, rate, dt float64) {
	e.run(func(a, b int32) {
		atA, atB := falloff(v, 2*rate*dt, a, b)
		diff := v.W[a].Sub(v.W[b])
		v.W[a], v.W[b] = v.W[a].Sub(diff.Mul(atA)), v.W[b].Add(diff.Mul(atB))
	})
}

// heat exchanges density, which stands for heat at constant pressure.
func (e *exchange) heat(v *Vortons, rate, dt float64) {
	e.run(func(a, b int32) {
		atA, atB := falloff(v, 2*rate*dt, a, b)
		diff := v.Density[a] - v.Density[b]
		v.Density[a], v.Density[b] = v.Density[a]-float64(diff*atA), v.Density[b]+float64(diff*atB)
	})
}

// dissipate lets vorticity decay at a rate, as the code published with the articles does
// after the exchange.
func dissipate(v *Vortons, rate, dt float64) {
	par.For(v.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v.W[i] = v.W[i].Mul(1 - float64(rate*dt))
		}
	})
}

// stencil returns the cells after a cell: the three behind its faces as in the articles,
// or all 13, which diffuse evenly in all directions.
func stencil(name string) [][3]int {
	if name == "half" {
		return neighbor.Stencil[:]
	}
	return faces
}

// diffuseExact diffuses vorticity and density for dt by diffuseBy.
func diffuseExact(v *Vortons, gas *Gas, dt float64) {
	q := make([][3]float64, v.Len())
	if gas.Viscosity > 0 {
		for i, w := range v.W {
			q[i] = w.Array()
		}
		diffuseBy(v, q, gas.Viscosity, dt)
		for i, w := range q {
			v.W[i] = vec.New(w[0], w[1], w[2])
		}
	}
	if gas.Conduction > 0 {
		for i, d := range v.Density {
			q[i] = [3]float64{d}
		}
		diffuseBy(v, q, gas.Conduction, dt)
		for i := range q {
			v.Density[i] = q[i][0]
		}
	}
}

// diffuseBy advances values of the vortons by the diffusion equation for dt, with the
// diffusivity in m²/s, by the particle strength exchange of Degond and Mas-Gallic, The
// weighted particle method for convection-diffusion equations, Math. Comput. 53, 1989:
//
//	dq_i/dt = (D/ε²) Σ_j V_j (q_j − q_i) η(|x_i − x_j|/ε)/ε³,  η(ρ) = 4π^(−3/2) exp(−ρ²).
//
// ε is 1.3 times the spacing of the vortons, the mean cube root of their volumes. Its
// error falls with ε². The sum of V q stays the same.
func diffuseBy(v *Vortons, q [][3]float64, diffusivity, dt float64) {
	if v.Len() == 0 || diffusivity == 0 {
		return
	}
	var spacing float64
	box := vec.Empty()
	for i, x := range v.X {
		spacing += math.Cbrt(v.Volume(i)) / float64(v.Len())
		box = box.Include(x)
	}
	const overlap, cut = 1.3, 3.5
	eps := overlap * spacing
	g := cover(box, cut*eps, v.Len())
	var b grid.Bins
	b.Sort(&g, v.X)
	// The factors V_j η/ε³ of a lattice add up to 4; a step takes a fifth of what would
	// reverse a difference.
	steps := int(math.Ceil(diffusivity * dt * 4 / (eps * eps) / 0.2))
	scale := diffusivity * dt / float64(steps) / (eps * eps) * 4 / (num.Pow(math.Pi, 1.5) * eps * eps * eps)
	old := make([][3]float64, len(q))
	for range steps {
		copy(old, q)
		par.Each(g.Cells(), func(c int) {
			at := g.CellAt(c)
			for _, i := range b.In(c) {
				var sum [3]float64
				for k := max(at[2]-1, 0); k < min(at[2]+2, g.N[2]); k++ {
					for j := max(at[1]-1, 0); j < min(at[1]+2, g.N[1]); j++ {
						row := (k*g.N[1] + j) * g.N[0]
						for _, m := range b.Row(row+max(at[0]-1, 0), row+min(at[0]+1, g.N[0]-1)) {
							d := v.X[i].Sub(v.X[m])
							r2 := d.Dot(d) / (eps * eps)
							if r2 > cut*cut {
								continue
							}
							w := v.Volume(int(m)) * num.Exp(-r2)
							for a := range sum {
								sum[a] += float64(w * (old[m][a] - old[i][a]))
							}
						}
					}
				}
				for a := range sum {
					q[i][a] = old[i][a] + float64(scale*sum[a])
				}
			}
		})
	}
}

// cover returns a grid over a box whose cells have at least the given edge, and longer
// ones if there would be many more cells than particles.
func cover(box vec.Box, edge float64, particles int) grid.Grid {
	g := grid.Grid{Min: box.Min}
	for size := box.Size().Array(); ; edge *= 2 {
		cells := 1.
		for a, l := range size {
			cells *= max(1, math.Floor(l/edge))
			g.N[a] = int(max(1, min(l/edge, 1<<20)))
		}
		if cells <= float64(8*particles) {
			break
		}
	}
	size := box.Size()
	g.Edge = vec.New(max(edge, size.X/float64(g.N[0])), max(edge, size.Y/float64(g.N[1])), max(edge, size.Z/float64(g.N[2])))
	return g
}
