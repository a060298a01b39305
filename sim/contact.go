package sim

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// contact is a point at which a free body is in contact with another body or a wall. The
// points of a body are its contact points, see contactPointsOf; the other solid is its
// signed distance. A contact is an inequality between velocities, so that no body
// penetrates a solid within the step to come. Friction is Coulomb's:
//
//	v_n ≥ −gap/dt,  λ ≥ 0, one of them an equality;  |λ_t| ≤ μ λ.
//
// The impulses λ are found by visiting all contacts in a fixed order until none changes
// (projected Gauss–Seidel; Catto, Iterative dynamics with temporal coherence, Game
// Developers Conference 2005). In the bodies' modes a body is a vector of six speeds of
// unit mass.
//
// The pressures are solved for with fixed impulses. The impulses are estimated before
// that, under the pressures of the previous step. Otherwise the liquid around a body that
// lies on the ground would take it for a falling one. They are solved for again
// afterwards.
type contact struct {
	a, b     int32   // bodies; b is −1 for a wall
	mark     mark    // distinguishes it from the other contacts of a
	friction float64 // μ
	rows     [3]row  // along the normal, away from b, and across
	cross    float64 // rate of the speed along rows[2] with the impulse along rows[1], 1/kg
	limit    float64 // of a motor's impulse, N s; 0 without a motor
}

// mark identifies a contact: the body's contact point, and the side of the other solid.
// Marks of a body ascend.
type mark struct{ solid, point, side int32 }

// row is one component of the speed at which two bodies part.
type row struct {
	a, b    generalized // the change of the bodies' speeds by an impulse of 1 N s; b's with its sign
	rate    float64     // of the speed with the impulse, 1/kg; 0 where joints hold the bodies
	wall    float64     // the wall's own speed along it, m/s
	want    float64     // the least speed, or the speed of a joint, m/s
	impulse float64     // N s
	guess   float64     // of the impulse, from the step before
}

const (
	// contactSlop is how deep solids may penetrate each other, in spacings, before they
	// are pushed apart, so that resting bodies stay in contact.
	contactSlop = 0.01

	// penetrationShare is the share of the penetration beyond contactSlop that is
	// corrected in a step, at most at penetrationSpeed times the highest expected speed.
	penetrationShare = 0.2
	penetrationSpeed = 0.03

	// maxContactRounds is the largest number of rounds over the contacts. A wall of a
	// hundred bricks is left with an error of a hundredth of its weight.
	maxContactRounds = 200

	// contactError bounds the change of a speed in the last round, relative to the speed
	// that gravity adds in the step.
	contactError = 1e-3

	// heldRate is the rate of a row, in parts of the least that it would be without
	// joints, below which it is rounding's: a joint does not let the bodies move
	// along it. Dividing by it would make an impulse of nothing or of any size.
	heldRate = 1e-9
)

// speed returns how fast the bodies part along r, m/s, at the speeds y.
func (r *row) speed(t *contact, y []generalized) float64 {
	v := r.a.dot(&y[t.a]) - r.wall
	if t.b >= 0 {
		v += r.b.dot(&y[t.b])
	}
	return v
}

// applyImpulse adds an impulse along r to the bodies.
func (r *row) applyImpulse(t *contact, y []generalized, impulse float64) {
	y[t.a] = y[t.a].add(r.a.mul(impulse))
	if t.b >= 0 {
		y[t.b] = y[t.b].add(r.b.mul(impulse))
	}
}

func (y *generalized) dot(z *generalized) (s float64) {
	for d, v := range y {
		s += v * z[d]
	}
	return s
}

