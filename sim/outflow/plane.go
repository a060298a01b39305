package outflow

import (
	"errors"

	"breakwater/sim/boundary"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Regions.Register(registry.Entry[boundary.Region]{
		Name: "plane", Doc: "removes liquid that passes a plane: the end of a channel, a waterfall",
		New: func(d registry.Decode) (boundary.Region, error) {
			r := &Plane{Direction: vec.New(1, 0, 0)}
			if err := d(r); err != nil {
				return r, err
			}
			if r.Direction == (vec.Vec3{}) {
				return r, errors.New("direction is [0, 0, 0]; expected where the liquid flows, such as [1, 0, 0]")
			}
			return r, nil
		},
	})
}

// Plane is all beyond a plane.
type Plane struct {
	Point     vec.Vec3 `toml:"point" unit:"m" doc:"Point on the plane."`
	Direction vec.Vec3 `toml:"direction" unit:"1" doc:"Outward normal of the plane, of any length."`
}

// Depth implements Region.
func (r *Plane) Depth(x vec.Vec3) float64 { return x.Sub(r.Point).Dot(r.Direction.Unit()) }
