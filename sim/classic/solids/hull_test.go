package solids

import (
	"errors"

	"breakwater/sim/vec"
)

// hull returns the smallest convex body around points, whose centre is their
// mean: of each three, the plane with all others behind it. It is meant for tens
// of points.
func hull(points []vec.Vec3) (*Solid, error) {
	var center vec.Vec3
	for _, x := range points {
		center = center.Add(x.Mul(1 / float64(len(points))))
	}
	size := 0.
	for _, x := range points {
		size = max(size, x.Sub(center).Len())
	}
	var planes []Plane
	for i, a := range points {
		for j, b := range points[:i] {
			for _, c := range points[:j] {
				n := b.Sub(a).Cross(c.Sub(a))
				if n.Len() < 1e-9*size*size {
					continue
				}
				n = n.Unit()
				p := Plane{n, n.Dot(a.Sub(center))}
				if p.D < 0 {
					p = Plane{n.Neg(), -p.D}
				}
				planes = addFace(planes, p, points, center, 1e-9*size)
			}
		}
	}
	s, err := New(center, planes)
	if err != nil {
		return nil, errors.New("the points lie in a plane: their hull has no inside")
	}
	return s, nil
}

// addFace adds p if all points are behind it, and if no other plane is the same.
func addFace(planes []Plane, p Plane, points []vec.Vec3, center vec.Vec3, slack float64) []Plane {
	for _, x := range points {
		if p.Dist(x.Sub(center)) > slack {
			return planes
		}
	}
	for _, o := range planes {
		if o.N.Dot(p.N) > 1-1e-9 {
			return planes
		}
	}
	return append(planes, p)
}
