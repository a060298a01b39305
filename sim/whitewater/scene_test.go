package whitewater

import (
	"math"
	"testing"
)

// TestBreakupTime compares Weber's time with the time of Rayleigh's fastest wave on a thread of water, 2.91 √(ρa³/σ)
// (Rayleigh 1878: a growth of 0.3433 √(σ/(ρa³))), and with the limit of a viscous thread.
func TestBreakupTime(t *testing.T) {
	s := Scene{Spacing: 0.018, Rho0: 998.2, Viscosity: 1.004e-6, SurfaceTension: 0.0728}
	a := s.Spacing / 2
	if got, want := s.BreakupTime(), math.Sqrt(s.Rho0*a*a*a/s.SurfaceTension)/0.3433; math.Abs(got/want-1) > 0.04 {
		t.Errorf("threads of water break within %.3f s, want %.3f", got, want)
	}
	s.Viscosity = 1
	if got, want := s.BreakupTime(), 6*s.Rho0*s.Viscosity*a/s.SurfaceTension; math.Abs(got/want-1) > 0.01 {
		t.Errorf("threads of a thick liquid break within %.3f s, want %.3f", got, want)
	}
}
