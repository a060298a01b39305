package gauge

import (
	"math"

	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// OfGas is a Gauge that also measures a gas.
type OfGas interface {
	Gauge
	// GasColumns names the quantities of a gas, as Columns does.
	GasColumns() []string
	// ReadGas appends to dst a value for each column. What belongs to a step is NaN if
	// there was none.
	ReadGas(dst []float64, g *Gas) []float64
}

// Follower is an OfGas that has to see each step of a gas.
type Follower interface {
	OfGas
	// Follow takes the gas at the end of a step.
	Follow(g *Gas)
	// Keep adds to the state at the end of a frame what the gauge needs to go on from there,
	// and goes on from it.
	Keep(s *vortex.State)
	// Resume continues from a state that has what Keep adds.
	Resume(s *vortex.State)
}

// Gas is a gas at the end of a step.
type Gas struct {
	Flow   *vortex.Flow
	Medium *vortex.Gas
	Solver vortex.Solver
	Walls  int     // The first of Flow.Bodies are walls; bodies that move freely follow.
	Dt     float64 // of the last step, s; 0 for none
}

// impulses appends the mean force in N that body k had from vortons and tracers in the
// last step, and the mean torque about its center in N m.
func (g *Gas) impulses(dst []float64, k int) []float64 {
	for _, v := range []vec.Vec3{g.Flow.Bodies[k].Impulse, g.Flow.Bodies[k].Twist} {
		if g.Dt > 0 {
			dst = append(dst, v.X/g.Dt, v.Y/g.Dt, v.Z/g.Dt)
		} else {
			dst = append(dst, math.NaN(), math.NaN(), math.NaN())
		}
	}
	return dst
}

// GasColumns implements OfGas.
func (g *VelocityAt) GasColumns() []string { return g.Columns() }

// ReadGas implements OfGas. The velocity is a sum over all vortons, whatever the technique
// of the solver.
func (g *VelocityAt) ReadGas(dst []float64, gas *Gas) []float64 {
	u := gas.Solver.VelocityAt(gas.Flow, gas.Medium, g.At)
	return append(dst, u.X, u.Y, u.Z)
}

// GasColumns implements OfGas.
func (g *ForceOn) GasColumns() []string {
	return []string{"force_x_n", "force_y_n", "force_z_n", "torque_x_n_m", "torque_y_n_m", "torque_z_n_m", "temperature_k"}
}

// ReadGas implements OfGas. The force is the mean of the last step's impulses.
func (g *ForceOn) ReadGas(dst []float64, gas *Gas) []float64 {
	return append(gas.impulses(dst, g.Wall-1), gas.Flow.Bodies[g.Wall-1].Temperature)
}

// GasColumns implements OfGas.
func (g *BodyState) GasColumns() []string {
	c := g.Columns()
	c[len(c)-1] = "temperature_k" // in place of the volume under water
	return c
}

// ReadGas implements OfGas. The force is the mean of the last step's impulses.
func (g *BodyState) ReadGas(dst []float64, gas *Gas) []float64 {
	b := gas.Flow.Bodies[gas.Walls+g.Body-1]
	for _, v := range []vec.Vec3{b.X, b.V, b.Spin} {
		dst = append(dst, v.X, v.Y, v.Z)
	}
	return append(gas.impulses(dst, gas.Walls+g.Body-1), b.Temperature)
}

// BeforeGas reads a meter before a step of a gas. What belongs to a step is unknown then.
func (m *Meter) BeforeGas(g *Gas) {
	before := *g
	before.Dt = 0
	m.last, m.at, m.valid = m.Gauge.(OfGas).ReadGas(nil, &before), g.Flow.Time, true
	m.unknown = nil
	if m.at == 0 {
		m.unknown = make([]bool, len(m.last)) // for the row of time 0
	}
}

// AfterGas reads a meter after a step of a gas, on which BeforeGas was called before it.
// What belongs to the step holds for all of it.
func (m *Meter) AfterGas(g *Gas) {
	if f, ok := m.Gauge.(Follower); ok {
		f.Follow(g)
	}
	now := m.Gauge.(OfGas).ReadGas(nil, g)
	for c, v := range m.last {
		if math.IsNaN(v) {
			m.last[c] = now[c]
		}
	}
	m.pass(now, g.Flow.Time)
}

// KeepGas adds to the state at the end of a frame what the gauge needs to go on from there.
func (m *Meter) KeepGas(s *vortex.State) {
	if f, ok := m.Gauge.(Follower); ok {
		f.Keep(s)
	}
}

// ResumeGas continues from a state that has what KeepGas adds.
func (m *Meter) ResumeGas(s *vortex.State) {
	if f, ok := m.Gauge.(Follower); ok {
		f.Resume(s)
	}
}
