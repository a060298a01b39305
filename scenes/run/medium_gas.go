package run

import (
	"errors"

	"breakwater/out"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/gauge"
	"breakwater/sim/vortex"
)

// gas is a medium.
type gas struct {
	scene  *scenes.Scene
	flow   *vortex.Flow
	solver vortex.Solver
	gauges []*gauge.Meter

	steps, hits int     // since the last row
	off         float64 // largest error of the velocities that a step has measured since then
	ledger      vortex.Ledger
	dt, speed   float64
}

func (g *gas) start() error {
	b, err := g.scene.Build()
	if err != nil {
		return err
	}
	*g = gas{scene: g.scene, flow: b.Flow, solver: b.GasSolver, gauges: b.Meters}
	return nil
}

func (g *gas) load(f *out.Frame) error {
	if err := g.start(); err != nil {
		return err
	}
	if f.Vortons == nil || len(f.Carried) == 0 {
		return errors.New("the file has no vortons; remove it, so that it is made again")
	}
	g.flow.Time = f.Time
	for _, b := range g.flow.Bodies {
		if b.Course != nil {
			b.Course(f.Time, b.Solid)
		}
	}
	s := &vortex.State{Tracers: f.Particles, Vortons: f.Vortons, Bodies: f.Particles.Bodies, Rest: f.Carried}
	for _, m := range g.gauges {
		m.ResumeGas(s)
	}
	return g.flow.Restore(s)
}

func (g *gas) advance(end float64, step func(now float64) error) error {
	before := g.flow.Time
	state := gauge.Gas{Flow: g.flow, Medium: &g.scene.Gas.Gas, Solver: g.solver, Walls: len(g.scene.Wall)}
	for _, m := range g.gauges {
		m.BeforeGas(&state)
	}
	return g.flow.Advance(g.solver, &g.scene.Gas.Gas, end, func(i vortex.StepInfo) error {
		g.steps++
		g.hits += i.Hits
		g.off = max(g.off, i.Error)
		g.ledger = g.ledger.Add(i.Ledger)
		g.dt, g.speed, before = g.flow.Time-before, i.MaxSpeed, g.flow.Time
		state.Dt = g.dt
		for _, m := range g.gauges {
			m.AfterGas(&state)
			m.BeforeGas(&state)
		}
		return step(g.flow.Time)
	})
}

func (g *gas) frame() out.Frame {
	s := g.flow.State(&g.scene.Gas.Gas)
	for _, m := range g.gauges {
		m.KeepGas(s)
	}
	return out.Frame{Time: g.flow.Time, Dt: g.dt, Particles: s.Tracers, Vortons: s.Vortons, Carried: s.Rest}
}

// gasColumns are the columns of gas.row.
var gasColumns = []string{
	"time_s", "substeps", "vortons", "tracers", "body_hits", "speed_max_m_s",
	"strength_x_m3_s", "strength_y_m3_s", "strength_z_m3_s", "impulse_x_m4_s", "impulse_y_m4_s", "impulse_z_m4_s",
	"angular_impulse_x_m5_s", "angular_impulse_y_m5_s", "angular_impulse_z_m5_s", "excess_mass_kg",
	"enstrophy_m3_s2", "helicity_m4_s2", "velocity_error",
	"fuel_supplied_kg", "fuel_burnt_kg", "fuel_left_kg", "fuel_present_kg",
	"heat_supplied_j", "heat_burnt_j", "heat_left_j", "heat_present_j",
}

func (g *gas) row() []any {
	s := g.flow.Invariants(&g.scene.Gas.Gas)
	row := []any{g.flow.Time, g.steps, g.flow.Vortons.Len(), len(g.flow.Tracers.X), g.hits, g.speed}
	for _, v := range [...]interface{ Array() [3]float64 }{s.Strength, s.Impulse, s.AngularImpulse} {
		for _, x := range v.Array() {
			row = append(row, x)
		}
	}
	if row = append(row, s.Excess, s.Enstrophy); g.steps == 0 { // there are no velocities yet
		row = append(row, "", "")
	} else {
		row = append(row, s.Helicity, g.off)
	}
	for _, a := range [...]vortex.Account{g.ledger.Fuel, g.ledger.Heat} {
		for _, x := range [...]float64{a.Supplied, a.Burnt, a.Left, a.Present} {
			if m, ok := g.solver.(*vortex.Mesh); ok && m.Expansion && g.steps > 0 {
				row = append(row, x)
			} else { // the solver keeps no ledger
				row = append(row, "")
			}
		}
	}
	g.steps, g.hits, g.off, g.ledger = 0, 0, 0, vortex.Ledger{}
	return row
}

func (g *gas) meters() []*gauge.Meter { return g.gauges }

func (g *gas) report(e *stage.Event) {
	e.Particles, e.Substeps = g.flow.Vortons.Len()+len(g.flow.Tracers.X), g.steps
}
