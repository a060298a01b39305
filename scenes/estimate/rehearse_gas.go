package estimate

import (
	"bytes"
	"context"
	"math"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/scenes"
	"breakwater/scenes/footprint"
	"breakwater/scenes/host"
	"breakwater/sim/num"
	"breakwater/sim/vortex"
)

// writtenShare is the share of a frame's state that counts as memory in use at the peak, measured on
// the shipped scenes. The state is in use only while its file is written.
const writtenShare = 0.5

// gasTrial is a gas that was moved for some steps.
type gasTrial struct {
	scene   *scenes.Scene
	built   *scenes.Built
	start   float64      // tracers at the start
	frames  []trialFrame // as far as it got
	steps   float64
	moving  rate      // of the work of steps
	moves   []gasStep // each step after the first
	coding  rate      // of bytes of particle files
	live    float64   // bytes of memory for each
	reached float64   // share of the film, from 0 to 1
	failed  error
	coarse  *gasTrial // with larger cells, to the end of the film; nil for none
	coarser float64   // by how much these are larger
	finer   float64   // how much smaller the cells of the scene are: 1 but in that trial
}

// gasStep is a step of a trial.
type gasStep struct {
	at      float64 // share of the film at its end
	vortons float64
	tracers float64
	parts   float64 // of the step, in the solver mesh; 0 in others
	nodes   float64 // of the lattice, likewise; those of the scene's cells in a trial with larger cells
	longest float64 // longest part that resolves the flow, s, likewise
	took    rate    // of its work
}

// vortonWork and tracerWork are the times that a vorton and a tracer take in a part of a step of the solver
// mesh, over the time that a node takes: most of a part goes into Fourier transforms of the nodes.
const (
	vortonWork = 1
	tracerWork = 0.1
)

// particles returns how many there are.
func (x gasStep) particles() float64 { return x.vortons + x.tracers }

// work returns how much the parts of a step do, in nodes of the solver mesh or else in particles.
func (x gasStep) work() float64 {
	if x.parts == 0 {
		return x.particles()
	}
	return x.parts * (x.nodes + float64(vortonWork*x.vortons) + float64(tracerWork*x.tracers))
}

// ownShare is the share of the effort for steps with the cells of the scene, if larger cells can
// say how the flow goes on.
const ownShare = 0.4

// rehearseGas moves a gas until the effort is spent or the film ends. The patience is for steps whose
// time changes. If it does not get to the end of the film, it moves the gas with larger cells as well.
func rehearseGas(s *scenes.Scene, ctx context.Context, effort Effort) (*Rehearsal, error) {
	b, err := s.Build()
	if err != nil {
		return nil, err
	}
	spent, t := startSpending(effort), &gasTrial{scene: s, built: b, start: float64(len(b.Flow.Tracers.X)), finer: 1}
	r := &Rehearsal{gas: t}
	limit := 1. // share of the effort for steps with the cells of the scene
	if t.coarsens() {
		limit = ownShare
	}
	before := 0. // share of the effort before a step
	enough := func() bool {
		x := spent.share()
		step := x - before
		before = x
		if x > limit && limit < 1 {
			if t.coarser = t.factor(step); t.coarser == 0 {
				limit = 1
			}
		}
		if len(t.moves) == 0 && x < 1 { // one step does not show how long others take
			return false
		}
		return x > limit && (x > limit*effort.Patience || !t.changes())
	}
	var now, middle gasStill
	for k := 1; k <= s.Time.Frames() && err == nil; k++ {
		done := len(t.moves)
		before = spent.share()
		err = t.advance(ctx, s.Time.At(k), spent, enough)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil && err != errLate {
			t.failed = err
			break
		}
		state := b.Flow.State(&s.Gas.Gas)
		now = gasStill{state, b.Flow.Time}
		for _, m := range b.Meters {
			m.KeepGas(state)
		}
		var file bytes.Buffer
		begun := startWatch()
		if err := b.Formats.Particles.Encode(&file, &out.Frame{Particles: state.Tracers, Vortons: state.Vortons, Carried: state.Rest}); err != nil {
			return nil, err
		}
		t.coding.add(false, float64(file.Len()), begun)
		frame := gasFrame(t.reached, float64(state.Vortons.Len()), float64(state.Tracers.Len()))
		frame.bytes, frame.work = float64(file.Len()), t.workOf(done)
		t.frames = append(t.frames, frame)
		if middle.state == nil || t.reached <= 0.5 {
			middle = now
		}
	}
	if len(t.frames) == 0 { // the first step failed
		return r, nil
	}
	if len(t.frames) > 1 { // no step led to the first
		t.frames[0].work = t.frames[1].work
	}
	if n := t.frames[len(t.frames)-1].particles; n > 0 {
		count := footprint.New(0)
		_, flow := count.Add(b.Flow)
		_, solver := count.Add(b.GasSolver)
		_, state := count.Add(now.state)
		t.live = (flow + solver + float64(writtenShare*state)) / n
		if t.coarser > 0 && t.failed == nil && len(t.moves) > 0 {
			if err := t.rehearseLarger(ctx, spent); err != nil {
				return nil, err
			}
		}
		if r.shot, err = shootGas(s, ctx, t, now, middle, spent); err != nil {
			return nil, err
		}
	}
	r.unused = spent.unused()
	return r, ctx.Err()
}

