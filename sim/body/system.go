package body

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// System is the free bodies of a scene with their contacts, joints and links.
//
// A step of length dt has these parts. Start takes the velocities from the places and
// motions of the bodies. Accelerate finds the contacts and applies gravity and other
// forces. AddImpulses applies forces that are known later, such as the liquid's pressure.
// Move solves for the impulses at contacts, joints and links, and moves the bodies.
type System struct {
	Bodies []*Body
	All    []int32             // 0, 1, … of Bodies
	Fixed  []boundary.Boundary // all other walls

	fixedPoints [][]contactPoint // of each of them; nil for a container

	Modes      []Modes       // of each body at the start of the step
	Velocities []Generalized // of each body now

	contacts         []contact
	previousContacts []contact // of the previous step
	previousDt       float64   // of the previous step, s
	tried            []Generalized
	linkages         []*linkage
}

// Step describes a step to a System.
type Step struct {
	Dt      float64  // s
	Gravity vec.Vec3 // m/s²
	Spacing float64  // of the liquid's particles, m: tolerances are parts of it
	Speed   float64  // the highest speed to expect, m/s
}

// NewSystem returns the system of the free bodies among the walls, where they start.
func NewSystem(walls []boundary.Boundary) (System, error) {
	var s System
	for _, wall := range walls {
		b, ok := wall.(*Body)
		if !ok || b.Free == nil {
			s.Fixed = append(s.Fixed, wall)
			s.fixedPoints = append(s.fixedPoints, wallPoints(wall))
			continue
		}
		s.All = append(s.All, int32(len(s.Bodies)))
		s.Bodies = append(s.Bodies, b)
		b.Put(b.Free.Start)
	}
	s.Modes, s.Velocities = make([]Modes, len(s.Bodies)), make([]Generalized, len(s.Bodies))
	return s, s.findLinks()
}

// States returns the places and motions of the bodies.
func (s *System) States() (list []particle.Body) {
	for _, b := range s.Bodies {
		list = append(list, b.Free.state)
	}
	return list
}

// Place puts each body where the list has it, and forgets the impulses of the previous
// step: a run that is resumed does not know them.
func (s *System) Place(list []particle.Body) {
	for i, b := range s.Bodies {
		b.Put(list[i])
	}
	s.contacts = s.contacts[:0]
}

// Start prepares the bodies for a step from their present places.
func (s *System) Start() {
	for i, b := range s.Bodies {
		s.Modes[i] = b.modes()
		s.Velocities[i] = s.Modes[i].Of(b.Momentum())
	}
}

// Accelerate finds the contacts, and applies gravity and one generalized force per body
// for a step.
func (s *System) Accelerate(st Step, force []Generalized) {
	s.findContacts(st)
	for i, b := range s.Bodies {
		weight := s.Modes[i].Of(Twist{Lin: st.Gravity.Mul(b.Free.Mass)})
		s.Velocities[i] = s.Velocities[i].Add(weight.Add(force[i]).Mul(st.Dt))
	}
}

// AddImpulses applies one generalized force per body for dt.
func (s *System) AddImpulses(force []Generalized, dt float64) {
	for i := range s.Bodies {
		s.Velocities[i] = s.Velocities[i].Add(force[i].Mul(dt))
	}
}

// Move moves the bodies from the states in the list, as far as their contacts and links
// let them, and updates the list.
func (s *System) Move(st Step, list []particle.Body) {
	s.solveContacts(st, s.Velocities)
	for _, g := range s.linkages {
		g.solvePositions(s, st, list)
	}
	par.Each(len(s.Bodies), func(i int) {
		list[i] = s.Bodies[i].advance(list[i], s.Modes[i].Twist(s.Velocities[i]), st.Dt)
	})
	for _, g := range s.linkages {
		g.projectMoved(s, list)
	}
}

// putVelocities gives the bodies their present generalized velocities where they are, and
// updates the list of states.
func (s *System) putVelocities(list []particle.Body) {
	for k, b := range s.Bodies {
		v := s.Modes[k].Twist(s.Velocities[k])
		list[k].V, list[k].Spin = v.Lin, v.Ang
		b.Put(list[k])
	}
}

// Resting reports whether no body is in contact with a solid or has a link or a motor.
func (s *System) Resting() bool { return len(s.contacts) == 0 && len(s.linkages) == 0 }

// MaxDt returns the longest step in which no body moves more than maxMove under the
// gravity g, s.
func (s *System) MaxDt(g, maxMove float64) float64 {
	dt := math.Inf(1)
	for _, b := range s.Bodies {
		v := b.MaxSpeed()
		dt = min(dt, 2*maxMove/(v+math.Sqrt(float64(v*v)+float64(4*g*maxMove))))
	}
	return dt
}

// MaxSpeed returns a bound of the speeds of points of the listed bodies, m/s.
func (s *System) MaxSpeed(bodies []int32) (v float64) {
	for _, k := range bodies {
		v = max(v, s.Bodies[k].MaxSpeed())
	}
	return v
}

// Near appends to dst the bodies whose balls are nearer to the box than d.
func (s *System) Near(dst []int32, box vec.Box, d float64) []int32 {
	for k, b := range s.Bodies {
		x, reach := b.Free.state.X, b.Free.radius+d
		if off := x.Sub(x.Max(box.Min).Min(box.Max)); off.Dot(off) <= reach*reach {
			dst = append(dst, int32(k))
		}
	}
	return dst
}

// Around appends to dst the bodies whose centre of mass is nearer to the box than the given
// multiple of the radius of the ball around the body.
func (s *System) Around(dst []int32, box vec.Box, radii float64) []int32 {
	for k, b := range s.Bodies {
		x, reach := b.Free.state.X, radii*b.Free.radius
		if off := x.Sub(x.Max(box.Min).Min(box.Max)); off.Dot(off) <= reach*reach {
			dst = append(dst, int32(k))
		}
	}
	return dst
}

// AnyWithin reports whether the ball of one of the listed bodies is nearer to x than d.
func (s *System) AnyWithin(bodies []int32, x vec.Vec3, d float64) bool {
	for _, k := range bodies {
		b := s.Bodies[k].Free
		if off, reach := x.Sub(b.state.X), b.radius+d; off.Dot(off) <= reach*reach {
			return true
		}
	}
	return false
}
