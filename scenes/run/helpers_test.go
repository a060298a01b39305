package run

import (
	"context"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/estimate"
	"breakwater/scenes/stage"
)

func mustRead(t *testing.T, text string) *scenes.Scene {
	t.Helper()
	s, err := scenes.Read("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustBuild(t *testing.T, s *scenes.Scene) *scenes.Built {
	t.Helper()
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// simulated runs the stage sim of a scene in a folder, up to the frame last, or to the end if
// last is 0.
func simulated(t *testing.T, text, dir string, last int) {
	t.Helper()
	opt := Options{Out: dir, Stages: []stage.Name{stage.Sim}, Last: last}
	if err := Run(context.Background(), mustRead(t, text), opt, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
}

// sameTable checks that the table of a gauge is the same after stops as in a run at once, and
// that it has the given number of rows. It returns the table.
func sameTable(t *testing.T, whole, stopped, gauge string, rows int) string {
	t.Helper()
	want := readText(t, whole, "gauges", gauge+".csv")
	if got := readText(t, stopped, "gauges", gauge+".csv"); got != want {
		t.Errorf("%s: after stops it is\n%s\nwant\n%s", gauge, got, want)
	}
	if n := strings.Count(want, "\n") - 1; n != rows {
		t.Errorf("%s has %d rows, want %d:\n%s", gauge, n, rows, want)
	}
	return want
}

// estimateOf estimates the scene in text, with a rehearsal of all of it.
func estimateOf(t *testing.T, text string) (estimate.Estimate, *scenes.Scene) {
	t.Helper()
	s, err := scenes.Read("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := estimate.Rehearse(s, context.Background(), estimate.Effort{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() != nil || r.Share() != 1 {
		t.Fatalf("the rehearsal got to %g: %v", r.Share(), r.Failed())
	}
	return estimate.Of(s, b, r), s
}

// ran runs s and returns a runner over what it has made, which is closed at the end of the test.
func ran(t *testing.T, s *scenes.Scene, opt Options) *runner {
	t.Helper()
	if err := Run(context.Background(), s, opt, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	r, err := newRunner(s, opt, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.dir.Close() })
	return r
}

// stepsOf runs s and returns how many steps its simulation took.
func stepsOf(t *testing.T, s *scenes.Scene, opt Options) (steps int) {
	t.Helper()
	err := Run(context.Background(), s, opt, func(e stage.Event) {
		if e.Stage == stage.Sim && !e.UnderWay && !e.Done {
			steps += e.Substeps
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}