// findContacts lists where bodies are in contact with a solid, or may be within dt.
func (w *World) findContacts(dt float64) {
	r := &w.rigid
	if len(r.bodies) == 0 {
		return
	}
	r.previousContacts, r.contacts = r.contacts, r.previousContacts[:0]
	list := make([][]contact, len(r.bodies))
	g := w.Gravity.Len()
	par.Each(len(r.bodies), func(i int) {
		a := r.bodies[i]
		for k, wall := range r.fixed {
			if near := a.mayMove(g, dt) + wallMoves(wall, dt) + w.Spacing*contactSlop; !farFrom(wall, a.Free.state.X, a.Free.radius+near) {
				list[i] = w.contactsWith(list[i], i, -1-k, wall, near, dt)
			}
		}
		for j, b := range r.bodies {
			near := a.mayMove(g, dt) + b.mayMove(g, dt) + w.Spacing*contactSlop
			reach := a.Free.radius + b.Free.radius + near
			if off := a.Free.state.X.Sub(b.Free.state.X); i == j || off.Dot(off) > reach*reach || joined(a, b) {
				continue
			}
			// Of two balls, only one has the contact point.
			if len(a.Free.contactPoints) == 1 && len(b.Free.contactPoints) == 1 && i > j {
				continue
			}
			list[i] = w.contactsWith(list[i], i, j, b, near, dt)
		}
	})
	for _, g := range r.linkages {
		g.ready(r)
	}
	r.contacts = r.motors(r.contacts, dt)
	old := r.previousContacts
	for len(old) > 0 && old[0].limit > 0 {
		old = old[1:]
	}
	for _, l := range list {
		for _, t := range l {
			for len(old) > 0 && old[0].before(&t) {
				old = old[1:]
			}
			if len(old) > 0 && old[0].mark == t.mark && old[0].a == t.a {
				for k := range t.rows {
					t.rows[k].guess = old[0].rows[k].impulse * dt / w.Dt
				}
			}
			r.contacts = append(r.contacts, t)
		}
	}
}

// before reports whether t comes before o in the list.
func (t *contact) before(o *contact) bool {
	for _, k := range [...][2]int32{{t.a, o.a}, {t.mark.solid, o.mark.solid}, {t.mark.point, o.mark.point}, {t.mark.side, o.mark.side}} {
		if k[0] != k[1] {
			return k[0] < k[1]
		}
	}
	return false
}

// mayMove returns how far a point of a free body gets in dt.
func (b *Body) mayMove(g, dt float64) float64 { return (b.fastest() + g*dt) * dt }

// wallMoves returns approximately how far a wall that is not a free body moves in dt.
func wallMoves(wall boundary.Boundary, dt float64) float64 {
	if b, ok := wall.(*Body); ok && !b.Motion.Still() {
		return b.pose.velocity.Len()*dt + b.pose.spin.Len()*dt*min(b.reach(), 1e3)
	}
	return 0
}

// farFrom reports whether a wall is surely farther from x than d.
func farFrom(wall boundary.Boundary, x vec.Vec3, d float64) bool {
	if boundary.Beyond(wall, x, d) {
		return true
	}
	t, _ := boundary.RoughDist(wall, x)
	return t > d
}

// contactsWith appends the contacts of body i with a solid: body j or, if j is negative,
// wall −1−j.
func (w *World) contactsWith(dst []contact, i, j int, other boundary.Boundary, near, dt float64) []contact {
	r := &w.rigid
	a := r.bodies[i]
	friction, bounce := a.Free.Grip, a.Free.Restitution
	loose := 1 / a.Free.Mass // the least rate of bodies without joints
	if j >= 0 {
		loose += 1 / r.bodies[j].Free.Mass
		friction, bounce = math.Sqrt(friction*r.bodies[j].Free.Grip), max(bounce, r.bodies[j].Free.Restitution)
	}
	slow := 2 * w.Gravity.Len() * dt // no bounce: the speed that gravity gives in two steps
	solid := int32(len(r.fixed) + j)
	if j < 0 {
		solid = int32(-1 - j)
	}
	var sides []side
	feelers := a.Free.contactPoints
	for _, rim := range a.Free.rims {
		feelers = append(feelers[:len(feelers):len(feelers)], rim.nearestPoint(a, other))
	}
	for k, f := range feelers {
		x := a.Place(f.at)
		sides = sidesOf(sides[:0], other, x, f.radius+near)
		for l, s := range sides {
			if k < len(a.Free.contactPoints) && a.Free.rolls(a, s.n) {
				continue
			}
			gap, n := s.d-f.radius, s.n
			at := x.Sub(n.Mul(f.radius))
			t := contact{a: int32(i), b: int32(max(j, -1)), mark: mark{solid, int32(k), int32(l)}, friction: friction}
			var wall vec.Vec3
			if j < 0 {
				wall = other.Vel(at)
			}
			u, v := n.Basis()
			for k, dir := range [...]vec.Vec3{n, u, v} {
				row := &t.rows[k]
				row.a = r.modes[i].of(wrenchOf(at.Sub(a.Free.state.X), dir))
				if j >= 0 {
					b := r.bodies[j]
					row.b = r.modes[j].of(wrenchOf(at.Sub(b.Free.state.X), dir.Neg()))
				}
				row.wall = wall.Dot(dir)
				row.rate = row.a.dot(&row.a) + row.b.dot(&row.b)
				if row.rate <= heldRate*loose {
					row.a, row.b, row.rate = generalized{}, generalized{}, 0
				}
			}
			if t.rows[0].rate == 0 {
				continue // whatever comes, the joints take it
			}
			t.cross = t.rows[1].a.dot(&t.rows[2].a) + t.rows[1].b.dot(&t.rows[2].b)
			normal := &t.rows[0]
			slop := contactSlop * w.Spacing
			switch {
			case gap > 0:
				normal.want = -gap / dt
			case gap < -slop:
				normal.want = min(penetrationSpeed*w.Speed, penetrationShare*(-slop-gap)/dt)
			}
			// A body that comes in bounces in the step in which it arrives.
			if in := normal.speed(&t, r.y); in < -slow && gap+in*dt <= 0 {
				normal.want = max(normal.want, -bounce*in)
			}
			dst = append(dst, t)
		}
	}
	return dst
}

