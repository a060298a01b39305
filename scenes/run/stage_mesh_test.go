package run

import (
	"context"
	"runtime"
	"testing"

	"breakwater/scenes/stage"
)

// TestMeshStageForgets runs the mesh stage: no memory of it is kept for the
// pictures.
func TestMeshStageForgets(t *testing.T) {
	s := mustRead(t, "extends = \"dam-break\"\n[liquid]\nspacing = 0.1\n[time]\nfps = 2\n")
	r, err := newRunner(s, Options{Out: t.TempDir(), Stages: []stage.Name{stage.Sim, stage.Mesh}}, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.dir.Close()
	if err := r.stages(context.Background()); err != nil {
		t.Fatal(err)
	}
	live := func() float64 {
		var m runtime.MemStats
		for range 2 {
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	kept := live()
	r.built.Surface.Forget()
	if kept -= live(); kept > 1e5 {
		t.Errorf("the method keeps %.0f bytes", kept)
	}
}
