package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// stretch stretches and tilts vortons for dt by the velocities u at the points of the
// grid (Gourlay, part 3):
//
//	ω += gain dt (∇u)ᵀ ω.
//
// The transposed gradient keeps the sum of all strengths in a flow without walls. The
// article's gain is ½ for stability; the equation's is 1.
func stretch(v *Vortons, u []vec.Vec3, g *grid.Grid, gain, dt float64) {
	slopes := make([][3]vec.Vec3, g.Points())
	par.For(len(slopes), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			slopes[p] = g.Slopes(u, p)
		}
	})
	par.For(v.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p, w := g.Corners(v.X[i])
			var dx, dy, dz vec.Vec3
			for b := range p {
				s := &slopes[p[b]]
				dx, dy, dz = dx.Add(s[0].Mul(w[b])), dy.Add(s[1].Mul(w[b])), dz.Add(s[2].Mul(w[b]))
			}
			along := vec.New(v.W[i].Dot(dx), v.W[i].Dot(dy), v.W[i].Dot(dz))
			v.W[i] = v.W[i].Add(along.Mul(gain * dt))
		}
	})
}
