package run

import (
	"context"
	"testing"

	"breakwater/scenes"
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

// estimateOf estimates the scene in text, with a rehearsal of all of it.
func estimateOf(t *testing.T, text string) (scenes.Estimate, *scenes.Scene) {
	t.Helper()
	s, err := scenes.Read("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Rehearse(context.Background(), scenes.Effort{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() != nil || r.Share() != 1 {
		t.Fatalf("the rehearsal got to %g: %v", r.Share(), r.Failed())
	}
	return s.Estimate(b, r), s
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
