package sim

import (
	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/par"
)

// Compressible is a solver whose liquid may be compressed without limit, as in older
// articles. Over-compressed particles are not an error, and Advance ends with SumDensities.
type Compressible interface{ Compressible() }

// SortByPlace sorts the particles by the cells of a grid with the given edge in metres,
// so that near particles are near in memory.
func (w *World) SortByPlace(edge float64) {
	w.cells.Build(w.X, edge)
	if !w.cells.Sorted() {
		w.Permute(w.cells.Order(), &w.tmp)
	}
}

// SumDensities sorts the particles by place and sets their densities to the sums over w.Kernel,
//
//	ρ_i = ρ₀ (Σ_j V W_ij + λ_i),  λ the walls' share,
//
// however high that is.
func (w *World) SumDensities() {
	h, volume := w.Kernel.H(), w.ParticleVolume()/kernel.LatticeSum(w.Kernel, w.Spacing)
	w.SortByPlace(h)
	if !w.cells.Sorted() {
		w.cells.Build(w.X, h)
	}
	par.For(w.Len(), func(lo, hi int) {
		var rows [9][2]int32
		var walls []boundary.Boundary
		last := -1
		for i := lo; i < hi; i++ {
			x := w.X[i]
			if cell := w.cells.Cell(x); cell != last {
				last = cell
				w.cells.Rows(cell, &rows)
				walls = w.wallsNear(walls[:0], cell)
			}
			sum := 0.
			for _, r := range rows {
				for j := r[0]; j < r[1]; j++ {
					if d := x.Sub(w.X[j]); d.Dot(d) < h*h {
						sum += w.Kernel.W(d.Len())
					}
				}
			}
			share, _ := wallShare(walls, x)
			w.Rho[i] = float64(float32(w.Rho0 * (float64(volume*sum) + share))) // as files keep it
		}
	})
}
