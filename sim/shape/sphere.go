package shape

import (
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

func init() {
	Shapes.Add("sphere", "ball", "", func() Shape { return &Sphere{Radius: 0.1} })
}

// Sphere is a ball of liquid.
type Sphere struct {
	Center vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Radius float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius."`
}

// Bounds implements Shape.
func (s *Sphere) Bounds() vec.Box { return vec.Box{Min: s.Center, Max: s.Center}.Grow(s.Radius) }

// Contains implements Shape.
func (s *Sphere) Contains(x vec.Vec3) bool {
	r := x.Sub(s.Center)
	return r.Dot(r) <= s.Radius*s.Radius
}

// CheckFlat implements Flat.
func (s *Sphere) CheckFlat() error { return boundary.InPlane("center", s.Center) }
