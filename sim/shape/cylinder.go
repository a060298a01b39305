package shape

import (
	"errors"
	"math"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Shapes.Register(registry.Entry[Shape]{
		Name: "cylinder", Doc: "cylinder with flat ends, in any direction",
		New: func(d registry.Decode) (Shape, error) {
			s := &Cylinder{Top: vec.New(0, 1, 0), Radius: 0.1}
			if err := d(s); err != nil {
				return s, err
			}
			if s.Top == s.Bottom {
				return s, errors.New("bottom and top are the same point: move one of them")
			}
			return s, nil
		},
	})
}

// Cylinder is a cylinder of liquid.
type Cylinder struct {
	Bottom vec.Vec3 `toml:"bottom" unit:"m" doc:"Centre of one end."`
	Top    vec.Vec3 `toml:"top" unit:"m" doc:"Centre of the other end."`
	Radius float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius."`
}

// Bounds implements Shape.
func (s *Cylinder) Bounds() vec.Box {
	n := s.Top.Sub(s.Bottom).Unit()
	reach := func(x float64) float64 { return s.Radius * math.Sqrt(max(0, 1-float64(x*x))) }
	r := vec.New(reach(n.X), reach(n.Y), reach(n.Z))
	ends := vec.Box{Min: s.Bottom.Min(s.Top), Max: s.Bottom.Max(s.Top)}
	return vec.Box{Min: ends.Min.Sub(r), Max: ends.Max.Add(r)}
}

// Contains implements Shape.
func (s *Cylinder) Contains(x vec.Vec3) bool {
	axis, r := s.Top.Sub(s.Bottom), x.Sub(s.Bottom)
	t := r.Dot(axis) / axis.Dot(axis)
	off := r.Sub(axis.Mul(t))
	return 0 <= t && t <= 1 && off.Dot(off) <= s.Radius*s.Radius && s.Bounds().Contains(x)
}
