package neighbor

import (
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Finders.Register(registry.Entry[Finder]{
		Name: "brute", Doc: "tests every pair: slow, for verification of the others",
		New: func(d registry.Decode) (Finder, error) { return new(Brute), d(&struct{}{}) },
	})
}

// Brute tests every point. It is what the other finders are tested against.
type Brute struct {
	pos []vec.Vec3
	r2  float64
}

// Build implements Finder.
func (b *Brute) Build(pos []vec.Vec3, r float64) { b.pos, b.r2 = pos, r*r }

// Near implements Finder.
func (b *Brute) Near(dst []int32, x vec.Vec3) []int32 {
	for j, y := range b.pos {
		if d := x.Sub(y); d.Dot(d) < b.r2 {
			dst = append(dst, int32(j))
		}
	}
	return dst
}