// advance moves the gas to a time, and ends with errLate where that is enough.
func (t *gasTrial) advance(ctx context.Context, to float64, spent *spending, enough func() bool) error {
	f, end := t.built.Flow, t.scene.Time.At(t.scene.Time.Frames())
	begun := startWatch()
	err := f.Advance(t.built.GasSolver, &t.scene.Gas.Gas, to, func(info vortex.StepInfo) error {
		x := gasStep{at: f.Time / end, vortons: float64(f.Vortons.Len()), tracers: float64(len(f.Tracers.X)), parts: float64(info.Parts), longest: min(info.Longest, end)}
		x.nodes = t.nodes(1, t.finer)
		t.steps++
		spent.moves += x.particles()
		t.moving.add(t.steps == 2, x.work(), begun)
		if t.steps > 1 {
			x.took.add(false, x.work(), begun)
			t.moves = append(t.moves, x)
		}
		begun = startWatch()
		if enough() {
			return errLate
		}
		return ctx.Err()
	})
	if t.reached = 1; end > 0 {
		t.reached = f.Time / end
	}
	return err
}

// nodes returns the nodes of the lattice of the last part of a step, 0 in solvers without one, if the gas filled more
// times its volume and had cells that are finer times as small.
func (t *gasTrial) nodes(more, finer float64) float64 {
	if mesh, ok := t.built.GasSolver.(*vortex.Mesh); ok {
		return mesh.GrownNodes(more, finer)
	}
	return 0
}

// workOf returns the mean work of the steps from number k on, or the work of the last step if k is beyond it.
func (t *gasTrial) workOf(k int) float64 {
	if len(t.moves) == 0 {
		return t.moving.things
	}
	sum, list := 0., t.moves[min(k, len(t.moves)-1):]
	for _, x := range list {
		sum += x.work()
	}
	return sum / float64(len(list))
}

// coarsens reports whether a trial with larger cells can say how the flow goes on.
func (t *gasTrial) coarsens() bool {
	_, fills := t.built.GasSolver.(*vortex.Mesh)
	return fills && t.scene.MostCoarser(t.built) >= leastCoarser
}

// The trial with larger cells.
const (
	leastCoarser    = 1.5 // its cells, over those of the scene
	mostCoarserGas  = 4.5
	nearlyCoarse    = 1.3 // by how much larger they would have to be at most
	coarseShare     = 0.4 // of the effort that it is to take
	mostCoarseShare = 1.0
	coarseWork      = 4.0 // by which its steps take longer than their vortons say
)

// every returns how many frames of the film a step of the trial with larger cells may have.
func (t *gasTrial) every() int {
	return max(1, int(t.built.GasSolver.MaxDt(t.built.Flow)/t.scene.Time.At(2)))
}

// factor returns by how much larger cells are with which a trial gets to the end of the film with its share
// of the effort, 0 if they would be too large. A step of t took the given share of the effort at last.
func (t *gasTrial) factor(step float64) float64 {
	steps := math.Ceil(float64(t.scene.Time.Frames()-1) / float64(t.every())) // if no frame needs several
	f, most := math.Cbrt(step*steps*coarseWork/coarseShare), min(mostCoarserGas, t.scene.MostCoarser(t.built))
	if f > nearlyCoarse*most {
		return 0
	}
	return max(leastCoarser, min(f, most))
}

// rehearseLarger moves the gas with larger cells to the end of the film, unless it takes much longer than its
// share of the effort. Remeshing spreads vorticity over more nodes in each step, which are
// larger here. So a node is empty below a larger share of the most, by which fireball and other
// scenes fill about the same volume.
func (t *gasTrial) rehearseLarger(ctx context.Context, spent *spending) error {
	s := t.scene.CoarserGas(t.coarser)
	b, err := s.Build()
	if err != nil {
		return nil // a wall may be too thin
	}
	if mesh, ok := b.GasSolver.(*vortex.Mesh); ok {
		mesh.Keep = num.Pow(mesh.Keep, 1/math.Sqrt(t.coarser))
	}
	c := &gasTrial{scene: s, built: b, start: float64(len(b.Flow.Tracers.X)), finer: t.coarser}
	most := spent.share() + mostCoarseShare
	late := func() bool { return spent.share() > most }
	for k, last := 1, s.Time.Frames(); k < last; {
		k = min(k+t.every(), last)
		if err := c.advance(ctx, s.Time.At(k), spent, late); err != nil {
			return ctx.Err()
		}
	}
	if len(c.moves) > 0 {
		t.coarse = c
	}
	return ctx.Err()
}

