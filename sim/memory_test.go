package sim

import (
	"runtime"
	"testing"

	"breakwater/sim/vec"
)

func TestBytesPerParticle(t *testing.T) {
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	w := New(0.05, 1000)
	w.Gravity = earth
	w.Walls = []Boundary{&Box{Max: vec.New(2, 2, 1), Inside: true}}
	w.Fill(&BoxShape{Max: vec.New(1, 1, 1)}, vec.Vec3{})
	mustInit(t, w)
	s := newOf(t, &Solvers, "iisph")
	mustAdvance(t, w, s, 0.2, nil)
	got := (heap() - before) / float64(w.Len())
	t.Logf("%.0f bytes a particle", got)
	if got < 0.75*BytesPerParticle || got > 1.25*BytesPerParticle {
		t.Errorf("a particle takes %.0f bytes, BytesPerParticle is %d", got, BytesPerParticle)
	}
	runtime.KeepAlive(w)
	runtime.KeepAlive(s)
}
