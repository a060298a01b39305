// Package parcels makes whitewater from particle files of any program.
//
//   - parcels.go: the files, one after the other
//   - read.go: their particles, with numbers, velocities and densities
//   - walls.go: the walls about the liquid; moving.go, those that move
//   - memory.go: what fits into the memory
//   - settings.go: settings of the command line
//   - formats.go: the files that are made
//
// The state of each frame is a file in the output folder. It has a fingerprint of all
// particle files up to it, of the walls and of the settings. A stopped run continues from
// the last state, and files of other formats are made from the states alone.
package parcels

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/out/pace"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/host"
	"breakwater/scenes/mesher"
	"breakwater/scenes/stage"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
)

// Options are the inputs, the settings and the outputs of a run.
type Options struct {
	Files       []string // and patterns; see mesher.Find
	First, Last int      // numbers of files, −1 for any
	Settings    []Setting
	Walls       []string // mesh files, and patterns of the meshes of a wall that moves
	Box         *vec.Box // a tank, nil for none
	Axes        out.Axes // of the particles, the walls, the box, the gravity and the wind
	Out         string   // folder
	Formats     []string // "vtp" if empty
	FPS         float64  // files per second, 0 for mesher.DefaultFPS
	Interval    float64  // simulated time between two files, s; 0 for 1/FPS
	Expand      int      // largest number of points for a parcel in the files; 0 for 1
	Memory      int64    // bytes that the run may use; 0 for what the program may have
	Force       bool     // make again even intact files
}

// mostExpand is the largest number of points that files have for a parcel.
const mostExpand = 1000

// UsageError is a fault of the options.
type UsageError struct{ error }

// Unwrap returns the fault.
func (e UsageError) Unwrap() error { return e.error }

// Run makes the whitewater of the files of opt, and writes it as files of the formats.
// report is called for one event at a time.
func Run(ctx context.Context, opt Options, report func(stage.Event)) error {
	r, err := newRunner(opt, report)
	if err != nil {
		return err
	}
	defer r.dir.Close()
	defer host.Keep(r.opt.Memory)()
	return r.run(ctx)
}

// runner is one run.
type runner struct {
	opt    Options
	report func(stage.Event)

	inputs   []mesher.Input
	numbers  []int     // of the frames
	times    []float64 // of the frames, s
	fps      float64
	interval float64 // s
	keys     []string
	made     stage.Recipe // of all but the particles
	like     int          // the file that shows which quantities all have
	count    int          // the particles in that file
	has      has
	read     map[int]*input // by the place of the file

	set    Settings
	scene  whitewater.Scene
	solid  []boundary.Boundary // walls that take part in sums of densities
	moving []*movingWall

	dir      *store.Dir
	formats  []out.PerFrame
	archives []out.Archive

	water *whitewater.Whitewater
	prev  whitewater.Frame // the frame at which water is
	at    int              // its place; −1 for none
}

func newRunner(opt Options, report func(stage.Event)) (*runner, error) {
	r := &runner{opt: opt, report: report, read: map[int]*input{}, at: -1}
	var err error
	if r.set, err = readSettings(opt.Settings); err != nil {
		return nil, UsageError{err}
	}
	r.set.Wind = opt.Axes.BackDirection(r.set.Wind)
	if slices.ContainsFunc(opt.Settings, func(s Setting) bool { return s.Key == "gravity" }) {
		r.set.Gravity = opt.Axes.BackDirection(r.set.Gravity)
	}
	switch {
	case opt.FPS != 0 && !(opt.FPS >= film.MinFPS && opt.FPS <= film.MaxFPS):
		return nil, usage("%g frames per second: expected %g to %d", opt.FPS, film.MinFPS, film.MaxFPS)
	case opt.Interval != 0 && !(opt.Interval > 0 && opt.Interval <= 1e6):
		return nil, usage("%g s between files: expected more than 0", opt.Interval)
	}
	if opt.Expand < 0 || opt.Expand > mostExpand {
		return nil, usage("%d points per parcel: expected 1 to %d", opt.Expand, mostExpand)
	}
	if err := r.findFormats(); err != nil {
		return nil, err
	}
	var notices []string
	if r.inputs, notices, err = mesher.Find(opt.Files); err != nil {
		return nil, UsageError{err}
	}
	if r.inputs, err = mesher.InRange(r.inputs, opt.First, opt.Last); err != nil {
		return nil, UsageError{err}
	}
	if s := mesher.Ends(r.inputs, opt.First, opt.Last); s != "" {
		notices = append(notices, s)
	}
	if len(r.inputs) < 2 {
		return nil, usage("whitewater needs two particle files or more, and only %s is there", r.inputs[0].Path)
	}
	r.number()
	if err := r.distinct(); err != nil {
		return nil, err
	}
	for _, s := range notices {
		r.say("%s", s)
	}
	if err := r.surroundings(); err != nil {
		return nil, err
	}
	if r.dir, err = store.OpenRun(opt.Out); err != nil {
		return nil, err
	}
	if err := r.dir.Clean("."); err != nil {
		r.dir.Close()
		return nil, err
	}
	return r, nil
}

