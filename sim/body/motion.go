package body

import (
	"fmt"
	"math"

	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Motion says where a rigid body is at any time. All its parts add up: a
// velocity, a turn, an oscillation and the course through keyframes. It is a
// function of time alone, so that a run that resumes finds its walls where they
// were.
type Motion struct {
	Center vec.Vec3 `toml:"center" unit:"m" doc:"A point on the wall's axis of rotation, as the scene begins. It moves with the wall."`
	Axis   vec.Vec3 `toml:"axis" unit:"1" doc:"Direction of that axis, of any length but 0. Seen against it, angles count counter-clockwise."`

	Velocity vec.Vec3 `toml:"velocity" unit:"m/s" doc:"Constant velocity."`
	Turn     float64  `toml:"turn" unit:"deg/s" doc:"Constant angular speed about the axis."`

	Amplitude vec.Vec3 `toml:"amplitude" unit:"m" doc:"Direction and amplitude of an oscillation, to either side."`
	Swing     float64  `toml:"swing" unit:"deg" doc:"Amplitude of an angular oscillation about the axis, to either side."`
	Frequency float64  `toml:"frequency" unit:"1/s" range:"[0, inf)" doc:"Oscillations per second."`
	Phase     float64  `toml:"phase" unit:"deg" doc:"Phase in which the oscillation starts; 90 is the end of its course."`
	Ramp      float64  `toml:"ramp" unit:"s" range:"[0, inf)" doc:"Time in which the oscillation grows to full size. 0 starts it at once, at its full speed."`

	Keyframes string     `toml:"keyframes" recipe:"set" doc:"File of comma-separated values with the keyframes, in place of times, positions and angles; see KEYFRAMES.md. The path is relative to the folder of the scene's file."`
	Times     []float64  `toml:"times" unit:"s" doc:"Times of the keyframes, in order. The wall rests before the first and after the last."`
	Positions []vec.Vec3 `toml:"positions" unit:"m" doc:"Displacement of the wall from its place in the scene, for each keyframe."`
	Angles    []float64  `toml:"angles" unit:"deg" doc:"Rotation of the wall about the axis, for each keyframe; may be left out."`
}

// pose is where a moving body is, and how it moves.
type pose struct {
	shift    vec.Vec3    // of its points, after the turn about the centre, m
	velocity vec.Vec3    // of the shift, m/s
	spin     vec.Vec3    // rate of turn, rad/s
	turn     [3]vec.Vec3 // the rotation's columns
}

// Check returns a fault of m, or nil.
func (m *Motion) Check() error {
	swings := m.Amplitude != (vec.Vec3{}) || m.Swing != 0
	switch {
	case m.Turns() && m.Axis == (vec.Vec3{}):
		return fmt.Errorf("turns about an axis that is zero: give axis, such as [0, 0, 1]")
	case swings && m.Frequency == 0:
		return fmt.Errorf("has an oscillation without a frequency: give frequency, such as \"0.5 Hz\"")
	case m.Keyframes != "" && len(m.Times) == 0:
		return fmt.Errorf("has keyframes in the file %s, which is not read", m.Keyframes)
	case len(m.Times) == 1:
		return fmt.Errorf("has one keyframe: give two or more times")
	case len(m.Positions) > 0 && len(m.Positions) != len(m.Times):
		return fmt.Errorf("has %d times and %d positions: give one position for each time", len(m.Times), len(m.Positions))
	case len(m.Angles) > 0 && len(m.Angles) != len(m.Times):
		return fmt.Errorf("has %d times and %d angles: give one angle for each time", len(m.Times), len(m.Angles))
	case len(m.Times) > 0 && len(m.Positions)+len(m.Angles) == 0:
		return fmt.Errorf("has times without positions or angles: give one of either for each time")
	}
	for i := 1; i < len(m.Times); i++ {
		if !(m.Times[i] > m.Times[i-1]) {
			return fmt.Errorf("has a keyframe at %g s after the keyframe at %g s: put times in rising order", m.Times[i], m.Times[i-1])
		}
	}
	return nil
}

// Still reports whether m never moves anything.
func (m *Motion) Still() bool {
	zero := func(v vec.Vec3) bool { return v == vec.Vec3{} }
	return zero(m.Velocity) && m.Turn == 0 && zero(m.Amplitude) && m.Swing == 0 && len(m.Times) == 0 && m.Keyframes == ""
}

// Turns reports whether m ever turns a body.
func (m *Motion) Turns() bool { return m.Turn != 0 || m.Swing != 0 || len(m.Angles) > 0 }

const radians = math.Pi / 180

// at returns the pose at time t.
func (m *Motion) at(t float64) pose {
	p := pose{shift: m.Velocity.Mul(t), velocity: m.Velocity}
	angle, rate := float64(m.Turn*radians*t), float64(m.Turn*radians)

	wave, slope := m.Oscillation(t)
	p.shift, p.velocity = p.shift.Add(m.Amplitude.Mul(wave)), p.velocity.Add(m.Amplitude.Mul(slope))
	angle, rate = angle+float64(m.Swing*radians*wave), rate+float64(m.Swing*radians*slope)

	if len(m.Positions) > 0 {
		for i, get := range [...]func(v vec.Vec3) float64{
			func(v vec.Vec3) float64 { return v.X }, func(v vec.Vec3) float64 { return v.Y }, func(v vec.Vec3) float64 { return v.Z },
		} {
			x, v := Keyed(m.Times, t, func(k int) float64 { return get(m.Positions[k]) })
			unit := [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[i]
			p.shift, p.velocity = p.shift.Add(unit.Mul(x)), p.velocity.Add(unit.Mul(v))
		}
	}
	if len(m.Angles) > 0 {
		a, v := Keyed(m.Times, t, func(k int) float64 { return m.Angles[k] })
		angle, rate = angle+float64(radians*a), rate+float64(radians*v)
	}
	axis := m.Axis.Unit()
	p.spin = axis.Mul(rate)
	sin, cos := math.Sincos(angle)
	for i, e := range [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		// Rodrigues' formula.
		p.turn[i] = e.Mul(cos).Add(axis.Cross(e).Mul(sin)).Add(axis.Mul(float64(axis.Dot(e) * (1 - cos))))
	}
	return p
}

// Oscillation returns the oscillation, from −1 to 1, and its rate, 1/s.
func (m *Motion) Oscillation(t float64) (x, rate float64) {
	if m.Frequency == 0 {
		return 0, 0
	}
	omega, phase := float64(2*math.Pi*m.Frequency), float64(m.Phase*radians)
	sin, cos := math.Sincos(float64(omega*t) + phase)
	start := math.Sin(phase) // where the scene places the wall
	x, rate = sin-start, float64(omega*cos)
	if t < m.Ramp {
		u := max(0, t/m.Ramp)
		grow, slope := num.Smoothstep(0, 1, u), 6*u*(1-u)/m.Ramp
		x, rate = float64(grow*x), float64(grow*rate)+float64(slope*x)
	}
	return x, rate
}

// toWorld returns the point of the scene that x, a point of the body as the
// scene places it, has moved to.
func (p *pose) toWorld(x, center vec.Vec3) vec.Vec3 {
	return p.rotate(x.Sub(center)).Add(center).Add(p.shift)
}

// toRest is the inverse of toWorld.
func (p *pose) toRest(x, center vec.Vec3) vec.Vec3 {
	r := x.Sub(center).Sub(p.shift)
	return vec.New(p.turn[0].Dot(r), p.turn[1].Dot(r), p.turn[2].Dot(r)).Add(center)
}

// rotate turns a direction.
func (p *pose) rotate(v vec.Vec3) vec.Vec3 {
	return p.turn[0].Mul(v.X).Add(p.turn[1].Mul(v.Y)).Add(p.turn[2].Mul(v.Z))
}

// speed returns the velocity of the point of the body that is at x.
func (p *pose) speed(x, center vec.Vec3) vec.Vec3 {
	return p.velocity.Add(p.spin.Cross(x.Sub(center).Sub(p.shift)))
}
