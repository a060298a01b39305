package boundary

import (
	"breakwater/sim/vec"
	"math"
)

// Supported is a shape that knows exactly how far it reaches in any direction.
type Supported interface {
	// Support returns the greatest x·d of the points x of the shape.
	Support(d vec.Vec3) float64
}

// Support implements Supported.
func (b *Box) Support(d vec.Vec3) float64 {
	return max(b.Min.X*d.X, b.Max.X*d.X) + max(b.Min.Y*d.Y, b.Max.Y*d.Y) + max(b.Min.Z*d.Z, b.Max.Z*d.Z)
}

// Support implements Supported.
func (s *Sphere) Support(d vec.Vec3) float64 { return s.Center.Dot(d) + float64(s.Radius*d.Len()) }

// Support implements Supported.
func (c *Cylinder) Support(d vec.Vec3) float64 {
	along := c.Top.Sub(c.Bottom).Unit().Dot(d)
	return max(c.Bottom.Dot(d), c.Top.Dot(d)) + float64(c.Radius*math.Sqrt(max(0, d.Dot(d)-float64(along*along))))
}

// Support implements Supported.
func (c *Capsule) Support(d vec.Vec3) float64 {
	return max(c.Bottom.Dot(d), c.Top.Dot(d)) + float64(c.Radius*d.Len())
}

// Support implements Supported: of the faces of a polytope or a mesh.
func (s *shaped) Support(d vec.Vec3) float64 {
	most := math.Inf(-1)
	for _, p := range s.faces.pos {
		most = max(most, p.Dot(d))
	}
	return most
}