// side is a face that a point is near: its distance, and its normal.
type side struct {
	d float64
	n vec.Vec3
}

// sidesOf appends to dst the parts of a solid that are closer to x than near: of a tank
// all its sides.
func sidesOf(dst []side, b boundary.Boundary, x vec.Vec3, near float64) []side {
	shape, body := Rest(b)
	box, ok := shape.(interface{ Container() *boundary.Box }) // a body stays in it, openings or not
	if ok && box.Container() != nil {
		if body != nil {
			x = body.pose.back(x, body.Motion.Center)
		}
		in := box.Container().Sides()
		lo, hi := x.Sub(in.Min).Array(), in.Max.Sub(x).Array()
		for k, e := range [...]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
			for _, s := range [...]side{{lo[k], e}, {hi[k], e.Neg()}} {
				if s.d < near {
					if body != nil {
						s.n = body.pose.rotate(s.n)
					}
					dst = append(dst, s)
				}
			}
		}
		return dst
	}
	if d, n := solidDist(b, x); d < near {
		return append(dst, side{d, n})
	}
	return dst
}

// solidDist returns the distance of a solid, in closed form or, for triangles, from its
// grid.
func solidDist(b boundary.Boundary, x vec.Vec3) (float64, vec.Vec3) {
	switch shape, _ := Rest(b); shape.(type) {
	case *boundary.Polytope, *boundary.Mesh:
		return boundary.RoughDist(b, x)
	}
	return b.Dist(x)
}

// solveContacts solves for the impulses at the contacts and joints, warm-started from their
// current values, and adds the changes to y. It returns the number of rounds.
func (w *World) solveContacts(y []generalized, dt float64) (rounds int) {
	r := &w.rigid
	if len(r.contacts) == 0 && len(r.linkages) == 0 {
		return 0
	}
	for k := range r.contacts {
		t := &r.contacts[k]
		for l := range t.rows {
			row := &t.rows[l]
			if row.guess != 0 {
				row.applyImpulse(t, y, row.guess)
				row.impulse, row.guess = row.impulse+row.guess, 0
			}
		}
	}
	small := contactError*w.Gravity.Len()*dt + 1e-9*w.Speed
	for rounds < maxContactRounds {
		rounds++
		change := 0.
		for k := range r.contacts {
			t := &r.contacts[k]
			if t.limit > 0 {
				change = max(change, t.driveMotor(y))
				continue
			}
			normal := &t.rows[0]
			d := (normal.want - normal.speed(t, y)) / normal.rate
			if d = max(-normal.impulse, d); d != 0 {
				normal.impulse += d
				normal.applyImpulse(t, y, d)
				change = max(change, math.Abs(d)*normal.rate)
			}
			change = max(change, t.applyFriction(y))
		}
		for _, g := range r.linkages {
			change = max(change, g.hold(y))
		}
		if change <= small {
			break
		}
	}
	return rounds
}

// warmStartContacts finds the impulses at the contacts under the pressures of the
// previous step, S of p.At, and applies them to the bodies.
func (w *World) warmStartContacts(p *Pairs, dt float64) {
	r := &w.rigid
	if p.rigid == nil || len(r.contacts) == 0 && len(r.linkages) == 0 {
		return
	}
	p.each(func(b, _, _ int) { p.sumPressures(b) })
	p.setPressureRates()
	r.tried = r.tried[:0]
	for i := range r.y {
		r.tried = append(r.tried, r.y[i].add(r.pressureRate[i].mul(dt)))
	}
	w.solveContacts(r.tried, dt)
	for i := range r.y {
		r.y[i] = r.tried[i].add(r.pressureRate[i].mul(-dt))
	}
}
