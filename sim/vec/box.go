package vec

import "math"

// Box is the set of points p with Min ≤ p ≤ Max in every component. A box is
// empty if Min > Max in any component.
type Box struct{ Min, Max Vec3 }

// Empty returns the box that holds nothing: the start of a union.
func Empty() Box {
	inf := math.Inf(1)
	return Box{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// IsEmpty reports whether b holds no point.
func (b Box) IsEmpty() bool { return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z }

// Size returns the edge lengths.
func (b Box) Size() Vec3 { return b.Max.Sub(b.Min) }

// Center returns the middle of b.
func (b Box) Center() Vec3 { return b.Min.Add(b.Max).Mul(0.5) }

// Volume returns the volume of b, and 0 for an empty box.
func (b Box) Volume() float64 {
	if b.IsEmpty() {
		return 0
	}
	s := b.Size()
	return float64(s.X * s.Y * s.Z)
}

// Contains reports whether p is in b, its faces included.
func (b Box) Contains(p Vec3) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X && b.Min.Y <= p.Y && p.Y <= b.Max.Y && b.Min.Z <= p.Z && p.Z <= b.Max.Z
}

// Include returns the smallest box with b and p in it.
func (b Box) Include(p Vec3) Box { return Box{b.Min.Min(p), b.Max.Max(p)} }

// Union returns the smallest box with b and c in it.
func (b Box) Union(c Box) Box { return Box{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Intersect returns what b and c share, which may be empty.
func (b Box) Intersect(c Box) Box { return Box{b.Min.Max(c.Min), b.Max.Min(c.Max)} }

// Grow returns b with every face moved out by d; in for d < 0.
func (b Box) Grow(d float64) Box {
	g := Vec3{d, d, d}
	return Box{b.Min.Sub(g), b.Max.Add(g)}
}

// Dist returns the signed distance from p to the surface of b, positive
// outside, and the outward unit normal of the nearest point of the surface.
func (b Box) Dist(p Vec3) (float64, Vec3) {
	x0, x1 := p.X-b.Min.X, b.Max.X-p.X
	y0, y1 := p.Y-b.Min.Y, b.Max.Y-p.Y
	z0, z1 := p.Z-b.Min.Z, b.Max.Z-p.Z
	if !(x0 >= 0 && x1 >= 0 && y0 >= 0 && y1 >= 0 && z0 >= 0 && z1 >= 0) {
		q := p.Max(b.Min).Min(b.Max)
		if out := p.Sub(q); out != (Vec3{}) {
			return out.Len(), out.Unit()
		}
	}
	d, face := x0, 0
	if x1 < d {
		d, face = x1, 1
	}
	if y0 < d {
		d, face = y0, 2
	}
	if y1 < d {
		d, face = y1, 3
	}
	if z0 < d {
		d, face = z0, 4
	}
	if z1 < d {
		d, face = z1, 5
	}
	return -d, faceNormals[face]
}

// faceNormals are the outward normals of the faces of a box.
var faceNormals = [6]Vec3{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// Span returns the least and the greatest of p·n over the points p of b.
func (b Box) Span(n Vec3) (lo, hi float64) {
	c, s := b.Center().Dot(n), b.Size().Mul(0.5)
	r := math.Abs(float64(s.X*n.X)) + math.Abs(float64(s.Y*n.Y)) + math.Abs(float64(s.Z*n.Z))
	return c - r, c + r
}

// Corners returns the corners of b. Bit 0, 1 and 2 of the index choose the upper
// bound along x, y and z.
func (b Box) Corners() (c [8]Vec3) {
	for i := range c {
		c[i] = b.Min
		if i&1 != 0 {
			c[i].X = b.Max.X
		}
		if i&2 != 0 {
			c[i].Y = b.Max.Y
		}
		if i&4 != 0 {
			c[i].Z = b.Max.Z
		}
	}
	return c
}
