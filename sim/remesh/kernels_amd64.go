//go:build amd64 && !noasm

package remesh

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out kernels_amd64.s -stubs stubs_amd64.go -pkg remesh

// avx2 is a feature of the processor. Tests switch it.
var avx2 = cpu.X86.HasAVX2

func deposit(to []float32, w *stencil, row, plane int, v float32) {
	if !avx2 {
		depositGo(to, w, row, plane, v)
		return
	}
	_ = to[(reach-1)*(plane+row+1)]
	depositAVX2(&to[0], (*[20]float32)(w), row, plane, v)
}

func fetch(from []float32, w *stencil, row, plane int) float32 {
	if !avx2 {
		return fetchGo(from, w, row, plane)
	}
	_ = from[(reach-1)*(plane+row+1)]
	return fetchAVX2(&from[0], (*[20]float32)(w), row, plane)
}

// lanes are the numbers of a vector.
const lanes = 8

func stretch(rate, w, u *Vector, steps *[3]int, p, q int, g float32) {
	whole := (q - p) / lanes * lanes
	if !avx2 || whole == 0 {
		stretchGo(rate, w, u, steps, p, q, g)
		return
	}
	var r, x, v [3]*float32
	for c := range r {
		_, _, _ = rate[c][p+whole-1], w[c][p-2*steps[2]], w[c][p+whole-1+2*steps[2]]
		_, _ = u[c][p-2*steps[2]], u[c][p+whole-1+2*steps[2]]
		r[c], x[c], v[c] = &rate[c][p], &w[c][p], &u[c][p]
	}
	stretchAVX2(&r, &x, &v, steps, whole, g)
	stretchGo(rate, w, u, steps, p+whole, q, g)
}

func fineCurl(to, a, b []float32, stepA, stepB, p, q int, g float32) {
	whole := (q - p) / lanes * lanes
	if !avx2 || whole == 0 {
		fineCurlGo(to, a, b, stepA, stepB, p, q, g)
		return
	}
	last := p + whole - 1
	_, _, _, _, _ = to[last], a[p-FineMargin*stepA], a[last+FineMargin*stepA], b[p-FineMargin*stepB], b[last+FineMargin*stepB]
	fineCurlAVX2(&to[p], &a[p], &b[p], stepA, stepB, whole, g)
	fineCurlGo(to, a, b, stepA, stepB, p+whole, q, g)
}

func diffuse(rate, f []float32, steps *[3]int, p, q int, g float32) {
	whole := (q - p) / lanes * lanes
	if !avx2 || whole == 0 {
		diffuseGo(rate, f, steps, p, q, g)
		return
	}
	last := p + whole - 1
	_, _, _ = rate[last], f[p-DiffuseReach*steps[2]], f[last+DiffuseReach*steps[2]]
	diffuseAVX2(&rate[p], &f[p], steps, whole, g)
	diffuseGo(rate, f, steps, p+whole, q, g)
}

func diffuseMass(rate, f, rho []float32, steps *[3]int, p, q int, g float32) {
	whole := (q - p) / lanes * lanes
	if !avx2 || whole == 0 {
		diffuseMassGo(rate, f, rho, steps, p, q, g)
		return
	}
	last := p + whole - 1
	_, _, _, _, _ = rate[last], f[p-steps[2]], f[last+steps[2]], rho[p-steps[2]], rho[last+steps[2]]
	diffuseMassAVX2(&rate[p], &f[p], &rho[p], steps, whole, g)
	diffuseMassGo(rate, f, rho, steps, p+whole, q, g)
}
