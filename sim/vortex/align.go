package vortex

import (
	"breakwater/sim/biot"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// align turns the strengths of the sources towards the vorticity of all of them (Pedrizzetti,
// Insight into Singular Vortex Flows, Fluid Dyn. Res. 10, 1992, eq. 2.15):
//
//	α ← (1 − f) α + f |α| ω/|ω|.
//
// The sum of vortons is not free of divergence, as vorticity is. This keeps it near.
func (s *VPM) align() {
	if s.Align == 0 || s.Stretching == "none" {
		return
	}
	par.For(len(s.grad), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a := s.sources.Alpha[i]
			if w := curl(&s.grad[i]); w != (vec.Vec3{}) {
				s.sources.Alpha[i] = a.Mul(1 - s.Align).Add(w.Unit().Mul(s.Align * a.Len()))
			}
		}
	})
}

// curl returns the vorticity, in 1/s.
func curl(g *biot.Gradient) vec.Vec3 { return vec.New(g.Z.Y-g.Y.Z, g.X.Z-g.Z.X, g.Y.X-g.X.Y) }
