package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"breakwater/out"
	"breakwater/out/pace"
	"breakwater/out/store"
	"breakwater/scenes/stage"
)

// The folders within the output folder.
const (
	ParticleFolder = "particles" // which wedges share
	surfaceFolder  = "surface"   // the liquid's meshes, which later stages read
	meshFolder     = "mesh"      // the same for other programs
	bodyFolder     = "bodies"
	frameFolder    = "frames"
	detailFolder   = "details" // parts of frames
)

// runFolders are all of them. A user may put a link in the place of each.
var runFolders = []string{ParticleFolder, gaugeFolder, surfaceFolder, meshFolder, bodyFolder, pointFolder, vortonFolder, volumeFolder, whitewaterFolder, frameFolder, detailFolder, sceneryFolder}

// product is a file that a stage makes.
type product struct {
	name        string // in the output folder
	format      store.Checker
	fingerprint string
	axes        out.Axes
}

// gzipped returns a file of a frame compressed, if that is asked for.
func (p product) gzipped(asked bool) product {
	if asked {
		p.name += ".gz"
		p.format = out.Gzipped{PerFrame: p.format.(out.PerFrame)}
	}
	return p
}

// work is a stage that makes files of its own for each frame.
type work struct {
	stage stage.Name
	what  string // see Event
	files func(n int) []product
	// from lists the files of the stage before that frame n is made from, or nil.
	from     func(n int) []product
	fromWhat stage.Name
	// lacks reports whether frame n is to be made though its files are there;
	// nil if none is.
	lacks func(n int) bool
	// begin is called once it is known which frames are to be made, and returns a notice
	// for the user, "" if all is well; nil for nothing.
	begin  func(todo []int) (notice string, err error)
	before int // frames before the first, which are kept
	// without reports whether frame n needs no files, now or ever; nil if all do.
	without func(n int) bool
	// compute computes frame n and returns a function that writes its files, or nil if it
	// has written them. Both add their results to e. Frames come in ascending order, but
	// kept frames are left out. A frame is written while the next is computed, so the two
	// must not share memory.
	compute func(ctx context.Context, n int, e *stage.Event) (write func() error, err error)
}

// run makes the frames first … last of w, as far as they are not there.
func (r *runner) run(ctx context.Context, w work, first, last int) error {
	var todo []int
	lacksRows := map[int]bool{} // as of now: tables are written meanwhile
	for n := first; n <= last; n++ {
		lacksRows[n] = w.lacks != nil && w.lacks(n)
		wanted := r.opt.Force && n >= r.first || lacksRows[n] || r.fresh(w.files(n)...) != nil
		if wanted && (w.without == nil || !w.without(n)) {
			todo = append(todo, n)
		}
	}
	if err := r.need(w, todo); err != nil {
		return err
	}
	notices, err := r.tidy(w, first, last)
	if err != nil {
		return err
	}
	if w.begin != nil {
		more, err := w.begin(todo)
		if err != nil {
			return err
		}
		if more != "" {
			notices = append(notices, more)
		}
	}
	for _, n := range notices {
		r.report(stage.Event{Stage: w.stage, Message: n})
	}
	e := stage.Event{Stage: w.stage, What: w.what, Frames: last, Kept: w.before + last - first + 1 - len(todo)}
	r.report(e)
	if len(todo) > 0 {
		if err := r.dir.Remove(manifestName); err != nil {
			return err
		}
	}

	l := stage.Loop{
		Event: e, Pace: pace.Of(r.work(w.stage, todo)), Report: r.report,
		Interrupted: func(i int) *stage.Interrupted {
			return &stage.Interrupted{Stage: w.stage, Frame: todo[i], Last: r.last}
		},
	}
	err = l.Run(ctx, len(todo), func(i int, e *stage.Event) (func() error, error) {
		n := todo[i]
		if !r.opt.Force && !lacksRows[n] && r.fresh(w.files(n)...) == nil {
			l.Event.Kept++ // another process has made it meanwhile
			return nil, stage.ErrSkip
		}
		e.Frame, e.Time = n, r.scene.Time.At(n)
		write, err := w.compute(ctx, n, e)
		if err != nil || write == nil {
			return nil, inFrame(n, err)
		}
		return func() error { return inFrame(n, write()) }, nil
	})
	if err != nil {
		return err
	}
	e = l.Event
	e.Frame, e.Time = last, r.scene.Time.At(last)
	e.Seconds, e.Done = l.Pace.Seconds(), true
	r.report(e)
	return nil
}

// chain returns the frame from which a stage that goes from frame to frame begins. A run of files
// per frame begins after the last frame before its own that is there, and looks at none before that.
func (r *runner) chain(files func(n int) []product) int {
	if !r.apart() {
		return 1
	}
	n := r.first
	for n > 1 && r.fresh(files(n-1)...) != nil {
		n--
	}
	return n
}

// inFrame names the frame of an error.
func inFrame(n int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("frame %d: %w", n, err)
}

// fresh returns nil if all the files exist, whole, and of the settings of this run, or
// else the fault of the first other file.
func (r *runner) fresh(files ...product) error {
	for _, f := range files {
		if err := r.dir.Fresh(f.name, f.format, f.fingerprint); err != nil {
			return err
		}
	}
	return nil
}

// need returns a *NotMade if the frames cannot be made because the stage
// before has not made its own.
func (r *runner) need(w work, frames []int) error {
	if w.from == nil {
		return nil
	}
	var e *NotMade
	for _, n := range frames {
		for _, f := range w.from(n) {
			err := r.fresh(f)
			switch {
			case err == nil:
			case e == nil:
				e = &NotMade{Stage: cmp.Or(stageOf(f.name), w.fromWhat), Frames: 1, file: f.name, err: err}
			default:
				e.Frames++
			}
		}
	}
	if e == nil {
		return nil
	}
	return e
}

// whole returns how the file is made of all frames of this run, from files of the
// stage from; nil if it is there.
func (r *runner) whole(name stage.Name, file product, from func(n int) []product, fromWhat stage.Name) (*stage.Whole, error) {
	frames := r.last - r.first + 1
	w := &stage.Whole{
		Dir: r.dir, Name: file.name, Event: stage.Event{Stage: name, What: file.name, Frames: frames}, First: r.first,
		Time: func(i int) float64 { return r.scene.Time.At(r.first + i) }, Report: r.report,
	}
	if !r.opt.Force && r.fresh(file) == nil {
		w.Keep()
		return nil, nil
	}
	var all []int
	for n := r.first; n <= r.last; n++ {
		all = append(all, n)
	}
	if err := r.need(work{from: from, fromWhat: fromWhat}, all); err != nil {
		return nil, err
	}
	var damaged *store.Damaged
	if errors.As(r.fresh(file), &damaged) {
		r.report(stage.Event{Stage: name, Message: fmt.Sprintf("%-5s %s is damaged: made again", name, file.name)})
	}
	if err := r.dir.Remove(manifestName); err != nil {
		return nil, err
	}
	r.report(w.Event)
	return w, nil
}
