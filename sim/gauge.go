package sim

import (
	"math"
	"slices"

	"breakwater/sim/kernel"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Gauge measures something of the liquid.
type Gauge interface {
	// Columns names what is measured, each with its unit, such as "level_m".
	Columns() []string
	// Read appends to dst a value for each column: NaN where there is nothing to
	// be measured, as the velocity where no liquid is. The pressure is 0 there. p
	// is the pressure of each particle in Pa, nil before the first step, when what
	// follows from it is NaN.
	Read(dst []float64, w *World, p []float64) []float64
}

// Gauges are the known kinds.
var Gauges = registry.Set[Gauge]{Kind: "gauge"}

// Meter reads a gauge at times that are multiples of its interval. The values
// at such a time are taken from those at the ends of the step that passes it,
// in a straight line: the steps are what they would be without gauges.
type Meter struct {
	Gauge    Gauge
	Interval float64 // s

	rows  [][]float64 // the time and the values
	at    float64     // time of last, s
	last  []float64
	valid bool // last is of the world as it is

	// unknown says of each value of the first row whether it follows from the
	// pressure, which the first step finds; nil when that row is done.
	unknown []bool
}

// Take returns the rows since the last call: the time in seconds and then the
// gauge's values.
func (m *Meter) Take() [][]float64 {
	rows := m.rows
	m.rows = nil
	return rows
}

// count returns how many times after 0 are due up to t. What rounding may cost
// a multiple of the interval does not count.
func (m *Meter) count(t float64) float64 { return math.Floor(t / m.Interval * (1 + 1e-12)) }

// pressurer is a solver whose particles do not carry their pressure.
type pressurer interface {
	Pressures(w *World) []float64 // Pa
}

// pressures returns the pressure of each particle, Pa: that of the last step.
func (w *World) pressures(s Solver) []float64 {
	if w.Dt == 0 {
		return nil
	}
	if s, ok := s.(pressurer); ok {
		return s.Pressures(w)
	}
	return w.Carry(carryPressure)
}

// readBefore reads the meters that are due in the next step of dt, and at the
// start those that have never been.
func (w *World) readBefore(s Solver, dt float64) {
	for _, m := range w.Meters {
		if w.Time == 0 || m.count(w.Time+dt) > m.count(w.Time) {
			if !m.valid || m.at != w.Time {
				m.last = m.Gauge.Read(m.last[:0], w, w.pressures(s))
				m.at, m.valid = w.Time, true
			}
			if w.Time == 0 {
				m.unknown = w.unknown(m)
			}
		}
	}
}

// unknown says which of the last values of m there would be if the pressures were
// known.
func (w *World) unknown(m *Meter) []bool {
	some := m.Gauge.Read(nil, w, make([]float64, w.Len()))
	list := make([]bool, len(some))
	for c, v := range some {
		list[c] = math.IsNaN(m.last[c]) && !math.IsNaN(v)
	}
	return list
}

// begin writes the first row of m, that of time 0, with the pressures that the first
// step has found, at whose end the values are now.
func (m *Meter) begin(now []float64) {
	for c, unknown := range m.unknown {
		if unknown {
			m.last[c] = now[c]
		}
	}
	m.rows = append(m.rows, append([]float64{0}, m.last...))
	m.unknown = nil
}

// readAfter reads the meters that were due since the last readBefore.
func (w *World) readAfter(s Solver) {
	for _, m := range w.Meters {
		from, to := m.count(m.at), m.count(w.Time)
		if m.unknown == nil && (!m.valid || from == to) {
			m.valid = false
			continue
		}
		now := m.Gauge.Read(nil, w, w.pressures(s))
		if m.unknown != nil {
			m.begin(now)
		}
		for k := from + 1; k <= to; k++ {
			t := k * m.Interval
			share := min(1, (t-m.at)/(w.Time-m.at))
			row := []float64{t}
			for c, v := range now {
				row = append(row, m.last[c]+(v-m.last[c])*share)
			}
			m.rows = append(m.rows, row)
		}
		m.at, m.last = w.Time, now
	}
}

// within returns the particles closer to x than r, in their order.
func (w *World) within(x vec.Vec3, r float64) []int32 {
	return w.where(func(y vec.Vec3) bool { d := y.Sub(x); return d.Dot(d) < r*r })
}

// where returns the particles at places for which holds is true, in their order.
func (w *World) where(holds func(x vec.Vec3) bool) []int32 {
	part := make([][]int32, blocks(w.Len()))
	par.Each(len(part), func(b int) {
		for i := b * blockLen; i < min(w.Len(), (b+1)*blockLen); i++ {
			if holds(w.X[i]) {
				part[b] = append(part[b], int32(i))
			}
		}
	})
	return slices.Concat(part...)
}

// total returns the sum of f over all particles.
func (w *World) total(f func(i int) float64) (sum float64) {
	part := make([]float64, blocks(w.Len()))
	par.Each(len(part), func(b int) {
		for i := b * blockLen; i < min(w.Len(), (b+1)*blockLen); i++ {
			part[b] += f(i)
		}
	})
	for _, p := range part {
		sum += p
	}
	return sum
}

// at returns the value at x of what the particles near have, where value gives
// that of one, by a fit of a linear function to those closer than r, weighted
// with the kernel (moving least squares; Dilts, Int. J. Numer. Methods Eng. 44,
// 1999). It is right for what is linear up to a wall or a surface, where a
// plain mean would be that of the inside. Where the particles do not span space,
// it is the plain mean. ok is false if there are none.
func (w *World) at(x vec.Vec3, r float64, value func(i int32) float64) (v float64, ok bool) {
	list := w.within(x, r)
	if len(list) == 0 {
		return 0, false
	}
	dims := w.Dim()
	var m [4][5]float64
	for _, i := range list {
		d := w.X[i].Sub(x).Mul(1 / r)
		q2 := d.Dot(d)
		weight := (1 - q2) * (1 - q2)
		basis, f := [4]float64{1, d.X, d.Y, d.Z}, value(i)
		for a := range dims + 1 {
			for b := range dims + 1 {
				m[a][b] += weight * basis[a] * basis[b]
			}
			m[a][4] += weight * basis[a] * f
		}
	}
	if m[0][0] == 0 { // all of them at r
		return 0, false
	}
	mean := m[0][4] / m[0][0]
	// Gauss's elimination from the last row up, so that the first unknown, the
	// value at x, is what is left. The matrix needs no pivots.
	whole := m[0][0]
	for k := dims; k > 0; k-- {
		if m[k][k] < 1e-3*whole {
			return mean, true
		}
		for a := range k {
			f := m[a][k] / m[k][k]
			for b := range k {
				m[a][b] -= f * m[k][b]
			}
			m[a][4] -= f * m[k][4]
		}
	}
	if m[0][0] < 0.01*whole {
		return mean, true
	}
	return m[0][4] / m[0][0], true
}

// radius returns the radius of a gauge at a point: two spacings unless it has
// its own.
func (w *World) radius(own float64) float64 {
	if own > 0 {
		return own
	}
	return kernel.Support(w.Spacing)
}
