package biot

import (
	"fmt"
	"math"

	"breakwater/sim/num"
)

// Kernel is the velocity profile of a particle.
type Kernel int

const (
	// Core is a solid rotation inside of σ and the far field outside:
	//
	//	g = max(|d|, σ)⁻³.
	//
	// Gourlay, Fluid Simulation for Video Games part 12, 2012. There a particle of
	// radius r is spread by the factor R and its circulation by C = R⁻³, which is σ = R r
	// with α the vorticity times 4π/3 r³: the far field is the same for all R.
	Core Kernel = iota
	// Algebraic is the high-order algebraic kernel of Winckelmans and Leonard,
	// Contributions to Vortex Particle Methods for the Computation of Three-Dimensional
	// Incompressible Unsteady Flows, J. Comput. Phys. 109, 1993:
	//
	//	g = (|d|² + 5/2 σ²) / (|d|² + σ²)^(5/2),
	//
	// and in the plane g = (|d|² + 2σ²) / (|d|² + σ²)².
	Algebraic
	// Gauss is a vorticity of the shape exp(−|d|²/2σ²), same source:
	//
	//	g = (erf(ρ/√2) − √(2/π) ρ exp(−ρ²/2)) / |d|³,  ρ = |d|/σ,
	//
	// and in the plane g = (1 − exp(−ρ²/2)) / |d|².
	Gauss
)

// Kernels returns all kernels.
func Kernels() []Kernel { return []Kernel{Core, Algebraic, Gauss} }

// String returns the name of the kernel in scene files.
func (k Kernel) String() string {
	if k < Core || k > Gauss {
		return fmt.Sprintf("Kernel(%d)", int(k))
	}
	return [...]string{"core", "algebraic", "gauss"}[k]
}

// third returns what s3 of a source is, in squares of the radius.
func (k Kernel) third() float64 {
	if k == Core {
		return 0.5
	}
	return 1.5
}

// factors returns g and g'/|d| of a particle at the distance √d2 whose radius has the
// square s2.
func (k Kernel) factors(d2, s2, s3 float32) (g, h float32) {
	switch k {
	case Core:
		t := 1 / float32(math.Sqrt(float64(max(d2, s2))))
		i2 := float32(t * t)
		g = float32(i2 * t)
		if d2 > s2 {
			h = -3 * float32(g*i2)
		}
	case Algebraic:
		s := d2 + s2
		t := 1 / float32(math.Sqrt(float64(s)))
		i2 := float32(t * t)
		p := s + s3
		t3 := float32(i2 * t)
		g = float32(float32(p*i2) * t3)
		h = -3 * float32(float32((p+s2)*i2)*float32(t3*i2))
	case Gauss:
		return gauss(d2, s2)
	}
	return g, h
}

// gaussFar is the square of ρ beyond which Gauss differs from the far field by less than
// a rounding.
const gaussFar = 40

var gaussSeries = func() (c [12]float64) {
	// erf(ρ/√2) − √(2/π) ρ exp(−ρ²/2) = √(2/π) ρ³ Σ (−ρ²/2)ⁿ / (n! (2n+3))
	f := math.Sqrt(2 / math.Pi)
	for n := range c {
		c[n] = f / float64(2*n+3)
		f /= -2 * float64(n+1)
	}
	return c
}()

// gauss returns g and g'/|d| of the kernel Gauss, by a series near the middle, where the
// difference of its terms would lose digits.
func gauss(d2, s2 float32) (g, h float32) {
	d, s := float64(d2), float64(s2)
	q := d / s
	if q > gaussFar {
		t := 1 / math.Sqrt(d)
		return float32(t * t * t), float32(-3 * t * t * t * t * t)
	}
	i3 := 1 / (s * math.Sqrt(s))
	if q < 1 {
		var a, b float64
		for n := len(gaussSeries) - 1; n >= 0; n-- {
			a = float64(a*q) + gaussSeries[n]
			if n > 0 {
				b = float64(b*q) + float64(float64(2*n)*gaussSeries[n])
			}
		}
		return float32(a * i3), float32(b * i3 / s)
	}
	e := math.Sqrt(2/math.Pi) * num.Exp(-q/2)
	r := math.Sqrt(q)
	v := (num.Erf(r/math.Sqrt2) - float64(r*e)) / (r * d) / math.Sqrt(s)
	return float32(v), float32((float64(e*i3) - float64(3*v)) / d)
}
