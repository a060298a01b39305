package body

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
	a, b      int32     // bodies; b is −1 for a wall
	id        contactID // distinguishes it from the other contacts of a
	friction  float64   // μ
	rows      [3]row    // along the normal, away from b, and across
	crossRate float64   // rate of the speed along rows[2] with the impulse along rows[1], 1/kg
	limit     float64   // of a motor's impulse, N s; 0 without a motor
}

// contactID identifies a contact of a body: the other solid, the body's contact point, and
// the side of the other solid. A list of contacts ascends in it.
type contactID struct{ solid, point, side int32 }

// row is one component of the speed at which two bodies part.
type row struct {
	a, b    Generalized // the change of the bodies' speeds by an impulse of 1 N s; b's with its sign
	rate    float64     // of the speed with the impulse, 1/kg; 0 where joints hold the bodies
	wall    float64     // the wall's own speed along it, m/s
	target  float64     // the least speed, or the speed of a joint, m/s
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

	// minRowRate is the least rate of a row, relative to its least rate without joints. A
	// lower rate is rounding, because a joint keeps the bodies from moving along the row.
	// Dividing by it would make an arbitrary impulse. The threshold is far above the
	// rounding of double precision, about 1e-16.
	minRowRate = 1e-9
)

// speed returns how fast the bodies part along r, m/s, at the speeds y.
func (r *row) speed(t *contact, y []Generalized) float64 {
	v := r.a.Dot(&y[t.a]) - r.wall
	if t.b >= 0 {
		v += r.b.Dot(&y[t.b])
	}
	return v
}

// applyImpulse adds an impulse along r to the bodies.
func (r *row) applyImpulse(t *contact, y []Generalized, impulse float64) {
	y[t.a] = y[t.a].Add(r.a.Mul(impulse))
	if t.b >= 0 {
		y[t.b] = y[t.b].Add(r.b.Mul(impulse))
	}
}

// findContacts lists where bodies are in contact with a solid, or may be within dt.
func (s *System) findContacts(st Step) {
	if len(s.Bodies) == 0 {
		return
	}
	s.previousContacts, s.contacts = s.contacts, s.previousContacts[:0]
	list := make([][]contact, len(s.Bodies))
	g, dt := st.Gravity.Len(), st.Dt
	par.Each(len(s.Bodies), func(i int) {
		a := s.Bodies[i]
		for k, wall := range s.Fixed {
			if near := a.maxMove(g, dt) + wallMove(wall, dt) + float64(st.Spacing*contactSlop); !farFrom(wall, a.Free.Center(), a.Free.radius+near) {
				list[i] = s.contactsWith(st, list[i], i, -1-k, wall, near)
			}
		}
		for j, b := range s.Bodies {
			near := a.maxMove(g, dt) + b.maxMove(g, dt) + float64(st.Spacing*contactSlop)
			reach := a.Free.radius + b.Free.radius + near
			if off := a.Free.Center().Sub(b.Free.Center()); i == j || off.Dot(off) > reach*reach || joined(a, b) {
				continue
			}
			// Of two balls, only one has the contact point.
			if len(a.Free.contactPoints) == 1 && len(b.Free.contactPoints) == 1 && i > j {
				continue
			}
			list[i] = s.contactsWith(st, list[i], i, j, b, near)
		}
	})
	for _, g := range s.linkages {
		g.prepare(s)
	}
	s.contacts = s.motors(s.contacts, dt)
	old := s.previousContacts
	for len(old) > 0 && old[0].limit > 0 {
		old = old[1:]
	}
	for _, l := range list {
		for _, t := range l {
			for len(old) > 0 && old[0].before(&t) {
				old = old[1:]
			}
			if len(old) > 0 && old[0].id == t.id && old[0].a == t.a {
				for k := range t.rows {
					t.rows[k].guess = old[0].rows[k].impulse * dt / s.previousDt
				}
			}
			s.contacts = append(s.contacts, t)
		}
	}
	s.previousDt = dt
}

// before reports whether t comes before o in the list.
func (t *contact) before(o *contact) bool {
	for _, k := range [...][2]int32{{t.a, o.a}, {t.id.solid, o.id.solid}, {t.id.point, o.id.point}, {t.id.side, o.id.side}} {
		if k[0] != k[1] {
			return k[0] < k[1]
		}
	}
	return false
}

// maxMove returns how far a point of a free body gets in dt.
func (b *Body) maxMove(g, dt float64) float64 { return (b.MaxSpeed() + float64(g*dt)) * dt }

