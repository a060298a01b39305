package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"breakwater/out"
	"breakwater/scenes/stage"
	"breakwater/sim"
	"breakwater/sim/gauge"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// medium is what the sim stage moves: the liquid or the gas of a scene.
type medium interface {
	// start makes the state of the first frame.
	start() error
	// load makes the state that f has, a frame's file.
	load(f *out.Frame) error
	// advance moves the state to time end, and calls step after each step.
	advance(end float64, step func(now float64) error) error
	// frame rounds the state to the precision of a file, and returns what a file keeps of it.
	frame() out.Frame
	// row returns the values of the table of steps since start, load or the last call.
	row() []any
	// meters are the gauges, which have read the state on the way.
	meters() []*gauge.Meter
	// report adds to e the particles, and the steps since start, load or the last call of row.
	report(e *stage.Event)
}

// medium returns the medium of the scene, and the columns of its table of steps.
func (r *runner) medium() medium {
	if r.scene.Gas != nil {
		return &gas{scene: r.scene}
	}
	return &liquid{scene: r.scene}
}

// sim moves the particles from frame to frame. A stopped run continues from its last
// frame. At the end of each frame the state is rounded to the precision of a particle
// file, whether the file is read back or not.
func (r *runner) sim(ctx context.Context) error {
	var found *measures
	var track *frameTable // nil unless the camera follows the particles
	var places []string   // the keys of its rows
	l := &simulation{runner: r, medium: r.medium()}
	begin := r.chain(r.particleFiles)
	err := r.run(ctx, work{
		stage: stage.Sim, files: r.particleFiles, before: begin - 1,
		begin: func(todo []int) (notice string, err error) {
			if found, notice, err = r.openMeasures(todo); err == nil && r.tracks() {
				places = r.trackKeys()
				track, err = r.completeTrack(begin, todo)
			}
			return notice, err
		},
		compute: func(ctx context.Context, n int, e *stage.Event) (func() error, error) {
			if err := l.advance(ctx, n, *e); err != nil {
				return nil, err
			}
			l.report(e)
			f := l.medium.frame()
			rows, err := found.add(n, r.keys.Particles, l.row(), l.meters())
			if err != nil {
				return nil, err
			}
			f.Index, f.Rows = n, rows
			if track != nil {
				if err := track.add(r.trackRow(track, n, places[n], &f)); err != nil {
					return nil, err
				}
			}
			return nil, r.writeFrame(r.particleFiles(n), f)
		},
	}, begin, r.last)
	if err == nil && r.apart() && track != nil {
		err = r.completePath(track, places)
	}
	if err != nil || !r.settles() {
		return err
	}
	if track != nil {
		if err := track.settle(places); err != nil {
			return err
		}
	}
	return found.settle(r.keys.Particles)
}

func (r *runner) particleFiles(n int) []product {
	return []product{r.frameFile(ParticleFolder, n, r.built.Formats.Particles, r.keys.Particles[n])}
}

// simulation is the medium of a run on its way through the frames.
type simulation struct {
	*runner
	medium
	at int // the frame of the medium; 0 for none
}

// advance brings the medium to frame n, which e will report.
func (l *simulation) advance(ctx context.Context, n int, e stage.Event) error {
	if l.at == 0 || l.at != n-1 {
		if err := l.restore(n - 1); err != nil {
			return err
		}
	}
	if n > 1 {
		e.UnderWay = true
		begun := time.Now()
		reported := begun
		err := l.medium.advance(l.scene.Time.At(n), func(at float64) error {
			if now := time.Now(); now.Sub(reported) >= time.Second {
				reported = now
				l.medium.report(&e)
				e.Time, e.Seconds = at, now.Sub(begun).Seconds()
				l.runner.report(e)
			}
			return ctx.Err()
		})
		var liquid *sim.Unstable
		var gas *vortex.Unstable
		var lattice *vortex.TooLarge
		if errors.As(err, &gas) && !gas.Placed() {
			gas.Last = l.placeOf(n-1, gas)
		}
		if errors.As(err, &liquid) || gas != nil || errors.As(err, &lattice) {
			return fmt.Errorf("%w; frame %d, the last good one, is kept", err, n-1)
		}
		if err != nil {
			return err
		}
	}
	l.at = n
	return nil
}

// placeOf returns the place of the particle in frame n, or nil if it is not there.
func (l *simulation) placeOf(n int, u *vortex.Unstable) *vec.Vec3 {
	f, err := l.readFrame(l.particleFiles(n)[0])
	if err != nil {
		return nil
	}
	set := f.Particles
	if u.What == "vorton" {
		set = f.Vortons
	}
	if set != nil {
		if i := slices.Index(set.ID, u.ID); i >= 0 {
			return &set.X[i]
		}
	}
	return nil
}

// restore makes the state of frame n; frame 0 is before the first.
func (l *simulation) restore(n int) error {
	if n == 0 {
		return l.start()
	}
	f, err := l.readFrame(l.particleFiles(n)[0])
	if err == nil {
		err = l.load(f)
	}
	if err != nil {
		return fmt.Errorf("continuing from frame %d: %w", n, err)
	}
	return nil
}

// report adds what the medium says to e.
func (l *simulation) report(e *stage.Event) { l.medium.report(e) }
