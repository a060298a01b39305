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
//
// With waves, the radius of the circle is R(θ) = R + b cos nθ, as where the growth of waves is
// studied (Shariff, Verzicco and Orlandi 1994). The vorticity then also has a component away from
// the axis, R'(θ)/r times the one around it, so that vortex lines follow the waves. Here r is the
// distance from the axis.
type Ring struct {
	Center      vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Axis        vec.Vec3 `toml:"axis" unit:"1" doc:"Direction in which it moves."`
	Radius      float64  `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius of the circle."`
	Core        float64  `toml:"core" unit:"m" range:"(0, inf)" doc:"Radius a of the core."`
	Circulation float64  `toml:"circulation" unit:"m²/s" doc:"Circulation Γ."`
	Waves       int      `toml:"waves" recipe:"set" range:"[0, 1000]" doc:"Number n of waves around the circle."`
	WaveHeight  float64  `toml:"wave_height" recipe:"set" unit:"m" range:"[0, inf)" doc:"Amplitude b of the waves, by which the radius grows and shrinks. A crest points up, or along x in a ring that lies flat."`
}

// Vorticity implements Distribution.
func (r *Ring) Vorticity(x vec.Vec3) vec.Vec3 {
	axis := r.Axis.Unit()
	along, off, away, around := cylindrical(x, r.Center, axis)
	radius, slope := r.radius(axis, away)
	s2 := float64((off-radius)*(off-radius)) + float64(along*along)
	a2 := r.Core * r.Core
	size := r.Circulation / (math.Pi * a2) * num.Exp(-s2/a2)
	w := around.Mul(size)
	if slope != 0 {
		w = w.Add(away.Mul(size * slope / off))
	}
	return w
}

// radius returns the radius of the circle in a direction away from the axis, and its derivative
// by the angle around the axis.
func (r *Ring) radius(axis, away vec.Vec3) (radius, slope float64) {
	if r.Waves == 0 || r.WaveHeight == 0 {
		return r.Radius, 0
	}
	crest := vec.New(0, 1, 0)
	const flat = 0.99
	if math.Abs(axis.Y) > flat {
		crest = vec.New(1, 0, 0)
	}
	crest = crest.Sub(axis.Mul(crest.Dot(axis))).Unit()
	cos, sin := away.Dot(crest), away.Dot(axis.Cross(crest))
	c, s := 1., 0. // cos kθ and sin kθ
	for range r.Waves {
		c, s = float64(c*cos)-float64(s*sin), float64(s*cos)+float64(c*sin)
	}
	return r.Radius + float64(r.WaveHeight*c), -r.WaveHeight * float64(r.Waves) * s
}

// Bounds implements Distribution.
func (r *Ring) Bounds() vec.Box { return cube(r.Center, r.Radius+r.WaveHeight+float64(3*r.Core)) }
