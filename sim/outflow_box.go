package sim

import (
	"breakwater/sim/boundary"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Regions.Register(registry.Entry[boundary.Region]{
		Name: "box", Doc: "removes liquid that enters an axis-parallel box: a drain, an overflow",
		New: func(d registry.Decode) (boundary.Region, error) { r := &BoxRegion{}; return r, d(r) },
	})
}

// BoxRegion is an axis-parallel box.
type BoxRegion struct {
	Min vec.Vec3 `toml:"min" unit:"m" doc:"Lower corner."`
	Max vec.Vec3 `toml:"max" unit:"m" doc:"Upper corner."`
}

// Depth implements Region.
func (r *BoxRegion) Depth(x vec.Vec3) float64 {
	d, _ := (vec.Box{Min: r.Min, Max: r.Max}).Dist(x)
	return -d
}
