package outflow

import (
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

func init() {
	Regions.Add("box", "removes liquid that enters an axis-parallel box: a drain, an overflow", "", func() boundary.Region { return &Box{} })
}

// Box is an axis-parallel box.
type Box struct {
	Min vec.Vec3 `toml:"min" unit:"m" doc:"Lower corner."`
	Max vec.Vec3 `toml:"max" unit:"m" doc:"Upper corner."`
}

// Depth implements Region.
func (r *Box) Depth(x vec.Vec3) float64 {
	d, _ := (vec.Box{Min: r.Min, Max: r.Max}).Dist(x)
	return -d
}
