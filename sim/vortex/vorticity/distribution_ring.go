package vorticity

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Distributions.Register(registry.Entry[Distribution]{
		Name: "ring", Doc: "a vortex ring whose core has the vorticity of a Gauss curve", Cite: "Saffman 1970",
		New: func(d registry.Decode) (Distribution, error) {
			r := &Ring{Axis: vec.New(0, 1, 0), Radius: 1, Core: 0.1, Circulation: 1}
			return r, d(r)
		},
	})
}

// Ring is a vortex ring that moves along its axis. Its vorticity around the axis is
// Γ/(πa²) exp(−s²/a²), s the distance from the circle.
type Ring struct {
	Center      vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Axis        vec.Vec3 `toml:"axis" unit:"1" doc:"Direction in which it moves."`
	Radius      float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius of the circle."`
	Core        float64  `toml:"core" unit:"m" range:"(0, inf)" doc:"Radius a of the core."`
	Circulation float64  `toml:"circulation" unit:"m²/s" doc:"Circulation Γ."`
}

// Vorticity implements Distribution.
func (r *Ring) Vorticity(x vec.Vec3) vec.Vec3 {
	along, off, _, around := cylindrical(x, r.Center, r.Axis.Unit())
	s2 := float64((off-r.Radius)*(off-r.Radius)) + float64(along*along)
	a2 := r.Core * r.Core
	return around.Mul(r.Circulation / (math.Pi * a2) * num.Exp(-s2/a2))
}

// Bounds implements Distribution.
func (r *Ring) Bounds() vec.Box { return cube(r.Center, r.Radius+float64(3*r.Core)) }
