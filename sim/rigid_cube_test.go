package sim

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
)

// tankFlow is the linear theory of a cube that bobs in the middle of a square tank
// (Newman, Marine Hydrodynamics, 1977, ch. 6): the potential φ of the flow has
//
//	∇²φ = 0,  ∂η/∂t = ∂φ/∂y and ∂φ/∂t = −gη at the surface,  ∂φ/∂n = u·n else,
//
// with waves of any length that the tank holds. It is solved on a quarter of the
// tank, in cells of the width a, by conjugate gradients.
type tankFlow struct {
	a              float64
	nx, ny         int // cells from the middle to a side, and from the floor to the surface
	cube, draft    int // half the cube's width and its depth, in cells
	phi, rhs, r, p []float64
	ap             []float64
}

func newTankFlow(a float64, nx, ny, cube, draft int) *tankFlow {
	f := &tankFlow{a: a, nx: nx, ny: ny, cube: cube, draft: draft}
	n := nx * ny * nx
	f.phi, f.rhs, f.r, f.p, f.ap = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	return f
}

func (f *tankFlow) at(i, j, k int) int { return (j*f.nx+k)*f.nx + i }

// wet says whether a cell holds water.
func (f *tankFlow) wet(i, j, k int) bool {
	if i < 0 || j < 0 || k < 0 || i >= f.nx || j >= f.ny || k >= f.nx {
		return false
	}
	return j < f.ny-f.draft || i >= f.cube || k >= f.cube
}

// apply sets out to the flow out of the cells with the potentials x, where the surface's
// potential is zero.
func (f *tankFlow) apply(out, x []float64) {
	clear(out)
	pair := func(at, next int, wet bool) {
		if wet {
			out[at] += x[at] - x[next]
			out[next] += x[next] - x[at]
		}
	}
	for j := range f.ny {
		for k := range f.nx {
			for i := range f.nx {
				if !f.wet(i, j, k) {
					continue
				}
				at := f.at(i, j, k)
				pair(at, at+1, f.wet(i+1, j, k))
				pair(at, at+f.nx, f.wet(i, j, k+1))
				pair(at, at+f.nx*f.nx, f.wet(i, j+1, k))
				if j == f.ny-1 {
					out[at] += 2 * x[at] // half a cell to the surface
				}
			}
		}
	}
}

// solve finds φ where the surface has the potential surf and the cube rises at the
// speed v, from the φ that is there.
func (f *tankFlow) solve(surf []float64, v float64) {
	clear(f.rhs)
	for k := range f.nx {
		for i := range f.nx {
			if f.wet(i, f.ny-1, k) {
				f.rhs[f.at(i, f.ny-1, k)] = 2 * surf[k*f.nx+i]
			} else {
				f.rhs[f.at(i, f.ny-f.draft-1, k)] = v * f.a
			}
		}
	}
	f.apply(f.ap, f.phi)
	rr, size := 0., 0.
	for i, b := range f.rhs {
		f.r[i] = b - f.ap[i]
		f.p[i] = f.r[i]
		rr += f.r[i] * f.r[i]
		size += b * b
	}
	for rr > 1e-12*size {
		f.apply(f.ap, f.p)
		pap := 0.
		for i := range f.p {
			pap += f.p[i] * f.ap[i]
		}
		next := 0.
		for i := range f.p {
			f.phi[i] += rr / pap * f.p[i]
			f.r[i] -= rr / pap * f.ap[i]
			next += f.r[i] * f.r[i]
		}
		for i := range f.p {
			f.p[i] = f.r[i] + next/rr*f.p[i]
		}
		rr = next
	}
}

// under returns the integral of φ under the whole cube.
func (f *tankFlow) under(v float64) float64 {
	sum := 0.
	for k := range f.cube {
		for i := range f.cube {
			sum += f.phi[f.at(i, f.ny-f.draft-1, k)] + v*f.a/2
		}
	}
	return 4 * sum * f.a * f.a
}

// bob lets a cube of half the water's density go that has been pushed down by y,
// and returns the times when it passes where it rests.
func (f *tankFlow) bob(y, g, until float64) (passed []float64) {
	n := f.nx * f.nx
	none, surf, eta, rate := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	f.solve(none, 1)
	added := f.under(1) // over ρ
	area := 4 * float64(f.cube*f.cube) * f.a * f.a
	mass := area * float64(f.draft) * f.a
	// Water that has been pushed aside stands higher.
	for i := range eta {
		eta[i] = y * area / (4*float64(n)*f.a*f.a - area)
	}
	z, v, dt := -y, 0., 0.005
	for t := 0.; t < until; t += dt {
		for i := range rate {
			rate[i] = -g * eta[i] // of the surface's potential
		}
		f.solve(rate, 0)
		v += dt * (-g*area*z - f.under(0)) / (mass + added)
		for i := range surf {
			surf[i] += dt * rate[i]
		}
		f.solve(surf, v)
		for k := range f.nx {
			for i := range f.nx {
				if f.wet(i, f.ny-1, k) {
					eta[k*f.nx+i] += dt * 2 * (surf[k*f.nx+i] - f.phi[f.at(i, f.ny-1, k)]) / f.a
				}
			}
		}
		next := z + dt*v
		if z*next < 0 {
			passed = append(passed, t-z/v)
		}
		z = next
	}
	return passed
}

// TestCubeBobs pushes a floating wooden cube down and lets go. It bobs as the
// linear theory of floating bodies has it, with the waves that it makes.
func TestCubeBobs(t *testing.T) {
	longtest.Only(t)
	const side, draft, push, wide = 0.2, 0.1, 0.04, 0.4
	const cell = side / 14
	theory := newTankFlow(cell, 14, 28, 7, 7).bob(push, 9.81, 1)
	_, passed := bobbing(t, 0.02, side, side, draft, push, wide, 0.41, 1.2)
	t.Logf("it passes at %.3f, in theory at %.3f s", passed, theory)
	if got, want := passed[2]-passed[0], theory[2]-theory[0]; math.Abs(got/want-1) > 0.05 {
		t.Errorf("it bobs in %.3f s, want %.3f", got, want)
	}
}
