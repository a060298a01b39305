package validate

import "math"

// wavemaker is the linear theory of waves that a piston makes in water of the depth H, from rest:
//
//	η(x, t) = 2/π ∫₀^∞ dk tanh(kH)/k cos(kx) ∫₀^t U(τ) cos(ω(t − τ)) dτ,  ω² = gk tanh(kH),
//
// with U the speed of the piston at x = 0 (Kennard, Generation of surface waves by a moving
// partition, Quart. Appl. Math. 7, 1949).
//
// The amplitude of the first waves that arrive at a place far away overshoots, because the front
// disperses. Four wavelengths from a piston that has moved for eleven periods it is 9 % higher
// than in a steady train.
type wavemaker struct {
	cos, sin []float64 // ∫ U cos(ω(t − τ)) dτ and its sine, m, by wave number
	weight   []float64 // 2/π tanh(kH)/k dk, by wave number
	omega    []float64 // 1/s
}

// The wave numbers of the integral over k, 1/m: makerWidth apart, up to makerMost. They hold for
// places and times whose phases kx and ωt change by less than 0.1 between wave numbers.
const (
	makerWidth = 0.0025
	makerMost  = 30
)

// makerNumber returns wave number i, 1/m.
func makerNumber(i int) float64 { return float64((float64(i) + 0.5) * makerWidth) }

// newWavemaker returns the theory for water of the given depth at rest, m.
func newWavemaker(depth float64) *wavemaker {
	n := int(makerMost / makerWidth)
	m := &wavemaker{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		k := makerNumber(i)
		tanh := math.Tanh(k * depth)
		m.omega[i] = math.Sqrt(9.81 * k * tanh)
		m.weight[i] = 2 / math.Pi * tanh / k * makerWidth
	}
	return m
}

// advance moves the piston at speed u, m/s, for dt.
func (m *wavemaker) advance(u, dt float64) {
	for i, omega := range m.omega {
		sin, cos := math.Sincos(omega * dt)
		more, less := math.Sincos(omega * dt / 2)
		c, s := m.cos[i], m.sin[i]
		m.cos[i] = float64(c*cos) - float64(s*sin) + float64(u*dt*less)
		m.sin[i] = float64(c*sin) + float64(s*cos) + float64(u*dt*more)
	}
}

// height returns the height of the surface at x, m.
func (m *wavemaker) height(x float64) (sum float64) {
	for i, c := range m.cos {
		sum += float64(m.weight[i] * c * math.Cos(makerNumber(i)*x))
	}
	return sum
}
