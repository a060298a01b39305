package estimate

import (
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/memory"
)

// The tests' machine has all the memory that a scene may need, so that the expected
// results do not depend on the machine that they run on.
func init() { memory.Machine = func() (int64, string) { return 0, "" } }

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
