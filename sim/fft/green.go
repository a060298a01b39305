package fft

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
)

// order is the order of the regularised Green's function: its error falls with this power of
// the spacing.
const order = 10

// blobs returns Σ 1/n L_{n−1}(x), n from 1 to order/2 − 1. L are Laguerre's polynomials with the
// parameter 1/2.
func blobs(x float64) float64 {
	return 187./64 + float64(x*(-233./96+float64(x*(29./48-x/24))))
}

// Green returns 4π times the regularised Green's function of −∇² at the distance rho from a
// blob, in widths of the blob (Hejlesen, Rasmussen, Chatelain and Walther, A high order solver
// for the unbounded Poisson equation, J. Comput. Phys. 252, 2013). It is 1/rho far away:
//
//	erf(ρ/√2)/ρ + e^{−ρ²/2} Σ 1/n L_{n−1}(ρ²/2) / √(2π).
func Green(rho float64) float64 {
	x := rho * rho / 2
	if x > 300 {
		return 1 / rho
	}
	near := num.Exp(-x) * blobs(x) / math.Sqrt(2*math.Pi)
	if rho < 1e-4 {
		return float64(2/math.Sqrt(2*math.Pi)*(1-x/3)) + near
	}
	return num.Erf(rho/math.Sqrt2)/rho + near
}

// greens returns the transform of the Green's function of −∇² for lines of m numbers: half of
// them where a box is free and doubled, and all of them where it repeats. There is a number for each
// wave number along x up to m[0]/2, along z up to m[2]/2, and all along y, y fastest.
// The sums that a transform divides by are divided out here.
func greens(m [3]int, repeats [3]bool) []float32 {
	nx, ny, nz := m[0]/2+1, m[1]/2+1, m[2]/2+1
	free := 0
	for _, on := range repeats {
		if !on {
			free++
		}
	}
	a := make([]float64, nx*ny*nz) // x slowest, then z, then y
	par.Each(nx, func(i int) {
		for k := range nz {
			for j := range ny {
				at := &a[(i*nz+k)*ny+j]
				if free == 3 {
					*at = Green(math.Sqrt(float64(i*i+j*j+k*k))) / (4 * math.Pi)
					continue
				}
				var square, wave float64 // of the distance, and of the wave number
				for axis, c := range [3]int{i, j, k} {
					if repeats[axis] {
						q := 2 * math.Pi * float64(c) / float64(m[axis])
						wave += float64(q * q)
					} else {
						square += float64(c * c)
					}
				}
				*at = greenOf(free, square, wave)
			}
		}
	})
	if !repeats[0] {
		cosines(a, m[0]/2, nz*ny, nz*ny, 0, 1)
	}
	if !repeats[2] {
		cosines(a, m[2]/2, ny, nx*ny, nz*ny, ny)
	}
	if !repeats[1] {
		cosines(a, m[1]/2, 1, nx*nz, ny, 1)
	}
	all := make([]float32, nx*nz*m[1])
	scale := 1 / (float64(m[0]) * float64(m[1]) * float64(m[2]))
	par.Each(nx*nz, func(row int) {
		from, to := a[row*ny:][:ny], all[row*m[1]:][:m[1]]
		for j := range to {
			to[j] = float32(scale * from[min(j, m[1]-j)])
		}
	})
	return all
}

// cosines transforms lines of n+1 numbers that are even about both of their ends. Numbers of
// a line are step apart. Line l begins at l/inner × outer + l%inner.
func cosines(a []float64, n, step, lines, outer, inner int) {
	if outer == 0 {
		inner = lines
	}
	p := New[float64](2 * n)
	par.Each((lines+Lanes-1)/Lanes, func(batch int) {
		l := p.NewLines()
		var first [Lanes]int
		count := min(Lanes, lines-batch*Lanes)
		for k := range count {
			line := batch*Lanes + k
			first[k] = line/inner*outer + line%inner
			for j := range 2 * n {
				l.Re[j*Lanes+k] = a[first[k]+min(j, 2*n-j)*step]
			}
		}
		p.Forward(l)
		for k := range count {
			for j := range n + 1 {
				a[first[k]+j*step] = l.Re[j*Lanes+k]
			}
		}
	})
}
