package boundary

import (
	"breakwater/sim/kernel"
	"math"
	"testing"
)

// TestShell compares the closed form of a layer on a sphere with a sum over
// points of the sphere.
func TestShell(t *testing.T) {
	l := NewLayers(kernel.NewCubicSpline(3, 0.2))
	for _, c := range []struct{ rho, D float64 }{{0.3, 0.35}, {0.3, 0.2}, {0.05, 0.12}, {0.5, 0.5}} {
		var sum float64
		const n = 50_000 // rings
		for i := range n {
			cos := -1 + (2*float64(i)+1)/n
			r := math.Sqrt(c.rho*c.rho + c.D*c.D - 2*c.rho*c.D*cos)
			sum += l.area * l.k.W(r) * 2 * math.Pi * c.rho * c.rho * 2 / n
		}
		got, byD, byRho := l.shell(c.rho, c.D)
		if math.Abs(got-sum) > 1e-4 {
			t.Errorf("shell %v adds %g, want %g", c, got, sum)
		}
		const e = 1e-6
		at := func(rho, D float64) float64 { s, _, _ := l.shell(rho, D); return s }
		if want := (at(c.rho, c.D+e) - at(c.rho, c.D-e)) / (2 * e); math.Abs(byD-want) > 1e-5 {
			t.Errorf("shell %v: derivative by D %g, want %g", c, byD, want)
		}
		if want := (at(c.rho+e, c.D) - at(c.rho-e, c.D)) / (2 * e); math.Abs(byRho-want) > 1e-5 {
			t.Errorf("shell %v: derivative by rho %g, want %g", c, byRho, want)
		}
	}
}

// TestRing compares a layer on a large circle with a straight one.
func TestRing(t *testing.T) {
	l := NewLayers(kernel.NewCubicSpline(2, 0.2))
	for _, t0 := range []float64{0.01, 0.05, 0.13, 0.19} {
		share, byD, byRho := l.shell(1000, 1000-t0)
		want, slope := l.area*l.k.Marginal(t0), l.area*l.k.DMarginal(t0)
		if math.Abs(share-want) > 1e-3*l.area*l.k.Marginal(0) {
			t.Errorf("%g m off a circle of 1 km the layer adds %g, a line %g", t0, share, want)
		}
		if math.Abs(byD+slope) > 1e-2*math.Abs(slope)+1e-3 || math.Abs(byRho-slope) > 1e-2*math.Abs(slope)+1e-3 {
			t.Errorf("%g m off the layer's slopes are %g and %g, want %g and its negative", t0, byRho, byD, slope)
		}
	}
}
