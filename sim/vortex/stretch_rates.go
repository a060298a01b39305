package vortex

import (
	"breakwater/sim/biot"
	"breakwater/sim/vec"
)

// stretching returns dα/dt of a vorton of strength α in a velocity gradient, and 1/σ dσ/dt
// of its core.
type stretching func(g *biot.Gradient, a vec.Vec3) (da vec.Vec3, grow float64)

// stretchings are the forms of the stretching by name.
var stretchings = map[string]stretching{
	"none":         func(*biot.Gradient, vec.Vec3) (vec.Vec3, float64) { return vec.Vec3{}, 0 },
	"classical":    func(g *biot.Gradient, a vec.Vec3) (vec.Vec3, float64) { return g.Along(a), 0 },
	"transpose":    func(g *biot.Gradient, a vec.Vec3) (vec.Vec3, float64) { return g.AlongT(a), 0 },
	"reformulated": reformulated,
}

// reformulated is the stretching of the reformulated vortex particle method, with f = 0
// and g = 1/5 (Alvarez and Ning, Stable Vortex Particle Method Formulation for Meshless
// Large-Eddy Simulation, AIAA J. 62, 2024):
//
//	dα/dt = S − (g+f)/(1/3+f) (S·α̂) α̂,  dσ/dt = −(g+f)/(1+3f) σ (S·α̂)/|α|,  S = (α·∇)u.
//
// A vorton in a flow that stretches it gets thinner, and |α| σ² stays the same.
func reformulated(g *biot.Gradient, a vec.Vec3) (da vec.Vec3, grow float64) {
	s, a2 := g.Along(a), a.Dot(a)
	if a2 == 0 {
		return s, 0
	}
	rate := s.Dot(a) / a2 // of the stretching, 1/s
	return s.Sub(a.Mul(3. / 5 * rate)), -rate / 5
}
