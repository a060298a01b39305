package sim

import (
	"math"

	"breakwater/sim/vec"
)

// Stats says in numbers how a liquid is.
type Stats struct {
	Particles int
	Kinetic   float64  // kinetic energy, J
	Potential float64  // potential energy, J: 0 at the origin
	Bodies    Energy   // of the free bodies
	MeanError float64  // mean excess over the rest density, relative to it; with ISPH less the bias of stretchBias
	MaxError  float64  // largest excess, relative to the rest density
	MaxSpeed  float64  // m/s
	Volume    float64  // the volume of the liquid, m³; see fullness
	Center    vec.Vec3 // centre of mass, m
}

// Energy is a kinetic and a potential energy, J; the potential energy is 0 at the origin.
type Energy struct{ Kinetic, Potential float64 }

// Stats returns the statistics of w, whose densities are from the last Advance. They are
// zero for an empty world, but for the energy of the bodies.
func (w *World) Stats() Stats {
	s := Stats{Particles: w.Len(), Bodies: w.rigid.energy(w.Gravity)}
	if w.Len() == 0 {
		return s
	}
	m, n := w.Mass(), float64(w.Len())
	bias := w.densityBias()
	fullness := w.fullness(bias)
	for i, x := range w.X {
		v2 := w.V[i].Dot(w.V[i])
		s.Kinetic += float64(m / 2 * v2)
		s.Potential -= float64(m * w.Gravity.Dot(x))
		s.MaxSpeed = max(s.MaxSpeed, v2)
		excess := max(0, w.Rho[i]/w.Rho0-1-bias(i))
		s.MeanError += excess / n
		s.MaxError = max(s.MaxError, excess)
		s.Volume += m / w.Rho0 / fullness(i)
		s.Center = s.Center.Add(x.Mul(1 / n))
	}
	s.MaxSpeed = math.Sqrt(s.MaxSpeed)
	return s
}

// fullness returns the relative density of each particle for the volume of the liquid.
//
// The densities inside a flow scatter about the rest density. A mean of the excess alone would
// take the scatter for compression, so the densities are averaged over the neighbours first. If
// ISPH arranges the particles, the bias of densityBias is subtracted, as ISPH does. At a
// surface, and in spray, neighbours are missing without loss of volume: there, and where more
// than the scatter of an average is missing, only an excess counts.
func (w *World) fullness(bias func(i int) float64) func(i int) float64 {
	const scatter = 0.03
	p := &w.pairs
	if !p.complete || p.n != w.Len() {
		return func(i int) float64 { return max(1, w.Rho[i]/w.Rho0) }
	}
	var spread arrangement
	spread.average(w, p)
	return func(i int) float64 {
		excess := float64(spread.even[i] - float32(bias(i)))
		if p.Deficit[i] > 0 || excess < -scatter {
			excess = max(0, excess)
		}
		return 1 + excess
	}
}
