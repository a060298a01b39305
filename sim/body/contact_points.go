package body

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// contactPoint is a point of a body, as the scene places it, or a ball, at which the body
// can be in contact with other solids.
type contactPoint struct {
	at     vec.Vec3
	radius float64
}

const (
	// edgeSegments is the number of parts of an edge between contact points. A solid that
	// is at least a quarter as wide as an edge that crosses it meets a point of the edge.
	edgeSegments = 4

	// roundSegments is the number of contact points around a cylinder. A polygon of 24
	// corners lies within 1 − cos(π/24) = 0.9 % of the radius of its circle.
	roundSegments = 24

	// maxMeshPoints bounds the contact points of a mesh, and so the cost of its contacts.
	// It is the size of a grid of some 13 by 13 points on each side of a cube.
	maxMeshPoints = 1024

	// meshGridCells is the first number of cells along a mesh whose points are thinned.
	// It is higher than 13, since a long mesh passes through fewer cells than a cube.
	meshGridCells = 24

	// longEdge is the length from which an edge of a mesh has points between its ends,
	// relative to the diagonal of its box. The points of a cube's edges are 0.14 apart.
	longEdge = 1. / 8

	// rollingCosine bounds the cosine between a cylinder's axis and a normal for which it
	// lies on its round side: it is tilted by less than 17°. A cylinder that is tilted
	// more has the points of its ends too.
	rollingCosine = 0.3
)

// contactPointsOf returns the points at which a solid can be in contact with a solid that
// has a distance. Where two edges cross, contact points of either are in the other.
func contactPointsOf(b boundary.Boundary) (list []contactPoint) {
	switch s := b.(type) {
	case *boundary.Sphere:
		return []contactPoint{{s.Center, s.Radius}}
	case *boundary.Capsule:
		n := 1 + int(math.Ceil(s.Top.Sub(s.Bottom).Len()/s.Radius))
		for k := range n + 1 {
			list = append(list, contactPoint{s.Bottom.Lerp(s.Top, float64(k)/float64(n)), s.Radius})
		}
		return list
	case *boundary.Cylinder:
		u, v := s.Top.Sub(s.Bottom).Unit().Basis()
		for _, c := range [...]vec.Vec3{s.Bottom, s.Top} {
			for i := range roundSegments {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / roundSegments)
				list = append(list, contactPoint{at: c.Add(u.Mul(s.Radius * cos)).Add(v.Mul(s.Radius * sin))})
			}
		}
		return append(list, contactPoint{at: s.Bottom}, contactPoint{at: s.Top})
	case *boundary.Box:
		c := s.Extent().Corners()
		for i, a := range c {
			list = append(list, contactPoint{at: a})
			for _, bit := range [...]int{1, 2, 4} {
				if i&bit == 0 {
					list = edgePoints(list, a, c[i|bit], edgeSegments)
				}
			}
		}
		return list
	case interface {
		Faces() ([]vec.Vec3, [][3]int32)
	}:
		pos, tri := s.Faces()
		return meshPoints(pos, tri)
	}
	return nil
}

// wallPoints returns the points at which a wall can be in contact with a body that has a
// distance. A pillar below the middle of a box is far from the points of the box. A
// container has none: the body is in it.
func wallPoints(wall boundary.Boundary) []contactPoint {
	shape, _ := Unwrap(wall)
	if box, ok := shape.(interface{ Bounds() vec.Box }); ok && !box.Bounds().IsEmpty() {
		return nil
	}
	return contactPointsOf(shape)
}

// edgePoints appends the points between a and b.
func edgePoints(list []contactPoint, a, b vec.Vec3, parts int) []contactPoint {
	for k := 1; k < parts; k++ {
		list = append(list, contactPoint{at: a.Lerp(b, float64(k)/float64(parts))})
	}
	return list
}

// meshPoints returns the corners of a mesh and points of its long edges. If they are too
// many, it keeps the outermost in each cell of a grid.
func meshPoints(pos []vec.Vec3, tri [][3]int32) (list []contactPoint) {
	box := vec.Empty()
	for _, p := range pos {
		list = append(list, contactPoint{at: p})
		box = box.Include(p)
	}
	long := box.Size().Len() * longEdge
	for _, t := range tri {
		for k := range t {
			i, j := t[k], t[(k+1)%3]
			if l := pos[j].Sub(pos[i]).Len(); i < j && l > long {
				list = edgePoints(list, pos[i], pos[j], 1+int(l/long))
			}
		}
	}
	c := box.Center()
	for cells := meshGridCells; len(list) > maxMeshPoints; cells = cells * 3 / 4 {
		edge := max(box.Size().X, box.Size().Y, box.Size().Z) / float64(cells)
		kept, at := list[:0:0], map[[3]int]int{}
		for _, f := range list {
			x := f.at.Sub(box.Min).Mul(1 / edge)
			cell := [3]int{int(x.X), int(x.Y), int(x.Z)}
			if k, ok := at[cell]; !ok {
				at[cell] = len(kept)
				kept = append(kept, f)
			} else if f.at.Sub(c).Len() > kept[k].at.Sub(c).Len() {
				kept[k] = f
			}
		}
		list = kept
	}
	return list
}

// rim is a circle around a cylinder. Fixed contact points on it would let the cylinder
// roll as a polygon does, so a rim has one where it is nearest to the other solid.
type rim struct {
	center, axis vec.Vec3
	radius       float64
}

func rimsOf(b boundary.Boundary) (list []rim) {
	if s, ok := b.(*boundary.Cylinder); ok {
		axis := s.Top.Sub(s.Bottom)
		for k := range edgeSegments + 1 {
			list = append(list, rim{s.Bottom.Lerp(s.Top, float64(k)/edgeSegments), axis.Unit(), s.Radius})
		}
	}
	return list
}

// nearestPoint returns the point of the rim that is nearest to other, about.
func (r rim) nearestPoint(b *Body, other boundary.Boundary) contactPoint {
	_, n := solidDist(other, b.Place(r.center))
	n = vec.New(b.pose.turn[0].Dot(n), b.pose.turn[1].Dot(n), b.pose.turn[2].Dot(n))
	return contactPoint{at: r.center.Sub(n.Sub(r.axis.Mul(r.axis.Dot(n))).Unit().Mul(r.radius))}
}

// rolls reports whether a body lies on its round side on a solid with the normal n. Then
// only its rims have contact points, because points that turn with the body would hinder
// it.
func (r *Rigid) rolls(b *Body, n vec.Vec3) bool {
	return len(r.rims) > 0 && math.Abs(b.pose.rotate(r.rims[0].axis).Dot(n)) < rollingCosine
}

// placed returns where a point of a wall's shape is now.
func placed(wall boundary.Boundary, x vec.Vec3) vec.Vec3 {
	if b, ok := wall.(*Body); ok {
		return b.Place(x)
	}
	return x
}

// Penetration returns how deep a free body is in another solid, where it is, and 0 if it
// is not. It works before Init.
func (b *Body) Penetration(other boundary.Boundary) (deep float64, at vec.Vec3) {
	deepen := func(list []contactPoint, place func(vec.Vec3) vec.Vec3, in boundary.Boundary) {
		for _, f := range list {
			x := place(f.at)
			if d, _ := in.Dist(x); f.radius-d > deep {
				deep, at = f.radius-d, x
			}
		}
	}
	deepen(append(b.Free.contactPoints[:len(b.Free.contactPoints):len(b.Free.contactPoints)], contactPoint{at: b.Motion.Center}), b.Place, other)
	deepen(wallPoints(other), func(x vec.Vec3) vec.Vec3 { return placed(other, x) }, b)
	return deep, at
}
