package estimate

import (
	"math"
	"runtime"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/footprint"
	"breakwater/sim/heaptest"
	"breakwater/surface/mesh"
)

// TestFootprintOfFrame counts the memory of particles and of their surface, and
// compares it with the memory that the garbage collector frees with them.
func TestFootprintOfFrame(t *testing.T) {
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.06\n"))
	if err != nil {
		t.Fatal(err)
	}
	before := heaptest.InUse()
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	now := s.Time.At(4)
	if err := b.World.Advance(b.Solver, now, nil); err != nil {
		t.Fatal(err)
	}
	m := new(mesh.Mesh)
	if err := b.Surface.Surface(m, s.Cloud(b, &b.World.Set, 2, now)); err != nil {
		t.Fatal(err)
	}
	heap, counted := heaptest.InUse()-before, 0.
	f := footprint.New(b.World.Len())
	for _, v := range []any{b.World, b.Solver, b.Surface, m} {
		each, rest := f.Add(v)
		counted += each + rest
	}
	if math.Abs(counted/heap-1) > 0.1 {
		t.Errorf("%.0f bytes are counted of %.0f", counted, heap)
	}
	b.Surface.Forget()
	if each, rest := footprint.New(b.World.Len()).Add(b.Surface); each+rest > 1e4 {
		t.Errorf("a method keeps %.0f bytes", each+rest)
	}
	runtime.KeepAlive(b)
	runtime.KeepAlive(m)
}
