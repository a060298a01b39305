package gauge

import (
	"math"

	"breakwater/sim"
	"breakwater/sim/particle"
	"breakwater/sim/vortex"
)

func init() {
	Gauges.Add("jerk", "jerk of the particles of a gas: how unsteady their velocities are", "Gourlay 2012", func() Gauge { return &Jerk{Of: "vortons"} })
}

// Jerk measures the jerk of the particles of a gas, the rate of change of their
// acceleration, over three steps. A particle counts from its third step on.
type Jerk struct {
	Of string `toml:"of" oneof:"vortons tracers" doc:"Which particles are measured."`

	meter     vortex.JerkMeter
	mean, rms float64 // of the last step, m/s³
}

// Columns implements Gauge.
func (*Jerk) Columns() []string { return []string{"jerk_mean_m_s3", "jerk_rms_m_s3"} }

// Read implements Gauge. A liquid has no reading.
func (*Jerk) Read(dst []float64, _ *sim.World, _ []float64) []float64 {
	return append(dst, math.NaN(), math.NaN())
}

// GasColumns implements OfGas.
func (g *Jerk) GasColumns() []string { return g.Columns() }

// ReadGas implements OfGas. The jerk belongs to the last step.
func (g *Jerk) ReadGas(dst []float64, gas *Gas) []float64 {
	if gas.Dt == 0 {
		return append(dst, math.NaN(), math.NaN())
	}
	return append(dst, g.mean, g.rms)
}

// Follow implements Follower.
func (g *Jerk) Follow(gas *Gas) {
	id, v := gas.Flow.Vortons.ID, gas.Flow.Vortons.V
	if g.Of == "tracers" {
		id, v = gas.Flow.Tracers.ID, gas.Flow.Tracers.V
	}
	var ok bool
	if g.mean, g.rms, ok = g.meter.Add(id, v, gas.Dt); !ok {
		g.mean, g.rms = math.NaN(), math.NaN()
	}
}

// Keep implements Follower.
func (g *Jerk) Keep(s *vortex.State) { g.meter.Keep(g.set(s)) }

// Resume implements Follower.
func (g *Jerk) Resume(s *vortex.State) { g.meter.Resume(g.set(s)) }

func (g *Jerk) set(s *vortex.State) *particle.Set {
	if g.Of == "tracers" {
		return s.Tracers
	}
	return s.Vortons
}
