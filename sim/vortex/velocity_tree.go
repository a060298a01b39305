package vortex

import (
	"breakwater/sim/biot"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

func init() {
	Techniques.Register(registry.Entry[Technique]{
		Name: "tree", Doc: "nested grids, where one supervorton stands for the vortons of each cell that the point is not in", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Technique, error) { t := &Tree{Leaves: "super"}; return t, d(t) },
	})
}

// Tree is the treecode of Gourlay, parts 3 and 12. The base layer is the grid, and each
// cell of a layer has up to 8 children, of half its size, in the layer below. A cell's
// supervorton has the sum of the strengths of its vortons, at their mean place weighted
// by strength. The sum for a point descends into the cells with the point in them. Its
// error is not controlled: next to the point a supervorton may stand for half a cell.
type Tree struct {
	Leaves string `toml:"leaves" oneof:"super original" doc:"What the smallest cells have: super for one supervorton each, original for their own vortons."`

	bins  grid.Bins
	layer []layer // the first is the base
}

// layer is a level of the nested grids.
type layer struct {
	grid  grid.Grid
	super biot.Sources // of each cell
}

// Velocities implements Technique.
func (t *Tree) Velocities(u, at []vec.Vec3, s *biot.Sources, g *grid.Grid) {
	t.build(s, g)
	par.For(len(at), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			u[i] = t.sum(at[i], s, len(t.layer)-1, [3]int{})
		}
	})
}

// build makes the layers over the sources, up to one of a single cell.
func (t *Tree) build(s *biot.Sources, g *grid.Grid) {
	t.bins.Sort(g, s.X)
	t.layer = t.layer[:0]
	t.grow(*g)
	base := &t.layer[0]
	par.For(g.Cells(), func(lo, hi int) {
		for c := lo; c < hi; c++ {
			merge(&base.super, c, s, t.bins.In(c))
		}
	})
	for top := g; top.Cells() > 1; top = &t.layer[len(t.layer)-1].grid {
		t.grow(top.Halved())
		up, down := &t.layer[len(t.layer)-1], &t.layer[len(t.layer)-2]
		par.For(up.grid.Cells(), func(lo, hi int) {
			var list []int32
			for c := lo; c < hi; c++ {
				list = list[:0]
				lo, hi := down.within(&up.grid, up.grid.CellAt(c))
				for k := lo[2]; k < hi[2]; k++ {
					for j := lo[1]; j < hi[1]; j++ {
						for i := lo[0]; i < hi[0]; i++ {
							list = append(list, int32(down.grid.Number([3]int{i, j, k})))
						}
					}
				}
				merge(&up.super, c, &down.super, list)
			}
		})
	}
}

// grow adds a layer.
func (t *Tree) grow(g grid.Grid) {
	n := len(t.layer)
	if n < cap(t.layer) {
		t.layer = t.layer[:n+1]
	} else {
		t.layer = append(t.layer, layer{})
	}
	l := &t.layer[n]
	l.grid = g
	l.super.X, l.super.Alpha, l.super.Radius = par.Resize(l.super.X, g.Cells()), par.Resize(l.super.Alpha, g.Cells()), par.Resize(l.super.Radius, g.Cells())
}

// within returns the first cell of l in a cell of the next layer, and along each axis the end
// of those in it.
func (l *layer) within(up *grid.Grid, at [3]int) (lo, hi [3]int) {
	for a := range lo {
		shift := 0 // the number of cells is a power of two, and halves or stays
		if l.grid.N[a] > up.N[a] {
			shift = 1
		}
		lo[a], hi[a] = at[a]<<shift, (at[a]+1)<<shift
	}
	return lo, hi
}

// merge sets source c to the supervorton of the listed ones of another set.
func merge(s *biot.Sources, c int, of *biot.Sources, list []int32) {
	var x, a vec.Vec3
	var weight, radius float64
	for _, i := range list {
		w := of.Alpha[i].Len()
		x, a = x.Add(of.X[i].Mul(w)), a.Add(of.Alpha[i])
		weight, radius = weight+w, radius+float64(w*of.Radius[i])
	}
	if weight > 0 {
		x, radius = x.Mul(1/weight), radius/weight
	}
	s.X[c], s.Alpha[c], s.Radius[c] = x, a, radius
}

// sum returns the velocity at x of what is in a cell of a layer.
func (t *Tree) sum(x vec.Vec3, s *biot.Sources, up int, at [3]int) (u vec.Vec3) {
	if up == 0 { // a grid of one cell
		return t.leaf(x, s, 0)
	}
	down := &t.layer[up-1]
	place := down.grid.InCells(x)
	lo, hi := down.within(&t.layer[up].grid, at)
	for k := lo[2]; k < hi[2]; k++ {
		for j := lo[1]; j < hi[1]; j++ {
			cell := down.grid.Number([3]int{lo[0], j, k})
			for i := lo[0]; i < hi[0]; i++ {
				switch {
				case up == 1:
					u = u.Add(t.leaf(x, s, cell))
				case grid.Holds([3]int{i, j, k}, &place):
					u = u.Add(t.sum(x, s, up-1, [3]int{i, j, k}))
				case down.super.Radius[cell] > 0:
					u = u.Add(Induced(x.Sub(down.super.X[cell]), down.super.Alpha[cell], down.super.Radius[cell]))
				}
				cell++
			}
		}
	}
	return u
}

// leaf returns the velocity at x of what is in a cell of the base.
func (t *Tree) leaf(x vec.Vec3, s *biot.Sources, cell int) (u vec.Vec3) {
	if t.Leaves == "original" {
		for _, i := range t.bins.In(cell) {
			u = u.Add(Induced(x.Sub(s.X[i]), s.Alpha[i], s.Radius[i]))
		}
		return u
	}
	base := &t.layer[0].super
	if base.Radius[cell] > 0 {
		u = Induced(x.Sub(base.X[cell]), base.Alpha[cell], base.Radius[cell])
	}
	return u
}
