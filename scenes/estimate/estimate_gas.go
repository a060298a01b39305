package estimate

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/scenes"
	"breakwater/scenes/footprint"
	"breakwater/scenes/host"
	"breakwater/scenes/memory"
	"breakwater/sim/num"
	"breakwater/sim/vortex"
)

// The sizes of files of a gas, measured on the shipped scenes.
const (
	gasFileTracer = 54 // bytes
	gasFileVorton = 66
	tracerNumbers = 5 // in a file for other programs, besides what particles of a liquid have
	vortonNumbers = 9
)

// writtenShare is the share of a frame's state that counts as memory in use at the peak, measured on
// the shipped scenes. The state is in use only while its file is written.
const writtenShare = 0.5

// gasTrial is a gas that was moved for some steps.
type gasTrial struct {
	built   *scenes.Built
	frames  []trialFrame // as far as it got
	steps   float64
	moving  rate    // of particles, in steps
	moves   []rate  // the same for each step after the first
	coding  rate    // of bytes of particle files
	live    float64 // bytes of memory for each
	reached float64 // share of the film, from 0 to 1
	failed  error
}

// rehearseGas moves a gas until the effort is spent or the film ends. The patience is for steps whose
// time changes.
func rehearseGas(s *scenes.Scene, ctx context.Context, effort Effort) (*Rehearsal, error) {
	b, err := s.Build()
	if err != nil {
		return nil, err
	}
	spent, t := startSpending(effort), &gasTrial{built: b}
	r := &Rehearsal{gas: t}
	f, end := b.Flow, s.Time.At(s.Time.Frames())
	late := errors.New("late")
	var last, middle gasStill
	for k := 1; k <= s.Time.Frames() && err == nil; k++ {
		begun := startWatch()
		err = f.Advance(b.GasSolver, &s.Gas.Gas, s.Time.At(k), func(vortex.StepInfo) error {
			n := float64(f.Vortons.Len() + len(f.Tracers.X))
			t.steps++
			spent.moves += n
			t.moving.add(t.steps == 2, n, begun)
			if t.steps > 1 {
				var one rate
				one.add(false, n, begun)
				t.moves = append(t.moves, one)
			}
			begun = startWatch()
			if x := spent.share(); x > 1 && (x > effort.Patience || !t.changes()) {
				return late
			}
			return ctx.Err()
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil && err != late {
			t.failed = err
			break
		}
		if t.reached = 1; end > 0 {
			t.reached = f.Time / end
		}
		state := f.State(&s.Gas.Gas)
		last = gasStill{state, f.Time}
		for _, m := range b.Meters {
			m.KeepGas(state)
		}
		var file bytes.Buffer
		begun = startWatch()
		if err := b.Formats.Particles.Encode(&file, &out.Frame{Particles: state.Tracers, Vortons: state.Vortons, Carried: state.Rest}); err != nil {
			return nil, err
		}
		t.coding.add(false, float64(file.Len()), begun)
		frame := gasFrame(t.reached, float64(state.Vortons.Len()), float64(state.Tracers.Len()))
		frame.bytes = float64(file.Len())
		t.frames = append(t.frames, frame)
		if middle.state == nil || t.reached <= 0.5 {
			middle = last
		}
	}
	if len(t.frames) == 0 { // the first step failed
		return r, nil
	}
	if n := t.frames[len(t.frames)-1].particles; n > 0 {
		count := footprint.New(0)
		_, flow := count.Add(f)
		_, solver := count.Add(b.GasSolver)
		_, state := count.Add(last.state)
		t.live = (flow + solver + float64(writtenShare*state)) / n
		if r.shot, err = shootGas(s, ctx, t, last, middle, spent); err != nil {
			return nil, err
		}
	}
	r.unused = spent.unused()
	return r, ctx.Err()
}

// timeOf returns the processor time of the steps of a film, s, that move the given particles in
// all. Plumes gain speed, and steps have more parts then. Steps that the trial did not reach take as
// long as the last quarter of its own.
func (t *gasTrial) timeOf(moved float64) float64 {
	seen := min(moved, t.moving.things)
	mean := t.moving.each()
	later := mean
	if len(t.moves) > 0 {
		later = t.late()
	}
	return float64(seen*mean) + float64((moved-seen)*later)
}

// late returns the processor time for a particle in the last quarter of the steps, s.
func (t *gasTrial) late() float64 { return each(t.moves[len(t.moves)*3/4:]) }

// each returns the processor time for a particle in some steps, s.
func each(moves []rate) float64 {
	var all rate
	for _, one := range moves {
		all.things += one.things
		all.seconds += one.seconds
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
	x.pixel, x.rest = line(c.timed, c.seconds)
	x.first = c.first(x.pixel, x.rest)
	if fewer := middle.things(); fewer > 0 && fewer*leastApart < x.shown && x.rest > 0 {
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

// view returns the view of s for a picture of p.
func (t *gasTrial) view(s *scenes.Scene, p gasStill) (*raster.View, error) {
	b, state := t.built, p.state
	if err := b.World.PlaceBodies(state.Bodies); err != nil {
		return nil, err
	}
	view := s.View(b)
	view.Camera = b.Camera
	view.Particles = &raster.Particles{
		Set: state.Tracers, Vortons: state.Vortons, Spacing: s.Spacing(), Density: s.RestDensity(), Fastest: b.Fastest, Most: b.Most, Time: p.time,
		Apart: s.TracerSpacing(), Ambient: s.Gas.Temperature,
	}
	view.Tank, view.Vessels, view.Solids = b.During(p.time, view.Shutter)
	return &view, nil
}

// gasFrame returns a frame with about the bytes that its file has.
func gasFrame(at, vortons, tracers float64) trialFrame {
	return trialFrame{at: at, particles: vortons + tracers, vortons: vortons, bytes: float64(gasFileTracer*tracers) + float64(gasFileVorton*vortons)}
}

// gasFilm returns the frames of t, nil for none, and evenly spaced ones after those that it
// got to. These change as the sources and the ages of the particles say. A solver that fills nodes
// makes more vortons besides, as a plume grows: fewer and fewer of them, over as long as this was
// seen, and one for each cell of its box at most.
func gasFilm(s *scenes.Scene, b *scenes.Built, t *gasTrial) []trialFrame {
	end := s.Time.At(s.Time.Frames())
	vortons, tracers := s.GasAt(b, 0)
	list := []trialFrame{gasFrame(0, vortons, tracers)}
	if t != nil {
		list = append(list, t.frames...)
	}
	last := list[len(list)-1]
	vortons, tracers = s.GasAt(b, last.at*end)
	vortons, tracers = last.vortons-vortons, last.particles-last.vortons-tracers
	growth, most := t.growth(s, b), math.Inf(1)
	if mesh, ok := b.GasSolver.(*vortex.Mesh); ok && mesh.Low != mesh.High {
		box := mesh.High.Sub(mesh.Low)
		most = max(last.vortons, box.X*box.Y*box.Z/(s.Gas.Cell*s.Gas.Cell*s.Gas.Cell))
	}
	const more = 2 * trialFrames
	for k := 1; k <= more && last.at < 1; k++ {
		at := last.at + (1-last.at)*float64(k)/more
		v, p := s.GasAt(b, at*end)
		later := float64(last.at * -math.Expm1(-(at-last.at)/last.at))
		list = append(list, gasFrame(at, max(0, min(most, v+vortons+float64(growth*later))), max(0, p+tracers)))
	}
	return list
}

// growth returns how many vortons t made beside those of sources in the last half of its steps, over
// the share of the film that this half is. It is 0 if there were few steps, or fewer vortons.
func (t *gasTrial) growth(s *scenes.Scene, b *scenes.Built) float64 {
	const enough = 4
	if t == nil || len(t.moves) < enough {
		return 0
	}
	n := len(t.moves)
	half := t.moves[n/2:]
	share := float64(t.reached / t.steps * float64(len(half)-1))
	end := s.Time.At(s.Time.Frames())
	v, p := s.GasAt(b, t.reached*end)
	before, early := s.GasAt(b, (t.reached-share)*end)
	return max(0, half[len(half)-1].things-half[0].things-(v+p-before-early)) / share
}

// ofGas returns the needs of a gas. The time of a step is taken to follow the number
// of particles.
func ofGas(s *scenes.Scene, b *scenes.Built, r *Rehearsal) Estimate {
	e := Estimate{Particles: b.Start, Incoming: b.Most - b.Start, Spacing: s.Gas.Cell, Frames: s.Time.Frames()}
	e.Vortons, e.Time = b.Flow.Vortons.Len(), s.Time.At(e.Frames)
	eye := b.Camera.Target.Sub(b.Camera.Eye).Len()
	const sensor = 36 // mm
	e.PixelsPerParticle = s.Gas.Cell / eye * b.Camera.Focal / sensor * float64(s.Picture.Size[0])
	if dt := b.GasSolver.MaxDt(b.Flow); dt > 0 {
		each := s.Time.At(2)
		e.Steps = (e.Frames - 1) * max(1, int(math.Ceil(each/dt-1e-9)))
	}
	live := float64(memory.GasParticle)
	var t *gasTrial
	if r != nil && r.gas != nil {
		t, e.Rehearsed = r.gas, true
		if t.live > 0 {
			live = t.live
		}
		if t.reached > 0 {
			e.Steps = int(math.Round(t.steps / t.reached))
		}
	}
	film := gasFilm(s, b, t)
	var l memory.Load
	l.Particles, l.ParticlesMost = mean(film, e.Frames, particlesOf)
	l.Vortons, _ = mean(film, e.Frames, func(f trialFrame) float64 { return f.vortons })

	frames, pixels := float64(e.Frames), s.Pixels()
	drawn := 0. // bytes that a picture allocates for a particle
	if r != nil && r.shot != nil && r.shot.shown > 0 {
		drawn = r.shot.bare / r.shot.shown
	}
	needs := func(share, limit float64) float64 {
		n := share * l.ParticlesMost
		return memory.OfGas(n, live, drawn, s.PictureMemory(b.Look), limit)
	}
	e.Memory, e.MemoryFree = int64(needs(1, memory.Limit())), int64(needs(1, math.MaxInt64))
	count := func(cell float64) float64 {
		v, t := s.GasCount(b, cell)
		return v + t
	}
	// What sources give off does not depend on the cell.
	e.memoryFor = func(cell float64) float64 { return needs(count(cell)/max(1, count(e.Spacing)), memory.Limit()) }
	bytes, _ := mean(film, e.Frames, func(f trialFrame) float64 { return f.bytes })
	e.Particle = int64(frames * bytes)
	e.Formats = formatSizes(s, b, l)
	for _, f := range e.Formats {
		e.Export += f.Bytes // there are no meshes
	}
	pixel := pngPixel * num.Pow(1280*720/pixels, largerPNG)
	if r != nil && r.shot != nil {
		pixel = r.shot.bytes
	}
	e.Picture = int64(frames * pixels * pixel)
	e.Film = int64(frames * pixels * filmPixel)
	if t != nil {
		threads := float64(runtime.GOMAXPROCS(0))
		e.SimTime = (float64(t.timeOf(l.Particles*float64(e.Steps))*(1+t.moving.idle(r.unused))) + t.moving.first() + float64(t.coding.each()*float64(e.Particle))) / threads
		if x := r.shot; x != nil {
			e.DrawTime = (float64(frames*x.time(pixels, l.Particles, 0)) + x.first) / threads
			e.FilmTime = x.start + float64(frames*x.film*pixels)
		}
	}
	return e
}
