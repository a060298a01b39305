// Package solids implements the collisions of Gourlay, Fluid Simulation for Video Games,
// parts 13 and 14, 2012, between particles and convex bodies. A body is a set of planes
// or a ball. Particles bounce one by one and transfer impulses to bodies; there is no
// pressure. The production walls and bodies are in package sim. This package is measured
// against the article's table 2.
package solids

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"breakwater/sim/vec"
)

// Plane is the plane n·q = d and the half-space behind it, n·q < d. N is a unit vector.
type Plane struct {
	N vec.Vec3
	D float64 // m
}

// Dist returns the signed distance of q.
func (p Plane) Dist(q vec.Vec3) float64 { return p.N.Dot(q) - p.D }

// Solid is a convex body, or a hole of that shape in which particles are. Its
// planes are seen from its centre, which is inside; a ball has none.
type Solid struct {
	Planes []Plane
	Ball   float64 // radius of a ball, m
	Hole   bool

	X    vec.Vec3    // centre, m
	Turn [3]vec.Vec3 // columns of the rotation
	V    vec.Vec3    // m/s
	Spin vec.Vec3    // rad/s

	outer, inner float64 // radii of balls around X that hold it, and that it holds
}

// NewBall returns a ball at rest.
func NewBall(center vec.Vec3, radius float64) *Solid {
	return &Solid{Ball: radius, X: center, Turn: vec.NoTurn.Columns(), outer: radius, inner: radius}
}

// NewBox returns a box at rest with the given half sides.
func NewBox(center, half vec.Vec3) *Solid {
	s, err := New(center, []Plane{
		{vec.New(1, 0, 0), half.X}, {vec.New(-1, 0, 0), half.X}, {vec.New(0, 1, 0), half.Y},
		{vec.New(0, -1, 0), half.Y}, {vec.New(0, 0, 1), half.Z}, {vec.New(0, 0, -1), half.Z},
	})
	if err != nil {
		panic("solids: " + err.Error())
	}
	return s
}

// New returns what lies behind all planes, as seen from the centre, at rest.
func New(center vec.Vec3, planes []Plane) (*Solid, error) {
	s := &Solid{Planes: planes, X: center, Turn: vec.NoTurn.Columns(), inner: math.Inf(1)}
	for _, p := range planes {
		if !(p.D > 0) {
			return nil, errors.New("the centre is not inside: it must be behind every plane")
		}
		s.inner = min(s.inner, p.D)
	}
	if !bounded(planes) {
		return nil, errors.New("the planes do not enclose a body: add some on the sides on which it is open")
	}
	for _, x := range corners(planes) {
		s.outer = max(s.outer, x.Len())
	}
	return s, nil
}

// corners returns the points in which three planes meet and which no plane cuts
// off.
func corners(planes []Plane) (list []vec.Vec3) {
	for i, a := range planes {
		for j, b := range planes[:i] {
			for _, c := range planes[:j] {
				det := a.N.Dot(b.N.Cross(c.N))
				if math.Abs(det) < 1e-9 {
					continue
				}
				x := b.N.Cross(c.N).Mul(a.D).Add(c.N.Cross(a.N).Mul(b.D)).Add(a.N.Cross(b.N).Mul(c.D)).Mul(1 / det)
				if out(planes, x) <= 1e-9*(1+x.Len()) {
					list = append(list, x)
				}
			}
		}
	}
	return list
}

// bounded reports whether the planes enclose a bounded region. An unbounded region
// contains a ray along the intersection of two planes, or has too few corners.
func bounded(planes []Plane) bool {
	open := func(way vec.Vec3) bool {
		if way.Len() < 1e-9 {
			return false
		}
		way = way.Unit()
		for _, p := range planes {
			if p.N.Dot(way) > 1e-9 {
				return false
			}
		}
		return true
	}
	for i, a := range planes {
		for _, b := range planes[:i] {
			if way := a.N.Cross(b.N); open(way) || open(way.Neg()) {
				return false
			}
		}
	}
	return len(corners(planes)) >= 4
}

// out returns the largest distance of q from a plane.
func out(planes []Plane, q vec.Vec3) float64 {
	most := math.Inf(-1)
	for _, p := range planes {
		most = max(most, p.Dist(q))
	}
	return most
}

// local returns q as the body has it.
func (s *Solid) local(q vec.Vec3) vec.Vec3 {
	q = q.Sub(s.X)
	return vec.New(s.Turn[0].Dot(q), s.Turn[1].Dot(q), s.Turn[2].Dot(q))
}

// world returns a direction of the body in the world's axes.
func (s *Solid) world(n vec.Vec3) vec.Vec3 {
	return s.Turn[0].Mul(n.X).Add(s.Turn[1].Mul(n.Y)).Add(s.Turn[2].Mul(n.Z))
}

// At returns the velocity of the body's point at x.
func (s *Solid) At(x vec.Vec3) vec.Vec3 { return s.V.Add(s.Spin.Cross(x.Sub(s.X))) }

// Contact returns the largest signed distance of q from a plane, and which it is.
// Its sign is right everywhere; off an edge or a corner its size is less than the
// distance.
func (s *Solid) Contact(q vec.Vec3) (d float64, plane int) {
	if s.Planes == nil {
		return q.Sub(s.X).Len() - s.Ball, 0
	}
	q = s.local(q)
	d = math.Inf(-1)
	for i, p := range s.Planes {
		if t := p.Dist(q); t > d {
			d, plane = t, i
		}
	}
	return d, plane
}

