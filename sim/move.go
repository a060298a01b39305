package sim

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// speedLimit and densityLimit are where a step counts as unstable: far above the values
// of a liquid of near constant density, far below overflow.
const (
	speedLimit   = 10 // times the highest speed to expect
	densityLimit = 3  // times the rest density
)

// move moves the particles by dt with their velocities, holds back those that
// come too close to a wall, and checks the result. It fills the fields of
// info that it knows.
func (w *World) move(dt float64, info *StepInfo) error {
	w.rigid.Move(w.bodyStep(dt), w.Set.Bodies)
	for _, wall := range w.Walls {
		wall.Move(w.Time + dt)
	}
	n := w.Len()
	type result struct {
		v2, excess float64
		projected  int
		hits       int
		bad        int
		impacts    []body.Impact
		motion     motion
	}
	part := make([]result, blocks(n))
	near := float64(boundary.ParticleGap * w.Spacing)
	limit := float64(speedLimit * (w.Speed + float64(w.Gravity.Len()*(w.Time+dt))))
	// A particle slower than this cannot reach a solid that was far from it, even if the
	// solid moves a spacing towards it.
	farSpeed := (w.Kernel.H() - near - w.Spacing) / dt
	// A particle without contact is about a spacing off all solids; half a spacing is
	// assumed.
	still := (float64(w.Spacing/2) - near) / dt
	if w.Closed || w.corrected {
		still = 0 // a shift may have moved it since
	}
	calm := max(0, still-drivenSpeed(w, dt))
	repeats := w.Period.Any()
	w.pairs.each(func(b, lo, hi int) {
		r := result{bad: -1, hits: w.pairs.countBodyHits(b), motion: motion{lowest: math.Inf(-1)}}
		blk := &w.pairs.blocks[b]
		touch, driven := blk.nearWall, blk.driven
		calmer := max(0, still-w.rigid.MaxSpeed(blk.bodies))
		for _, i := range driven { // a solver may have changed it
			w.V[i] = w.buffers.Velocity(w.ID[i], w.Time, dt)
		}
		for i := lo; i < hi; i++ {
			x, v := w.X[i].Add(w.V[i].Mul(dt)), w.V[i]
			v2 := v.Dot(v)
			if len(driven) > 0 && int(driven[0]) == i {
				driven = driven[1:]
				v = w.buffers.EndVelocity(w.ID[i], w.Time, dt)
				r.motion.driven -= v2 + float64(2*x.Sub(w.X[i]).Dot(w.Gravity))
				v2 = v.Dot(v)
				r.motion.driven += v2
			} else if len(touch) > 0 && touch[i-lo] || !(v2 <= calm*calm) || !(v2 <= calmer*calmer) && w.rigid.AnyWithin(blk.bodies, x, near) {
				solids, bodies := blk.solids, blk.bodies
				if !(v2 <= farSpeed*farSpeed) {
					solids, bodies = w.fixed(), w.rigid.All
				}
				if w.projectOut(i, &x, &v, near, solids, bodies, &r.impacts, &r.motion) {
					r.projected++
					v2 = v.Dot(v)
				}
			}
			if repeats {
				in := w.Period.Wrap(x)
				r.motion.wrapped += in.Sub(x).Dot(w.Gravity)
				x = in
			}
			w.X[i], w.V[i] = x, v
			r.v2 = max(r.v2, v2)
			r.motion.squares += v2
			height := x.Dot(w.Gravity)
			r.motion.height += height
			r.motion.lowest = max(r.motion.lowest, height)
			r.excess += max(0, w.Rho[i]/w.Rho0-1)
			ok := x.Finite() && v2 <= limit*limit
			if !ok && r.bad < 0 {
				r.bad = i
			}
		}
		part[b] = r
	})
	var v2, excess float64
	sum := motion{lowest: math.Inf(-1)}
	for _, r := range part {
		if r.bad >= 0 {
			return unstableParticle(w, r.bad, dt, limit)
		}
		v2, excess, sum = max(v2, r.v2), excess+r.excess, sum.add(r.motion)
		info.Projected += r.projected
		info.BodyHits += r.hits
	}
	impacts := make([][]body.Impact, len(part))
	for b := range part {
		impacts[b] = part[b].impacts
	}
	after, particles, bodies := w.rigid.ApplyImpacts(impacts, w.V, w.Mass(), w.Set.Bodies)
	w.energy.moved(w, sum, particles, bodies)
	info.MaxSpeed = math.Sqrt(max(v2, after))
	info.DensityError = excess / float64(max(n, 1))
	return nil
}

// projectOut puts x, the position of particle i, at least near off the solids and the
// free bodies, and removes the velocity into the solids from v. It reports whether it had
// to. It appends the impacts on bodies, and ApplyImpacts later keeps the particle from
// going into them. It adds the energy to sum.
//
// Where a wall and a body leave no room, the wall has priority. A particle in a body
// comes out as the body moves on, but a particle outside the tank is lost.
func (w *World) projectOut(i int, x, v *vec.Vec3, near float64, solids []boundary.Boundary, bodies []int32, impacts *[]body.Impact, sum *motion) (held bool) {
	// A corner needs one pass for each of its faces.
	const passes = 3
	for pass := range 2 * passes {
		again := false
		for _, wall := range solids {
			again = w.projectOutOf(i, wall, x, v, near, impacts, sum) || again
		}
		if pass < passes && w.rigid.AnyWithin(bodies, *x, near) {
			for _, k := range bodies { // one of which may push x to another
				again = w.projectOutOf(i, w.rigid.Bodies[k], x, v, near, impacts, sum) || again
			}
		}
		if !again {
			break
		}
		held = true
	}
	return held
}

// projectOutOf is projectOut for one wall.
func (w *World) projectOutOf(i int, wall boundary.Boundary, x, v *vec.Vec3, near float64, impacts *[]body.Impact, sum *motion) bool {
	if boundary.Beyond(wall, *x, near) {
		return false
	}
	d, n := boundary.RoughDist(wall, *x)
	if d >= near {
		return false
	}
	shift := n.Mul(near - d)
	*x = x.Add(shift)
	if b, ok := wall.(*body.Body); ok && b.Free != nil {
		*impacts = append(*impacts, body.Impact{Body: b, Particle: i, At: *x, Normal: n, Couple: v.Cross(shift).Mul(w.Mass())})
		sum.held -= shift.Dot(w.Gravity)
		return true
	}
	u := wall.Vel(*x)
	sum.hold(u, vec.Vec3{}, shift.Dot(w.Gravity))
	if in := v.Sub(u).Dot(n); in < 0 {
		push := n.Mul(-in)
		sum.hold(u, push, -push.Dot(v.Add(push.Mul(0.5))))
		*v = v.Add(push)
	}
	return true
}

// maxSpeed returns the greatest length of a velocity.
func maxSpeed(v []vec.Vec3) float64 {
	return math.Sqrt(par.Max(len(v), 0, func(lo, hi int) (m float64) {
		for _, v := range v[lo:hi] {
			m = max(m, v.Dot(v))
		}
		return m
	}))
}