// wallMove returns approximately how far a wall that is not a free body moves in dt.
func wallMove(wall boundary.Boundary, dt float64) float64 {
	if b, ok := wall.(*Body); ok && !b.Motion.Still() {
		return float64(b.pose.velocity.Len()*dt) + float64(b.pose.spin.Len()*dt*min(b.reach(), 1e3))
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
func (s *System) contactsWith(st Step, dst []contact, i, j int, other boundary.Boundary, near float64) []contact {
	dt := st.Dt
	a := s.Bodies[i]
	friction, bounce := a.Free.Grip, a.Free.Restitution
	loose := 1 / a.Free.Mass // the least rate of bodies without joints
	if j >= 0 {
		loose += 1 / s.Bodies[j].Free.Mass
		friction, bounce = math.Sqrt(float64(friction*s.Bodies[j].Free.Grip)), max(bounce, s.Bodies[j].Free.Restitution)
	}
	slow := float64(2 * st.Gravity.Len() * dt) // no bounce: the speed that gravity gives in two steps
	solid := int32(len(s.Fixed) + j)
	if j < 0 {
		solid = int32(-1 - j)
	}
	var sides []Side
	points := a.Free.contactPoints
	for _, rim := range a.Free.rims {
		points = append(points[:len(points):len(points)], rim.nearestPoint(a, other))
	}
	// add adds the contact of a point with a gap along the normal n away from the other solid.
	add := func(id contactID, at, n vec.Vec3, gap float64) {
		t := contact{a: int32(i), b: int32(max(j, -1)), id: id, friction: friction}
		var wall vec.Vec3
		if j < 0 {
			wall = other.Vel(at)
		}
		u, v := n.Basis()
		for k, dir := range [...]vec.Vec3{n, u, v} {
			row := &t.rows[k]
			row.a = s.Modes[i].Of(Wrench(at.Sub(a.Free.Center()), dir))
			if j >= 0 {
				b := s.Bodies[j]
				row.b = s.Modes[j].Of(Wrench(at.Sub(b.Free.Center()), dir.Neg()))
			}
			row.wall = wall.Dot(dir)
			row.rate = row.a.Dot(&row.a) + row.b.Dot(&row.b)
			if row.rate <= minRowRate*loose {
				row.a, row.b, row.rate = Generalized{}, Generalized{}, 0
			}
		}
		if t.rows[0].rate == 0 {
			return // the joints take any impulse
		}
		t.crossRate = t.rows[1].a.Dot(&t.rows[2].a) + t.rows[1].b.Dot(&t.rows[2].b)
		normal := &t.rows[0]
		slop := float64(contactSlop * st.Spacing)
		switch {
		case gap > 0:
			normal.target = -gap / dt
		case gap < -slop:
			normal.target = min(float64(penetrationSpeed*st.Speed), penetrationShare*(-slop-gap)/dt)
		}
		// A body that comes in bounces in the step in which it arrives.
		if in := normal.speed(&t, s.Velocities); in < -slow && gap+float64(in*dt) <= 0 {
			normal.target = max(normal.target, float64(-bounce*in))
		}
		dst = append(dst, t)
	}
	for k, p := range points {
		x := a.Place(p.at)
		sides = Sides(sides[:0], other, x, p.radius+near)
		for l, side := range sides {
			if k < len(a.Free.contactPoints) && a.Free.rolls(a, side.Normal) {
				continue
			}
			add(contactID{solid, int32(k), int32(l)}, x.Sub(side.Normal.Mul(p.radius)), side.Normal, side.Dist-p.radius)
		}
	}
	// Two bodies are visited twice, with the points of each. A ball has the distance of its only point.
	if j >= 0 || len(points) == 1 {
		return dst
	}
	for k, p := range s.fixedPoints[-1-j] {
		x := placed(other, p.at)
		if a.Beyond(x, p.radius+near) {
			continue
		}
		if d, n := solidDist(a, x); d < p.radius+near {
			add(contactID{solid, int32(len(points) + k), 0}, x.Sub(n.Mul(p.radius)), n.Neg(), d-p.radius)
		}
	}
	return dst
}

// solveContacts solves for the impulses at the contacts and joints, warm-started from their
// current values, and adds the changes to y.
func (s *System) solveContacts(st Step, y []Generalized) {
	if s.Resting() {
		return
	}
	for k := range s.contacts {
		t := &s.contacts[k]
		for l := range t.rows {
			row := &t.rows[l]
			if row.guess != 0 {
				row.applyImpulse(t, y, row.guess)
				row.impulse, row.guess = row.impulse+row.guess, 0
			}
		}
	}
	small := float64(contactError*st.Gravity.Len()*st.Dt) + float64(1e-9*st.Speed)
	for range maxContactRounds {
		change := 0.
		for k := range s.contacts {
			t := &s.contacts[k]
			if t.limit > 0 {
				change = max(change, t.driveMotor(y))
				continue
			}
			normal := &t.rows[0]
			d := (normal.target - normal.speed(t, y)) / normal.rate
			if d = max(-normal.impulse, d); d != 0 {
				normal.impulse += d
				normal.applyImpulse(t, y, d)
				change = max(change, math.Abs(d)*normal.rate)
			}
			change = max(change, t.applyFriction(y))
		}
		for _, g := range s.linkages {
			change = max(change, g.project(y))
		}
		if change <= small {
			return
		}
	}
}

// WarmStart finds the impulses at the contacts under the estimate force of a generalized
// force per body, and applies them to the bodies.
func (s *System) WarmStart(st Step, force []Generalized) {
	s.tried = s.tried[:0]
	for i, y := range s.Velocities {
		s.tried = append(s.tried, y.Add(force[i].Mul(st.Dt)))
	}
	s.solveContacts(st, s.tried)
	for i, y := range s.tried {
		s.Velocities[i] = y.Add(force[i].Mul(-st.Dt))
	}
}
