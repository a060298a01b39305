package vortex

import (
	"math"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Distribution is a field of vorticity at the start.
type Distribution interface {
	// Vorticity returns the vorticity at x in 1/s.
	Vorticity(x vec.Vec3) vec.Vec3
	// Bounds returns a box outside of which the vorticity is zero or negligible.
	Bounds() vec.Box
}

// Distributions are the known distributions.
var Distributions = registry.Set[Distribution]{Kind: "vortex"}

// Fill adds vortons on a cubic lattice with the given edge in m, centred in the bounds of
// the distribution, with the vorticity at their places. Their volume is the volume of a
// cell of the lattice, so that the sum of their strengths is the integral of the
// vorticity. Places with less than 1e-4 of the largest vorticity stay empty.
func (f *Flow) Fill(d Distribution, edge, density float64, mix Blend) {
	var x, w []vec.Vec3
	most := 0.
	places(d.Bounds(), edge, func(at vec.Vec3) {
		v := d.Vorticity(at)
		x, w = append(x, at), append(w, v)
		most = max(most, v.Len())
	})
	radius := BallRadius(edge * edge * edge)
	for i := range x {
		if w[i].Len() > 1e-4*most {
			f.AddVorton(x[i], w[i], radius, density, mix)
		}
	}
}

// places calls visit for the points of a cubic lattice that is centred in a box.
func places(b vec.Box, edge float64, visit func(x vec.Vec3)) {
	size, center := b.Size(), b.Center()
	var n [3]int
	for a, l := range size.Array() {
		n[a] = max(1, int(math.Ceil(l/edge-1e-9)))
	}
	first := center.Sub(vec.New(float64(n[0]-1), float64(n[1]-1), float64(n[2]-1)).Mul(edge / 2))
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				visit(first.Add(vec.New(float64(i), float64(j), float64(k)).Mul(edge)))
			}
		}
	}
}

// cube returns a box around a point with the given half edge.
func cube(center vec.Vec3, half float64) vec.Box { return vec.Box{Min: center, Max: center}.Grow(half) }

// cylindrical returns the coordinates of x about an axis of unit length: the distance
// along it, the distance from it, and the directions away from and around the axis, which
// are zero on it.
func cylindrical(x, center, axis vec.Vec3) (along, off float64, away, around vec.Vec3) {
	d := x.Sub(center)
	along = d.Dot(axis)
	d = d.Sub(axis.Mul(along))
	away = d.Unit()
	return along, d.Len(), away, axis.Cross(away)
}

// CellMean is a distribution by its means over cubes, for one whose vorticity jumps. Fill
// then places the impulse more exactly.
type CellMean struct {
	Distribution
	Edge float64 // of the cubes, m
}

// Vorticity implements Distribution, by 6³ places in the cube around x.
func (m *CellMean) Vorticity(x vec.Vec3) (w vec.Vec3) {
	const parts = 6
	first := x.Sub(vec.New(m.Edge, m.Edge, m.Edge).Mul(0.5 * (1 - 1./parts)))
	for k := range parts * parts * parts {
		at := vec.New(float64(k%parts), float64(k/parts%parts), float64(k/(parts*parts)))
		w = w.Add(m.Distribution.Vorticity(first.Add(at.Mul(m.Edge / parts))).Mul(1. / (parts * parts * parts)))
	}
	return w
}

// Bounds implements Distribution.
func (m *CellMean) Bounds() vec.Box { return m.Distribution.Bounds().Grow(m.Edge / 2) }
