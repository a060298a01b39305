package vortex

import (
	"breakwater/sim/biot"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

func init() {
	Techniques.Register(registry.Entry[Technique]{
		Name: "direct", Doc: "sums over all vortons: exact, with a cost that grows with their square", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Technique, error) { t := &Direct{}; return t, d(t) },
	})
}

// Direct sums the velocities that all vortons induce, in their order. A vorton induces
// none at its own centre.
type Direct struct{}

// Velocities implements Technique.
func (*Direct) Velocities(u, at []vec.Vec3, s *biot.Sources, _ *grid.Grid) {
	biot.Velocity(u, at, s, biot.Core)
}
