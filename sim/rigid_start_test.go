package sim

import (
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// addedMassOfSquare returns the added mass of a square that rises from rest in the middle of a
// tank, over the displaced mass: by the potential φ with ∂φ/∂n = 0 at the tank, the square's
// velocity at the square, and φ = 0 at the surface. It is solved in cells of the given width, in
// which all lengths are whole numbers, by conjugate gradients.
func addedMassOfSquare(cell, width, depth, side, low float64) float64 {
	cells := func(x float64) int { return int(math.Round(x / cell)) }
	nx, ny := cells(width), cells(depth)
	x0, x1, y0, y1 := cells((width-side)/2), cells((width+side)/2), cells(low), cells(low+side)
	wet := func(i, j int) bool {
		return i < nx && j < ny && (i < x0 || i >= x1 || j < y0 || j >= y1)
	}
	apply := func(out, x []float64) {
		clear(out)
		for j := range ny {
			for i := range nx {
				at := j*nx + i
				for _, next := range [...][3]int{{i + 1, j, at + 1}, {i, j + 1, at + nx}} {
					if wet(i, j) && wet(next[0], next[1]) {
						out[at] += x[at] - x[next[2]]
						out[next[2]] += x[next[2]] - x[at]
					}
				}
				if j == ny-1 {
					out[at] += 2 * x[at] // half a cell to the surface
				}
			}
		}
	}
	dot := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	n := nx * ny
	phi, r, p, ap := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := x0; i < x1; i++ {
		r[(y0-1)*nx+i], r[y1*nx+i] = -cell, cell
	}
	copy(p, r)
	rr := dot(r, r)
	for end := 1e-12 * rr; rr > end; {
		apply(ap, p)
		alpha := rr / dot(p, ap)
		for i := range phi {
			phi[i] += alpha * p[i]
			r[i] -= alpha * ap[i]
		}
		next := dot(r, r)
		for i := range p {
			p[i] = r[i] + next/rr*p[i]
		}
		rr = next
	}
	sum := 0.
	for i := x0; i < x1; i++ {
		sum += phi[y1*nx+i] - phi[(y0-1)*nx+i] + cell // φ at the square is half a cell on
	}
	return sum * cell / (side * side)
}

// TestSquareStarts lets squares of several densities go in water at rest, with isph. With the
// density s relative to water and the added mass C they start with the acceleration
//
//	g (1 − s)/(s + C).
func TestSquareStarts(t *testing.T) {
	longtest.Only(t)
	const width, depth, side, low, until = 0.6, 0.4, 0.1, 0.15, 0.02
	coarse, fine := addedMassOfSquare(side/20, width, depth, side, low), addedMassOfSquare(side/40, width, depth, side, low)
	added := fine + (fine-coarse)/1.5 // the error at the corners is of the order 4/3
	for _, c := range []struct {
		layers float64 // in half a side
		within float64
	}{{5, 0.06}, {10, 0.03}} {
		for _, s := range []float64{0.05, 0.5, 2} {
			w := New2D(side/2/c.layers, 1000)
			w.Gravity, w.Viscosity = earth, 1e-6
			square := &boundary.Box{Min: vec.New((width-side)/2, low, 0), Max: vec.New((width+side)/2, low+side, 0)}
			b, err := body.NewFlatRigid(square, s*w.Rho0, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(width, 1.5*depth, 0), Inside: true}, b}
			w.Fill(&shape.Box{Max: vec.New(width, depth, 0)}, vec.Vec3{})
			mustInit(t, w)
			mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), until, nil)
			got, want := w.Set.Bodies[0].V.Y/until, 9.81*(1-s)/(s+added)
			t.Logf("%g layers, density %g: %.3f m/s², in theory %.3f (%+.1f %%)", c.layers, s, got, want, 100*(got/want-1))
			if !(math.Abs(got/want-1) < c.within) {
				t.Errorf("%g layers, density %g: the acceleration is %.3f m/s², want %.3f", c.layers, s, got, want)
			}
		}
	}
}
