package sim

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func TestAdvanceIsExact(t *testing.T) {
	w := dam(t, 0.05)
	s := registrytest.New(t, &Solvers, "iisph")
	last, steps, shortest, longest := 0., 0, math.Inf(1), 0.
	const until = 1. / 30
	mustAdvance(t, w, s, until, func(i StepInfo) error {
		if got := i.Time - last; math.Abs(got-i.Dt) > 1e-15 {
			t.Errorf("step of %g s moved the time by %g", i.Dt, got)
		}
		last, steps = i.Time, steps+1
		shortest, longest = min(shortest, i.Dt), max(longest, i.Dt)
		return nil
	})
	if w.Time != until || last != until {
		t.Errorf("ended at %g, want %g", w.Time, until)
	}
	if steps < 2 || shortest < longest/2 {
		t.Errorf("%d steps between %g and %g s: want even ones", steps, shortest, longest)
	}
	before := sum(w)
	if err := w.Advance(s, until/2, nil); err == nil {
		t.Error("went back in time")
	}
	mustAdvance(t, w, s, until, func(StepInfo) error { t.Error("a step without time to go"); return nil })
	if sum(w) != before {
		t.Error("no time passed, yet something changed")
	}
}

func TestAdvanceBeforeInit(t *testing.T) {
	if err := New(0.1, 1000).Advance(registrytest.New(t, &Solvers, "iisph"), 1, nil); !errors.Is(err, errNotReady) {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	w := dam(t, 0.05)
	s := registrytest.New(t, &Solvers, "iisph")
	mustAdvance(t, w, s, 0.02, nil)
	stop := errors.New("stop")
	n := 0
	err := w.Advance(s, 1, func(StepInfo) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 3 {
		t.Errorf("after %d steps: %v", n, err)
	}
	if w.Time <= 0.02 || w.Time >= 0.2 {
		t.Errorf("stopped at %g s after three steps from 0.02 s", w.Time)
	}
	mustAdvance(t, w, s, w.Time+0.02, nil)
}

// TestUnstable brings runs to an end that make no sense, and reads why.
func TestUnstable(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(w *World)
		want string
	}{
		{"crowded", func(w *World) {
			for i := range 40 {
				w.X[i] = vec.New(0.2, 0.2, 0.2).Add(vec.New(float64(i), 0, 0).Mul(1e-4))
			}
		}, "times as dense"},
		{"fast", func(w *World) { w.V[17] = vec.New(1e4, 0, 0) }, "m/s"},
		{"not a number", func(w *World) { w.Forces = []force.Force{broken{}} }, "NaN"},
	} {
		w := dam(t, 0.05)
		c.do(w)
		err := w.Advance(registrytest.New(t, &Solvers, "iisph"), 0.1, nil)
		var u *Unstable
		if !errors.As(err, &u) {
			t.Errorf("%s: got error %v", c.name, err)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, c.want) || !strings.Contains(msg, "particle ") || u.Advice == "" || u.Time < 0 {
			t.Errorf("%s: %q does not name the fault", c.name, msg)
		}
	}
}

// broken is a force that divides by zero.
type broken struct{}

func (broken) MaxDt() float64 { return 1 }

func (broken) Add(a, _ []Vec4, on force.Particles) {
	if on.First == 0 {
		a[5].X = float32(math.NaN())
	}
}

func TestInitChecks(t *testing.T) {
	for name, w := range map[string]*World{
		"no spacing": {Liquid: Liquid{Rho0: 1000}},
		"negative":   {Liquid: Liquid{Spacing: 0.1, Rho0: -1}},
		"flat box": func() *World {
			w := New(0.1, 1000)
			w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1, 0.1, 1)}}
			return w
		}(),
		"small ball": func() *World {
			w := New(0.1, 1000)
			w.Walls = []boundary.Boundary{&boundary.Sphere{Radius: 0.1}}
			return w
		}(),
		"lost particle": func() *World {
			w := New(0.1, 1000)
			w.Fill(&shape.Box{Max: vec.New(1, 1, 1)}, vec.New(math.Inf(1), 0, 0))
			return w
		}(),
		"plane of none": func() *World { w := New(0.1, 1000); w.Walls = []boundary.Boundary{&boundary.Plane{}}; return w }(),
	} {
		if err := w.Init(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestExpectedSpeed(t *testing.T) {
	w := tank(t, 0.05, vec.New(1, 3, 1), 0.5)
	// From the top layer's particles to the ground.
	if got, want := w.Speed, math.Sqrt(2*9.81*0.475); math.Abs(got-want) > 1e-9 {
		t.Errorf("tank: %g m/s, want %g", got, want)
	}
	d := New(0.05, 1000)
	d.Gravity = earth
	d.Walls = []boundary.Boundary{registrytest.New(t, &boundary.Boundaries, "plane")}
	d.Fill(&shape.Sphere{Center: vec.New(0, 2, 0), Radius: 0.2}, vec.New(0, -3, 0))
	mustInit(t, d)
	if got, want := d.Speed, 3+math.Sqrt(2*9.81*2.175); math.Abs(got-want) > 1e-9 {
		t.Errorf("drop: %g m/s, want %g", got, want)
	}
}

func TestStats(t *testing.T) {
	w := New(0.1, 1000)
	w.Gravity = earth
	w.Fill(&shape.Box{Min: vec.New(0, 1, 0), Max: vec.New(0.5, 2, 0.5)}, vec.New(3, 4, 0))
	s := w.Stats()
	mass := 0.25 * 1000
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"particles", float64(s.Particles), 250},
		{"kinetic", s.Kinetic, mass / 2 * 25},
		{"potential", s.Potential, mass * 9.81 * 1.5},
		{"speed", s.MaxSpeed, 5},
		{"volume", s.Volume, 0.25},
		{"centre", s.Center.Y, 1.5},
	} {
		if math.Abs(c.got-c.want) > 1e-9*max(1, c.want) {
			t.Errorf("%s is %g, want %g", c.name, c.got, c.want)
		}
	}
	if (New(1, 1).Stats() != Stats{}) {
		t.Error("an empty world has statistics")
	}
}

