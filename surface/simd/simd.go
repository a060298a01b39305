// Package simd holds the time-critical loops of the surface, in vector lanes. Splat
// computes the field on the nodes of a block, and Field.At at a point. Relax and Turn
// smooth positions and normals over the neighbours on a mesh.
//
// The kernel is the cubic spline of Monaghan, Smoothed Particle
// Hydrodynamics, Annu. Rev. Astron. Astrophys. 30, 1992, with support radius
// h:
//
//	W = 16/(πh³) w(q),  w(q) = (1−q)³ − 4(½−q)₊³,  q = r/h.
//
// Lengths are in units of h and numbers in float32. Positions are relative to a point
// nearby, so no precision is lost.
//
// Plain Go is the definition. On amd64 with AVX2, assembly computes the same bits. It
// uses neither fused multiply-add nor estimates. Sums run in lanes, and the number of
// lanes and the order of addition are part of the definition. The build tag noasm leaves
// it out.
package simd

import "math"

// width is how many items lie side by side in a vector.
const width = 8

// Pad is how many items must follow the last particle in a Field, so that
// vectors may read past the end. Their values must be finite.
const Pad = width

// Height returns what a particle of volume V adds to the field at its own
// place, twice: V W = Height(V/h³) w(q).
func Height(volume float64) float32 { return float32(16 / math.Pi * volume) }

// Vec4 is a vector and one number more, in 16 bytes that lie in one cache line.
type Vec4 struct{ X, Y, Z, S float32 }
