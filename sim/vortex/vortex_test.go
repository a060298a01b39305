package vortex

import (
	"math"
	"testing"

	"breakwater/sim/biot"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// solver returns the solver gourlay with a technique.
func solver(t testing.TB, technique Technique) *Gourlay {
	t.Helper()
	s := registrytest.New(t, &Solvers, "gourlay")
	g := s.(*Gourlay)
	g.Technique = technique
	return g
}

// still is a gas of density 1 and temperature 300 K in which nothing but advection acts.
func still() Gas { return Gas{Density: 1, Temperature: 300, HeatCapacity: 1} }

// jet is a small jet ring.
func jet(t testing.TB, cells int) *Flow {
	t.Helper()
	f := &Flow{}
	f.Fill(&vorticity.JetRing{Axis: vec.New(1, 0, 0), Radius: 1, Thickness: 1, Circulation: 20}, 4/float64(cells), 1, Blend{})
	return f
}

// sourcesOf returns the vortons of f as sources without mollification.
func sourcesOf(f *Flow) *biot.Sources {
	v := &f.Vortons
	s := &biot.Sources{X: v.X, Radius: v.Radius}
	for i := range v.X {
		s.Alpha = append(s.Alpha, v.Strength(i))
	}
	return s
}

// off returns the root mean square of a−b relative to b.
func off(a, b []vec.Vec3) float64 {
	var d, all float64
	for i := range a {
		e := a[i].Sub(b[i])
		d, all = d+e.Dot(e), all+b[i].Dot(b[i])
	}
	return math.Sqrt(d / all)
}

func near(t *testing.T, what string, got, want, goal float64) {
	t.Helper()
	if !(math.Abs(got-want) <= goal) {
		t.Errorf("%s: %.9g, want %.9g ± %.2g", what, got, want, goal)
	}
}

func nearVec(t *testing.T, what string, got, want vec.Vec3, goal float64) {
	t.Helper()
	if !(got.Sub(want).Len() <= goal) {
		t.Errorf("%s: %v, want %v ± %.2g", what, got, want, goal)
	}
}

// TestFarFieldUnchanged checks figure 3 of the article: Ω = 0.1 and r = 1 give peaks of
// 0.066667, 0.016667 and 0.0026667 m/s at the spread radius, and one far field.
func TestFarFieldUnchanged(t *testing.T) {
	w := vec.New(0, 0, 0.2)
	a := w.Mul(ballVolume(1))
	for _, c := range []struct{ spread, peak float64 }{{1, 0.2 / 3}, {2, 0.05 / 3}, {5, 0.2 / 75}} {
		near(t, "peak", Induced(vec.New(c.spread, 0, 0), a, c.spread).Len(), c.peak, 1e-12)
		near(t, "inside", Induced(vec.New(0, c.spread/4, 0), a, c.spread).Len(), c.peak/4, 1e-12)
		for _, d := range []float64{5, 6, 20} {
			x := vec.New(0.6*d, 0.8*d, 0)
			nearVec(t, "far field", Induced(x, a, c.spread), w.Cross(x).Mul(1/(3*d*d*d)), 1e-12)
			u := make([]vec.Vec3, 1)
			(&Direct{}).Velocities(u, []vec.Vec3{x}, &biot.Sources{X: []vec.Vec3{{}}, Alpha: []vec.Vec3{a}, Radius: []float64{c.spread}}, nil)
			nearVec(t, "direct", u[0], Induced(x, a, c.spread), 1e-6*u[0].Len())
		}
	}
}

// TestRingSpeed checks the speed of a ring of vortons on one circle. The kernel with a
// core of solid rotation gives, for σ ≪ R,
//
//	U = Γ/(4πR) (ln(8R/σ) − Δ),  Δ = ln 2 − 1/3.
func TestRingSpeed(t *testing.T) {
	const sigma = 0.01
	f := &Flow{}
	f.AddRing(&vorticity.Ring{Axis: vec.New(0, 0, 1), Radius: 1, Circulation: 1}, 20000, sigma, 1)
	u := make([]vec.Vec3, 1)
	(&Direct{}).Velocities(u, f.Vortons.X[:1], sourcesOf(f), nil)
	want := (math.Log(8/sigma) - math.Ln2 + 1./3) / (4 * math.Pi)
	near(t, "speed", u[0].Z, want, 1e-4*want)
	near(t, "across", math.Hypot(u[0].X, u[0].Y), 0, 1e-4*want)
	s := f.Invariants(&Gas{Density: 1})
	nearVec(t, "impulse", s.Impulse, vec.New(0, 0, math.Pi), 1e-4)
	nearVec(t, "strength", s.Strength, vec.Vec3{}, 1e-9)
}

// TestDistributions checks the integrals of the distributions over their vortons.
func TestDistributions(t *testing.T) {
	gas := still()
	impulse := func(d vorticity.Distribution, edge float64) float64 {
		f := &Flow{}
		f.Fill(d, edge, 1, Blend{})
		return f.Invariants(&gas).Impulse.Len()
	}
	axis := vec.New(1, 2, 2)
	near(t, "ring", impulse(&vorticity.Ring{Axis: axis, Radius: 1, Core: 0.2, Circulation: 3}, 0.1), 3*math.Pi*(1+0.02), 0.02)
	hill := 2 * math.Pi * 0.6
	near(t, "Hill", impulse(&vorticity.Ball{Axis: axis, Radius: 1, Circulation: 3}, 1./24), hill, 5e-3*hill)
	// π m R ∫ ρ² (π/T) sin(π(ρ−R)/T) dρ = π m R (2R² + 2RT + T² − 4T²/π²)
	slug := math.Pi * 1.5 * (5 - 4/(math.Pi*math.Pi))
	near(t, "jet", impulse(&vorticity.JetRing{Axis: axis, Radius: 1, Thickness: 1, Circulation: 3}, 0.1), slug, 5e-3*slug)
	f := &Flow{}
	f.Fill(&vorticity.Tube{Axis: vec.New(0, 0, 1), Length: 2, Core: 0.3, Variation: 0.3, Circulation: 3}, 0.1, 1, Blend{})
	nearVec(t, "tube", f.Invariants(&gas).Strength, vec.New(0, 0, 6), 0.02)
	f = &Flow{}
	f.Fill(&vorticity.Sheet{Normal: vec.New(0, 1, 0), Along: vec.New(1, 0, 0), Length: 2, Width: 1, Thickness: 0.1, Variation: 0.5, Jump: 3}, 0.05, 1, Blend{})
	nearVec(t, "sheet", f.Invariants(&gas).Strength, vec.New(0, 0, -6), 0.02)
	f = &Flow{}
	f.Fill(&vorticity.Noise{Size: vec.New(1, 1, 1), Amplitude: 2}, 0.1, 1, Blend{})
	if n := f.Vortons.Len(); n != 1000 {
		t.Errorf("noise: %d vortons, want 1000", n)
	}
}

// TestHill checks the velocity in the middle of Hill's vortex, 5U/2.
func TestHill(t *testing.T) {
	b := &vorticity.Ball{Axis: vec.New(0, 1, 0), Radius: 1, Circulation: 5}
	f := &Flow{}
	f.Fill(b, 1./16, 1, Blend{})
	u := make([]vec.Vec3, 1)
	(&Direct{}).Velocities(u, []vec.Vec3{{}}, sourcesOf(f), nil)
	nearVec(t, "velocity", u[0], vec.New(0, 2.5, 0), 0.01)
}
