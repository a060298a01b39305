package run

import (
	"context"
	"fmt"

	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/estimate"
	"breakwater/scenes/host"
	"breakwater/scenes/stage"
)

// space compares the bytes that this run is going to write with the free disk, and its
// memory with the machine's. If a guess says that either may be short, a rehearsal says
// more. The rehearsal is bounded by its steps and not by a clock: whether a run is
// refused depends on nothing but the scene and the machine's size. A run that needs more
// memory than the machine has is refused. So is a run whose files would not fit on the
// disk if they were three quarters of the expected size. A run that may not fit gets a
// warning.
func (r *runner) space(ctx context.Context) error {
	e := estimate.Of(r.scene, r.built, nil)
	have, _ := host.Memory()
	free, ok := store.Free(r.dir.Path())
	const most = 3 // times a guess that may be needed
	if have > 0 && e.Memory > have/most || ok && r.writes(&e) > free/most {
		rehearsal, err := estimate.Rehearse(r.scene, ctx, estimate.RunEffort)
		if err != nil {
			return err
		}
		e = estimate.Of(r.scene, r.built, rehearsal)
		if err := estimate.Fits(r.scene, &e); err != nil {
			return err
		}
	}
	if !ok {
		return nil
	}
	need := r.writes(&e)
	const mega = 1e6
	says := fmt.Sprintf("about %d MB will be written, but %d MB are free in %s: free some space, or choose another folder",
		need/mega, free/mega, r.dir.Path())
	switch {
	case need/4*3 > free:
		return store.SmallDisk{Err: fmt.Errorf("the disk is too small: %s", says)}
	case need > free:
		r.report(stage.Event{Message: "The disk may be too small: " + says})
	}
	return nil
}

// writes returns the bytes that this run is going to add to its folder.
func (r *runner) writes(e *estimate.Estimate) (need int64) {
	for _, s := range []struct {
		stage stage.Name
		files func(n int) []product
		bytes int64 // of all frames
	}{{stage.Sim, r.particleFiles, e.Particle}, {stage.Whitewater, r.whitewaterFiles, e.Whitewater}, {stage.Mesh, r.meshProducts, e.Mesh}, {stage.Export, r.exportFiles, e.Export}, {stage.Draw, r.pictureFiles, e.Picture + e.Film}} {
		if !r.opt.has(s.stage) {
			continue
		}
		passing := int64(0) // meshes that go once drawn
		for n := r.first; n <= r.last; n++ {
			switch perFrame := s.bytes / int64(e.Frames); {
			case r.fresh(s.files(n)...) == nil || s.stage == stage.Mesh && r.spent(n):
			case s.stage == stage.Mesh && r.opt.has(stage.Draw) && !scenes.Keeps(r.scene.Mesh.Keep, n):
				passing = min(passing+perFrame, perFrame*int64(r.scene.Batch()))
			default:
				need += perFrame
			}
		}
		need += passing
	}
	return need
}
