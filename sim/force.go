package sim

import (
	"breakwater/sim/force"
	"breakwater/sim/vec"
)

// forcedDt returns the longest step that surface tension and the forces allow,
// s.
func forcedDt(w *World) float64 { return min(w.tensionDt(), 1/forceRate(w)) }

// forceRate returns the inverse of the longest step that the forces allow
// together, 1/s. Each takes its share of the velocities' differences, so that
// those add up.
func forceRate(w *World) (rate float64) {
	for _, f := range w.Forces {
		rate += 1 / f.MaxDt()
	}
	return rate
}

// addForces sets a to the acceleration by surface tension and the forces, and by
// viscosity if viscous is set, for a step of dt, m/s². The pairs' velocities must be up to date.
func addForces(w *World, p *Pairs, a []Vec4, dt float64, viscous bool) {
	if w.SurfaceTension > 0 {
		w.tension.find(&w.Liquid, p)
		if viscous {
			w.implicitViscosity.scaleResistance(p, w.Dim())
		}
	}
	powers := w.energy.forcePowers(p.n)
	p.each(func(b, lo, hi int) {
		scratch := scratches.Get().(*scratch)
		defer scratches.Put(scratch)
		p.blocks[b].clearSums()
		a, out, split := a[lo:hi], scratch.out[:hi-lo], &scratch.split
		clear(a)
		if w.SurfaceTension > 0 {
			w.tension.add(b, a)
		}
		split.keep(w, p, b, afterTension, a)
		if viscous && w.viscosity() > 0 {
			addViscosity(w, b, a, out, p)
		}
		split.keep(w, p, b, beforeFriction, a)
		onWalls := addFriction(w, b, a, p, dt, viscous)
		split.keep(w, p, b, afterFriction, a)
		for _, f := range w.Forces {
			f.Add(a, out, force.Particles{Pairs: &p.blocks[b].Pairs, V: p.V, Time: w.Time})
		}
		powers[b] = split.powers(w, p, b, a)
		powers[b].walls = onWalls
	})
	p.dragBodies()
}

// addAcceleration changes the velocities of w and p by the acceleration g of all particles and a of
// each in dt. Particles in an inflow's buffer are not changed. It returns the work of a, J,
// and leaves the part of each block in w.energy.part.
func addAcceleration(w *World, p *Pairs, a []Vec4, g vec.Vec3, dt float64) (work float64) {
	part := w.energy.parts(p.n)
	p.each(func(b, lo, hi int) {
		driven := p.blocks[b].driven
		sum := 0.
		for i := lo; i < hi; i++ {
			if len(driven) > 0 && int(driven[0]) == i {
				driven = driven[1:]
				continue
			}
			before, a := w.V[i], vec3(a[i])
			v := before.Add(g.Add(a).Mul(dt))
			sum += a.Dot(before.Add(v))
			w.V[i] = v
			p.V[i] = vec4(v)
		}
		part[b] = sum * (w.Mass() / 2 * dt)
	})
	updateImages(p, p.V)
	return total(part)
}
