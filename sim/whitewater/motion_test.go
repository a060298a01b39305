package whitewater

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// TestTerminalSpeeds lets drops fall and bubbles rise for a second. The drops have the speeds that
// Gunn and Kinzer measured, J. Meteorol. 6, 1949.
func TestTerminalSpeeds(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.03
	pool := frames(lattice(vec.Box{Min: vec.New(-0.15, 0, -0.15), Max: vec.New(0.15, 0.6, 0.15)}, d), still, never_)
	for _, c := range []struct {
		kind Kind
		r, v float64 // m and m/s, up
	}{
		{Spray, 0.1e-3, -0.72}, {Spray, 0.3e-3, -2.47}, {Spray, 0.5e-3, -4.03}, {Spray, 1e-3, -6.49},
		{Bubble, 0.25e-3, 0.094}, {Bubble, 0.5e-3, 0.233}, {Bubble, 1e-3, 0.280}, {Bubble, 2e-3, 0.241}, {Bubble, 4e-3, 0.243},
	} {
		w := start(t, quiet(), water(d))
		at, steps, pool := vec.New(0, 0.2, 0), 40, pool
		if c.kind == Spray {
			at, steps = vec.New(0, 100, 0), 250
			pool = func(t float64) Frame { return Frame{t, &particle.Set{}} }
		}
		w.Add(Parcel{X: at, R: c.r, N: 1, Kind: c.kind})
		run(t, w, pool, 0.02, steps-1)
		y := w.Parcels().At(0).Y
		run(t, w, pool, 0.02, 1)
		if v := (w.Parcels().At(0).Y - y) / 0.02; math.Abs(v/c.v-1) > 0.03 {
			t.Errorf("%v of radius %g mm: %.4g m/s, want %g", c.kind, 1e3*c.r, v, c.v)
		}
	}
}

// TestVortex puts a bubble into a rigid rotation: it goes to the axis, and its height grows
// as in liquid at rest.
func TestVortex(t *testing.T) {
	longtest.NotShort(t)
	const d, turn = 0.03, 6 * math.Pi
	x := lattice(vec.Box{Min: vec.New(-0.21, 0, -0.21), Max: vec.New(0.21, 0.3, 0.21)}, d)
	spin := frames(x, func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
		s, c := math.Sincos(turn * t)
		pos = vec.New(c*x.X+s*x.Z, x.Y, c*x.Z-s*x.X)
		return pos, vec.New(turn*pos.Z, 0, -turn*pos.X)
	}, never_)
	w := start(t, quiet(), water(d))
	w.Add(Parcel{X: vec.New(0.12, 0.1, 0), V: vec.New(0, 0, -turn*0.12), R: 1e-3, N: 1, Kind: Bubble})
	radius := func() float64 { p := w.Parcels().At(0); return math.Hypot(p.X, p.Z) }
	last := radius()
	for range 8 {
		run(t, w, spin, 0.01, 5)
		if r := radius(); r > last*0.95+1e-3 {
			t.Fatalf("at %.2f s the bubble is %.4g m from the axis, %.4g before", w.state.Time, r, last)
		}
		last = radius()
	}
	if last > 0.02 {
		t.Errorf("after %.2g s the bubble is %.3g m from the axis", w.state.Time, last)
	}
}

// TestFreeFall has liquid in free fall, in which a bubble does not rise.
func TestFreeFall(t *testing.T) {
	longtest.NotShort(t)
	x := lattice(vec.Box{Min: vec.New(-0.3, 0, -0.3), Max: vec.New(0.3, 0.6, 0.3)}, 0.03)
	fall := frames(x, func(x vec.Vec3, t float64) (pos, v vec.Vec3) {
		return x.Add(vec.New(0, -9.81*t*t/2, 0)), vec.New(0, -9.81*t, 0)
	}, never_)
	w := start(t, quiet(), water(0.03))
	w.Add(Parcel{X: vec.New(0, 0.3, 0), R: 1e-3, N: 1, Kind: Bubble})
	run(t, w, fall, 0.01, 30)
	if y := w.Parcels().At(0).Y + 9.81*0.3*0.3/2; math.Abs(y-0.3) > 0.01 {
		t.Errorf("the bubble rose by %.3g m in the falling liquid", y-0.3)
	}
}

