package body

import (
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// Side is a face of a solid that a point is near.
type Side struct {
	Dist   float64  // of the point, m
	Normal vec.Vec3 // outward
}

// Sides appends to dst the parts of a solid that are closer to x than near: of a tank
// all its sides.
func Sides(dst []Side, b boundary.Boundary, x vec.Vec3, near float64) []Side {
	shape, body := Unwrap(b)
	box, ok := shape.(interface{ Container() *boundary.Box }) // a body stays in it, openings or not
	if ok && box.Container() != nil {
		if body != nil {
			x = body.AtRest(x)
		}
		in := box.Container().Sides()
		lo, hi := x.Sub(in.Min).Array(), in.Max.Sub(x).Array()
		for k, e := range [...]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
			for _, s := range [...]Side{{lo[k], e}, {hi[k], e.Neg()}} {
				if s.Dist < near {
					if body != nil {
						s.Normal = body.Rotated(s.Normal)
					}
					dst = append(dst, s)
				}
			}
		}
		return dst
	}
	if d, n := solidDist(b, x); d < near {
		return append(dst, Side{d, n})
	}
	return dst
}

// solidDist returns the distance of a solid, in closed form or, for triangles, from its
// grid.
func solidDist(b boundary.Boundary, x vec.Vec3) (float64, vec.Vec3) {
	switch shape, _ := Unwrap(b); shape.(type) {
	case *boundary.Polytope, *boundary.Mesh:
		return boundary.RoughDist(b, x)
	}
	return b.Dist(x)
}
