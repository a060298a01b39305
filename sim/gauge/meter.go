package gauge

import (
	"breakwater/sim"
	"math"
)

// Meter reads a gauge at times that are multiples of its interval. It interpolates
// linearly between the values at the ends of the step that passes such a time, so that
// gauges do not change the steps.
type Meter struct {
	Gauge    Gauge
	Interval float64 // s

	rows  [][]float64 // the time and the values
	at    float64     // time of last, s
	last  []float64
	valid bool // last is of the present world

	// unknown reports, per value of the first row, whether it depends on the pressure,
	// which the first step finds. It is nil when that row is done.
	unknown []bool
}

// Take returns the rows since the last call: the time in seconds and then the
// gauge's values.
func (m *Meter) Take() [][]float64 {
	rows := m.rows
	m.rows = nil
	return rows
}

// count returns how many times after 0 are due up to t. Rounding of a multiple of the
// interval does not count.
func (m *Meter) count(t float64) float64 { return math.Floor(t / m.Interval * (1 + 1e-12)) }

// Before implements sim.Observer. It reads a meter that is due in the next step of
// dt, and at the start one that has never been read.
func (m *Meter) Before(w *sim.World, s sim.Solver, dt float64) {
	if w.Time == 0 || m.count(w.Time+dt) > m.count(w.Time) {
		if !m.valid || m.at != w.Time {
			m.last = m.Gauge.Read(m.last[:0], w, sim.Pressures(w, s))
			m.at, m.valid = w.Time, true
		}
		if w.Time == 0 {
			m.unknown = m.unknowns(w)
		}
	}
}

// Reset implements sim.Observer.
func (m *Meter) Reset() { m.valid = false }

// unknowns reports which of the last values there would be if the pressures were
// known.
func (m *Meter) unknowns(w *sim.World) []bool {
	some := m.Gauge.Read(nil, w, make([]float64, w.Len()))
	list := make([]bool, len(some))
	for c, v := range some {
		list[c] = math.IsNaN(m.last[c]) && !math.IsNaN(v)
	}
	return list
}

// begin writes the first row of m, for time 0, with the pressures that the first step has
// found. now has the values at that step's end.
func (m *Meter) begin(now []float64) {
	for c, unknown := range m.unknown {
		if unknown {
			m.last[c] = now[c]
		}
	}
	m.rows = append(m.rows, append([]float64{0}, m.last...))
	m.unknown = nil
}

// After implements sim.Observer. It reads a meter that was due since the last call
// of Before.
func (m *Meter) After(w *sim.World, s sim.Solver) {
	if m.unknown == nil && (!m.valid || m.count(m.at) == m.count(w.Time)) {
		m.valid = false
		return
	}
	m.pass(m.Gauge.Read(nil, w, sim.Pressures(w, s)), w.Time)
}

// pass makes the rows that are due up to a time, at which the values are now.
func (m *Meter) pass(now []float64, time float64) {
	if m.unknown != nil {
		m.begin(now)
	}
	for k := m.count(m.at) + 1; k <= m.count(time); k++ {
		t := float64(k * m.Interval)
		share := min(1, (t-m.at)/(time-m.at))
		row := []float64{t}
		for c, v := range now {
			row = append(row, m.last[c]+float64((v-m.last[c])*share))
		}
		m.rows = append(m.rows, row)
	}
	m.at, m.last = time, now
}
