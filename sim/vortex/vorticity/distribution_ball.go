package vorticity

import (
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Distributions.Register(registry.Entry[Distribution]{
		Name: "ball", Doc: "Hill's spherical vortex, which moves without a change of shape", Cite: "Hill 1894",
		New: func(d registry.Decode) (Distribution, error) {
			b := &Ball{Axis: vec.New(0, 1, 0), Radius: 1, Circulation: 1}
			return b, d(b)
		},
	})
}

// Ball is the vortex of Hill, On a spherical vortex, Phil. Trans. R. Soc. A 185, 1894. Its
// vorticity around the axis is 15U/(2a²) ρ, ρ the distance from the axis. It moves along
// the axis with U = Γ/(5a).
type Ball struct {
	Center      vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Axis        vec.Vec3 `toml:"axis" unit:"1" doc:"Direction in which it moves."`
	Radius      float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius a."`
	Circulation float64  `toml:"circulation" unit:"m²/s" doc:"Circulation Γ."`
}

// Speed returns the speed U in m/s.
func (b *Ball) Speed() float64 { return b.Circulation / (5 * b.Radius) }

// Vorticity implements Distribution.
func (b *Ball) Vorticity(x vec.Vec3) vec.Vec3 {
	if x.Sub(b.Center).Len() > b.Radius {
		return vec.Vec3{}
	}
	_, rho, _, around := cylindrical(x, b.Center, b.Axis.Unit())
	return around.Mul(7.5 * b.Speed() / (b.Radius * b.Radius) * rho)
}

// Bounds implements Distribution.
func (b *Ball) Bounds() vec.Box { return cube(b.Center, b.Radius) }
