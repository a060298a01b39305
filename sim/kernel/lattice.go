package kernel

import "math"

// LatticeSum returns Σ W(x) dᴰ over a cubic lattice of spacing d in metres, of the
// kernel's dimension D, from one of its points. It is the density of particles at rest
// that the kernel finds, relative to the true one.
func LatticeSum(k Kernel, d float64) float64 {
	var n [3]int
	for axis := range k.Dim() {
		n[axis] = int(k.H()/d) + 1
	}
	var s float64
	for z := -n[2]; z <= n[2]; z++ {
		for y := -n[1]; y <= n[1]; y++ {
			for x := -n[0]; x <= n[0]; x++ {
				s += k.W(d * math.Sqrt(float64(x*x+y*y+z*z)))
			}
		}
	}
	for range k.Dim() {
		s *= d
	}
	return s
}
