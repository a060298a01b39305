package kernel_test

import (
	"fmt"

	"breakwater/sim/kernel"
)

// The support radius of the cubic spline is two particle spacings: the kernel
// then finds the rest density in a lattice at rest.
func ExampleNewCubicSpline() {
	const spacing = 0.02 // m
	k := kernel.NewCubicSpline(3, 2*spacing)
	fmt.Printf("h = %g m\n", k.H())
	fmt.Printf("W(0) h³ = %.4f\n", k.W(0)*k.H()*k.H()*k.H())
	fmt.Printf("W(h) = %g\n", k.W(k.H()))
	fmt.Printf("density of a lattice: %.3f of the true one\n", kernel.LatticeSum(k, spacing))
	// Output:
	// h = 0.04 m
	// W(0) h³ = 2.5465
	// W(h) = 0
	// density of a lattice: 1.000 of the true one
}
