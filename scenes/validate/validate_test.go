package validate

import (
	"bytes"
	"context"
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/registry"
)

// TestQuick holds every case to the goals of its quick run.
func TestQuick(t *testing.T) {
	longtest.NotShort(t)
	for _, e := range Cases.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			switch e.Name {
			case "whitewater", "hill-mesh", "ring-ball", "puffing", "plume", "thermal", "light-body", "wall-pressure", "dam-energy", "cylinder", "sphere", "drift", "wave-flume", "thick-ring", "wet-bed", "taylor-green-3d", "lamb-oseen", "square-patch", "vessels", "still-water": // 2 to 40 s each
				longtest.Only(t)
			}
			c, err := e.New(registry.None)
			if err != nil {
				t.Fatal(err)
			}
			r, err := c(&Run{Ctx: context.Background(), Quick: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Particles == 0 || r.Steps == 0 || len(r.Measures) == 0 {
				t.Fatalf("%d particles, %d steps, %d measures", r.Particles, r.Steps, len(r.Measures))
			}
			for _, m := range r.Measures {
				t.Logf("%-30s got %10.5g want %10.5g %s error %.3g goal %.3g", m.Name, m.Got, m.Want, m.Unit, m.Error, m.Goal)
				if !m.Met() {
					t.Errorf("%s: error %g, want at most %g", m.Name, m.Error, m.Goal)
				}
			}
			var b bytes.Buffer
			if err := r.Plot.WriteCSV(&b); err != nil || bytes.Count(b.Bytes(), []byte("\n")) < 10 {
				t.Errorf("CSV of %d bytes: %v", b.Len(), err)
			}
		})
	}
}

// TestEllipse compares the exact solution with one made elsewhere.
func TestEllipse(t *testing.T) {
	for end, want := range map[float64][2]float64{0.0020: {0.820826, 96.27022}, 0.0076: {0.514266, 70.31089}} {
		_, a, rate := ellipse(0, end, 1, 100, 0)
		if math.Abs(a-want[0]) > 1e-6 || math.Abs(rate-want[1]) > 1e-4 {
			t.Errorf("at %g s a = %.6f and A = %.5f, want %g and %g", end, a, rate, want[0], want[1])
		}
	}
}

func TestSeries(t *testing.T) {
	s, want := &series{}, &series{}
	for x := range 20 {
		s.add(float64(x), float64(x*x))
	}
	for x := 3.; x < 15; x++ {
		want.add(x+0.7, s.at(x))
	}
	if got := s.at(2.5); got != 6.5 {
		t.Errorf("between 4 and 9: %g, want 6.5", got)
	}
	if s.at(-1) != 0 || s.at(99) != 361 {
		t.Errorf("beyond the ends: %g and %g", s.at(-1), s.at(99))
	}
	shift, rms := s.bestShift(want, 1)
	if math.Abs(shift-0.7) > 1e-9 || rms > 1e-9 {
		t.Errorf("best shift %g with %g, want 0.7 with 0", shift, rms)
	}
	if got := s.rms(want, 0); got < 0.05 {
		t.Errorf("unshifted %g", got)
	}
}

// TestChannelFlows compares the series with others' values.
func TestChannelFlows(t *testing.T) {
	for _, c := range []struct {
		f          func(y, t float64) float64
		y, t, want float64
	}{
		{poiseuille, 5e-4, 0.045, 4.234571e-06}, {poiseuille, 1e-4, 1, 4.499794e-06},
		{couette, 5e-4, 0.1125, 3.628441e-06}, {couette, 9e-4, 0.0225, 7.966899e-06},
	} {
		if got := c.f(c.y, c.t); math.Abs(got-c.want) > 1e-11 {
			t.Errorf("at %g m after %g s: %g, want %g", c.y, c.t, got, c.want)
		}
	}
}

// TestPeriod finds the period of a sine that fades, between samples.
func TestPeriod(t *testing.T) {
	s := &series{}
	for x := 0.; x < 5; x += 0.07 {
		s.add(x, math.Exp(-x/4)*math.Sin(2*math.Pi*x/1.7))
	}
	if got := s.period(); math.Abs(got-1.7) > 0.01 {
		t.Errorf("%g, want 1.7", got)
	}
	if got := s.between(0, 0.5).period(); !math.IsInf(got, 1) {
		t.Errorf("of less than a swing: %g", got)
	}
}

// TestMet holds that a result that is not a number misses any goal, and that one for information
// only has none.
func TestMet(t *testing.T) {
	for _, m := range []Measure{number("x", "", math.NaN(), 1, 1, 0.1), curve("x", math.NaN(), 0.1), number("x", "", 1.2, 1, 1, 0.1)} {
		if m.Met() {
			t.Errorf("%+v is met", m)
		}
	}
	for _, m := range []Measure{note("x", "", math.NaN()), curve("x", math.NaN(), noGoal), number("x", "", 1.05, 1, 1, 0.1)} {
		if !m.Met() {
			t.Errorf("%+v is missed", m)
		}
	}
}

// TestOrder checks the order of known errors, and of those without one.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		d, e [2]float64
		want float64
	}{
		{[2]float64{0.02, 0.01}, [2]float64{0.4, 0.1}, 2},
		{[2]float64{0.03, 0.01}, [2]float64{0.3, 0.1}, 1},
		{[2]float64{0.02, 0.01}, [2]float64{0.1, 0.2}, -1},
		{[2]float64{0.02, 0.01}, [2]float64{0.1, 0}, math.NaN()},
		{[2]float64{0.02, 0.01}, [2]float64{0.1, math.NaN()}, math.NaN()},
	} {
		if got := order(c.d, c.e); !(math.Abs(got-c.want) < 1e-12) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("errors %g at %g: order %g, want %g", c.e, c.d, got, c.want)
		}
	}
}

// TestNoNumber holds that a result that is not a number misses its goal.
func TestNoNumber(t *testing.T) {
	if m := number("x", "", math.NaN(), 1, 1, 0.1); m.Met() {
		t.Errorf("NaN meets a goal: %+v", m)
	}
	if m := number("x", "", math.NaN(), 1, 1, noGoal); !m.Met() {
		t.Errorf("NaN misses a goal that does not exist: %+v", m)
	}
}
