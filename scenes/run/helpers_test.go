package run

import (
	"context"
	"testing"

	"breakwater/scenes"
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
