//go:build amd64 && !noasm

package remesh

import (
	"math"
	"testing"

	"breakwater/sim/dice"
)

// TestTwins: the assembly gives the bits of plain Go, and writes only where plain Go does.
func TestTwins(t *testing.T) {
	if !avx2 {
		t.Skip("the processor has no AVX2")
	}
	d := dice.New(3)
	counter := uint64(0)
	next := func() float32 { counter++; return float32(d.Float(counter) - 0.5) }
	list := func(n int) []float32 {
		a := make([]float32, n)
		for i := range a {
			a[i] = next()
		}
		return a
	}
	same := func(name string, a, b []float32) {
		t.Helper()
		for i := range a {
			if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
				t.Fatalf("%s: number %d is %g by assembly and %g by plain Go", name, i, a[i], b[i])
			}
		}
	}
	const row, plane = 7, 7 * 6
	steps := [3]int{1, row, plane}
	for range 50 {
		var w stencil
		for i := range w {
			w[i] = next()
		}
		a := list(5 * plane)
		b := append([]float32{}, a...)
		first, v := plane/2, next()
		deposit(a[first:], &w, row, plane, v)
		depositGo(b[first:], &w, row, plane, v)
		same("deposit", a, b)
		same("fetch", []float32{fetch(a[first:], &w, row, plane)}, []float32{fetchGo(a[first:], &w, row, plane)})
	}
	for n := range 20 { // vectors and their rests
		const all = 6 * plane
		var ra, rb, u, x Vector
		for c := range 3 {
			ra[c] = list(all)
			rb[c] = append([]float32{}, ra[c]...)
			u[c], x[c] = list(all), list(all)
		}
		stretch(&ra, &x, &u, &steps, 2*plane, 2*plane+n, 1.7)
		stretchGo(&rb, &x, &u, &steps, 2*plane, 2*plane+n, 1.7)
		for c := range 3 {
			same("stretch", ra[c], rb[c])
		}
		ta := list(12 * plane)
		tb, y, z := append([]float32{}, ta...), list(12*plane), list(12*plane)
		fineCurl(ta, y, z, row, plane, 6*plane, 6*plane+n, 1.7)
		fineCurlGo(tb, y, z, row, plane, 6*plane, 6*plane+n, 1.7)
		same("fineCurl", ta, tb)

		first := DiffuseReach * plane
		diffuse(ra[0], u[0], &steps, first, first+n, 1.7)
		diffuseGo(rb[0], u[0], &steps, first, first+n, 1.7)
		same("diffuse", ra[0], rb[0])
		rho := list(all)
		for i := range rho {
			rho[i] += 1
		}
		diffuseMass(ra[1], u[1], rho, &steps, first, first+n, 1.7)
		diffuseMassGo(rb[1], u[1], rho, &steps, first, first+n, 1.7)
		same("diffuseMass", ra[1], rb[1])
	}
}
