package theory

import (
	"math"

	"breakwater/sim/num"
)

// Wavemaker is the linear theory of waves that a piston makes in water of the depth H, from rest:
//
//	η(x, t) = 2/π ∫₀^∞ dk tanh(kH)/k cos(kx) ∫₀^t U(τ) cos(ω(t − τ)) dτ,  ω² = gk tanh(kH),
//
// with U the speed of the piston at x = 0 (Kennard, Generation of surface waves by a moving
// partition, Quart. Appl. Math. 7, 1949).
//
// The amplitude of the first waves that arrive at a place far away overshoots, because the front
// disperses. Four wavelengths from a piston that has moved for eleven periods it is 9 % higher
// than in a steady train.
type Wavemaker struct {
	dt       float64   // of a step, s
	state    []phasor  // ∫ U exp(iω(t − τ)) dτ, m, by wave number
	turn     []phasor  // exp(iω dt)
	halfTurn []phasor  // exp(iω dt/2)
	weight   []float64 // 2/π tanh(kH)/k dk
}

// phasor is a complex number.
type phasor struct{ cos, sin float64 }

// rotation returns exp(iφ).
func rotation(phi float64) phasor {
	sin, cos := math.Sincos(phi)
	return phasor{cos, sin}
}

// The wave numbers of the integral over k, 1/m: makerWidth apart, up to makerMost. They hold for
// Places and times whose phases kx and ωt change by less than 0.1 between wave numbers.
const (
	makerWidth = 0.0025
	makerMost  = 30
)

// makerNumber returns wave number i, 1/m.
func makerNumber(i int) float64 { return float64((float64(i) + 0.5) * makerWidth) }

// NewWavemaker returns the theory for water of the given depth at rest, m, and steps of dt.
func NewWavemaker(depth, dt float64) *Wavemaker {
	n := int(makerMost / makerWidth)
	m := &Wavemaker{dt, make([]phasor, n), make([]phasor, n), make([]phasor, n), make([]float64, n)}
	for i := range n {
		k := makerNumber(i)
		sinh, cosh := num.Hyperbolic(k * depth)
		tanh := sinh / cosh
		omega := math.Sqrt(9.81 * k * tanh)
		m.turn[i], m.halfTurn[i] = rotation(omega*dt), rotation(omega*dt/2)
		m.weight[i] = 2 / math.Pi * tanh / k * makerWidth
	}
	return m
}

// Step moves the piston at speed u, m/s, for a step.
func (m *Wavemaker) Step(u float64) {
	u *= m.dt
	for i := range m.state {
		s, turn, half := &m.state[i], &m.turn[i], &m.halfTurn[i]
		s.cos, s.sin = float64(s.cos*turn.cos)-float64(s.sin*turn.sin)+float64(u*half.cos),
			float64(s.cos*turn.sin)+float64(s.sin*turn.cos)+float64(u*half.sin)
	}
}

// HeightIn returns the height of the surface at x in a flume of the given length, m. The wall at
// its end reflects the waves. They have not come back to the piston and from there to x again.
func (m *Wavemaker) HeightIn(length, x float64) float64 {
	return m.height(x) + m.height(2*length-x)
}

// height returns the height of the surface at x in a flume without end, m.
func (m *Wavemaker) height(x float64) (sum float64) {
	for i, s := range m.state {
		sum += float64(m.weight[i] * s.cos * math.Cos(makerNumber(i)*x))
	}
	return sum
}