// at returns the state of a trial at a share of the film, as far as it got.
func (t *gasTrial) at(share float64) gasStep {
	k := 0
	for k < len(t.moves)-1 && t.moves[k].at < share {
		k++
	}
	x := t.moves[k]
	if k > 0 && share < x.at {
		y, part := t.moves[k-1], (x.at-share)/(x.at-t.moves[k-1].at)
		x.vortons += float64(part * (y.vortons - x.vortons))
		x.tracers += float64(part * (y.tracers - x.tracers))
		x.nodes += float64(part * (y.nodes - x.nodes))
		x.longest += float64(part * (y.longest - x.longest))
	}
	return x
}

// timeOf returns the processor time of the steps of a film, s, that do the given work in
// all. Steps that the trial did not reach take as long for it as the last quarter of its own.
func (t *gasTrial) timeOf(work float64) float64 {
	seen := min(work, t.moving.things)
	mean := t.moving.each()
	later := mean
	if len(t.moves) > 0 {
		later = t.late()
	}
	return float64(seen*mean) + float64((work-seen)*later)
}

// late returns the processor time for the work of the last quarter of the steps, s.
func (t *gasTrial) late() float64 { return each(t.moves[len(t.moves)*3/4:]) }

// each returns the processor time for the work of some steps, s.
func each(moves []gasStep) float64 {
	var all rate
	for _, one := range moves {
		all.things += one.took.things
		all.seconds += one.took.seconds
	}
	return all.each()
}

// changes reports whether the last quarter of the steps takes much longer or shorter than the quarter
// before. Gas that catches fire takes the longest steps for a while.
func (t *gasTrial) changes() bool {
	const much = 1.3
	n := len(t.moves)
	late, before := t.late(), each(t.moves[n/2:n*3/4])
	return before > 0 && (late > much*before || before > much*late)
}

// gasStill is what a picture of a trial shows: a state, and its time, s.
type gasStill struct {
	state *vortex.State
	time  float64
}

// shootGas draws the last state of a trial as s would, but smaller. It draws the state middle
// once, to find how the time grows with the particles: the light of the sun in smoke passes
// all other smoke.
func shootGas(s *scenes.Scene, ctx context.Context, t *gasTrial, last, middle gasStill, spent *spending) (*trialShot, error) {
	view, err := t.view(s, last)
	if err != nil {
		return nil, err
	}
	c, file, err := shots(t.built, view, spent.pixels(view.Quality))
	if err != nil {
		return nil, nil // the run will say so
	}
	if spent.effort.Seconds >= checkEffort.Seconds {
		if err := c.larger(t.built, view); err != nil {
			return nil, nil
		}
	}
	x := &trialShot{shown: last.things()}
	if t.coarse != nil || s.Flame == nil { // flames light what is around them, which takes much of the time
		x.shown, x.fills = shownOf(t.built.Look, float64(last.state.Vortons.Len()), float64(last.state.Tracers.Len())), true
	}
	x.pixel, x.rest = line(c.timed, c.seconds)
	x.first = c.first(x.pixel, x.rest)
	if fewer := middle.things(); !x.fills && fewer > 0 && fewer*leastApart < x.shown && x.rest > 0 {
		if view, err = t.view(s, middle); err != nil {
			return nil, err
		}
		view.Width, view.Height = 16, 16
		begun := host.ProcessorTime()
		if _, err := view.Look.Draw(view); err != nil {
			return nil, nil
		}
		const most = 2.0
		took := host.ProcessorTime() - begun
		x.power = max(1/most, min(most, math.Log(x.rest/took)/math.Log(x.shown/fewer)))
	}
	return x, x.finish(ctx, s, t.built, c, file, spent)
}

// leastApart is how many times the particles of one state another has at the least, if both
// tell how the time of a picture grows.
const leastApart = 1.3

// things returns the number of particles that a picture may show.
func (p gasStill) things() float64 {
	return float64(p.state.Tracers.Len() + p.state.Vortons.Len())
}

// shownOf returns how many of the particles of a gas a look shows.
func shownOf(look raster.Look, vortons, tracers float64) float64 {
	smoke, ok := look.(interface{ ShowsNodes() bool })
	switch {
	case !ok:
		return vortons + tracers
	case smoke.ShowsNodes():
		return vortons
	}
	return tracers
}

// view returns the view of s for a picture of p.
func (t *gasTrial) view(s *scenes.Scene, p gasStill) (*raster.View, error) {
	b, state := t.built, p.state
	if err := b.World.PlaceBodies(state.Bodies); err != nil {
		return nil, err
	}
	view := s.View(b)
	view.Camera = b.CameraAt(p.time / s.Time.Speed)
	view.Particles = &raster.Particles{
		Set: state.Tracers, Vortons: state.Vortons, Spacing: s.Spacing(), Density: s.RestDensity(), Fastest: b.Fastest, Most: b.Most, Time: p.time,
		Apart: s.TracerSpacing(), Ambient: s.Gas.Temperature,
	}
	view.Tank, view.Vessels, view.Solids = b.During(p.time, view.Shutter)
	return &view, nil
}
