package sim

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Rigid makes a Body free: the liquid, gravity and other bodies move it. Its pose and
// motion are in the world's Set.Bodies; all other fields follow from them.
type Rigid struct {
	Mass        float64 // kg
	Restitution float64 // share of the speed at which it bounces off another, from 0 to 1
	Grip        float64 // coefficient of friction between solids

	Joint *Joint // with the world, nil for none
	link  *link  // with another body, nil for none

	Start particle.Body // at time 0

	inertia       [3][3]float64 // about the centre of mass, as the shape is placed, kg m²
	spread        [3][3]float64 // columns c with Σ c cᵀ the inverse of the inertia
	radius        float64       // of the ball about the centre of mass that holds the body, m
	volume        float64       // m³
	state         particle.Body
	contactPoints []contactPoint
	rims          []rim
}

// NewRigid returns a free body of the given shape, a solid, with a density in
// kg/m³ or, if that is 0, a mass in kg. It starts at rest, as the shape is
// placed.
func NewRigid(shape boundary.Boundary, density, mass, friction float64) (*Body, error) {
	m, err := matterOf(shape)
	if err != nil {
		return nil, err
	}
	if density > 0 {
		mass = density * m.volume
	}
	if !(mass > 0) {
		return nil, errors.New("has no mass: give it a density, such as 500 for wood")
	}
	r := &Rigid{Mass: mass, Grip: 0.5, volume: m.volume, inertia: m.inertia(), contactPoints: contactPointsOf(shape), rims: rimsOf(shape)}
	for a := range 3 {
		for b := range 3 {
			r.inertia[a][b] *= mass / m.volume
		}
	}
	r.spread = spreadOf(r.inertia)
	for _, x := range shape.(boundary.Bounded).Extent().Corners() {
		r.radius = max(r.radius, x.Sub(m.center).Len())
	}
	r.Start = particle.Body{X: m.center, Turn: vec.NoTurn}
	body := &Body{Boundary: shape, Motion: Motion{Center: m.center}, Friction: friction, Free: r}
	body.put(r.Start)
	return body, nil
}