// TestSameLookAtAnyRate breaks a dam for films of 24 to 240 frames per second, which end
// their steps at other times.
func TestSameLookAtAnyRate(t *testing.T) {
	longtest.NotShort(t)
	const end = 0.5 // a whole number of frames for all, before the water is across
	type look struct{ front, height, kinetic float64 }
	at := func(fps float64) look {
		w := New(0.04, 1000)
		w.Gravity = earth
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(3, 2, 0.4), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(0.6, 0.6, 0.4)}, vec.Vec3{})
		mustInit(t, w)
		s := registrytest.New(t, &Solvers, "iisph")
		for frame := 1.; frame <= end*fps; frame++ {
			mustAdvance(t, w, s, frame/fps, nil)
			if w.Time != frame/fps {
				t.Fatalf("%g fps: frame %g at %v s", fps, frame, w.Time)
			}
		}
		// The front is where 99 of 100 particles have not been.
		x := make([]float64, w.Len())
		for i := range x {
			x[i] = w.X[i].X
		}
		slices.Sort(x)
		st := w.Stats()
		return look{x[len(x)*99/100], st.Center.Y, st.Kinetic}
	}
	want := at(30)
	for _, fps := range []float64{24, 60, 240} {
		got := at(fps)
		if math.Abs(got.front-want.front) > 0.03*want.front || math.Abs(got.height-want.height) > 0.02*want.height || math.Abs(got.kinetic-want.kinetic) > 0.03*want.kinetic {
			t.Errorf("%g fps: front, height, kinetic energy %.4v, at 30 fps %.4v", fps, got, want)
		}
	}
}

// TestStartOfColumn lets a column go that stood at rest: its top falls no
// faster than a body does, nothing is thrown up, and the density stays.
func TestStartOfColumn(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		if name == "wcsph" {
			t.Skip("is springy by nature")
		}
		w := dam(t, 0.05)
		top := 0.
		for _, x := range w.X {
			top = max(top, x.Y)
		}
		s := registrytest.New(t, &Solvers, name)
		mustAdvance(t, w, s, 0.1, func(i StepInfo) error {
			now := 0.
			for k, x := range w.X {
				now = max(now, x.Y)
				if v := w.V[k].Y; v > 0.1*math.Sqrt(9.81*top) {
					t.Fatalf("at %.3f s particle %d flies up at %.2f m/s", i.Time, w.ID[k], v)
				}
			}
			if fall := 9.81 / 2 * i.Time * i.Time; now > top+0.002 || now < top-fall-0.005 {
				t.Fatalf("at %.3f s the top is at %.4f m, it started from %.4f m and may have fallen by %.4f m", i.Time, now, top, fall)
			}
			most := 1e-3
			if name == "isph" { // which corrects a tenth of an error in a step
				most = 1e-2
			}
			if i.DensityError > most {
				t.Fatalf("at %.3f s the density is %.2g too high", i.Time, i.DensityError)
			}
			return nil
		})
	})
}
