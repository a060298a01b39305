// Package vorticity has fields of vorticity for the start of a gas: rings, balls, sheets,
// tubes and noise. A file distribution_NAME.go has one of them.
package vorticity

import (
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
