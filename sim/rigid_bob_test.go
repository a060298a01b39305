package sim

import (
	"errors"
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// tankFlow is the linear theory of a box that bobs upright in the middle of a square tank
// (Newman, Marine Hydrodynamics, 1977, ch. 6): the potential φ of the flow has
//
//	∇²φ = 0,  ∂η/∂t = ∂φ/∂y and ∂φ/∂t = −gη at the surface,  ∂φ/∂n = u·n else,
//
// with waves of any length that the tank holds. It is solved on a quarter of the
// tank, in cells of the width a, by conjugate gradients.
type tankFlow struct {
	a              float64
	nx, ny         int // cells from the middle to a side, and from the floor to the surface
	half, draft    int // half the box's width and its draft, in cells
	phi, rhs, r, p []float64
	ap             []float64
}

func newTankFlow(a float64, nx, ny, half, draft int) *tankFlow {
	f := &tankFlow{a: a, nx: nx, ny: ny, half: half, draft: draft}
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
	return j < f.ny-f.draft || i >= f.half || k >= f.half
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

// solve finds φ where the surface has the potential surf and the box rises at the
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

// under returns the integral of φ under the whole box.
func (f *tankFlow) under(v float64) float64 {
	sum := 0.
	for k := range f.half {
		for i := range f.half {
			sum += f.phi[f.at(i, f.ny-f.draft-1, k)] + v*f.a/2
		}
	}
	return 4 * sum * f.a * f.a
}

// bob lets a box go that has been pushed down by y,
// and returns the times when it passes where it rests.
func (f *tankFlow) bob(y, g, until float64) (passed []float64) {
	n := f.nx * f.nx
	none, surf, eta, rate := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	f.solve(none, 1)
	added := f.under(1) // over ρ
	area := 4 * float64(f.half*f.half) * f.a * f.a
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

// bobbing lets a box go that floats in the middle of a square tank, upright, and has
// been pushed down from where it rests. It returns when it passes where it
// rests, which it does every half period: three times.
func bobbing(t *testing.T, solver string, spacing, side, long, draft, push, wide, deep, until float64) (passed []float64) {
	t.Helper()
	w := New(spacing, 1000)
	w.Gravity = earth
	low, edge := deep-draft-push, (wide-side)/2
	b := solid(t, &boundary.Box{Min: vec.New(edge, low, edge), Max: vec.New(edge+side, low+long, edge+side)}, 1000*draft/long)
	b.Join(body.Joint{Kind: "slider", Axis: vec.New(0, 1, 0)})
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(wide, 1.2, wide), Inside: true}, b}
	w.Fill(&shape.Box{Max: vec.New(wide, deep, wide)}, vec.Vec3{})
	mustInit(t, w)
	level := (float64(w.Len())*w.Mass() + b.Free.Mass) / 1000 / (wide * wide)
	rest := level - draft + long/2
	before := w.Set.Bodies[0].X.Y - rest
	enough := errors.New("enough")
	err := w.Advance(registrytest.New(t, &Solvers, solver), until, func(i StepInfo) error {
		y := w.Set.Bodies[0].X.Y - rest
		if y*before < 0 && (len(passed) == 0 || i.Time > passed[len(passed)-1]+0.1) {
			passed = append(passed, i.Time-i.Dt*y/(y-before))
		}
		before = y
		if len(passed) == 3 {
			return enough
		}
		return nil
	})
	if err != enough {
		t.Fatalf("it does not bob: it passes where it rests at %.3f s, %v", passed, err)
	}
	return passed
}

// TestCubeBobs pushes a floating wooden cube down and lets go. It bobs as by
// linear theory, with the waves that it makes.
func TestCubeBobs(t *testing.T) {
	longtest.Only(t)
	const side, draft, push, wide = 0.2, 0.1, 0.04, 0.4
	const cell = side / 14
	theory := newTankFlow(cell, 14, 28, 7, 7).bob(push, 9.81, 1)
	for _, solver := range []string{"iisph", "isph"} {
		passed := bobbing(t, solver, 0.0125, side, side, draft, push, wide, 0.41, 1.2)
		t.Logf("%s: it passes at %.3f, in theory at %.3f s", solver, passed, theory)
		if got, want := passed[2]-passed[0], theory[2]-theory[0]; math.Abs(got/want-1) > 0.05 {
			t.Errorf("%s: it bobs in %.3f s, want %.3f", solver, got, want)
		}
	}
}

// TestSparBobs is TestCubeBobs with a spar, in a tank so narrow that the water beside it moves
// half as fast as the spar. With isph the spar bobs 7 % too slowly, and its height falls faster
// than with iisph.
func TestSparBobs(t *testing.T) {
	longtest.Only(t)
	const side, draft, push, wide = 0.2, 0.4, 0.05, 0.5
	const cell = side / 8
	theory := newTankFlow(cell, 10, 28, 4, 16).bob(push, 9.81, 1.8)
	passed := bobbing(t, "isph", 1./60, side, 0.55, draft, push, wide, 0.7, 1.9)
	t.Logf("it passes at %.3f, in theory at %.3f s", passed, theory)
	if got, want := passed[2]-passed[0], theory[2]-theory[0]; math.Abs(got/want-1) > 0.1 {
		t.Errorf("it bobs in %.3f s, want %.3f", got, want)
	}
}