// TestFoamDecay lets foam decay on still water, as e^(−t/τ).
func TestFoamDecay(t *testing.T) {
	longtest.NotShort(t)
	const d, n = 0.05, 20000
	pool := frames(lattice(vec.Box{Max: vec.New(1, 0.2, 1)}, d), still, func(x vec.Vec3) bool { return x.Y > 0.15 })
	set := quiet()
	set.Lace = 0
	w := start(t, set, tank(d, vec.New(1, 1, 1)))
	for k := range n {
		u := vec.New(0.1+0.8*math.Mod(float64(k)*0.7548776662, 1), 0.2, 0.1+0.8*math.Mod(float64(k)*0.5698402910, 1))
		w.Add(Parcel{X: u, R: 0.5e-3, N: 1, Kind: Foam})
	}
	for k := 1; k <= 10; k++ {
		run(t, w, pool, 0.1, 5)
		time := 0.5 * float64(k)
		// What fades is still there for a while.
		want := n * math.Exp(-(time-fadeTime)/set.FoamLife)
		if got := float64(w.Parcels().Len()); math.Abs(got/want-1) > 0.05 {
			t.Errorf("at %.1f s %g parcels are left, want %.0f", time, got, want)
		}
	}
	for i := range w.Parcels().Len() {
		if y := w.Parcels().At(i).Y; math.Abs(y-0.2) > d/2 {
			t.Fatalf("foam at a height of %.3g m, the surface is at 0.2 m", y)
		}
	}
	balance(t, w)
}

// TestFoamInGap has foam where two particles are missing deep in still water: it must rise to the
// surface and not stay.
func TestFoamInGap(t *testing.T) {
	const d = 0.05
	gap := vec.New(0.5, 0.225, 0.525)
	x := slices.DeleteFunc(lattice(vec.Box{Max: vec.New(1, 0.4, 1)}, d), func(x vec.Vec3) bool { return x.Sub(gap).Len() < 0.6*d })
	pool := frames(x, still, func(x vec.Vec3) bool { return x.Y > 0.35 })
	w := start(t, quiet(), tank(d, vec.New(1, 1, 1)))
	for k := range 20 {
		w.Add(Parcel{X: gap.Add(vec.New(0.1*d*float64(k%3-1), 0, 0.1*d*float64(k%5-2))), R: 1e-3, N: 1, Kind: Foam})
	}
	run(t, w, pool, 0.05, 25)
	if w.Parcels().Len() == 0 {
		t.Fatal("no parcel is left")
	}
	for i := range w.Parcels().Len() {
		if at, kind := w.Parcels().At(i), w.Parcels().Kind[i].Kind(); at.Y < 0.4-d/2 {
			t.Errorf("%v at a height of %.3g m, the surface is at 0.4 m", kind, at.Y)
		}
	}
	balance(t, w)
}

// balance checks that the budget closes.
func balance(t *testing.T, w *Whitewater) {
	t.Helper()
	l, v := w.Budget(), w.Parcels().Volumes()
	if have, want := v[Foam]+v[Bubble]+l.Burst+l.AirOut, l.Entrained; math.Abs(have-want) > 1e-6*want {
		t.Errorf("%g L of air are there or have left, %g L were caught", 1e3*have, 1e3*want)
	}
	if have, want := v[Spray]+v[Mist]+l.Landed+l.Clung+l.Evaporated+l.SprayOut, l.Sprayed; math.Abs(have-want) > 1e-6*want {
		t.Errorf("%g L of spray are there or have ended, %g L were sprayed", 1e3*have, 1e3*want)
	}
}

// TestSplash drops spray onto still liquid, steeply and along it. Only what comes onto the surface fast takes
// air under.
func TestSplash(t *testing.T) {
	const d = 0.05
	pool := frames(lattice(vec.Box{Max: vec.New(3, 0.3, 0.5)}, d), still, never_)
	bubbles := func(y float64, v vec.Vec3) (n, landed int) {
		w := start(t, quiet(), tank(d, vec.New(3, 1, 0.5)))
		for k := range 300 {
			w.Add(Parcel{X: vec.New(0.3+2e-3*float64(k), y, 0.1+1e-3*float64(k)), V: v, R: 2e-3, N: 1, Kind: Spray})
		}
		run(t, w, pool, 0.02, 9)
		for _, k := range w.Parcels().Kind {
			if k.Kind() == Bubble {
				n++
			}
		}
		balance(t, w)
		return n, int(math.Round(w.Budget().Landed / volume(2e-3, 1)))
	}
	if n, landed := bubbles(0.4, vec.New(0, -3, 0)); n == 0 || landed != 300 {
		t.Errorf("%d of %d drops at 3 m/s onto the surface make bubbles", n, landed)
	}
	if n, landed := bubbles(0.33, vec.New(5, 0, 0)); landed != 300 || n > 0 {
		t.Errorf("%d of %d drops that fly along the surface make bubbles", n, landed)
	}
}
