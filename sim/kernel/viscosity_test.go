package kernel

import (
	"math"
	"testing"
)

// TestViscosityKernel compares the two formulas: the Laplacian is the Laplacian of W, and
// W has unit integral and vanishes with its slope at h.
func TestViscosityKernel(t *testing.T) {
	const h = 0.7
	for dim := 2; dim <= 3; dim++ {
		k := NewViscosity(dim, h)
		area := []float64{2 * math.Pi, 4 * math.Pi}[dim-2]
		// rᵈ⁻¹W vanishes at 0 but has no derivatives there in two dimensions, so
		// the integral runs over r = x³.
		got := integral(0, math.Cbrt(h), func(x float64) float64 {
			if x == 0 {
				return 0
			}
			r := x * x * x
			return area * math.Pow(r, float64(dim-1)) * k.W(r) * 3 * x * x
		})
		if math.Abs(got-1) > 1e-9 {
			t.Errorf("%dD: integral is %.12f, want 1", dim, got)
		}
		const e = 1e-4
		for r := 0.05; r < h-e; r += 0.0137 {
			a, b, c := k.W(r-e), k.W(r), k.W(r+e)
			want := (a-2*b+c)/(e*e) + float64(dim-1)/r*(c-a)/(2*e)
			if got := k.Laplacian(r); math.Abs(got-want) > 1e-4*k.Laplacian(0)/r/r*h*h {
				t.Errorf("%dD: Laplacian(%g) = %g, finite difference %g", dim, r, got, want)
			}
		}
		if k.W(h) != 0 || k.W(2*h) != 0 || k.Laplacian(h) != 0 || k.Laplacian(2*h) != 0 || k.W(h-e) > 1e-6*k.factor {
			t.Errorf("%dD: does not vanish at h", dim)
		}
	}
}

// TestPublishedFactors holds the factors σ that newPowers derives, and the
// Gaussian's, against those printed.
func TestPublishedFactors(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(dim int) Kernel
		w0   [3]float64 // w(0)
		want [3]float64
	}{
		{"lucy", func(d int) Kernel { return NewLucy(d, 1) }, [3]float64{1, 1, 1}, [3]float64{5. / 4, 5 / math.Pi, 105 / (16 * math.Pi)}},
		{"spiky", func(d int) Kernel { return NewSpiky(d, 1) }, [3]float64{1, 1, 1}, [3]float64{2, 10 / math.Pi, 15 / math.Pi}},
		{"far", func(d int) Kernel { return NewFar(d, 1) }, [3]float64{1, 1, 1}, [3]float64{3. / 2, 6 / math.Pi, 15 / (2 * math.Pi)}},
		{"near", func(d int) Kernel { return NewNear(d, 1) }, [3]float64{1, 1, 1}, [3]float64{5. / 2, 15 / math.Pi, 105 / (4 * math.Pi)}},
		{"wendland-c2", func(d int) Kernel { return NewWendlandC2(d, 1) }, [3]float64{1, 1, 1}, [3]float64{5. / 4, 7 / math.Pi, 21 / (2 * math.Pi)}},
		{"wendland-c4", func(d int) Kernel { return NewWendlandC4(d, 1) }, [3]float64{1, 1, 1}, [3]float64{3. / 2, 9 / math.Pi, 495 / (32 * math.Pi)}},
		// 1 − 6(2/3)⁵ + 15(1/3)⁵ = 66/243
		{"quintic", func(d int) Kernel { return NewQuinticSpline(d, 1) }, [3]float64{66. / 243, 66. / 243, 66. / 243},
			[3]float64{243. / 40, 2187 * 7 / (478 * math.Pi), 2187 / (40 * math.Pi)}},
		{"gaussian, not steep", func(d int) Kernel { return NewGaussian(d, 1, 1) }, [3]float64{1, 1, 1}, [3]float64{0.669502, 0.503559, 0.419995}},
	} {
		for dim := 1; dim <= 3; dim++ {
			if got := c.make(dim).W(0) / c.w0[dim-1]; math.Abs(got/c.want[dim-1]-1) > 2e-6 {
				t.Errorf("%s in %dD: σ = %.7g, published %.7g", c.name, dim, got, c.want[dim-1])
			}
		}
	}
}
