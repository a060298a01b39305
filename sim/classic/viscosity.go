package classic

import (
	"math"

	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// diffuse lets velocities diffuse, damps shocks, and lets all motion fade. No exchange
// reverses a velocity. Each particle of a pair gives at most half of the difference, and
// a particle loses at most all of its own velocity.
func (s *Gourlay) diffuse(w *sim.World, dt float64) {
	var heat []float64
	if s.Heat {
		heat = w.Carry("heat")
	}
	invH, reach := 1/s.law.h, float64(s.RadialRange*w.Spacing/2)
	if s.Diffusion == 0 && s.Tangential == 0 && heat == nil && reach > 0 {
		s.shocks(w, float64(dt*s.law.radial), 1/reach)
	} else if s.Diffusion > 0 || (s.law.radial > 0 || s.Tangential > 0) && reach > 0 {
		s.pairs.each(func(list []neighbor.Pair) {
			for k := range list {
				p := &list[k]
				a, b := w.V[p.I], w.V[p.J]
				was := a.Dot(a) + b.Dot(b)
				if s.Diffusion > 0 {
					a, b = exchange(a, b, float64(s.Diffusion*dt*max(0, 1-float64(p.R*invH))))
				}
				if p.R < reach && a.Sub(b).Dot(p.S) < 0 {
					a, b = shock(a, b, p.S, float64(dt*(1-p.R/reach)), s.law.radial, s.Tangential)
				}
				w.V[p.I], w.V[p.J] = a, b
				if heat != nil {
					lost := float64((was - a.Dot(a) - b.Dot(b)) / 4)
					heat[p.I] += lost
					heat[p.J] += lost
				}
			}
		})
	}
	left := max(0, 1-float64(s.Dissipation*dt))
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := w.V[i].Mul(left)
			if v2 := v.Dot(v); s.SpeedLimit > 0 && v2 > s.SpeedLimit*s.SpeedLimit {
				v = v.Mul(s.SpeedLimit / math.Sqrt(v2))
			}
			if heat != nil {
				heat[i] += float64((w.V[i].Dot(w.V[i]) - v.Dot(v)) / 2)
			}
			w.V[i] = v
		}
	})
}

// shocks is shock viscosity alone, of a gain g at zero distance: the same as shock,
// without a branch that every other pair would take. Consecutive pairs in a list mostly
// share a particle, and would wait for each other. Pairs are therefore taken from four
// parts of the list alternately.
func (s *Gourlay) shocks(w *sim.World, g, invReach float64) {
	v := w.V
	one := func(p *neighbor.Pair) {
		a, b := &v[p.I], &v[p.J]
		approach := float64((a.X-b.X)*p.S.X) + float64((a.Y-b.Y)*p.S.Y) + float64((a.Z-b.Z)*p.S.Z)
		c := (approach - math.Abs(approach)) * (min(1, g*max(0, 1-float64(p.R*invReach))) / 4)
		a.X, a.Y, a.Z = a.X-float64(c*p.S.X), a.Y-float64(c*p.S.Y), a.Z-float64(c*p.S.Z)
		b.X, b.Y, b.Z = b.X+float64(c*p.S.X), b.Y+float64(c*p.S.Y), b.Z+float64(c*p.S.Z)
	}
	s.pairs.each(func(list []neighbor.Pair) {
		part := len(list) / 4
		for k := range part {
			one(&list[k])
			one(&list[part+k])
			one(&list[2*part+k])
			one(&list[3*part+k])
		}
		for k := 4 * part; k < len(list); k++ {
			one(&list[k])
		}
	})
}

// exchange is particle strength exchange of velocity (Degond and Mas-Gallic 1989, as in
// Gourlay, Fluid Simulation for Video Games 3). The pair's difference shrinks by the
// given part, at most to zero.
func exchange(a, b vec.Vec3, part float64) (_, _ vec.Vec3) {
	d := a.Sub(b).Mul(min(0.5, part))
	return a.Sub(d), b.Add(d)
}

// shock is the radial viscosity of Gourlay, Fluid Simulation for Video Games 15, 2013:
// Particles that approach each other along s move towards their mean velocity, by one
// part along s and by another across it.
//
//	t = (v_A + v_B)·s/2   v_A += G(t − v_A·s) s   v_B −= G(t − v_A·s) s
func shock(a, b, s vec.Vec3, dt, radial, tangential float64) (_, _ vec.Vec3) {
	va, vb := a.Dot(s), b.Dot(s)
	if va-vb >= 0 {
		return a, b
	}
	c := s.Mul(float64(min(1, float64(radial*dt)) * (float64((va+vb)/2) - va)))
	if tangential > 0 {
		across := b.Sub(a).Sub(s.Mul(vb - va)).Mul(0.5)
		c = c.Add(across.Mul(min(1, float64(tangential*dt))))
	}
	return a.Add(c), b.Sub(c)
}

// artificial is Monaghan's viscosity Π of a pair (Smoothed particle hydrodynamics,
// Annu. Rev. Astron. Astrophys. 30, 1992, eq. 4.1) in the one-parameter form of
// Gourlay 2013, with ν = α h c/ρ:
//
//	Π = −ν (v·r)/(r² + εh²)  where v·r < 0, else 0
//
// for the difference v of the velocities and r of the places.
func artificial(v, r vec.Vec3, nu, h float64) float64 {
	const eps = 0.01
	vr := v.Dot(r)
	if vr >= 0 {
		return 0
	}
	return -nu * vr / (r.Dot(r) + float64(eps*h*h))
}
