package shape

import (
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

func init() {
	Shapes.Add("box", "axis-parallel box", "", func() Shape { return new(Box) })
}

// Box is an axis-parallel box of liquid.
type Box struct {
	Min vec.Vec3 `toml:"min" unit:"m" doc:"Lower corner."`
	Max vec.Vec3 `toml:"max" unit:"m" doc:"Upper corner."`
}

// Bounds implements Shape.
func (b *Box) Bounds() vec.Box { return vec.Box{Min: b.Min, Max: b.Max} }

// Contains implements Shape.
func (b *Box) Contains(x vec.Vec3) bool {
	return b.Min.X <= x.X && x.X <= b.Max.X && b.Min.Y <= x.Y && x.Y <= b.Max.Y && b.Min.Z <= x.Z && x.Z <= b.Max.Z
}

// CheckFlat implements Flat.
func (b *Box) CheckFlat() error { return boundary.InPlane("min or max", b.Min, b.Max) }
