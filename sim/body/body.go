// Package body moves solids: walls that follow a course, and free rigid bodies.
//
//   - body.go: a wall that moves; motion.go and keyframes.go, its course; extent.go, the box
//     around it
//   - rigid.go: a free body; shapes.go, its kinds; mass.go, its mass and inertia
//   - modes.go: velocities and forces in the modes of a body
//   - system.go: the free bodies of a world, and a step of them
//   - contact.go, contact_*.go: contacts between solids; sides.go, the faces near a point
//   - joint.go: joints with the world; link.go: joints between two bodies
//   - impact.go: impacts of single particles
//
// The liquid is not known here: it acts on a System by generalized forces, and by impacts.
package body

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// Body is a wall that moves, by a motion or freely, exerts friction on the liquid, or is
// made of particles. Its shape is a wall as the scene places it.
// New makes it.
type Body struct {
	boundary.Boundary // at rest
	Motion            Motion
	Friction          float64 // from 0, free slip, to 1, no slip; see friction.go

	// Particles makes the surface of particles, in place of a density map; see
	// ParticleLayer. It is set before Init.
	Particles bool

	Free *Rigid // set for a body that moves freely, and not by Motion; nil for a wall

	// Posed is set for a wall that is where Put has put it, and not where Motion says.
	Posed bool

	layer func() boundary.ParticleLayer // nil for a density map
	pose  pose
}

// New returns the wall b, with a motion and friction, at time 0.
func New(b boundary.Boundary, m Motion, friction float64) *Body {
	body := &Body{Boundary: b, Motion: m, Friction: friction}
	body.Move(0)
	return body
}

// Unwrap returns the wall that b moves, or b itself, and the body, nil for a wall
// that does not move.
func Unwrap(b boundary.Boundary) (boundary.Boundary, *Body) {
	if body, ok := b.(*Body); ok {
		return body.Boundary, body
	}
	return b, nil
}

// Init implements Boundary.
func (b *Body) Init(k kernel.Kernel) error {
	if err := b.Motion.Check(); err != nil {
		return fmt.Errorf("its motion %w", err)
	}
	b.Move(0)
	if err := b.Boundary.Init(k); err != nil || !b.Particles {
		return err
	}
	// Not before it is needed: a check, a mesh or a picture does without.
	b.layer = sync.OnceValue(func() boundary.ParticleLayer { return boundary.NewParticleLayer(b.Boundary, k) })
	return boundary.CheckParticles(b.Boundary, k)
}

// Move implements Boundary.
func (b *Body) Move(t float64) {
	if b.Free == nil && !b.Posed {
		b.pose = b.Motion.at(t)
	}
}

// Wall implements Boundary.
func (b *Body) Wall(x vec.Vec3) (float64, vec.Vec3) {
	share, grad := b.Boundary.Wall(b.pose.toRest(x, b.Motion.Center))
	return share, b.pose.rotate(grad)
}

// Mirror implements Boundary.
func (b *Body) Mirror(x vec.Vec3) (share float64, grad vec.Vec3) {
	x = b.pose.toRest(x, b.Motion.Center)
	if b.layer != nil {
		share, grad = b.layer().Mirror(x)
	} else {
		share, grad = b.Boundary.Mirror(x)
	}
	return share, b.pose.rotate(grad)
}

// Dist implements Boundary.
func (b *Body) Dist(x vec.Vec3) (float64, vec.Vec3) {
	d, n := b.Boundary.Dist(b.pose.toRest(x, b.Motion.Center))
	return d, b.pose.rotate(n)
}

// RoughDist implements Rough.
func (b *Body) RoughDist(x vec.Vec3) (float64, vec.Vec3) {
	d, n := boundary.RoughDist(b.Boundary, b.pose.toRest(x, b.Motion.Center))
	return d, b.pose.rotate(n)
}

// Beyond implements Rough.
func (b *Body) Beyond(x vec.Vec3, d float64) bool {
	if b.Free != nil {
		far := x.Sub(b.Free.state.X)
		if r := b.Free.radius + max(0, d); far.Dot(far) > r*r {
			return true
		}
	}
	return boundary.Beyond(b.Boundary, b.pose.toRest(x, b.Motion.Center), d)
}

