package boundary

import (
	"fmt"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

func init() {
	Boundaries.Add("sphere", "ball: a solid, or a round tank", "Koschier and Bender 2017", func() Boundary { return &Sphere{Radius: 0.1} })
}

// Sphere is a solid ball, or a round container. The wall is free of friction.
type Sphere struct {
	Center vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Radius float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius."`
	Inside bool     `toml:"inside" doc:"Whether the liquid is inside the sphere; false makes it a solid ball."`

	Fixed
	layers Layers
}

// Init implements Boundary. It fails for a sphere smaller than the kernel's
// support.
func (s *Sphere) Init(k kernel.Kernel) error {
	if !(s.Radius >= k.H()*(1-1e-9)) {
		return fmt.Errorf("sphere: the radius %g m must be at least two spacings, %g m: make it larger or the spacing smaller", s.Radius, k.H())
	}
	s.layers = NewLayers(k)
	return nil
}

// Bounds returns the bounding box of a container, or the empty box for a
// solid ball.
func (s *Sphere) Bounds() vec.Box {
	if s.Inside {
		return vec.Box{Min: s.Center, Max: s.Center}.Grow(s.Radius)
	}
	return vec.Empty()
}

// Extent returns the bounding box.
func (s *Sphere) Extent() vec.Box { return vec.Box{Min: s.Center, Max: s.Center}.Grow(s.Radius) }

// Wall implements Boundary: a sum over the layers, which are spheres. Deeper in the solid
// than half a support radius the share stays constant.
func (s *Sphere) Wall(x vec.Vec3) (float64, vec.Vec3) {
	h, d := s.layers.k.H(), s.layers.d
	t, n := s.Dist(x)
	if t >= h {
		return 0, vec.Vec3{}
	}
	t = max(t, float64(-h/2))
	out := s.outward()
	D := s.Radius - float64(out*t)
	var share, slope float64
	for depth := float64(d / 2); depth < h+float64(h/2); depth += d {
		if rho := s.Radius + float64(out*depth); rho > 0 {
			a, byD, _ := s.layers.shell(rho, D)
			share, slope = share+a, slope-float64(out*byD)
		}
	}
	return min(share, 1), n.Mul(slope)
}

// Mirror implements Boundary: a sum over layers as in Wall, but as deep behind
// the wall as the particle is before it, and on.
func (s *Sphere) Mirror(x vec.Vec3) (float64, vec.Vec3) {
	h, d := s.layers.k.H(), s.layers.d
	t, n := s.Dist(x)
	t = max(t, 0)
	out := s.outward()
	D := s.Radius - float64(out*t)
	var share, slope float64
	for depth := t; depth+t < h; depth += d {
		if rho := s.Radius + float64(out*depth); rho > 0 {
			a, byD, byRho := s.layers.shell(rho, D)
			share, slope = share+a, slope+float64(out*(byRho-byD))
		}
	}
	return share, n.Mul(slope)
}

// outward returns the sign with which the radius grows into the wall.
func (s *Sphere) outward() float64 {
	if s.Inside {
		return 1
	}
	return -1
}

// Dist implements Boundary. The normal at the centre is up.
func (s *Sphere) Dist(x vec.Vec3) (float64, vec.Vec3) {
	r := x.Sub(s.Center)
	n := r.Unit()
	if n == (vec.Vec3{}) {
		n = vec.New(0, 1, 0)
	}
	if s.Inside {
		return s.Radius - r.Len(), n.Neg()
	}
	return r.Len() - s.Radius, n
}
