package sim

import (
	"math"

	"breakwater/sim/lattice"
	"breakwater/sim/neighbor"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// Fill adds particles of velocity v on a cubic lattice in s, or a square one in two
// dimensions, and returns their number. The first is half a spacing from the corner of
// the bounds. The lattice of a box whose edges are not whole numbers of spacings is fitted to
// the box; see Lattice. It leaves out the places closer than half a spacing to a wall, but see
// FillFor, and those closer than three quarters of a spacing to a particle that is already there.
func (w *World) Fill(s shape.Shape, v vec.Vec3) int {
	_ = w.openInflows() // whose fault Init reports

	l := w.sites(s)
	reach := vec.New(l.Spacing, l.Spacing, l.Spacing)
	around := vec.Box{Min: l.Corner.Sub(reach), Max: l.Corner.Add(vec.New(float64(l.N[0]), float64(l.N[1]), float64(l.N[2])).Mul(l.Spacing)).Add(reach)}
	var there []vec.Vec3
	id := uint32(0)
	for i, o := range w.ID {
		id = max(id, o+1)
		if w.Dim() == 2 || around.Contains(w.X[i]) {
			there = append(there, w.X[i])
		}
	}
	var old neighbor.Grid
	old.Build(there, 0.75*l.Spacing)

	before := w.Len()
	var near []int32
	for k := range l.N[2] {
		for j := range l.N[1] {
			for i := range l.N[0] {
				x := l.At(i, j, k)
				holds, crowded := l.Holds(i, j, k, x)
				if !holds {
					continue
				}
				if near = old.Near(near[:0], x); len(near) > 0 {
					continue
				}
				w.unpacked = w.unpacked || crowded
				w.X = append(w.X, x)
				w.V = append(w.V, v)
				w.Rho = append(w.Rho, w.Rho0)
				w.ID = append(w.ID, id)
				id++
			}
		}
	}
	for _, a := range w.Attr {
		w.Carry(a.Name)
	}
	return w.Len() - before
}

// Places returns approximately how many particles Fill would add to a world without
// particles. It samples about most lattice points, spread evenly. It samples all of them
// if they are no more than that or if the sample finds no particle.
func (w *World) Places(s shape.Shape, sample int) int {
	l := w.sites(s)
	all := float64(l.N[0]) * float64(l.N[1]) * float64(l.N[2])
	for stride := int(math.Ceil(math.Cbrt(all / float64(sample)))); ; stride /= 2 {
		stride = max(1, stride)
		if n := l.Count(stride); n > 0 || stride == 1 {
			return n
		}
	}
}

// Lattice returns the lattice that Fill uses for s.
func (w *World) Lattice(s shape.Shape) lattice.Summary { return w.sites(s).Summary() }

// sites returns the sites of s in w.
func (w *World) sites(s shape.Shape) *lattice.Sites {
	return lattice.In(s, lattice.Setting{Spacing: w.Spacing, Flat: w.Dim() == 2, Gravity: w.Gravity, Closed: w.Closed, Packs: w.packs, Walls: w.Walls})
}