// Vel implements Boundary.
func (b *Body) Vel(x vec.Vec3) vec.Vec3 { return b.pose.speed(x, b.Motion.Center) }

// Spin returns the rate of turn, rad/s.
func (b *Body) Spin() vec.Vec3 { return b.pose.spin }

// Place returns where a point of the shape is now.
func (b *Body) Place(x vec.Vec3) vec.Vec3 { return b.pose.toWorld(x, b.Motion.Center) }

// AtRest returns the point of the shape that is at x now.
func (b *Body) AtRest(x vec.Vec3) vec.Vec3 { return b.pose.toRest(x, b.Motion.Center) }

// Rotated returns a direction of the shape in its present pose.
func (b *Body) Rotated(v vec.Vec3) vec.Vec3 { return b.pose.rotate(v) }

// Bounds returns the box around a container where it is now, or the empty box
// for a solid.
func (b *Body) Bounds() vec.Box {
	s, ok := b.Boundary.(interface{ Bounds() vec.Box })
	if !ok || s.Bounds().IsEmpty() {
		return vec.Empty()
	}
	return Extent(b)
}

// MovedBox returns the box around the moved contents of the initial box.
func (b *Body) MovedBox(box vec.Box) vec.Box {
	now := vec.Empty()
	for _, x := range box.Corners() {
		now = now.Include(b.Place(x))
	}
	return now
}

// reach returns the greatest distance of a point of the wall from the axis it
// turns about: +Inf for a plane.
func (b *Body) reach() float64 {
	e, ok := b.Boundary.(boundary.Bounded)
	if !ok {
		return math.Inf(1)
	}
	axis, r := b.Motion.Axis.Unit(), 0.
	for _, x := range e.Extent().Corners() {
		r = max(r, axis.Cross(x.Sub(b.Motion.Center)).Len())
	}
	return r
}

// TopSpeed returns the highest speed of a point of the wall in the time from t
// to t+dt, m/s. Of an endless wall that turns it counts the points up to far
// from its axis.
func (b *Body) TopSpeed(t, dt, far float64) float64 {
	m := &b.Motion
	turn := math.Abs(m.Turn)
	speed := m.Velocity.Len()
	if m.Frequency > 0 {
		top := float64(2 * math.Pi * m.Frequency)
		if t < m.Ramp {
			top += 1.5 * 2 / m.Ramp // of the growth, whose slope is at most 3/2
		}
		speed, turn = speed+float64(m.Amplitude.Len()*top), turn+float64(math.Abs(m.Swing)*top)
	}
	if len(m.Times) > 0 {
		v, w := m.topKeySpeed(t, t+dt)
		speed, turn = speed+v, turn+w
	}
	if turn > 0 {
		speed += float64(turn * radians * min(b.reach(), far))
	}
	return speed
}

// topKeySpeed returns bounds of the speed and the rate of turn, in degrees,
// through the keyframes from one time to another.
func (m *Motion) topKeySpeed(from, to float64) (v, turn float64) {
	first, _ := slices.BinarySearch(m.Times, from)
	for k := max(0, first-1); k < len(m.Times)-1 && m.Times[k] <= to; k++ {
		// A cubic that never overshoots is at most three times as steep as its
		// chord.
		span := m.Times[k+1] - m.Times[k]
		if len(m.Positions) > 0 {
			v = max(v, 3*m.Positions[k+1].Sub(m.Positions[k]).Len()/span)
		}
		if len(m.Angles) > 0 {
			turn = max(turn, 3*math.Abs(m.Angles[k+1]-m.Angles[k])/span)
		}
	}
	return v, turn
}

// CheckFlat implements Flat: a body of two dimensions moves in its plane.
func (b *Body) CheckFlat() error {
	m := &b.Motion
	if b.Free != nil {
		if err := checkFlatState(b.Free.Start); err != nil {
			return err
		}
	}
	if err := boundary.InPlane("its motion", append([]vec.Vec3{m.Velocity, m.Amplitude}, m.Positions...)...); err != nil {
		return err
	}
	if m.Axis.X != 0 || m.Axis.Y != 0 {
		return fmt.Errorf("it turns about %v: in two dimensions the axis must be along z", m.Axis)
	}
	return boundary.CheckFlat(b.Boundary)
}
