package boundary

import (
	"errors"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

func init() {
	Boundaries.Add("plane", "infinite plane with solid behind it",
		"Koschier and Bender 2017", func() Boundary { return &Plane{Normal: vec.New(0, 1, 0)} })
}

// Plane is an endless plane, solid on the side away from Normal. The wall is
// free of friction.
type Plane struct {
	Point  vec.Vec3 `toml:"point" unit:"m" doc:"Point on the plane."`
	Normal vec.Vec3 `toml:"normal" unit:"1" doc:"Direction into the liquid, of any length but 0."`

	Fixed
	layers Layers
}

// Init implements Boundary.
func (p *Plane) Init(k kernel.Kernel) error {
	if p.Normal == (vec.Vec3{}) {
		return errors.New("plane: the normal is zero: give the direction into the liquid, such as [0, 1, 0]")
	}
	p.layers = NewLayers(k)
	return nil
}

// Wall implements Boundary.
func (p *Plane) Wall(x vec.Vec3) (float64, vec.Vec3) {
	d, n := p.Dist(x)
	share, slope := p.layers.HalfSpace(d)
	return share, n.Mul(slope)
}

// Mirror implements Boundary.
func (p *Plane) Mirror(x vec.Vec3) (float64, vec.Vec3) {
	d, n := p.Dist(x)
	share, slope := p.layers.Mirror(d)
	return share, n.Mul(slope)
}

// Dist implements Boundary.
func (p *Plane) Dist(x vec.Vec3) (float64, vec.Vec3) {
	n := p.Normal.Unit()
	return x.Sub(p.Point).Dot(n), n
}
