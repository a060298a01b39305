package scatter

import (
	"math"
	"testing"
)

const water = 1.333

// TestMoments compares integral and asymmetry of a drop and a bubble with the values of
// ray optics.
func TestMoments(t *testing.T) {
	for _, c := range []struct {
		name     string
		ratio, g float64
	}{{"drop", water, 0.77}, {"bubble", 1 / water, 0.69}} {
		f := Ball(c.ratio)
		if got := f.Moment(0); math.Abs(got-1) > 2e-3 {
			t.Errorf("%s: the phase function integrates to %g", c.name, got)
		}
		if got := f.Moment(1); math.Abs(got-c.g) > 0.01 {
			t.Errorf("%s: g is %.3f, want %g", c.name, got, c.g)
		}
		last := 1.0
		for l := 1; l <= 4; l++ {
			m := f.Moment(l)
			if m <= 0 || m >= last {
				t.Errorf("%s: moment %d is %g after %g", c.name, l, m, last)
			}
			last = m
		}
	}
}

// TestLegendre compares the recursion with the polynomials of degree 2 and 3.
func TestLegendre(t *testing.T) {
	for _, x := range []float64{-1, -0.3, 0, 0.7, 1} {
		if got, want := legendre(2, x), (3*x*x-1)/2; math.Abs(got-want) > 1e-14 {
			t.Errorf("degree 2 at %g: %g, want %g", x, got, want)
		}
		if got, want := legendre(3, x), (5*x*x*x-3*x)/2; math.Abs(got-want) > 1e-14 {
			t.Errorf("degree 3 at %g: %g, want %g", x, got, want)
		}
	}
}

// TestRainbow looks for the brightest angle of the back half of a drop's phase function:
// Descartes' bow. Between it and the second bow lies Alexander's dark band.
func TestRainbow(t *testing.T) {
	f := Ball(water)
	at := func(degrees float64) float64 { return f.At(math.Cos(degrees * math.Pi / 180)) }
	bow := 90.0
	for a := 90.0; a < 175; a += 0.25 {
		if at(a) > at(bow) {
			bow = a
		}
	}
	if math.Abs(bow-138) > 1 {
		t.Errorf("the bow is at %g°, want 138°", bow)
	}
	if at(bow) < 4*at(132) {
		t.Errorf("the bow is %g, the dark band %g", at(bow), at(132))
	}
	if second := at(129.5); second < 1.2*at(134) {
		t.Errorf("the second bow is %g, the dark band %g", second, at(134))
	}
}

// TestBowOfColours checks that red light turns less than blue light.
func TestBowOfColours(t *testing.T) {
	const degrees = math.Pi / 180
	red, blue := Ball(1.331), Ball(1.339)
	if outside := math.Cos(137.5 * degrees); red.At(outside) < 2*blue.At(outside) {
		t.Errorf("outside the bow red is %g and blue %g", red.At(outside), blue.At(outside))
	}
}

// TestTotalReflection finds the angle of incidence from which a bubble is a mirror, and
// the brightness of the light that it reflects from there, which has nothing added to it.
func TestTotalReflection(t *testing.T) {
	from := 90.0
	for a := 89.9; a > 0; a -= 0.1 {
		if s, p, _ := Fresnel(math.Cos(a*math.Pi/180), water); s >= 1 && p >= 1 {
			from = a
		}
	}
	if math.Abs(from-48.61) > 0.1 {
		t.Errorf("total reflection from %.1f°, want 48.6°", from)
	}
	// A mirror ball scatters evenly, 1/4π. Refracted light adds to it in front alone.
	f := Ball(1 / water)
	if got := f.At(math.Cos(80 * math.Pi / 180)); got < 1/(4*math.Pi) {
		t.Errorf("at 80° a bubble scatters %g, less than a mirror's %g", got, 1/(4*math.Pi))
	}
	if back := f.At(-0.9); back > 0.2/(4*math.Pi) {
		t.Errorf("backwards a bubble scatters %g", back)
	}
}

// TestTableOfMirror compares the first order alone with its closed form: a ball of almost
// the index of its surroundings reflects nothing and goes straight on.
func TestTableOfMirror(t *testing.T) {
	if f := Ball(1.0001); f.Moment(1) < 0.99 {
		t.Errorf("a ball that is hardly there has g = %g", f.Moment(1))
	}
	mirror := Ball(1e-9) // total reflection everywhere
	for a := 1.0; a < 180; a++ {
		if got := 4 * math.Pi * mirror.At(math.Cos(a*math.Pi/180)); math.Abs(got-1) > 0.02 {
			t.Fatalf("a mirror ball scatters %g of the mean at %g°", got, a)
		}
	}
}

// TestOpaqueBalls compares the asymmetry of opaque balls with the closed forms: −4/9 for a
// matte one, and 0 for a mirror.
func TestOpaqueBalls(t *testing.T) {
	for f, want := range map[*Phase]float64{Matte(): -4. / 9, Mirror(): 0} {
		if got := f.Moment(0); math.Abs(got-1) > 2e-3 {
			t.Errorf("it integrates to %g", got)
		}
		if got := f.Moment(1); math.Abs(got-want) > 2e-3 {
			t.Errorf("g is %.4f, want %.4f", got, want)
		}
	}
}
