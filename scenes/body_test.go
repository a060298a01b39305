package scenes

import "testing"

// TestJoinedBodies lets a hammer fall, whose head and handle are two bodies that
// overlap.
func TestJoinedBodies(t *testing.T) {
	text := func(head, handle string) []byte {
		return []byte(`
[liquid]
spacing = "6 cm"
[[fluid]]
kind = "box"
max = [0.48, 0.24, 0.48]
[[wall]]
kind = "box"
max = [2, 4, 0.48]
[[body]]
name = "` + handle + `"
kind = "box"
min = [0.9, 3, 0.15]
max = [1.6, 3.15, 0.3]
density = 500
velocity = [0, 0.5, 0]
[body.joint]
kind = "fixed"
body = "` + head + `"
[[body]]
name = "` + head + `"
kind = "box"
min = [0.8, 2.9, 0.1]
max = [1, 3.25, 0.35]
density = 7800
`)
	}
	build := func(head, handle string) (*Built, *Keys) {
		s, err := Read("hammer.toml", text(head, handle))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewKeys(s, b)
		if err != nil {
			t.Fatal(err)
		}
		return b, k
	}
	b, k := build("head", "handle")
	if _, other := build("a", "b"); other.Particles[0] != k.Particles[0] {
		t.Error("the particles depend on names")
	}
	w := b.World
	before := w.Set.Bodies[0].X.Sub(w.Set.Bodies[1].X)
	if err := w.Advance(b.Solver, 0.3, nil); err != nil {
		t.Fatal(err)
	}
	handle, head := w.Set.Bodies[0], w.Set.Bodies[1]
	if off := handle.X.Sub(head.X).Len() - before.Len(); off > 1e-5 || off < -1e-5 || handle.Spin.Sub(head.Spin).Len() > 1e-4 {
		t.Errorf("they have parted by %g m, and turn at %v and %v rad/s", off, handle.Spin, head.Spin)
	}
	if head.Spin.Z < 0.01 {
		t.Errorf("the handle's start does not turn the head: %v rad/s", head.Spin)
	}
}
