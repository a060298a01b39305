package force

import "breakwater/sim/pairsum"

func init() {
	Forces.Add("damping", "damps all velocities: settles a pool, or reduces sloshing",
		"Altomare et al. 2017", func() Force { return &Damping{Rate: 10} })
}

// Damping reduces velocities everywhere at one rate, as damping zones do locally
// (Altomare et al., Long-crested wave generation and absorption for SPH-based
// DualSPHysics model, Coastal Engineering 127, 2017, eq. 22):
//
//	dv/dt = −Rate v.
//
// Dissipation between particles is slow for long waves: waves from wall to wall go on for
// a minute. This force damps all wavelengths at the same rate.
type Damping struct {
	Rate  float64 `toml:"rate" unit:"1/s" range:"[0, inf)" doc:"Share of the velocity lost per second: 3 calms a pool, 30 stops all sloshing."`
	Until float64 `toml:"until" unit:"s" range:"[0, inf)" doc:"Time at which the force ends; 0 for never."`
}

// MaxDt implements Force: a step may take half the velocity.
func (f *Damping) MaxDt() float64 { return 0.5 / f.Rate }

// Add implements Force.
func (f *Damping) Add(a, _ []pairsum.Vec4, on Particles) {
	if f.Until > 0 && on.Time >= f.Until {
		return
	}
	pairsum.AddScaled(a, on.V[on.First:][:len(a)], float32(-f.Rate))
}
