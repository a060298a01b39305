package vorticity

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Distributions.Register(registry.Entry[Distribution]{
		Name: "tube", Doc: "a straight vortex, which may be thicker and thinner along its axis", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Distribution, error) {
			t := &Tube{Axis: vec.New(0, 0, 1), Length: 2, Core: 0.1, Circulation: 1}
			return t, d(t)
		},
	})
}

// Tube is a straight vortex with open ends. The circulation within ρ of the axis is
//
//	Γ (1 − exp(−ρ²/σ²)),  σ(s) = core (1 + variation cos(2πs/length)),
//
// which gives the components of vorticity along the axis and away from it, so that vortex
// lines follow the thickness and do not end.
type Tube struct {
	Center      vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Axis        vec.Vec3 `toml:"axis" unit:"1" doc:"Direction of the vorticity."`
	Length      float64  `toml:"length" unit:"m" range:"(0, inf)" doc:"Length."`
	Core        float64  `toml:"core" unit:"m" range:"(0, inf)" doc:"Mean radius of the core."`
	Variation   float64  `toml:"variation" unit:"1" range:"[0, 0.9]" doc:"Share by which the radius varies along the axis, once over the length."`
	Circulation float64  `toml:"circulation" unit:"m²/s" doc:"Circulation Γ."`
}

// Vorticity implements Distribution.
func (t *Tube) Vorticity(x vec.Vec3) vec.Vec3 {
	axis := t.Axis.Unit()
	s, rho, away, _ := cylindrical(x, t.Center, axis)
	if math.Abs(s) > t.Length/2 {
		return vec.Vec3{}
	}
	k := 2 * math.Pi / t.Length
	sigma := t.Core * (1 + float64(t.Variation*math.Cos(k*s)))
	slope := -t.Core * t.Variation * k * math.Sin(k*s)
	w := t.Circulation / (math.Pi * sigma * sigma) * num.Exp(-rho*rho/(sigma*sigma))
	return axis.Mul(w).Add(away.Mul(w * rho * slope / sigma))
}

// Bounds implements Distribution.
func (t *Tube) Bounds() vec.Box {
	axis := t.Axis.Unit().Mul(t.Length / 2)
	return vec.Empty().Include(t.Center.Sub(axis)).Include(t.Center.Add(axis)).Grow(3 * t.Core * (1 + t.Variation))
}
