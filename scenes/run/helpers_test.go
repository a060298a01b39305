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

// filmed is a small scene, with a wall that moves, for the camera given.
func filmed(camera string) string {
	return `
[time]
duration = 2
fps = 10
speed = 0.1
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.4, 0.3]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [1, 2, 0.3]
[[wall]]
kind = "sphere"
center = [2, 0.5, 0]
radius = 0.2
[wall.motion]
velocity = [1, 0.5, 0]
[picture]
size = [64, 36]
` + camera
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
