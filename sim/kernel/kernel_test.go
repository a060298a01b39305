package kernel

import (
	"math"
	"testing"

	"breakwater/sim/registry"
	"breakwater/sim/registry/registrytest"
)

// each runs f on every kernel in every dimension, with a support radius that
// is not 1, so that a wrong power of h shows.
func each(t *testing.T, f func(t *testing.T, dim int, k Kernel)) {
	for _, name := range Kernels.Names() {
		make := registrytest.New(t, &Kernels, name)
		for dim := 1; dim <= 3; dim++ {
			t.Run(name+"/"+string(rune('0'+dim))+"D", func(t *testing.T) { f(t, dim, make(dim, 0.7)) })
		}
	}
}

// integral returns ∫_a^b f by Simpson's rule on 2000 intervals.
func integral(a, b float64, f func(x float64) float64) float64 {
	const n = 2000
	d := (b - a) / n
	s := f(a) + f(b)
	for i := 1; i < n; i++ {
		s += f(a+float64(i)*d) * float64(2+2*(i&1))
	}
	return s * d / 3
}

// inside returns a distance just below the support radius, where a kernel that
// is cut off there has not jumped yet.
func inside(k Kernel) float64 { return k.H() * (1 - 1e-9) }

func TestUnitIntegral(t *testing.T) {
	each(t, func(t *testing.T, dim int, k Kernel) {
		// The surface of the unit ball: 2, 2π, 4π.
		area := []float64{2, 2 * math.Pi, 4 * math.Pi}[dim-1]
		got := integral(0, inside(k), func(r float64) float64 { return area * math.Pow(r, float64(dim-1)) * k.W(r) })
		if math.Abs(got-1) > 1e-9 {
			t.Errorf("integral is %.12f, want 1", got)
		}
	})
}

func TestDerivative(t *testing.T) {
	each(t, func(t *testing.T, dim int, k Kernel) {
		const e = 1e-6
		for r := 0.001; r < k.H(); r += 0.0137 {
			want := (k.W(r+e) - k.W(r-e)) / (2 * e)
			if got := k.DW(r); math.Abs(got-want) > 1e-6*k.W(0)/k.H() {
				t.Errorf("DW(%g) = %g, finite difference %g", r, got, want)
			}
			if k.DW(r) > 0 || k.W(r) < 0 {
				t.Errorf("at %g W = %g, DW = %g: not a falling, positive function", r, k.W(r), k.DW(r))
			}
		}
	})
}

func TestSupport(t *testing.T) {
	each(t, func(t *testing.T, dim int, k Kernel) {
		h := k.H()
		if k.W(0.999*h) <= 0 {
			t.Errorf("vanishes inside its support")
		}
		for _, r := range []float64{h, math.Nextafter(h, 9), 1.5 * h, 100 * h} {
			if k.W(r) != 0 || k.DW(r) != 0 {
				t.Errorf("W(%g) = %g, DW = %g, want 0 beyond h = %g", r, k.W(r), k.DW(r), h)
			}
		}
	})
}

func TestMarginal(t *testing.T) {
	each(t, func(t *testing.T, dim int, k Kernel) {
		if dim == 1 {
			defer func() {
				if recover() == nil {
					t.Error("Marginal in one dimension did not panic")
				}
			}()
		}
		h := k.H()
		for z := -1.1 * h; z < 1.1*h; z += 0.0317 {
			want := 2 * math.Pi * integral(min(math.Abs(z), inside(k)), inside(k), func(r float64) float64 { return k.W(r) * r })
			if dim == 2 {
				want = 2 * integral(0, math.Sqrt(max(0, inside(k)*inside(k)-z*z)), func(y float64) float64 { return k.W(math.Hypot(y, z)) })
			}
			if got := k.Marginal(z); math.Abs(got-want) > 1e-8/h {
				t.Errorf("Marginal(%g) = %.12g, want %.12g", z, got, want)
			}
			const e = 1e-6
			if got, want := k.DMarginal(z), (k.Marginal(z+e)-k.Marginal(z-e))/(2*e); math.Abs(got-want) > 1e-5/h {
				t.Errorf("DMarginal(%g) = %.12g, finite difference %.12g", z, got, want)
			}
		}
		if got := integral(-h, h, k.Marginal); math.Abs(got-1) > 1e-8 {
			t.Errorf("integral over all planes is %.12f, want 1", got)
		}
	})
}

// TestLatticeSum checks the basis of the liquid's rest density: over a cubic
// lattice of half the support radius the cubic spline sums to 1.
func TestLatticeSum(t *testing.T) {
	for dim, tol := range map[int]float64{2: 2e-3, 3: 2e-4} {
		if got := LatticeSum(NewCubicSpline(dim, 2), 1); math.Abs(got-1) > tol {
			t.Errorf("sum in %d dimensions is %.6f, want 1", dim, got)
		}
	}
	// The finer the lattice, the closer to the integral.
	for _, name := range Kernels.Names() {
		make, _ := Kernels.New(name, registry.None)
		if got := LatticeSum(make(3, 8), 1); math.Abs(got-1) > 3e-3 {
			t.Errorf("%s: sum over a fine lattice is %.6f, want 1", name, got)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, bad := range []func(){
		func() { NewPoly6(0, 1) }, func() { NewSpiky(4, 1) },
		func() { NewCubicSpline(3, 0) }, func() { NewWendlandC2(3, math.NaN()) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a kernel without dimension or support was made")
				}
			}()
			bad()
		}()
	}
}

func BenchmarkW(b *testing.B) {
	for _, name := range Kernels.Names() {
		b.Run(name, func(b *testing.B) {
			make3, _ := Kernels.New(name, registry.None)
			k := make3(3, 2)
			const n = 34
			sum := 0.
			for b.Loop() {
				for i := range n {
					sum += k.W(2 * float64(i) / n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
	}
}
