package num

import (
	"math"
	"testing"
)

// TestExp compares with package math over all of the range, and at its ends.
func TestExp(t *testing.T) {
	worst := 0.
	for x := -744.; x < 709.5; x += 0.00437 {
		want := math.Exp(x)
		ulp := math.Nextafter(want, math.Inf(1)) - want
		worst = max(worst, math.Abs(Exp(x)-want)/ulp)
	}
	for x := -1e-3; x < 1e-3; x += 1.7e-6 {
		worst = max(worst, math.Abs(Exp(x)-math.Exp(x))/(math.Nextafter(1, 2)-1))
	}
	if worst > 1 {
		t.Errorf("Exp is off by %g units in the last place", worst)
	}
	inf := math.Inf(1)
	for x, want := range map[float64]float64{0: 1, 709.79: inf, -745.2: 0, inf: inf, -inf: 0, -745.1: math.Exp(-745.1)} {
		if got := Exp(x); got != want {
			t.Errorf("Exp(%g) = %g, want %g", x, got, want)
		}
	}
	if !math.IsNaN(Exp(math.NaN())) {
		t.Error("Exp of NaN is a number")
	}
}

func TestPow(t *testing.T) {
	for _, x := range []float64{1e-30, 1e-9, 0.3, 0.999, 1, 1.7, 12, 1e9, 1e30} {
		for _, y := range []float64{-9, -4. / 3, -1, -0.4, 0, 1e-3, 1. / 3, 0.5, 0.687, 1, 2, 3, 7, 9, 64} {
			got, want := Pow(x, y), math.Pow(x, y)
			if math.IsInf(want, 1) && got == want || want == 0 && got == 0 {
				continue
			}
			if off := math.Abs(got/want - 1); !(off <= 1e-15*(1+64+math.Abs(y*math.Log(x)))) && want > 1e-300 {
				t.Errorf("Pow(%g, %g) = %g, want %g", x, y, got, want)
			}
		}
	}
	for n := -22; n <= 22; n++ { // as math.Pow10, for labels
		if off := Pow(10, float64(n))/math.Pow10(n) - 1; math.Abs(off) > 3e-16 {
			t.Errorf("10 to the power of %d is off by %g", n, off)
		}
	}
	if Pow(0, 0.5) != 0 || Pow(-2, 3) != -8 || Pow(-1, 79) != -1 || Pow(-1, 80) != 1 || !math.IsNaN(Pow(-2, 0.5)) {
		t.Error("the powers of 0 and −2 are wrong")
	}
}

func TestErf(t *testing.T) {
	for x := -7.; x < 7; x += 0.00071 {
		if off := math.Abs(Erf(x) - math.Erf(x)); off > 2.3e-16 {
			t.Fatalf("Erf(%g) = %.17g, want %.17g", x, Erf(x), math.Erf(x))
		}
	}
}

// TestFixedBits compares the bits of the functions over many arguments with the bits that
// a processor with fused multiply-adds had, and one without.
func TestFixedBits(t *testing.T) {
	h := uint64(0)
	add := func(x float64) { h = SplitMix64(h*31 + math.Float64bits(x)) }
	for i := range 100_000 {
		u := float64(SplitMix64(uint64(i)*Golden)>>11) / (1 << 53)
		add(Exp(60*u - 30))
		add(Decay(40 * u))
	}
	const want = 0xd88cf2b7c4f76281
	if h != want {
		t.Errorf("the bits have changed: hash %#x, want %#x", h, uint64(want))
	}
}

func BenchmarkExp(b *testing.B) {
	x, s := 0., 0.
	for b.Loop() {
		s += Exp(-x)
		x += 1e-7
	}
	if s < 0 {
		b.Fatal(s)
	}
}
