package sim

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// wallGap is how close to a wall, in spacings, a particle may come. Pressure keeps the
// liquid half a spacing off. Only drops and sheets too thin to have pressure come closer,
// and they slide along the wall at this distance.
const wallGap = 0.25

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
	w.moveBodies(dt)
	for _, wall := range w.Walls {
		wall.Move(w.Time + dt)
	}
	n := w.Len()
	type result struct {
		v2, excess float64
		projected  int
		hits       int
		bad        int
		blows      []impact
	}
	part := make([]result, blocks(n))
	near := wallGap * w.Spacing
	limit := speedLimit * (w.Speed + w.Gravity.Len()*(w.Time+dt))
	// A particle slower than this cannot reach a solid that was far from it, even if the
	// solid moves a spacing towards it.
	farSpeed := (w.Kernel.H() - near - w.Spacing) / dt
	// A particle without contact is about a spacing off all solids; half a spacing is
	// assumed.
	still := (w.Spacing/2 - near) / dt
	if w.Closed {
		still = 0 // shift has moved it since
	}
	calm := max(0, still-w.drivenSpeed(dt))
	repeats := w.Period.Any()
	w.pairs.each(func(b, lo, hi int) {
		r := result{bad: -1, hits: w.pairs.countPressed(b)}
		blk := &w.pairs.blocks[b]
		touch, driven := blk.nearWall, blk.driven
		calmer := max(0, still-w.rigid.fastest(blk.bodies))
		for _, i := range driven { // whatever a solver made of it
			w.V[i] = w.bufferVelocity(int(i), dt)
		}
		for i := lo; i < hi; i++ {
			x, v := w.X[i].Add(w.V[i].Mul(dt)), w.V[i]
			v2 := v.Dot(v)
			if len(driven) > 0 && int(driven[0]) == i {
				driven = driven[1:]
				v = w.leaving(i, dt)
				v2 = v.Dot(v)
			} else if len(touch) > 0 && touch[i-lo] || !(v2 <= calm*calm) || !(v2 <= calmer*calmer) && w.rigid.within(blk.bodies, x, near) {
				solids, bodies := blk.solids, blk.bodies
				if !(v2 <= farSpeed*farSpeed) {
					solids, bodies = w.fixed(), w.rigid.all
				}
				if w.projectOut(i, &x, &v, near, solids, bodies, &r.blows) {
					r.projected++
					v2 = v.Dot(v)
				}
			}
			if repeats {
				x = w.Period.wrap(x)
			}
			w.X[i], w.V[i] = x, v
			r.v2 = max(r.v2, v2)
			r.excess += max(0, w.Rho[i]/w.Rho0-1)
			ok := x.Finite() && v2 <= limit*limit
			if !ok && r.bad < 0 {
				r.bad = i
			}
		}
		part[b] = r
	})
	var v2, excess float64
	for _, r := range part {
		if r.bad >= 0 {
			return w.unstable(r.bad, dt, limit)
		}
		v2, excess = max(v2, r.v2), excess+r.excess
		info.Projected += r.projected
		info.BodyHits += r.hits
	}
	blows := make([][]impact, len(part))
	for b := range part {
		blows[b] = part[b].blows
	}
	info.MaxSpeed = math.Sqrt(max(v2, w.applyImpacts(blows)))
	info.DensityError = excess / float64(max(n, 1))
	return nil
}

// projectOut puts x, the position of particle i, at least near off the solids and the
// free bodies, and removes the velocity into the solids from v. It reports whether it had
// to. It appends the impacts on bodies, and applyImpacts later keeps the particle from
// going into them.
//
// Where a wall and a body leave no room, the wall has priority: a particle in a body comes
// out as the body moves on, but a particle out of the tank is lost.
func (w *World) projectOut(i int, x, v *vec.Vec3, near float64, solids []boundary.Boundary, bodies []int32, blows *[]impact) (held bool) {
	// A corner needs one pass for each of its faces.
	const passes = 3
	for pass := range 2 * passes {
		again := false
		for _, wall := range solids {
			again = w.projectOutOf(i, wall, x, v, near, blows) || again
		}
		if pass < passes && w.rigid.within(bodies, *x, near) {
			for _, k := range bodies { // one of which may push x to another
				again = w.projectOutOf(i, w.rigid.bodies[k], x, v, near, blows) || again
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
func (w *World) projectOutOf(i int, wall boundary.Boundary, x, v *vec.Vec3, near float64, blows *[]impact) bool {
	if boundary.Beyond(wall, *x, near) {
		return false
	}
	d, n := boundary.RoughDist(wall, *x)
	if d >= near {
		return false
	}
	way := n.Mul(near - d)
	*x = x.Add(way)
	if body, ok := wall.(*Body); ok && body.Free != nil {
		*blows = append(*blows, impact{body: body, particle: i, at: *x, normal: n, couple: v.Cross(way).Mul(w.Mass())})
	} else if in := v.Sub(wall.Vel(*x)).Dot(n); in < 0 {
		*v = v.Sub(n.Mul(in))
	}
	return true
}

// maxSpeed returns the highest speed of a particle, m/s.
func (w *World) maxSpeed() float64 {
	return math.Sqrt(par.Max(w.Len(), 0, func(lo, hi int) (m float64) {
		for _, v := range w.V[lo:hi] {
			m = max(m, v.Dot(v))
		}
		return m
	}))
}
