package sim

import (
	"math"

	"breakwater/sim/vec"
)

// supported is a shape that knows exactly how far it reaches in any direction.
type supported interface {
	// support returns the greatest x·d of the points x of the shape.
	support(d vec.Vec3) float64
}

// Reach returns the box around the shape of a wall, whether the liquid is in it
// or around it, where it is now: exact however it is turned. It is the empty
// box for a plane, which has no end.
func Reach(b Boundary) vec.Box {
	shape, body := Rest(b)
	s, ok := shape.(supported)
	if !ok {
		return vec.Empty()
	}
	box := vec.Empty()
	lo, hi := [3]float64{}, [3]float64{}
	for i, e := range [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		d, shift := e, 0.
		if body != nil {
			p, c := &body.pose, body.Motion.Center
			d = vec.New(p.turn[0].Dot(e), p.turn[1].Dot(e), p.turn[2].Dot(e))
			shift = e.Dot(c.Add(p.shift)) - d.Dot(c)
		}
		lo[i], hi[i] = shift-s.support(d.Neg()), shift+s.support(d)
	}
	box.Min, box.Max = vec.New(lo[0], lo[1], lo[2]), vec.New(hi[0], hi[1], hi[2])
	return box
}

func (b *Box) support(d vec.Vec3) float64 {
	return max(b.Min.X*d.X, b.Max.X*d.X) + max(b.Min.Y*d.Y, b.Max.Y*d.Y) + max(b.Min.Z*d.Z, b.Max.Z*d.Z)
}

func (s *Sphere) support(d vec.Vec3) float64 { return s.Center.Dot(d) + s.Radius*d.Len() }

func (c *Cylinder) support(d vec.Vec3) float64 {
	along := c.Top.Sub(c.Bottom).Unit().Dot(d)
	return max(c.Bottom.Dot(d), c.Top.Dot(d)) + c.Radius*math.Sqrt(max(0, d.Dot(d)-along*along))
}

func (c *Capsule) support(d vec.Vec3) float64 {
	return max(c.Bottom.Dot(d), c.Top.Dot(d)) + c.Radius*d.Len()
}

// support is that of the faces: of a polytope or a mesh.
func (s *shaped) support(d vec.Vec3) float64 {
	most := math.Inf(-1)
	for _, p := range s.faces.pos {
		most = max(most, p.Dot(d))
	}
	return most
}
