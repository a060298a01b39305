package force

import "breakwater/sim/pairsum"

func init() {
	Forces.Add("xsph", "draws each particle's velocity towards its neighbours': reduces noise",
		"Monaghan 1989; Schechter and Bridson 2012", func() Force { return &XSPH{Rate: 5} })
}

// XSPH is the viscosity of Schechter and Bridson, Ghost SPH for Animating
// Water, 2012, eq. 9, after Monaghan, On the problem of penetration in
// particle methods, 1989:
//
//	v_i ← v_i + ε Σ_j V W_ij (v_j − v_i).
//
// Their ε is per step, so the liquid would be thicker in shorter steps; here it is
// Rate·dt.
type XSPH struct {
	Rate float64 `toml:"rate" unit:"1/s" range:"[0, inf)" doc:"Share of the velocity difference to the neighbours that is lost per second: 5 is gentle, 50 is thick."`
}

// MaxDt implements Force: a step may take half the difference.
func (f *XSPH) MaxDt() float64 { return 0.5 / f.Rate }

// NeedsAverage names the average over pairs that Add's sum needs.
func (f *XSPH) NeedsAverage() {}

// Add implements Force.
func (f *XSPH) Add(a, out []pairsum.Vec4, on Particles) {
	on.Average(out, on.V)
	pairsum.AddScaled(a, out, float32(f.Rate))
}
