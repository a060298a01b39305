package body

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Joint holds a free body so that it can move in one way only, or in none. A body that is
// joined to the world has only the modes that the joint leaves, so the pressure solve
// cannot move it otherwise. A link is a joint to another body.
type Joint struct {
	Kind  string   `toml:"kind" oneof:"hinge slider fixed" doc:"\"hinge\" lets the body turn about an axis, \"slider\" lets it move along one, and \"fixed\" allows neither."`
	Body  string   `toml:"body" doc:"Name of the other body of the joint; without it the body is joined to the world. The two bodies do not touch each other. After the first step, the bodies have only those starting speeds that the joint allows."`
	Point vec.Vec3 `toml:"point" unit:"m" doc:"A point on the hinge's axis, as the scene begins."`
	Axis  vec.Vec3 `toml:"axis" unit:"1" doc:"Direction of the axis as the scene begins, of any length but 0. Seen against it, angles count counter-clockwise."`
	Motor bool     `toml:"motor" doc:"Whether a motor drives the body at the set speed, relative to the other body of the joint."`
	Speed float64  `toml:"speed" unit:"deg/s" doc:"Angular speed that the motor of a hinge keeps."`
	Pace  float64  `toml:"pace" unit:"m/s" doc:"Speed that the motor of a slider keeps."`
	Power float64  `toml:"torque" unit:"N m" range:"[0, inf)" doc:"Largest torque of the motor of a hinge; 0 for no limit."`
	Force float64  `toml:"force" unit:"N" range:"[0, inf)" doc:"Largest force of the motor of a slider; 0 for no limit."`

	arm  vec.Vec3 // of a hinge's point to the centre of mass, as the shape is placed
	from vec.Vec3 // of a slider: the centre of mass at the start
}

// Check returns a fault of j, or nil.
func (j *Joint) Check() error {
	switch {
	case j.Kind == "":
		return errors.New("has no kind; add a line such as kind = \"hinge\"; expected one of hinge, slider, fixed")
	case j.Kind != "fixed" && j.Axis == (vec.Vec3{}):
		return fmt.Errorf("a %s has no axis; add a line such as axis = [0, 0, 1]", j.Kind)
	case j.Motor && j.Kind == "fixed":
		return errors.New("a fixed joint cannot have a motor; make it a hinge or a slider, or leave out motor")
	case !j.Motor && (j.Speed != 0 || j.Pace != 0 || j.Power != 0 || j.Force != 0):
		return errors.New("has a motor's speed or force, but no motor; add motor = true, or leave them out")
	case j.Kind == "hinge" && (j.Pace != 0 || j.Force != 0):
		return errors.New("a hinge turns; give speed in deg/s and torque in N m")
	case j.Kind == "slider" && (j.Speed != 0 || j.Power != 0):
		return errors.New("a slider does not turn; give pace in m/s and force in N")
	}
	return nil
}

// Join holds a free body, as it starts, by a joint to the world.
func (b *Body) Join(j Joint) {
	r := b.Free
	axis := r.Start.Turn.Columns()
	off := r.Start.X.Sub(j.Point)
	j.arm = vec.New(axis[0].Dot(off), axis[1].Dot(off), axis[2].Dot(off))
	j.from = r.Start.X
	r.Joint = &j
	b.Put(r.Start)
	u := b.modes()
	v := u.Twist(u.Of(b.Momentum()))
	r.Start.V, r.Start.Spin = v.Lin, v.Ang
	b.Put(r.Start)
}

// modes returns the one mode that j leaves a body, if any.
func (j *Joint) modes(b *Body) (u Modes) {
	n := j.Axis.Unit()
	switch j.Kind {
	case "hinge":
		u[0] = Twist{n.Cross(b.Free.state.X.Sub(j.Point)), n}
		inertia := float64(b.Free.Mass*u[0].Lin.Dot(u[0].Lin)) + n.Dot(b.inertiaTimes(n))
		u[0] = u[0].Mul(1 / math.Sqrt(inertia))
	case "slider":
		u[0].Lin = n.Mul(1 / math.Sqrt(b.Free.Mass))
	}
	return u
}

// projectPosition puts the body where the joint allows it, against the rounding of a step.
func (j *Joint) projectPosition(b *Body, s *particle.Body) {
	n := j.Axis.Unit()
	switch j.Kind {
	case "hinge":
		b.Put(*s)
		s.X = j.Point.Add(b.pose.rotate(j.arm))
	case "slider":
		s.X = j.from.Add(n.Mul(n.Dot(s.X.Sub(j.from))))
	case "fixed":
		s.X = j.from
	}
	b.Put(*s)
}

// motors appends the motors of the bodies.
func (s *System) motors(dst []contact, dt float64) []contact {
	for i, b := range s.Bodies {
		dst = b.Free.link.motor(dst, s, dt)
		j := b.Free.Joint
		if j == nil || !j.Motor {
			continue
		}
		m := contact{a: int32(i), b: -1, limit: math.Inf(1)}
		row := &m.rows[0]
		n := j.Axis.Unit()
		maxForce := j.Force
		if j.Kind == "hinge" {
			row.a, row.target, maxForce = s.Modes[i].Of(Twist{Ang: n}), j.Speed*radians, j.Power
		} else {
			row.a, row.target = s.Modes[i].Of(Twist{Lin: n}), j.Pace
		}
		// The speed along the axis is the speed of the mode times row.a.
		row.rate = row.a.Dot(&row.a)
		if maxForce > 0 {
			m.limit = maxForce * dt
		}
		dst = append(dst, m)
	}
	return dst
}

// driveMotor brings the body to the motor's speed, as far as its force allows, and
// returns the change of it.
func (t *contact) driveMotor(y []Generalized) (change float64) {
	row := &t.rows[0]
	p := min(t.limit, max(-t.limit, row.impulse+(row.target-row.speed(t, y))/row.rate))
	d := p - row.impulse
	row.impulse = p
	row.applyImpulse(t, y, d)
	return math.Abs(d) * row.rate
}
