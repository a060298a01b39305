//go:build !amd64 || noasm

package remesh

func deposit(to []float32, w *stencil, row, plane int, v float32) { depositGo(to, w, row, plane, v) }

func fetch(from []float32, w *stencil, row, plane int) float32 { return fetchGo(from, w, row, plane) }

func stretch(rate, w, u *Vector, steps *[3]int, p, q int, g float32) {
	stretchGo(rate, w, u, steps, p, q, g)
}

func fineCurl(to, a, b []float32, stepA, stepB, p, q int, g float32) {
	fineCurlGo(to, a, b, stepA, stepB, p, q, g)
}

func diffuse(rate, f []float32, steps *[3]int, p, q int, g float32) {
	diffuseGo(rate, f, steps, p, q, g)
}

func diffuseMass(rate, f, rho []float32, steps *[3]int, p, q int, g float32) {
	diffuseMassGo(rate, f, rho, steps, p, q, g)
}
