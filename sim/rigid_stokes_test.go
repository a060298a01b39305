package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// stokesShare returns the speed at which a ball sinks in a square shaft, over that
// in an endless liquid: with the shaft's sides and ends as mirrors, all balls of an
// endless lattice sink at once, or rise if they are upside down, and
//
//	6πa/V Σ_k (1 − k_y²/k²)/k² (sin ka/ka)² (1 − cos 2k_y y)
//
// by the mobilities of Rotne and Prager (J. Chem. Phys. 50, 1969), which for balls
// in the middle leave out terms of the sixth order in a over the width.
func stokesShare(a, wide, deep, y float64) float64 {
	most := 24 / a
	nx, ny := int(most*wide/2/math.Pi), int(most*deep/math.Pi)
	sum := 0.
	for i := -nx; i <= nx; i++ {
		for j := -nx; j <= nx; j++ {
			for l := -ny; l <= ny; l++ {
				k := vec.New(2*math.Pi/wide*float64(i), math.Pi/deep*float64(l), 2*math.Pi/wide*float64(j))
				k2 := k.Dot(k)
				if k2 == 0 || k2 > most*most {
					continue
				}
				q := math.Sqrt(k2) * a
				s := math.Sin(q) / q
				sum += (1 - k.Y*k.Y/k2) / k2 * s * s * (1 - math.Cos(2*k.Y*y))
			}
		}
	}
	return 6*math.Pi*a*sum/(wide*wide*2*deep) + 1/(math.Pi*a*most) // and the integral over all that is farther
}

// TestStokes lets a ball of six spacings across sink in a shaft of honey, by six
// spacings, and compares its time from the second on with Stokes' law. Particles must
// pass each other for that under a pressure far above the viscous stress.
func TestStokes(t *testing.T) {
	longtest.Only(t)
	const d, r, wide, deep, g, nu, heavy = 0.01, 0.03, 0.15, 0.24, 9.81, 0.1, 8000.
	w := New(d, 1000)
	w.Gravity, w.Viscosity = vec.New(0, -g, 0), nu
	b, err := body.NewRigid(&boundary.Sphere{Radius: r}, heavy, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	b.Free.Start.X = vec.New(wide/2, deep-0.09, wide/2)
	b.Join(body.Joint{Kind: "slider", Axis: vec.New(0, 1, 0)})
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(wide, 4*deep, wide), Inside: true}, b}
	w.Fill(&shape.Box{Max: vec.New(wide, deep, wide)}, vec.Vec3{})
	rng := rand.New(rand.NewPCG(1, 2)) // a lattice would have to melt first
	in := func(x, most float64) float64 { return min(max(x+d*(0.2*rng.Float64()-0.1), d/4), most-d/4) }
	for i, x := range w.X {
		w.X[i] = vec.New(in(x.X, wide), in(x.Y, deep+d), in(x.Z, wide))
	}
	mustInit(t, w)
	level := (float64(w.Len())*d*d*d + b.Free.Volume()) / (wide * wide)
	stokes := func(y float64) float64 {
		return 2. / 9 * (heavy/1000 - 1) * g * r * r / nu * stokesShare(r, wide, level, y)
	}
	s := registrytest.New(t, &Solvers, "iisph")
	start := b.Free.Start.X.Y
	from, theory, last := 0., 0., start
	for n := 1; n < 100 && last > start-6*d; n++ {
		mustAdvance(t, w, s, 0.04*float64(n), nil)
		y := w.Set.Bodies[0].X.Y
		if last < start-2*d {
			theory += (last - y) / stokes((last+y)/2)
		} else {
			from = w.Time
		}
		last = y
	}
	got := theory / (w.Time - from)
	t.Logf("it sinks at %.3f of the speed by Stokes' law", got)
	if math.Abs(got-1) > 0.05 {
		t.Errorf("it sinks at %.3f of the speed by Stokes' law", got)
	}
}
