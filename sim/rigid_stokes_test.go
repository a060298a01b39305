package sim

import (
	"math"
	"math/rand/v2"
	"testing"

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

// TestStokes sinks a ball of six spacings across in a shaft of honey, and compares
// its speed with Stokes' among particles that stay where they are. What
// pressure and friction do to a ball is that of theory so; but particles that must
// pass each other under a pressure far above what viscosity adds hold each other
// as grains do, and a ball that sinks on and on slows down.
func TestStokes(t *testing.T) {
	slow(t)
	const d, r, wide, deep, g, heavy = 0.01, 0.03, 0.15, 0.21, 9.81, 8000.
	const nu = 0.1
	w := New(d, 1000)
	w.Gravity, w.Viscosity = vec.New(0, -g, 0), nu
	b, err := NewRigid(&Sphere{Radius: r}, heavy, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	b.Free.Start.X = vec.New(wide/2, deep/2, wide/2)
	b.Join(Joint{Kind: "slider", Axis: vec.New(0, 1, 0)})
	w.Walls = []Boundary{&Box{Max: vec.New(wide, 4*deep, wide), Inside: true}, b}
	w.Fill(&BoxShape{Max: vec.New(wide, deep, wide)}, vec.Vec3{})
	rnd := rand.New(rand.NewPCG(1, 2))
	in := func(x, most float64) float64 { return min(max(x+d*(0.2*rnd.Float64()-0.1), d/4), most-d/4) }
	for i, x := range w.X {
		w.X[i] = vec.New(in(x.X, wide), in(x.Y, deep+d), in(x.Z, wide))
	}
	mustInit(t, w)
	s := newOf(t, &Solvers, "iisph").(*IISPH)
	mustAdvance(t, w, s, 0.3, nil) // the particles close in on the ball

	w.Gravity, w.Closed = vec.Vec3{}, true // all that is left is what the ball weighs in the liquid
	at, ball := make([]vec.Vec3, w.Len()), w.Set.Bodies[0]
	for i, x := range w.X {
		at[w.ID[i]], w.V[i] = x, vec.Vec3{}
	}
	ball.V = vec.Vec3{}
	clear(w.Carry(carryPressure))
	s.MaxError, s.MaxIter = 1e-9, 60
	const dt = 0.02 * wide * wide / nu
	for range 40 {
		ball.V.Y -= g * (1 - 1000/heavy) * dt
		w.Set.Bodies[0] = ball
		if err := w.placeBodies(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Step(w, dt); err != nil {
			t.Fatal(err)
		}
		w.Time, w.Dt = w.Time+dt, dt
		for i := range w.X {
			w.X[i] = at[w.ID[i]]
		}
		ball.V = w.Set.Bodies[0].V
	}
	want := 2. / 9 * (heavy/1000 - 1) * g * r * r / nu * stokesShare(r, wide, deep, ball.X.Y)
	t.Logf("it sinks at %.5f m/s, by Stokes' law at %.5f", -ball.V.Y, want)
	if math.Abs(-ball.V.Y/want-1) > 0.05 {
		t.Errorf("it sinks at %.5f m/s, want %.5f", -ball.V.Y, want)
	}
}
