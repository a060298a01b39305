package vorticity

import (
	"math"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Distributions.Register(registry.Entry[Distribution]{
		Name: "jet-ring", Doc: "a slug of moving gas with a thick skin of vorticity, which rolls up into a ring", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Distribution, error) {
			j := &JetRing{Axis: vec.New(0, 1, 0), Radius: 1, Thickness: 1, Circulation: 1}
			return j, d(j)
		},
	})
}

// JetRing is the slug of the code published with Gourlay, part 12. With s the distance
// along the axis and ρ the distance from it, its vorticity around the axis is
//
//	m (cos(πs/R) + 1)/2 (π/T) sin(π(ρ−R)/T)
//
// for R < ρ < R+T and |s| < R, with m = Γ/(2R). The article has R = T = 1 and m = 100.
type JetRing struct {
	Center      vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Axis        vec.Vec3 `toml:"axis" unit:"1" doc:"Direction in which it moves."`
	Radius      float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius R of the slug, and half of its length."`
	Thickness   float64  `toml:"thickness" unit:"m" range:"(0, inf)" doc:"Thickness T of the skin around it."`
	Circulation float64  `toml:"circulation" unit:"m²/s" doc:"Circulation Γ."`
}

// Vorticity implements Distribution.
func (j *JetRing) Vorticity(x vec.Vec3) vec.Vec3 {
	s, rho, _, around := cylindrical(x, j.Center, j.Axis.Unit())
	if math.Abs(s) >= j.Radius || rho <= j.Radius || rho >= j.Radius+j.Thickness {
		return vec.Vec3{}
	}
	m := j.Circulation / (2 * j.Radius)
	return around.Mul(m * (math.Cos(math.Pi*s/j.Radius) + 1) / 2 * math.Pi / j.Thickness * math.Sin(math.Pi*(rho-j.Radius)/j.Thickness))
}

// Bounds implements Distribution.
func (j *JetRing) Bounds() vec.Box { return cube(j.Center, j.Radius+j.Thickness) }
