package run

import (
	"breakwater/out"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim"
	"breakwater/sim/gauge"
)

// liquid is a medium.
type liquid struct {
	scene  *scenes.Scene
	world  *sim.World
	solver sim.Solver
	gauges []*gauge.Meter
	steps  frameSteps
}

func (l *liquid) build() error {
	b, err := l.scene.Build()
	if err != nil {
		return err
	}
	l.world, l.solver, l.gauges, l.steps = b.World, b.Solver, b.Meters, frameSteps{}
	return nil
}

func (l *liquid) start() error {
	if err := l.build(); err != nil {
		return err
	}
	return l.world.Pack()
}

func (l *liquid) load(f *out.Frame) error {
	if err := l.build(); err != nil {
		return err
	}
	surplus := 0.
	if len(f.Carried) > 0 {
		surplus = f.Carried[0]
	}
	return l.world.Resume(*f.Particles, f.Time, f.Dt, surplus)
}

func (l *liquid) advance(end float64, step func(now float64) error) error {
	return l.world.Advance(l.solver, end, func(i sim.StepInfo) error {
		l.steps.add(i)
		return step(i.Time)
	})
}

func (l *liquid) frame() out.Frame {
	l.world.Round()
	return out.Frame{Time: l.world.Time, Dt: l.world.Dt, Particles: &l.world.Set, Carried: []float64{l.world.Surplus}}
}

func (l *liquid) row() []any {
	row := l.steps.row(l.world, sim.KeepsBalance(l.solver))
	l.steps = frameSteps{}
	return row
}

func (l *liquid) meters() []*gauge.Meter { return l.gauges }

func (l *liquid) report(e *stage.Event) {
	e.Particles, e.Substeps, e.Phases = l.world.Len(), l.steps.steps, l.steps.seconds
}
