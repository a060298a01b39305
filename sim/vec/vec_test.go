package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAlgebra(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	v := func() Vec3 { return Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
	for range 1000 {
		a, b := v(), v()
		c := a.Cross(b)
		if math.Abs(c.Dot(a)) > 1e-12 || math.Abs(c.Dot(b)) > 1e-12 {
			t.Fatalf("%v × %v = %v is not perpendicular to both", a, b, c)
		}
		if got, want := c.Dot(c)+a.Dot(b)*a.Dot(b), a.Dot(a)*b.Dot(b); math.Abs(got-want) > 1e-9*want {
			t.Fatalf("Lagrange's identity: got %g, want %g", got, want)
		}
		if got := a.Unit().Len(); math.Abs(got-1) > 1e-15*4 {
			t.Fatalf("|unit| = %g", got)
		}
		if got := a.Lerp(b, 0.25).Sub(a).Sub(b.Sub(a).Mul(0.25)).Len(); got > 1e-14 {
			t.Fatalf("Lerp is off by %g", got)
		}
	}
	for _, tiny := range []float64{1e-100, 1e-160, 1e-300, 5e-324} { // whose squares are 0, or almost
		if got := (Vec3{X: 3 * tiny, Z: -4 * tiny}).Unit(); got.Sub(Vec3{X: 0.6, Z: -0.8}).Len() > 1e-15 {
			t.Errorf("the unit of %g times (3, 0, -4) is %v", tiny, got)
		}
		box := Box{Min: Vec3{X: tiny}, Max: Vec3{1, 1, 1}}
		if d, n := box.Dist(Vec3{Y: 0.5, Z: 0.5}); d < 0 || d > tiny || n != (Vec3{X: -1}) {
			t.Errorf("a point %g before a box: got %g and %v", tiny, d, n)
		}
	}
	if (Vec3{}).Unit() != (Vec3{}) {
		t.Error("unit of zero is not zero")
	}
	if got, want := (Vec3{0, 0.1 + 0.2, -1e-9}).String(), "[0, 0.3, -1e-09]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, bad := range []Vec3{{X: math.NaN()}, {Y: math.Inf(1)}, {Z: math.Inf(-1)}} {
		if got := NotFinite([]Vec3{{1, 2, 3}, bad}); got != 1 {
			t.Errorf("%v is at 1, not %d", bad, got)
		}
		if bad.Finite() {
			t.Errorf("%v counts as finite", bad)
		}
	}
}

// TestBoxDist compares the signed distance with the nearest of many points
// of the surface.
func TestBoxDist(t *testing.T) {
	b := Box{Vec3{-1, 0, 2}, Vec3{1, 0.5, 3}}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		p := b.Center().Add(Vec3{3 * (rng.Float64() - 0.5), 2 * (rng.Float64() - 0.5), 3 * (rng.Float64() - 0.5)})
		d, n := b.Dist(p)
		if (d <= 0) != b.Contains(p) {
			t.Fatalf("%v: distance %g but Contains is %v", p, d, b.Contains(p))
		}
		foot := p.Sub(n.Mul(d)) // the nearest point of the surface
		if e, _ := b.Dist(foot); math.Abs(e) > 1e-12 {
			t.Fatalf("%v: foot %v is %g off the surface", p, foot, e)
		}
		if math.Abs(n.Len()-1) > 1e-12 {
			t.Fatalf("normal %v is not of unit length", n)
		}
	}
}

func TestBoxSets(t *testing.T) {
	e := Empty()
	if !e.IsEmpty() || e.Volume() != 0 {
		t.Error("the empty box is not empty")
	}
	b := e.Include(Vec3{1, 2, 3}).Include(Vec3{0, 4, 1})
	if want := (Box{Vec3{0, 2, 1}, Vec3{1, 4, 3}}); b != want {
		t.Errorf("got %v, want %v", b, want)
	}
	if got := b.Grow(1).Grow(-1); got != b {
		t.Errorf("grown and shrunk: got %v, want %v", got, b)
	}
	if got := b.Intersect(Box{Vec3{5, 5, 5}, Vec3{6, 6, 6}}); !got.IsEmpty() {
		t.Errorf("apart, yet they share %v", got)
	}
	if got := b.Union(e); got != b {
		t.Errorf("union with nothing: got %v, want %v", got, b)
	}
}
