package optics

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

func TestFresnel(t *testing.T) {
	if r, _ := Fresnel(1, 1/1.333); math.Abs(r-math.Pow(0.333/2.333, 2)) > 1e-12 {
		t.Errorf("water at normal incidence: got %g, want 0.0204", r)
	}
	critical := math.Asin(1 / 1.333)
	for _, a := range []float64{-1e-3, 1e-3} {
		r, _ := Fresnel(math.Cos(critical+a), 1.333)
		if total := r == 1; total != (a > 0) {
			t.Errorf("%g rad past the critical angle: reflectance %g", a, r)
		}
	}
	brewster := math.Atan(1.333)
	r, _ := Fresnel(math.Cos(brewster), 1/1.333)
	s := math.Pow(math.Cos(2*brewster), 2) // perpendicular polarization; the other vanishes
	if math.Abs(r-s/2) > 1e-12 {
		t.Errorf("at Brewster's angle: got %g, want %g", r, s/2)
	}
	for a := 0.0; a < 1.5; a += 0.1 { // the same both ways
		r, cosT := Fresnel(math.Cos(a), 1/1.333)
		back, _ := Fresnel(cosT, 1.333)
		if math.Abs(r-back) > 1e-12 {
			t.Errorf("at %g rad: reflectance %g one way, %g the other", a, r, back)
		}
	}
}

func TestSnell(t *testing.T) {
	n := vec.Vec3{Y: 1}
	for a := 0.0; a < 1.5; a += 0.05 {
		d := vec.Vec3{X: math.Sin(a), Y: -math.Cos(a)}
		_, cosT := Fresnel(math.Cos(a), 1/1.333)
		r := Refract(d, n, 1/1.333, math.Cos(a), cosT)
		if math.Abs(r.Len()-1) > 1e-12 || math.Abs(r.X-math.Sin(a)/1.333) > 1e-12 || r.Z != 0 {
			t.Errorf("at %g rad: got %v", a, r)
		}
	}
}