// Apart reports whether a ball of radius r at q is clear of the body. It begins
// with the plane last, and keeps there the one that parts them, which will most
// likely do so again.
func (s *Solid) Apart(q vec.Vec3, r float64, last *int32) bool {
	if s.Planes == nil {
		return q.Sub(s.X).Len() >= s.Ball+r
	}
	q = s.local(q)
	if s.Planes[*last].Dist(q) >= r {
		return true
	}
	for i, p := range s.Planes {
		if p.Dist(q) >= r {
			*last = int32(i)
			return true
		}
	}
	return false
}

// collision is Contact for a ball of radius r that moves with the velocity v; it returns
// +Inf if a plane is between them. Only planes count that the ball moves into, because it
// did not come through the others. If it leaves all, which it can where the planes
// enclose no body, all count.
func (s *Solid) collision(q, v vec.Vec3, r float64) (d float64, plane int) {
	if s.Planes == nil {
		if d, _ = s.Contact(q); d >= r {
			d = math.Inf(1)
		}
		return d, 0
	}
	in := v.Sub(s.At(q))
	in = vec.New(s.Turn[0].Dot(in), s.Turn[1].Dot(in), s.Turn[2].Dot(in))
	at := s.local(q)
	d = math.Inf(-1)
	for i, p := range s.Planes {
		t := p.Dist(at)
		if t >= r {
			return math.Inf(1), i
		}
		if t > d && (in.Dot(p.N) <= 0 || t >= 0) {
			d, plane = t, i
		}
	}
	if math.IsInf(d, -1) {
		return s.Contact(q)
	}
	return d, plane
}

// Point returns the contact point on the surface, from q, of a plane at the distance d,
// and its normal.
func (s *Solid) Point(q vec.Vec3, d float64, plane int) (x, n vec.Vec3) {
	if s.Planes == nil {
		if n = q.Sub(s.X).Unit(); n == (vec.Vec3{}) {
			n = vec.New(0, 1, 0)
		}
	} else {
		n = s.world(s.Planes[plane].N)
	}
	return q.Sub(n.Mul(d)), n
}

// Embedded reports whether x is where no particle may be.
func (s *Solid) Embedded(x vec.Vec3) bool {
	d, _ := s.Contact(x)
	return (d < 0) != s.Hole
}

// Moments returns the volume of the body in m³, and the mean of (x−X)⊗(x−X) over it in
// its own axes, in m². A polytope is divided into pyramids over its faces.
func (s *Solid) Moments() (volume float64, second vec.Sym3) {
	if s.Planes == nil {
		r2 := s.Ball * s.Ball
		return 4 * math.Pi / 3 * s.Ball * r2, vec.Sym3{XX: r2 / 5, YY: r2 / 5, ZZ: r2 / 5}
	}
	all := corners(s.Planes)
	for _, p := range s.Planes {
		face := faceOf(p, all)
		for k := 2; k < len(face); k++ {
			a, b, c := face[0], face[k-1], face[k]
			v := math.Abs(a.Dot(b.Cross(c))) / 6
			volume += v
			for _, x := range [4]vec.Vec3{a, b, c, a.Add(b).Add(c)} {
				second.AddOuter(x, v/20)
			}
		}
	}
	return volume, second.Scale(1 / volume)
}

// faceOf returns the corners that lie in a plane, each once, in order around its normal.
func faceOf(p Plane, all []vec.Vec3) (face []vec.Vec3) {
	near := 1e-9 * (1 + p.D)
	var center vec.Vec3
	for _, x := range all {
		if math.Abs(p.Dist(x)) > near || slices.ContainsFunc(face, func(y vec.Vec3) bool { return x.Sub(y).Len() < near }) {
			continue
		}
		face, center = append(face, x), center.Add(x)
	}
	center = center.Mul(1 / float64(len(face)))
	u, v := p.N.Basis()
	angle := func(x vec.Vec3) float64 { x = x.Sub(center); return math.Atan2(x.Dot(v), x.Dot(u)) }
	slices.SortFunc(face, func(a, b vec.Vec3) int { return cmp.Compare(angle(a), angle(b)) })
	return face
}

// Bounds returns a box with the solid, or the hole, in it.
func (s *Solid) Bounds() vec.Box { return vec.Box{Min: s.X, Max: s.X}.Grow(s.outer) }

// Extent returns a box that is within Bounds where planes are perpendicular to an axis, as for
// a long cylinder along one.
func (s *Solid) Extent() vec.Box {
	b := s.Bounds()
	lo, hi, x := b.Min.Array(), b.Max.Array(), s.X.Array()
	for _, p := range s.Planes {
		for a, n := range s.world(p.N).Array() {
			if n > 1-1e-12 {
				hi[a] = min(hi[a], x[a]+p.D)
			} else if n < -1+1e-12 {
				lo[a] = max(lo[a], x[a]-p.D)
			}
		}
	}
	return vec.Box{Min: vec.New(lo[0], lo[1], lo[2]), Max: vec.New(hi[0], hi[1], hi[2])}
}