// surroundings finds all that the whitewater is made from besides the particles.
func (r *runner) surroundings() error {
	x, err := r.look()
	if err != nil {
		return err
	}
	if err := r.room(); err != nil {
		return err
	}
	r.made.Add("version", scenes.WhitewaterVersion())
	r.made.Line("axes", r.opt.Axes.String())
	r.made.Add("settings", r.set)
	r.made.Add("density", r.has.density)
	if err := r.addWalls(x); err != nil {
		return err
	}
	r.scene.Spacing, r.scene.Rho0, r.scene.Viscosity = r.set.Spacing, r.set.Density, r.set.Viscosity
	r.scene.SurfaceTension, r.scene.Gravity = r.set.SurfaceTension, r.set.Gravity
	like := r.inputs[r.like].Path
	if r.opt.FPS == 0 && r.opt.Interval == 0 {
		r.say("%g files per second of simulated time; --fps or --interval sets this", r.fps)
	}
	if !r.has.id {
		r.say("%s has no ids: particles are matched by their order in the files", like)
	}
	if !r.has.velocity {
		r.say("%s has no velocities: they are the differences of positions", like)
	}
	if !r.has.density {
		s := "densities are summed over the particles"
		if len(r.solid) == 0 {
			s += "; without --walls or --box, particles at a wall count as surface"
		}
		r.say("%s", s)
	}
	return nil
}

// say reports a message for the user.
func (r *runner) say(format string, args ...any) {
	r.report(stage.Event{Stage: stage.Whitewater, Message: fmt.Sprintf(format, args...)})
}

func (r *runner) run(ctx context.Context) error {
	begun := time.Now()
	frames := len(r.inputs)
	l := stage.Loop{
		Event: stage.Event{Stage: stage.Whitewater, Frames: frames}, Pace: pace.New(frames), Report: r.report,
		Interrupted: func(i int) *stage.Interrupted {
			return &stage.Interrupted{Stage: stage.Whitewater, File: r.inputs[i].Path, Frame: i + 1, Last: frames}
		},
	}
	r.report(l.Event)
	r.keys = make([]string, frames) // not appended: frames are written while the next are made
	key := r.made.Sum()
	err := l.Run(ctx, frames, func(i int, e *stage.Event) (write func() error, err error) {
		if key, err = r.key(i, key); err != nil {
			return nil, err
		}
		r.keys[i] = key
		lacking := r.lacking(i)
		known := r.fresh(i, stateFormat)
		if known && len(lacking) == 0 {
			l.Event.Kept++
			return nil, stage.ErrSkip
		}
		var state *whitewater.State
		var bytes []byte
		if known {
			state, err = r.readState(i)
			known = !r.damaged(err)
		}
		if !known {
			err = r.advance(i)
		}
		if err == nil && !known {
			state = r.water.State()
			bytes, err = state.Append(nil)
			e.Particles = r.prev.Len()
		}
		if err != nil {
			return nil, err
		}
		f := r.parcels(i, state)
		e.File, e.Frame, e.Time, e.Parcels = r.inputs[i].Path, i+1, r.times[i], f.Particles.Len()
		return func() error {
			if !known {
				if err := r.writeBytes(i, bytes); err != nil {
					return err
				}
			}
			for _, format := range lacking {
				if err := r.write(i, format, f); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
	if err != nil {
		return err
	}
	e := l.Event
	e.Frame, e.Time, e.Seconds, e.Done = frames, r.times[frames-1], time.Since(begun).Seconds(), true
	r.report(e)
	for _, a := range r.archives {
		if err := r.archive(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// key returns the fingerprint of frame i, after the fingerprint of the frame before it.
func (r *runner) key(i int, before string) (string, error) {
	var made stage.Recipe
	made.Line("from", before)
	made.Add("time", r.times[i])
	if len(r.moving) > 0 {
		made.Add("walls", r.bodies(i))
	}
	for k := i; k < len(r.inputs) && k <= i+1; k++ {
		if k > i && r.has.velocity {
			break // the next file matters for velocities by difference alone
		}
		in, err := r.load(k)
		if err != nil {
			return "", err
		}
		made.Line("file", in.sum)
	}
	return made.Sum(), nil
}

// advance brings the whitewater to frame i, whose predecessor has a state.
func (r *runner) advance(i int) error {
	if i == 0 {
		return r.restore(0)
	}
	if r.at != i-1 {
		if err := r.restore(i - 1); err != nil {
			return err
		}
	}
	next, err := r.frame(i)
	if err != nil {
		return err
	}
	if err := r.ordered(i, r.prev, next); err != nil {
		return err
	}
	if err := r.fits(i, r.read[i].size, next.Len(), r.water.Parcels().Len()); err != nil {
		return err
	}
	if err := r.water.Step(r.prev, next); err != nil {
		return r.fault(i, err)
	}
	r.prev, r.at = next, i
	return nil
}

// restore makes the whitewater of frame i, from its state if it is not the first.
func (r *runner) restore(i int) (err error) {
	if r.water, err = whitewater.New(r.set.Settings, r.scene); err != nil {
		return err
	}
	if r.prev, err = r.frame(i); err != nil {
		return err
	}
	r.at = i
	r.water.Start(r.prev.Time)
	if i == 0 {
		return nil
	}
	state, err := r.readState(i)
	if r.damaged(err) { // it is made again from the frame before
		r.at = -1
		if err := r.advance(i); err != nil {
			return err
		}
		return r.writeState(i, r.water.State())
	}
	if err != nil {
		return err
	}
	r.water.Restore(state)
	return nil
}

// damaged reports whether err is the error of a damaged file, and says so.
func (r *runner) damaged(err error) bool {
	var file *store.Damaged
	if !errors.As(err, &file) {
		return false
	}
	r.say("%s is damaged: made again", file.Name)
	return true
}
