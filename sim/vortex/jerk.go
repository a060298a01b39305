package vortex

import (
	"math"

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
	known := make([]bool, len(v))
	var sum, squares float64
	n, k := 0, 0
	for i := range v {
		for k < len(m.id) && m.id[k] < id[i] {
			k++
		}
		if k == len(m.id) || m.id[k] != id[i] {
			continue
		}
		accel[i], known[i] = v[i].Sub(m.v[k]).Mul(1/dt), true
		if before := m.a[k]; before.Finite() {
			j := accel[i].Sub(before).Mul(1 / dt)
			sum, squares, n = sum+j.Len(), squares+j.Dot(j), n+1
		}
	}
	for i := range accel {
		if !known[i] {
			accel[i].X = math.NaN()
		}
	}
	m.id, m.v, m.a = append(m.id[:0], id...), append(m.v[:0], v...), accel
	if n == 0 {
		return 0, 0, false
	}
	return sum / float64(n), math.Sqrt(squares / float64(n)), true
}
