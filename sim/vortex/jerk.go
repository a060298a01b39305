package vortex

import (
	"math"
	"slices"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// JerkMeter measures the jerk of particles, the rate of change of their acceleration, by
// differences of their velocities in three steps (Gourlay, part 12):
//
//	a = (v − v_before)/dt,  j = (a − a_before)/dt.
//
// The zero value is ready.
type JerkMeter struct {
	id   []uint32
	v, a []vec.Vec3 // a is not a number for a particle that was new
}

// Add takes the velocities of a step that lasted dt seconds, by particles whose numbers
// ascend. From the third step on it returns the mean of |j| over the particles that were
// there in the two steps before, which the article plots, and the root of the mean of
// |j|², which the code published with it writes, in m/s³. Before, ok is false.
func (m *JerkMeter) Add(id []uint32, v []vec.Vec3, dt float64) (mean, rms float64, ok bool) {
	accel := make([]vec.Vec3, len(v))
	var sum, squares float64
	n := 0
	for i, k := range m.places(id) {
		if k < 0 {
			accel[i].X = math.NaN()
			continue
		}
		accel[i] = v[i].Sub(m.v[k]).Mul(1 / dt)
		if before := m.a[k]; before.Finite() {
			j := accel[i].Sub(before).Mul(1 / dt)
			sum, squares, n = sum+j.Len(), squares+j.Dot(j), n+1
		}
	}
	m.id, m.v, m.a = append(m.id[:0], id...), append(m.v[:0], v...), accel
	if n == 0 {
		return 0, 0, false
	}
	return sum / float64(n), math.Sqrt(squares / float64(n)), true
}

// places returns where the particles of the last step have the given numbers, which ascend;
// −1 for new ones.
func (m *JerkMeter) places(id []uint32) []int {
	list := make([]int, len(id))
	k := 0
	for i := range id {
		for k < len(m.id) && m.id[k] < id[i] {
			k++
		}
		list[i] = -1
		if k < len(m.id) && m.id[k] == id[i] {
			list[i] = k
		}
	}
	return list
}

// jerkAttributes are what a state keeps of a JerkMeter: the acceleration of each particle
// in the last step in m/s², and the number of steps in which it was there, up to two.
var jerkAttributes = [...]string{"accel_x", "accel_y", "accel_z", "jerk_steps"}

// OfJerk reports whether an attribute of a state serves a JerkMeter alone.
func OfJerk(attribute string) bool { return slices.Contains(jerkAttributes[:], attribute) }

// Keep adds to particles of a state, which is rounded, what the meter needs to go on from
// there, and goes on from it.
func (m *JerkMeter) Keep(s *particle.Set) {
	var data [len(jerkAttributes)][]float64
	for k, name := range jerkAttributes {
		data[k] = s.Carry(name)
	}
	for i, k := range m.places(s.ID) {
		switch {
		case k < 0:
			continue
		case !m.a[k].Finite():
			data[3][i] = 1
			continue
		}
		data[3][i] = 2
		for c, x := range m.a[k].Round().Array() {
			data[c][i] = x
		}
	}
	m.Resume(s)
}

// Resume continues from particles of a state that has what Keep adds.
func (m *JerkMeter) Resume(s *particle.Set) {
	m.id, m.v, m.a = m.id[:0], m.v[:0], m.a[:0]
	x, y, z, steps := s.Carry(jerkAttributes[0]), s.Carry(jerkAttributes[1]), s.Carry(jerkAttributes[2]), s.Carry(jerkAttributes[3])
	for i, id := range s.ID {
		if steps[i] == 0 {
			continue
		}
		a := vec.New(x[i], y[i], z[i])
		if steps[i] == 1 {
			a.X = math.NaN()
		}
		m.id, m.v, m.a = append(m.id, id), append(m.v, s.V[i]), append(m.a, a)
	}
}
