package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"breakwater/out"
	"breakwater/scenes/stage"
	"breakwater/sim"
	"breakwater/sim/gauge"
)

// sim moves the particles from frame to frame. A stopped run continues from its last
// frame. At the end of each frame the state is rounded to the precision of a particle
// file, whether the file is read back or not.
func (r *runner) sim(ctx context.Context) error {
	var found *measures
	l := &liquid{runner: r}
	err := r.run(ctx, work{
		stage: stage.Sim, files: r.particleFiles,
		begin: func(todo []int) (notice string, err error) {
			found, notice, err = r.openMeasures(todo)
			return notice, err
		},
		compute: func(ctx context.Context, n int, e *stage.Event) (func() error, error) {
			t, err := l.advance(ctx, n, *e)
			if err != nil {
				return nil, err
			}
			w := l.world
			rows, err := found.add(n, r.keys.Particles, t, w, l.meters)
			if err != nil {
				return nil, err
			}
			e.Particles, e.Substeps, e.Phases = w.Len(), t.steps, t.seconds
			return nil, r.writeFrame(r.particleFiles(n), out.Frame{Index: n, Time: w.Time, Dt: w.Dt, Particles: &w.Set, Rows: rows})
		},
	}, 1, r.last)
	if err != nil || !r.complete() {
		return err
	}
	return found.prune(r.keys.Particles)
}

func (r *runner) particleFiles(n int) []product {
	return []product{r.frameFile(particleFolder, n, r.built.Formats.Particles, r.keys.Particles[n])}
}

// liquid is the state that the sim stage moves.
type liquid struct {
	*runner
	world  *sim.World
	solver sim.Solver
	meters []*gauge.Meter
	frame  int // that the world shows; 0 for none
}

// advance brings the world to frame n, which e will report.
func (l *liquid) advance(ctx context.Context, n int, e stage.Event) (*frameSteps, error) {
	t := &frameSteps{}
	if l.world == nil || l.frame != n-1 {
		if err := l.restore(n - 1); err != nil {
			return nil, err
		}
	}
	if n > 1 {
		e.UnderWay, e.Particles = true, l.world.Len()
		begun := time.Now()
		reported := begun
		err := l.world.Advance(l.solver, l.scene.Time.At(n), func(i sim.StepInfo) error {
			t.add(i)
			if now := time.Now(); now.Sub(reported) >= time.Second {
				reported = now
				e.Time, e.Substeps, e.Seconds = i.Time, t.steps, now.Sub(begun).Seconds()
				l.report(e)
			}
			return ctx.Err()
		})
		var unstable *sim.Unstable
		if errors.As(err, &unstable) {
			return nil, fmt.Errorf("%w; frame %d, the last good one, is kept", err, n-1)
		}
		if err != nil {
			return nil, err
		}
	}
	l.world.Round()
	l.frame = n
	return t, nil
}

// restore makes the world that frame n shows; frame 0 is before the first.
func (l *liquid) restore(n int) error {
	b, err := l.scene.Build()
	if err != nil {
		return err
	}
	l.world, l.solver, l.meters = b.World, b.Solver, b.Meters
	if n == 0 {
		return nil
	}
	f, err := l.readFrame(l.particleFiles(n)[0])
	if err != nil {
		return fmt.Errorf("continuing from frame %d: %w", n, err)
	}
	l.world.Set, l.world.Time, l.world.Dt = *f.Particles, f.Time, f.Dt
	if err := l.world.PlaceBodies(f.Particles.Bodies); err != nil {
		return fmt.Errorf("continuing from frame %d: %w", n, err)
	}
	return nil
}
