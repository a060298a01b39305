package scenes

import (
	"fmt"

	"breakwater/out"
)

// space compares what this run is going to write with what the disk has left,
// and what it needs of memory with what there is. The estimates may be off by
// some: a run that would not fit if it wrote half as much is refused, one that
// may not fit is warned of. Memory that cannot do is a fault of the scene; see
// checker.room.
func (r *runner) space() error {
	e := r.scene.Estimate(r.built)
	if have, who := memory(); have > 0 && e.Memory > have {
		r.report(Event{Message: fmt.Sprintf("Memory may be short: about %.3g GB are needed, and %s %.3g GB", float64(e.Memory)/1e9, who, float64(have)/1e9)})
	}
	free, ok := out.Free(r.dir.Path())
	if !ok {
		return nil
	}
	var need int64
	for _, s := range []struct {
		stage Stage
		files func(n int) []product
		bytes int64 // of all frames
	}{{SimStage, r.particleFiles, e.Particle}, {MeshStage, r.meshFiles, e.Mesh}, {ExportStage, r.exportFiles, e.Export}, {DrawStage, r.pictureFiles, e.Picture + e.Film}} {
		if !r.opt.has(s.stage) {
			continue
		}
		passing := int64(0) // meshes that go once drawn
		for n := r.first; n <= r.last; n++ {
			switch perFrame := s.bytes / int64(e.Frames); {
			case r.fresh(s.files(n)...) == nil || s.stage == MeshStage && r.spent(n):
			case s.stage == MeshStage && r.opt.has(DrawStage) && !keeps(r.scene.Mesh.Keep, n):
				passing = min(passing+perFrame, perFrame*int64(r.scene.batch()))
			default:
				need += perFrame
			}
		}
		need += passing
	}
	const mega = 1e6
	says := fmt.Sprintf("about %d MB are to be written, and %d MB are free in %s: free some, or choose a folder elsewhere",
		need/mega, free/mega, r.dir.Path())
	switch {
	case need/2 > free:
		return fmt.Errorf("the disk is too small: %s", says)
	case need > free:
		r.report(Event{Message: "The disk may be too small: " + says})
	}
	return nil
}
