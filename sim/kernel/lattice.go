package kernel

import "math"

// LatticeSum returns Σ W(x) d³ over a cubic lattice of spacing d in metres,
// as seen from one of its points: the density, relative to the true one, that
// a three-dimensional kernel finds in particles at rest.
func LatticeSum(k Kernel, d float64) float64 {
	n := int(k.H()/d) + 1
	var s float64
	for z := -n; z <= n; z++ {
		for y := -n; y <= n; y++ {
			for x := -n; x <= n; x++ {
				s += k.W(d * math.Sqrt(float64(x*x+y*y+z*z)))
			}
		}
	}
	return s * d * d * d
}
