package sim

import (
	"slices"

	"breakwater/sim/neighbor"
	"breakwater/sim/plug"
	"breakwater/sim/vec"
)

// Shape is a region that is filled with liquid at the start.
type Shape interface {
	// Bounds returns a box with the whole shape in it.
	Bounds() vec.Box
	// Contains reports whether x is in the shape. It is false outside Bounds.
	Contains(x vec.Vec3) bool
}

// Shapes are the known kinds.
var Shapes = plug.Set[Shape]{Kind: "fluid block"}

// Fill adds particles of velocity v on a cubic lattice in s, or a square one in
// two dimensions, the first half a spacing from the corner of its bounds, and
// returns how many. It leaves out
// the places closer than half a spacing to a wall, and those closer than
// three quarters of a spacing to a particle that is already there.
func (w *World) Fill(s Shape, v vec.Vec3) int {
	_ = w.openNozzles() // whose fault Init tells of

	const slack = 1e-6 // of a spacing: what rounding in a scene's numbers may cost
	d := w.Spacing
	var old neighbor.Grid
	old.Build(slices.Clone(w.X), 0.75*d)
	id := uint32(0)
	for _, o := range w.ID {
		id = max(id, o+1)
	}

	before := w.Len()
	b := s.Bounds()
	count := func(length float64) int { return int(length/d + slack) }
	size := b.Size()
	deep := count(size.Z)
	if w.Dim() == 2 {
		deep = 1
	}
	var near []int32
	for k := range deep {
		for j := range count(size.Y) {
			for i := range count(size.X) {
				x := b.Min.Add(vec.New(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5).Mul(d))
				if w.Dim() == 2 {
					x.Z = 0
				}
				if !s.Contains(x) || w.wallWithin(x, d*(0.5-slack)) {
					continue
				}
				if near = old.Near(near[:0], x); len(near) > 0 {
					continue
				}
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

// wallWithin reports whether a wall is closer to x than d.
func (w *World) wallWithin(x vec.Vec3, d float64) bool {
	return slices.ContainsFunc(w.Walls, func(b Boundary) bool {
		if r, ok := b.(rougher); ok && r.beyond(x, d) {
			return false
		}
		t, _ := b.Dist(x)
		return t < d
	})
}
