package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// williamson are the factors of a Runge-Kutta scheme of the third order that keeps one
// rate of change q per unknown y (Williamson, Low-Storage Runge-Kutta Schemes, J. Comput.
// Phys. 35, 1980, case 7):
//
//	q ← a q + dt dy/dt,  y ← y + b q.
var williamson = [3]struct{ a, b float64 }{{0, 1. / 3}, {-5. / 9, 15. / 16}, {-153. / 128, 8. / 15}}

// stages holds q of positions, strengths and core radii.
type stages struct {
	x, alpha, tracers []vec.Vec3
	radius            []float64
}

// advance moves the sources of s and tracers by a stage of a step h.
func (q *stages) advance(s *VPM, t *Tracers, wind vec.Vec3, stage int, h float64) {
	n, c := len(s.sources.X), williamson[stage]
	q.x, q.alpha, q.radius = par.Resize(q.x, n), par.Resize(q.alpha, n), par.Resize(q.radius, n)
	q.tracers = par.Resize(q.tracers, len(t.X))
	if stage == 0 {
		clear(q.x)
		clear(q.alpha)
		clear(q.radius)
		clear(q.tracers)
	}
	rates := stretchings[s.Stretching]
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a, r := s.sources.Alpha[i], s.sources.Radius[i]
			da, grow := rates(&s.grad[i], a)
			q.x[i] = q.x[i].Mul(c.a).Add(s.u[i].Add(wind).Mul(h))
			q.alpha[i] = q.alpha[i].Mul(c.a).Add(da.Mul(h))
			q.radius[i] = float64(q.radius[i]*c.a) + float64(grow*r*h)
			s.sources.X[i] = s.sources.X[i].Add(q.x[i].Mul(c.b))
			s.sources.Alpha[i] = a.Add(q.alpha[i].Mul(c.b))
			s.sources.Radius[i] = r + float64(q.radius[i]*c.b)
		}
	})
	par.For(len(t.X), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			q.tracers[i] = q.tracers[i].Mul(c.a).Add(s.drift[i].Add(wind).Mul(h))
			t.X[i] = t.X[i].Add(q.tracers[i].Mul(c.b))
		}
	})
}
