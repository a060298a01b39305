package run

import (
	"context"
	"fmt"
	"runtime/debug"

	"breakwater/out/pace"
	"breakwater/out/store"
	"breakwater/scenes/stage"
)

// staged is a stage of a run.
type staged struct {
	name    stage.Name
	folders []string
	run     func(context.Context) error
}

// makeStages runs the stages that are asked for, a batch of frames after the other.
func (r *runner) makeStages(ctx context.Context, stages []staged, batch int) error {
	if !r.opt.has(stage.Mesh) || !r.opt.has(stage.Draw) {
		batch = r.last
	}
	report := r.report
	defer func() { r.report, r.from, r.to = report, r.first, r.last }()
	count := batched{pace: pace.Batches((r.last-r.first)/batch + 1), end: r.last, done: map[stagePart]stage.Event{}}
	for from := r.first; from <= r.last; from += batch {
		r.from, r.to = from, min(from+batch-1, r.last)
		if r.from > r.first || r.to < r.last {
			count.batch(r.to == r.last)
			r.report = func(e stage.Event) { count.add(e, report) }
		}
		for _, st := range stages {
			if !r.opt.has(st.name) {
				continue
			}
			if from == r.first { // only here: another stage may be running in another process
				if err := r.dir.Clean(append(st.folders, store.RecordFolder)...); err != nil {
					return err
				}
			}
			if err := st.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", st.name, err)
			}
			debug.FreeOSMemory() // or the next stage's memory would come on top
		}
	}
	return nil
}

// batched combines the events of batches to the events of stages.
type batched struct {
	pace  *pace.Pace                // of batches
	end   int                       // the last frame of the run
	begun bool                      // whether there was a batch before this
	made  bool                      // whether this batch has made anything
	last  bool                      // whether this batch is the last
	ended map[stage.Name]int        // how many parts of each stage have ended in this batch
	done  map[stagePart]stage.Event // the events of the previous batches
}

// stagePart is a part of a stage: files of particles and of volumes are both of
// the same.
type stagePart struct {
	stage stage.Name
	part  int
}

// batch ends the batch before, if there is one, and begins the next.
func (c *batched) batch(last bool) {
	switch {
	case c.made:
		c.pace.Next()
	case c.begun:
		c.pace.Skip()
	}
	c.begun, c.made, c.last, c.ended = true, false, last, map[stage.Name]int{}
}

// add reports e as one of all batches. Stages end with the last.
func (c *batched) add(e stage.Event, report func(stage.Event)) {
	if e.Stage == "" {
		report(e)
		return
	}
	at := stagePart{e.Stage, c.ended[e.Stage]}
	sum := c.done[at]
	e.Kept, e.Made, e.Frames = e.Kept+sum.Kept, e.Made+sum.Made, c.end
	c.made = c.made || e.Made > sum.Made
	if !c.last {
		e.ETA = c.pace.ETA() // of this batch and the later ones, with all their stages
	}
	if !e.Done {
		report(e)
		return
	}
	e.Seconds += sum.Seconds
	c.done[at] = e
	c.ended[e.Stage]++
	if c.last {
		report(e)
	} else if e.Message != "" {
		report(stage.Event{Stage: e.Stage, Message: e.Message})
	}
}
