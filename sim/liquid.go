package sim

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/kernel"
	"breakwater/sim/num"
)

// Liquid is a liquid as its particles represent it.
type Liquid struct {
	Spacing   float64 // rest distance d of the particles, m
	Rho0      float64 // rest density, kg/m³
	Viscosity float64 // kinematic viscosity ν, m²/s

	SurfaceTension float64 // σ, N/m
	ContactAngle   float64 // between the surface and a wall, within the liquid, in degrees

	Kernel *kernel.CubicSpline // of the solvers' sums
}

// Dim returns the number of dimensions.
func (l *Liquid) Dim() int { return l.Kernel.Dim() }

// ParticleVolume returns d³, or d² in two dimensions.
func (l *Liquid) ParticleVolume() float64 {
	v := l.Spacing * l.Spacing
	if l.Dim() == 3 {
		v *= l.Spacing
	}
	return v
}

// kernelVolume returns the volume of a particle, m³, for the kernel of package pairsum,
// which is three-dimensional. With it that kernel has the values of the liquid's own,
// whose sum at rest is 1. The two differ by a factor alone.
func (l *Liquid) kernelVolume() float64 {
	v := l.ParticleVolume() / kernel.LatticeSum(l.Kernel, l.Spacing)
	return v * (l.Kernel.W(0) / kernel.NewCubicSpline(3, l.Kernel.H()).W(0))
}

// Mass returns the mass of one particle, ρ₀d³, in kg; in two dimensions ρ₀d²,
// in kg for each metre of depth.
func (l *Liquid) Mass() float64 { return l.Rho0 * l.ParticleVolume() }

// viscosity returns the viscosity that acts, m²/s.
func (l *Liquid) viscosity() float64 {
	return max(l.Viscosity, tensionDamping*math.Sqrt(l.SurfaceTension*l.Spacing/l.Rho0))
}

// viscousDt returns the longest step that explicit viscosity allows,
//
//	dt ≤ 0.125 d²/ν,
//
// (Morris, Fox and Zhu 1997, eq. 33, for a smoothing length of d),
// and +Inf without viscosity.
func (l *Liquid) viscousDt() float64 {
	if l.viscosity() == 0 {
		return math.Inf(1)
	}
	return 0.125 * l.Spacing * l.Spacing / l.viscosity()
}

// tensionDt returns the longest step that surface tension allows,
//
//	dt ≤ ½ √(ρd³/2πσ),
//
// and +Inf without it.
func (l *Liquid) tensionDt() float64 {
	return tensionStep * math.Sqrt(l.Rho0*l.Spacing*l.Spacing*l.Spacing/(2*math.Pi*l.SurfaceTension))
}

// entrainedMass returns the mass of one layer of particles around a free body under the
// liquid, relative to the body's mass.
func (l *Liquid) entrainedMass(b *body.Body) float64 {
	layer := 6 * num.Pow(b.Free.Volume(), 2./3) * l.Spacing // of a cube, m³
	if l.Dim() == 2 {
		layer = 4 * math.Sqrt(b.Free.Volume()) * l.Spacing // of a square, for one metre of depth
	}
	return layer * l.Rho0 / b.Free.Mass
}
