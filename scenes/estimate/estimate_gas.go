package estimate

import (
	"math"
	"runtime"

	"breakwater/scenes"
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

// gasFrame returns a frame with about the bytes that its file has.
func gasFrame(at, vortons, tracers float64) trialFrame {
	return trialFrame{at: at, particles: vortons + tracers, vortons: vortons, bytes: float64(gasFileTracer*tracers) + float64(gasFileVorton*vortons)}
}

// gasFilm returns the frames of t, nil for none, and evenly spaced ones after those that it
// got to. These change as in a trial with larger cells, if there is one, and otherwise as the sources and the ages
// of the particles say. A solver that fills nodes then makes more vortons besides, as a plume grows: fewer and fewer
// of them, over as long as this was seen, and one for each cell of its box at most.
func gasFilm(s *scenes.Scene, b *scenes.Built, t *gasTrial) []trialFrame {
	end := s.Time.At(s.Time.Frames())
	vortons, tracers := s.GasAt(b, 0)
	list := []trialFrame{gasFrame(0, vortons, tracers)}
	if t != nil && len(t.frames) > 0 {
		list = append(list, t.frames...)
		list[0].work = t.frames[0].work
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
		var x gasStep
		if t != nil && t.coarse != nil {
			x = t.later(at)
			x.vortons = min(most, x.vortons)
		} else {
			v, p := s.GasAt(b, at*end)
			x = gasStep{vortons: v + vortons, tracers: max(0, p+tracers)}
			if t != nil {
				x.vortons, x.parts = x.vortons+float64(growth*t.trend(at)), t.laterParts(at)
			}
			x.vortons = max(0, min(most, x.vortons))
			if t != nil && last.vortons > 0 {
				x.nodes = t.nodes(x.vortons/last.vortons, 1)
			}
		}
		frame := gasFrame(at, x.vortons, x.tracers)
		if frame.work = x.work(); t != nil && len(t.moves) == 0 { // the parts of a step are not known
			frame.work = t.workOf(0)
		}
		list = append(list, frame)
	}
	return list
}

// trend returns by how much something changes from the end of t to a share of the film, over the rate at which it changed
// at the end of t. The change decays over as long as t saw it.
func (t *gasTrial) trend(share float64) float64 {
	return t.reached * -math.Expm1(-(share-t.reached)/t.reached)
}

// parts returns the number of parts of a step in the mean, if the longest part that resolves the flow is 1/rate; 0
// in solvers without parts. The expansion of gas makes more of them, by a factor whose geometric mean is taken: where gas catches fire,
// a few steps have many.
func (t *gasTrial) parts(rate float64) float64 {
	dt := t.reached * t.scene.Time.At(t.scene.Time.Frames()) / t.steps
	more := 0.
	for _, y := range t.moves {
		if y.parts == 0 {
			return 0
		}
		more += math.Log(y.parts / max(1, math.Ceil(dt/y.longest-1e-9)))
	}
	return max(1, float64(dt*rate)+0.5) * num.Exp(more/float64(len(t.moves)))
}

// laterParts returns the number of parts of a step at a share of the film that t did not get to, if the flow goes on
// as between the halves of the steps. Medians leave out the steps in which gas catches fire.
func (t *gasTrial) laterParts(share float64) float64 {
	n := len(t.moves)
	if n == 0 || t.moves[n-1].parts == 0 {
		return 0
	}
	median := func(moves []gasStep) float64 {
		var rates []float64
		for _, x := range moves {
			rates = append(rates, 1/x.longest)
		}
		return num.NthSmallest(rates, len(rates)/2)
	}
	rate := median(t.moves[n/2:])
	if n > 1 {
		change := (rate - median(t.moves[:n/2])) / (t.reached / 2)
		rate = max(rate/2, rate+float64(change*t.trend(share)))
	}
	return t.parts(rate)
}

// given returns the tracers of the start and of the sources at a share of the film, if none leaves a box.
func (t *gasTrial) given(share float64) float64 {
	s := t.scene
	_, before := s.GasAt(t.built, 0)
	_, after := s.GasAt(t.built, share*s.Time.At(s.Time.Frames()))
	return t.start + after - before
}

// later returns a step at a share of the film that t did not get to: the vortons, the tracers and the
// vorticity change as in the trial with larger cells. Eddies that are a few cells wide turn
// faster in smaller cells. At first the flow has no such eddies, so the vorticity is then less than
// inversely proportional to the size of a cell.
func (t *gasTrial) later(at float64) gasStep {
	c := t.coarse
	own, from, to := t.moves[len(t.moves)-1], c.at(t.reached), c.at(at)
	x := gasStep{at: at, vortons: to.vortons * t.coarser * t.coarser * t.coarser}
	if from.vortons > 0 && own.vortons > 0 {
		x.vortons = to.vortons * own.vortons / from.vortons
	}
	x.tracers = t.given(at)
	if given := c.given(at); given > 0 {
		x.tracers *= to.tracers / given
	}
	if from.nodes > 0 {
		x.nodes = own.nodes * to.nodes / from.nodes
	}
	faster := math.Sqrt(from.longest / own.longest * t.coarser)
	x.parts = t.parts(faster / to.longest)
	return x
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
	return max(0, half[len(half)-1].particles()-half[0].particles()-(v+p-before-early)) / share
}

// ofGas returns the needs of a gas. The time of a step is taken to follow its work.
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
	if r != nil && r.shot != nil {
		drawn = r.shot.bare / max(1, t.frames[len(t.frames)-1].particles)
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
		work, _ := mean(film, e.Frames, func(f trialFrame) float64 { return f.work })
		e.SimTime = (float64(t.timeOf(work*float64(e.Steps))*(1+t.moving.idle(r.unused))) + t.moving.first() + float64(t.coding.each()*float64(e.Particle))) / threads
		if x := r.shot; x != nil {
			things := l.Particles
			if x.fills {
				things, _ = mean(film, e.Frames, func(f trialFrame) float64 { return shownOf(b.Look, f.vortons, f.particles-f.vortons) })
			}
			e.DrawTime = (float64(frames*x.time(pixels, things, 0)) + x.first) / threads
			e.FilmTime = x.start + float64(frames*x.film*pixels)
		}
	}
	return e
}