// spreadOf returns the columns of L⁻ᵀ, with L Lᵀ = m by Cholesky's method.
func spreadOf(m [3][3]float64) (c [3][3]float64) {
	var l [3][3]float64
	for i := range 3 {
		for j := range i + 1 {
			s := m[i][j]
			for k := range j {
				s -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(s)
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	// Rows of L⁻¹, by substitution, are the columns of L⁻ᵀ.
	for j := range 3 {
		c[j][j] = 1 / l[j][j]
		for i := j + 1; i < 3; i++ {
			s := 0.
			for k := j; k < i; k++ {
				s += l[i][k] * c[k][j]
			}
			c[i][j] = -s / l[i][i]
		}
	}
	return c
}

// put puts a free body where s says.
func (b *Body) put(s particle.Body) {
	b.Free.state = s
	b.pose = pose{shift: s.X.Sub(b.Motion.Center), velocity: s.V, spin: s.Spin, turn: s.Turn.Unit().Columns()}
}

// PutAtStart puts a free body where it starts.
func (b *Body) PutAtStart() { b.put(b.Free.Start) }

// Radius returns the radius of the ball about the centre of mass that holds the
// body, m.
func (r *Rigid) Radius() float64 { return r.radius }

// Volume returns the volume of a free body, m³.
func (r *Rigid) Volume() float64 { return r.volume }

// twist is a velocity and a rate of turn; or a force and a torque.
type twist struct{ lin, ang vec.Vec3 }

func (t twist) add(o twist) twist             { return twist{t.lin.Add(o.lin), t.ang.Add(o.ang)} }
func (t twist) mul(s float64) twist           { return twist{t.lin.Mul(s), t.ang.Mul(s)} }
func (t twist) dot(o twist) float64           { return t.lin.Dot(o.lin) + t.ang.Dot(o.ang) }
func (t twist) at(arm vec.Vec3) vec.Vec3      { return t.lin.Add(t.ang.Cross(arm)) }
func wrenchOf(arm, f vec.Vec3) (wrench twist) { return twist{f, arm.Cross(f)} }

// modes are the ways in which a free body can move, each of unit energy for a
// speed of √2: M-orthonormal, so that a wrench F changes the speed in mode u by
// u·F a second, and the energy is half the sum of the squares of the speeds.
type modes [6]twist

// generalized are a body's velocities in its modes, in √(J), or changes of them.
type generalized [6]float64

func (y generalized) add(z generalized) generalized {
	for d := range y {
		y[d] += z[d]
	}
	return y
}

func (y generalized) mul(s float64) generalized {
	for d := range y {
		y[d] *= s
	}
	return y
}

// modes returns the ways in which b can move, as it is placed.
func (b *Body) modes() (u modes) {
	r := b.Free
	if r.Joint != nil {
		return r.Joint.modes(b)
	}
	for d := range 3 {
		u[d].lin = b.pose.turn[d].Mul(1 / math.Sqrt(r.Mass))
		u[3+d].ang = b.pose.rotate(vec.New(r.spread[d][0], r.spread[d][1], r.spread[d][2]))
	}
	return u
}

// inertiaTimes returns I v about the centre of mass, as the body is placed.
func (b *Body) inertiaTimes(v vec.Vec3) vec.Vec3 {
	t, i := &b.pose.turn, &b.Free.inertia
	x := [3]float64{t[0].Dot(v), t[1].Dot(v), t[2].Dot(v)}
	row := func(k int) float64 { return i[k][0]*x[0] + i[k][1]*x[1] + i[k][2]*x[2] }
	return b.pose.rotate(vec.New(row(0), row(1), row(2)))
}

// momentum returns the body's momentum and its angular momentum about its centre of
// mass.
func (b *Body) momentum() twist {
	return twist{b.pose.velocity.Mul(b.Free.Mass), b.inertiaTimes(b.pose.spin)}
}

// of returns the speeds that wrench gives.
func (u *modes) of(wrench twist) (y generalized) {
	for d := range u {
		y[d] = u[d].dot(wrench)
	}
	return y
}

// twist returns the motion at the speeds y.
func (u *modes) twist(y generalized) (t twist) {
	for d := range u {
		t = t.add(u[d].mul(y[d]))
	}
	return t
}

// rigids are the free bodies of a world within a step.
type rigids struct {
	bodies       []*Body
	all          []int32             // 0, 1, … of bodies
	fixed        []boundary.Boundary // all other walls
	modes        []modes             // where they are at the start of the step
	y            []generalized       // now
	force        []generalized       // by forces other than pressure and gravity
	pressureRate []generalized       // by the pressures that a solve tries
	leaves       [][]leaf            // of each body: which blocks press on it

	contacts         []contact
	previousContacts []contact // in the step before
	tried            []generalized
	drifts           []twist // see rigids.setDrifts

	linkages []*linkage
}

// FreeBodies returns the bodies that move freely, in the order of Set.Bodies.
func (w *World) FreeBodies() []*Body { return w.rigid.bodies }

// readyBodies finds the free bodies among the walls and puts them where they
// start.
func (w *World) readyBodies() error {
	r := &w.rigid
	*r = rigids{}
	w.Set.Bodies = w.Set.Bodies[:0:0]
	for i, wall := range w.Walls {
		b, ok := wall.(*Body)
		if !ok || b.Free == nil {
			r.fixed = append(r.fixed, wall)
			continue
		}
		if w.Dim() == 2 || w.Period.Any() || w.Closed {
			return fmt.Errorf("sim: wall %d: a free body needs three dimensions, a free surface and a world that is not periodic", i+1)
		}
		r.all = append(r.all, int32(len(r.bodies)))
		r.bodies = append(r.bodies, b)
		w.Set.Bodies = append(w.Set.Bodies, b.Free.Start)
	}
	if err := r.findLinks(); err != nil {
		return err
	}
	n := len(r.bodies)
	r.modes, r.y, r.force, r.pressureRate, r.leaves = make([]modes, n), make([]generalized, n), make([]generalized, n), make([]generalized, n), make([][]leaf, n)
	return w.syncBodies()
}

// fixed returns the walls that are not free bodies.
func (w *World) fixed() []boundary.Boundary {
	if len(w.rigid.bodies) == 0 {
		return w.Walls
	}
	return w.rigid.fixed
}

// PlaceBodies puts the free bodies where a state of the world has them.
func (w *World) PlaceBodies(list []particle.Body) error {
	w.Set.Bodies = list
	return w.syncBodies()
}

func (w *World) syncBodies() error {
	if len(w.Set.Bodies) != len(w.rigid.bodies) {
		return fmt.Errorf("sim: the state has %d bodies, but the world %d", len(w.Set.Bodies), len(w.rigid.bodies))
	}
	for i, b := range w.rigid.bodies {
		b.put(w.Set.Bodies[i])
	}
	w.rigid.contacts = w.rigid.contacts[:0] // as if the run had been resumed here
	return nil
}

// start prepares the free bodies for a step from their present places.
func (r *rigids) start() {
	for i, b := range r.bodies {
		r.modes[i] = b.modes()
		r.y[i] = r.modes[i].of(b.momentum())
		r.force[i], r.pressureRate[i] = generalized{}, generalized{}
	}
}

// accelerateBodies finds the bodies' contacts, and applies gravity and the forces to the
// bodies for dt.
func (w *World) accelerateBodies(dt float64) {
	w.findContacts(dt)
	r, g := &w.rigid, w.Gravity
	for i, b := range r.bodies {
		r.y[i] = r.y[i].add(r.modes[i].of(twist{lin: g.Mul(b.Free.Mass)}).add(r.force[i]).mul(dt))
	}
}

// applyPressures applies the impulses of the last solve's pressures to the bodies in dt.
func (r *rigids) applyPressures(dt float64) {
	for i := range r.bodies {
		r.y[i] = r.y[i].add(r.pressureRate[i].mul(dt))
	}
}

// moveBodies moves the free bodies by dt, as far as their contacts and their links let
// them.
func (w *World) moveBodies(dt float64) {
	r := &w.rigid
	w.solveContacts(r.y, dt)
	for _, g := range r.linkages {
		g.fit(w, r.y, dt)
	}
	par.Each(len(r.bodies), func(i int) {
		s := &w.Set.Bodies[i]
		*s = r.bodies[i].advance(*s, r.modes[i].twist(r.y[i]), dt)
	})
	for _, g := range r.linkages {
		g.holdMoved(r, w.Set.Bodies)
	}
}

// advance moves the body from s by dt at the speed v, and returns where it is. The
// spin changes on the way as the angular momentum stays; it is taken for the step
// from its middle.
func (b *Body) advance(s particle.Body, v twist, dt float64) particle.Body {
	b.pose.velocity, b.pose.spin = v.lin, v.ang
	l := b.inertiaTimes(v.ang)
	turn := s.Turn
	s.V, s.Spin = v.lin, v.ang
	if j := b.Free.Joint; j != nil {
		s.Turn = vec.Turn(s.Spin.Mul(dt)).Mul(turn).Unit()
		s.X = s.X.Add(s.V.Mul(dt))
		j.place(b, &s)
		s.V = b.pose.spin.Cross(s.X.Sub(j.Point)) // of a hinge, where it is now
		if j.Kind != "hinge" {
			s.V = v.lin
		}
		b.put(s)
		return s
	}
	for _, part := range [...]float64{dt / 2, dt} {
		s.Turn = vec.Turn(s.Spin.Mul(part)).Mul(turn).Unit()
		b.put(s)
		s.Spin = b.spinOf(l)
	}
	s.X = s.X.Add(s.V.Mul(dt))
	b.put(s)
	return s
}

// spinOf returns the spin of b, as it is placed, that has the angular momentum
// l.
func (b *Body) spinOf(l vec.Vec3) (spin vec.Vec3) {
	u := b.modes()
	for d := 3; d < 6; d++ {
		spin = spin.Add(u[d].ang.Mul(u[d].ang.Dot(l)))
	}
	return spin
}

// bodyDt returns the longest step in which no free body moves more than way, s.
func (w *World) bodyDt(way float64) float64 {
	g := w.Gravity.Len()
	dt := math.Inf(1)
	for _, b := range w.rigid.bodies {
		v := b.fastest()
		dt = min(dt, 2*way/(v+math.Sqrt(v*v+4*g*way)))
	}
	return dt
}

// fastest returns a bound of the speed of a point of a free body, m/s.
func (b *Body) fastest() float64 { return b.pose.velocity.Len() + b.pose.spin.Len()*b.Free.radius }

// fastest returns the most of it of the bodies, m/s.
func (r *rigids) fastest(bodies []int32) (v float64) {
	for _, k := range bodies {
		v = max(v, r.bodies[k].fastest())
	}
	return v
}
