package scenes

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"time"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/scenes/host"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/num"
	"breakwater/sim/particle"
	"breakwater/sim/whitewater"
	"breakwater/surface/mesh"
)

// Rehearsal is the film of a scene run with few particles. How the liquid
// splashes, and so how much surface there will be to mesh, follows from nothing
// less, and neither does how fast this machine is.
type Rehearsal struct {
	trials []*trial // of different spacings, the finest last; none if the scene has no time for any
	shot   *trialShot
	gas    *gasTrial // of a gas; nil for a liquid
	unused float64   // processors of the machine that no program used meanwhile; +Inf if that is not known
}

// trial is a film with few particles.
type trial struct {
	scene   *Scene
	built   *Built
	start   int          // particles at the start
	frames  []trialFrame // evenly spaced over the film, and where it ended; as far as it got
	reached float64      // share of the film, from 0 to 1
	dt      float64      // s that a step was expected to take
	steps   float64      // of the solver, as far as it got
	moved   float64      // particles in all these steps
	sim     rate         // of those that readied no grids of walls
	readied rate         // of the others
	ready   float64      // s of processor time for grids that meshing readied
	meshing rate         // of the vertices
	last    *mesh.Mesh   // of the last frame
	each    float64      // bytes of a particle in a file of the last frame
	text    float64      // bytes of OBJ files for one that out.PointBytes expects
	live    liveMemory
	water   *trialWater  // nil for none
	stills  []trialStill // of the frames
	failed  error        // what ended the simulation
}

// rate is what a number of things takes.
type rate struct {
	things  float64
	seconds float64 // of processor time
	wall    float64 // s by the clock
}

// stopwatch holds the times at which something began.
type stopwatch struct {
	processor float64
	wall      time.Time
}

func startWatch() stopwatch { return stopwatch{host.ProcessorTime(), time.Now()} }

// add adds n things that took the time since begun. The first time readies what
// the others use, and counts only while it is alone.
func (r *rate) add(first bool, n float64, begun stopwatch) {
	if first {
		*r = rate{}
	}
	r.things += n
	r.seconds += host.ProcessorTime() - begun.processor
	r.wall += time.Since(begun.wall).Seconds()
}

// each returns the processor time that one takes, 0 if there were none.
func (r rate) each() float64 {
	if r.things == 0 {
		return 0
	}
	return r.seconds / r.things
}

// idle returns the processors' time that was not used, for the time that was: while some
// processors wait for others. Of the machine's processors, no program used the given
// number in the mean. Without this bound, waiting for other programs would count as well.
func (r rate) idle(unused float64) float64 {
	most := float64(runtime.GOMAXPROCS(0))
	if r.wall == 0 || r.seconds == 0 {
		return 0
	}
	return max(0, min(most*r.wall-r.seconds, unused*r.wall, (most-1)*r.seconds)) / r.seconds
}

// trialFrame is a frame of a trial.
type trialFrame struct {
	at                  float64 // share of the film before it
	particles, vertices float64
	parcels             float64 // of whitewater
	grains              float64 // of a picture of them
	parts               float64 // sub-steps of the whitewater that led to it
	vortons, bytes      float64 // of the particles and of the file, in a gas
}

// trialStill is what a picture of a frame of a trial shows.
type trialStill struct {
	mesh    *mesh.Mesh
	bodies  []particle.Body
	parcels *whitewater.Parcels // as many as the film has; nil for none
}

// trialShot is a picture of a trial.
type trialShot struct {
	pixel float64 // s of processor time for each pixel
	rest  float64 // s of processor time besides, for the triangles or particles below
	shown float64 // triangles, or particles where these are drawn

	// Likewise, for the grains of whitewater. No grain is drawn narrower than a pixel, so the
	// rays of smaller pixels meet fewer of them: the time grows with the root of the pixels.
	waterRoot, water, grains float64

	idle  float64 // s of processor time that a picture leaves unused
	start float64 // s for a film of no frames
	film  float64 // s for each pixel of a film; 0 if it is not known
	bytes float64 // for each pixel, in a file as large as the scene's
}

// What a rehearsal has.
const (
	trialFrames = 7
	shotPixels  = 25e3 // of a picture at good; four times as many in a check of the usual effort
)

// How much finer each trial is than the one before, at least: of its own choice,
// and where it has the particles that it should have.
const (
	leastFiner = 1.2
	leastOwn   = 1.15
)

// trialParticles are about how many each trial has. With a third, the last two say
// how the surface grows.
var trialParticles = []float64{600, 2500, 8000}

// Effort bounds a rehearsal. What is 0 bounds nothing.
type Effort struct {
	Seconds float64 // of processor time, which other programs on the machine do not change
	Moves   float64 // particles in all steps, on which no machine and no load has an influence

	// Patience is how many times the effort the coarsest trial may take until it reaches the
	// end of the film, 1 if it is 0. A part of a film does not tell how a glass runs over.
	Patience float64
}

// The efforts of a check, and of a run that may need too much. A run is refused
// for what its rehearsal says, so that must be the same each time.
var (
	checkEffort = Effort{Seconds: 20, Patience: 2}
	largeEffort = Effort{Seconds: 1.2} // of films with many particles, which may be refused at once
	RunEffort   = Effort{Moves: 2e6}
)

// Effort returns how much a check of b rehearses by default.
func (b *Built) Effort() Effort {
	const many = 10e6
	if b.Most > many {
		return largeEffort
	}
	return checkEffort
}

// spending is how much of an effort is spent.
type spending struct {
	effort Effort
	begun  stopwatch
	idle   float64 // s that the machine's processors had been idle by then; negative if that is not known
	moves  float64
}

func startSpending(effort Effort) *spending {
	x := &spending{effort: effort, begun: startWatch(), idle: -1}
	if idle, ok := host.IdleTime(); ok {
		x.idle = idle
	}
	return x
}

// unused returns the mean number of the machine's processors that no program has used since
// the start, +Inf if that is not known.
func (x *spending) unused() float64 {
	idle, ok := host.IdleTime()
	wall := time.Since(x.begun.wall).Seconds()
	const least = 0.1 // s, for the system counts hundredths
	if !ok || x.idle < 0 || wall < least {
		return math.Inf(1)
	}
	return max(0, idle-x.idle) / wall
}

// share returns the share of the effort that is spent, above 1 if it is more.
func (x *spending) share() (share float64) {
	if x.effort.Seconds > 0 {
		share = (host.ProcessorTime() - x.begun.processor) / x.effort.Seconds
	}
	if x.effort.Moves > 0 {
		share = max(share, x.moves/x.effort.Moves)
	}
	return share
}

// Rehearse runs s with few particles, at two or three spacings if they differ. It
// stops once it has spent the effort, with what it has got by then.
func (s *Scene) Rehearse(ctx context.Context, effort Effort) (*Rehearsal, error) {
	if s.Gas != nil {
		return s.rehearseGas(ctx, effort)
	}
	spent := startSpending(effort)
	r := &Rehearsal{}
	before := 0. // spacing of the trial before
	took := 0.   // share of the effort
	moving := 1. // share of that for the particles' steps
	for _, particles := range trialParticles {
		d, err := s.coarsened(particles)
		if err != nil {
			return nil, err
		}
		if before > 0 && d*leastOwn > before {
			continue // a thin block or opening allows no coarser one
		}
		begun := spent.share()
		if before > 0 {
			// A finer one takes longer: the steps with the fourth power, work on surfaces
			// and walls with the third at most. Cut short, it would say less than a
			// coarse one of all the film, so it is as fine as the time allows. Spacings
			// close to each other add little, but the scene's own needs no scaling at
			// all.
			finer := 1.
			for x := finer; x < 3 && took*x*x*x*(moving*x+1-moving) <= 0.9*(1-begun); x += 0.01 {
				finer = x
			}
			least := leastFiner
			if before/d <= finer {
				finer, least = before/d, leastOwn
			}
			if begun >= 1 || finer < least {
				break
			}
			d = num.Rounded(before/finer, 6)
		}
		limit := 1.
		if len(r.trials) == 0 {
			limit = max(1, effort.Patience)
		}
		t, err := s.try(ctx, d, spent, limit)
		if err != nil {
			return nil, err
		}
		if len(r.trials) == 0 || t.reached == 1 {
			r.trials = append(r.trials, t)
		}
		if t.reached < 1 {
			break
		}
		before, took = t.scene.Liquid.Spacing, spent.share()-begun
		if all := effort.Seconds * took; all > 0 {
			moving = min(1, t.sim.seconds/all)
		}
	}
	if n := len(r.trials); n > 0 && r.trials[n-1].last != nil {
		var err error
		if r.shot, err = r.trials[n-1].shoot(ctx, s, spent); err != nil {
			return nil, err
		}
	}
	r.unused = spent.unused()
	return r, ctx.Err()
}

// coarsened returns the spacing at which s has about the given number of particles, or
// the fewest possible.
func (s *Scene) coarsened(particles float64) (float64, error) {
	var f toml.Report
	p := s.parts(&f)
	if err := f.Err(); err != nil {
		return 0, err
	}
	d := s.Liquid.Spacing
	all := (p.initial(s).volume + p.incoming(s)) / (d * d * d)
	x := d * math.Cbrt(all/particles)
	for _, shape := range p.shapes {
		size := shape.Bounds().Size()
		x = min(x, size.X/leastAcross, size.Y/leastAcross, size.Z/leastAcross)
	}
	for _, opening := range p.inflows {
		x = min(x, opening.Across()/inflow.LeastColumns)
	}
	return max(d, num.Rounded(x, 6)), nil
}

// try runs the film of s at spacing x, or the next below at which there can be
// one, without writing anything, until the limit of the effort is spent.
func (s *Scene) try(ctx context.Context, x float64, spent *spending, limit float64) (*trial, error) {
	few, d := *s, s.Liquid.Spacing
	few.Liquid.Spacing = x
	b, err := few.Build()
	for err != nil && few.Liquid.Spacing > s.Liquid.Spacing { // a wall may be too thin
		few.Liquid.Spacing = max(s.Liquid.Spacing, 0.85*few.Liquid.Spacing)
		b, err = few.Build()
	}
	if err != nil {
		return nil, err
	}
	s = &few
	var text out.PerFrame // OBJ, if the scene asks for it
	for _, f := range b.Formats.Mesh {
		if f.Name == "obj" {
			text = f.As
		}
	}
	t := &trial{scene: s, built: b, start: b.World.Len(), dt: s.motion(b.parts.in(b.World)).dt()}
	if t.water, err = s.trialWhitewater(b, d); err != nil {
		return nil, err
	}
	length := s.Time.At(s.Time.Frames())
	late := errors.New("late")
	meshed, clean := 0, 0
	frames := min(trialFrames, s.Time.Frames())
	clouds, most, files, expected := 0, 0., 0., 0.
	for k := 0; k < frames && t.reached < 1 && t.failed == nil; k++ {
		share := float64(k) / float64(max(1, frames-1))
		now := length * share
		ended := false
		if k > 0 {
			begun, blocks := startWatch(), boundary.GridBlocks()
			err := b.World.Advance(b.Solver, now, func(i sim.StepInfo) error {
				n := float64(b.World.Len())
				t.steps++
				t.moved += n
				spent.moves += n
				if now := boundary.GridBlocks(); now > blocks {
					t.readied.add(false, 1, begun)
					blocks = now
				} else {
					clean++
					t.sim.add(clean == 2, 1, begun)
				}
				t.reached = min(1, i.Time/length)
				if err := t.water.sample(i.Time, t.reached); err != nil {
					return err
				}
				begun = startWatch()
				if spent.share() > limit {
					return late
				}
				return ctx.Err()
			})
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err == late:
				now, ended = t.reached*length, true
			case err != nil:
				t.failed = err
			default:
				t.reached = share // without what rounding costs
			}
			if t.failed != nil {
				break
			}
		}
		m := new(mesh.Mesh)
		for _, w := range b.World.Walls {
			w.Move(now)
		}
		surface := func() error {
			cloud := s.Cloud(b, t.water.liquid(&b.World.Set), k+1, now)
			clouds = len(cloud.X)
			return b.Surface.Surface(m, cloud)
		}
		begun, blocks := startWatch(), boundary.GridBlocks()
		err := surface()
		if err == nil && boundary.GridBlocks() > blocks { // again, without readying grids
			first := host.ProcessorTime() - begun.processor
			*m = mesh.Mesh{}
			begun = startWatch()
			err = surface()
			t.ready += max(0, first-(host.ProcessorTime()-begun.processor))
		}
		if err != nil {
			t.failed = err
			break
		}
		m.Round()
		var file bytes.Buffer
		if err := b.Formats.Surface.Encode(&file, &out.Frame{Mesh: m}); err != nil {
			return nil, err
		}
		if text != nil {
			file.Reset()
			if err := text.Encode(&file, &out.Frame{Mesh: m, Quads: s.Mesh.Quads}); err != nil {
				return nil, err
			}
		}
		if n := float64(len(m.Pos)); n > 0 {
			t.meshing.add(meshed == 1, n, begun)
			meshed++
			files += float64(file.Len())
			expected += n * out.PointBytes(text, out.NeedsMesh, n, 0)
			most = max(most, n)
		}
		frame := trialFrame{at: t.reached, particles: float64(b.World.Len()), vertices: float64(len(m.Pos))}
		still := trialStill{mesh: m, bodies: slices.Clone(b.World.Set.Bodies)}
		if t.water != nil {
			still.parcels = t.water.asMany()
			frame.grains, frame.parcels = t.water.grains(), float64(still.parcels.Len())
		}
		t.frames = append(t.frames, frame)
		t.last = m
		t.stills = append(t.stills, still)
		if length == 0 {
			t.reached = 1
		}
		if ended || spent.share() > limit {
			break
		}
	}
	if n := b.World.Len(); n > 0 { // thick liquids keep more of each
		var file bytes.Buffer
		if err := b.Formats.Particles.Encode(&file, &out.Frame{Particles: &b.World.Set}); err != nil {
			return nil, err
		}
		t.each = float64(file.Len()) / float64(n)
	}
	if expected > 0 {
		t.text = files / expected
	}
	t.live = liveOf(b, clouds, most, t.last)
	if t.water != nil {
		t.water.count()
		if err := t.water.time(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// typical returns the frame whose whitewater, or else whose surface, is the nearest to the
// mean of the film. Of particles there is the last frame alone.
func (t *trial) typical() (k int) {
	last, images := len(t.frames)-1, t.scene.Time.Frames()
	if t.built.DrawsParticles() {
		return last
	}
	of := verticesOf
	average, _ := mean(t.film(), images, of)
	if parcels, _ := t.water.parcels(images); parcels > 0 {
		of, average = parcelsOf, parcels
	}
	for i, f := range t.frames {
		if math.Abs(of(f)-average) < math.Abs(of(t.frames[k])-average) {
			k = i
		}
	}
	return k
}

// shoot draws a typical frame of t as s would, but smaller, with and without whitewater.
func (t *trial) shoot(ctx context.Context, s *Scene, spent *spending) (*trialShot, error) {
	b, k := t.built, t.typical()
	still, now := t.stills[k], s.Time.At(s.Time.Frames())*t.frames[k].at
	view := t.scene.View(b)
	view.Camera = b.Camera
	x := &trialShot{shown: float64(len(still.mesh.Tri)), grains: t.frames[k].grains}
	if b.DrawsParticles() {
		set := &b.World.Set
		view.Particles = &raster.Particles{Set: set, Spacing: t.scene.Liquid.Spacing, Density: s.Liquid.Density, Fastest: b.Fastest, Most: b.Most, Time: now}
		x.shown = float64(set.Len())
	} else {
		view.Liquid = still.mesh
	}
	view.Tank, view.Vessels, view.Solids = b.During(now, view.Shutter)
	if err := b.World.PlaceBodies(still.bodies); err != nil {
		return nil, err
	}
	pixels := spent.pixels(view.Quality)
	c, file, err := shots(b, &view, pixels)
	if err != nil {
		return nil, nil // as by what the solver does not keep; the run will say so
	}
	x.pixel, x.rest = line(c.pixels, c.seconds)
	if x.grains > 0 {
		begun := host.ProcessorTime()
		view.Grains = Grains(*still.parcels, s.Liquid.Spacing, append(b.World.Pipes(), b.World.Walls...), math.Inf(1))
		ready := host.ProcessorTime() - begun
		bare := c
		if c, file, err = shots(b, &view, pixels); err != nil {
			return nil, nil
		}
		var roots, more [2]float64
		for i := range more {
			roots[i], more[i] = math.Sqrt(c.pixels[i]), c.seconds[i]-bare.seconds[i]
		}
		x.waterRoot, x.water = line(roots, more)
		x.water += ready
	}
	return x, x.finish(ctx, s, c, file, spent)
}

// pixels returns how many pixels the picture of a rehearsal has.
func (x *spending) pixels(q raster.Quality) float64 {
	pixels := shotPixels
	if x.effort.Seconds >= checkEffort.Seconds {
		pixels *= 4
	}
	if q == raster.Final {
		pixels /= 4 // a pixel takes many times as long
	}
	return pixels
}

// finish sets what is known of all pictures, from the cost of one and its file.
func (x *trialShot) finish(ctx context.Context, s *Scene, c shotCost, file []byte, spent *spending) (err error) {
	x.bytes, x.idle = c.bytes, c.taken.seconds*c.taken.idle(spent.unused())
	x.start, x.film, err = s.timeFilms(ctx, file, spent.unused())
	return err
}

// time returns the processor time of a picture of the given number of pixels, s, that shows
// a number of things and of grains.
func (x *trialShot) time(pixels, things, grains float64) float64 {
	more, moreGrains := 1., 1.
	if x.shown > 0 {
		more = things / x.shown
	}
	if x.grains > 0 {
		moreGrains = grains / x.grains
	}
	return x.pixel*pixels + x.rest*more + (x.waterRoot*math.Sqrt(pixels)+x.water)*moreGrains + x.idle
}

// shotCost is what the pictures of a view cost.
type shotCost struct {
	pixels, seconds [2]float64 // of processor time, at two sizes
	bytes           float64    // for each pixel, in a file as large as the view's
	taken           rate       // by the larger picture
}

// line returns the line a x + b through two points, whose a and b are not below 0.
func line(x, y [2]float64) (a, b float64) {
	if x[1] > x[0] {
		a = max(0, (y[1]-y[0])/(x[1]-x[0]))
	}
	return a, max(0, y[1]-a*x[1])
}

// shots draws the view at some sizes, of which the largest has most pixels and is the file.
func shots(b *Built, full *raster.View, most float64) (c shotCost, data []byte, err error) {
	view := *full
	width, height := float64(view.Width), float64(view.Height)
	for i, part := range [3]float64{0.01, 0.1, 1} { // the first readies what the others use
		scale := min(1, math.Sqrt(part*most/(width*height)))
		view.Width, view.Height = max(16, int(width*scale)), max(16, int(height*scale))
		pixels := float64(view.Width) * float64(view.Height)
		begun := startWatch()
		picture, err := view.Look.Draw(&view)
		if err != nil {
			return c, nil, err
		}
		var file bytes.Buffer
		if err := b.Formats.Picture.Encode(&file, &out.Frame{Image: picture}); err != nil {
			return c, nil, err
		}
		c.taken = rate{}
		c.taken.add(true, 1, begun)
		if i > 0 {
			c.pixels[i-1], c.seconds[i-1] = pixels, c.taken.seconds
		}
		data, c.bytes = file.Bytes(), float64(file.Len())/pixels*math.Pow(pixels/(width*height), largerPNG)
	}
	return c, data, nil
}

// largerPNG is the power of the pixels by which each takes less of a file.
const largerPNG = 0.15

// finest returns the most informative trial, or nil without trials.
func (r *Rehearsal) finest() *trial {
	if r == nil || len(r.trials) == 0 {
		return nil
	}
	return r.trials[len(r.trials)-1]
}

// Share returns how much of the film the rehearsal got to, from 0 to 1: the rest
// was guessed from that.
func (r *Rehearsal) Share() float64 {
	if r != nil && r.gas != nil {
		return r.gas.reached
	}
	if t := r.finest(); t != nil {
		return t.reached
	}
	return 0
}

// Failed returns what ended the rehearsal before the film's end, as a run may be
// too; nil if nothing has.
func (r *Rehearsal) Failed() error {
	if r != nil && r.gas != nil {
		return r.gas.failed
	}
	if t := r.finest(); t != nil {
		return t.failed
	}
	return nil
}

// stepsFor returns the steps taken for each of n expected. A rehearsal of less than a fifth
// of the film counts for less, in proportion.
func (r *Rehearsal) stepsFor(n float64) float64 {
	const enough = 0.2
	t := r.finest()
	if t == nil {
		return n
	}
	expected := t.reached * t.scene.Time.At(t.scene.Time.Frames()) / t.dt
	if expected < 20 {
		return n
	}
	taken := (t.steps - 0.5*float64(len(t.frames)-1)) / expected
	return n * (1 + min(1, t.reached/enough)*(taken-1))
}

// times sets how long the stages of a film take on this machine.
func (r *Rehearsal) times(b *Built, e *Estimate, film load, pixels float64) {
	fine, frames := r.finest(), float64(e.Frames)
	const leastSteps = 5 // the first ready what the others use
	if e.Frames > 1 && fine.steps < leastSteps {
		return // nothing is known of most of it
	}
	threads := float64(runtime.GOMAXPROCS(0))
	if fine.steps > 0 {
		finer := fine.scene.Liquid.Spacing / e.Spacing
		ready := (fine.ready + max(0, fine.readied.seconds-fine.readied.things*fine.stepCost())) * finer * finer
		// The processors wait for each other equally often in each step, however many
		// particles they share.
		idle := fine.sim.idle(r.unused) * fine.stepCost()
		e.SimTime = (float64(e.Steps)*(r.step(film.particles)+idle) + ready) / threads
	}
	if w := fine.water; w != nil && w.moving.things > 0 && e.Frames > 1 {
		e.WhitewaterTime = frames * r.whitewaterTime(film.particles, film.parcels, e.Spacing, e.Time/(frames-1)) * (1 + w.moving.idle(r.unused)) / threads
	}
	if of := fine.meshing; len(fine.frames) > 0 {
		idle := of.idle(r.unused) * of.seconds / float64(len(fine.frames))
		e.MeshTime = frames * (film.vertices*of.each() + idle) / threads
	}
	if x := r.shot; x != nil {
		things := 2 * film.vertices
		if b.DrawsParticles() {
			things = film.particles
		}
		e.DrawTime = frames * x.time(pixels, things, film.grains) / threads
		e.FilmTime = x.start + frames*x.film*pixels
	}
}

// stepCost returns the processor time of a step, s, besides the time to ready grids.
func (t *trial) stepCost() float64 {
	const enough = 10
	if t.sim.things < enough && t.readied.things > 0 {
		return (t.sim.seconds + t.readied.seconds) / (t.sim.things + t.readied.things)
	}
	return t.sim.each()
}

// step returns the processor time of a step of n particles, s: some for itself,
// for bodies above all, and some for each particle.
func (r *Rehearsal) step(n float64) float64 {
	fine := r.finest()
	each := fine.moved / fine.steps
	cost := fine.stepCost()
	perParticle := cost / each
	if coarse := r.trials[0]; coarse != fine && coarse.steps > 0 {
		if few := coarse.moved / coarse.steps; each > 1.5*few {
			perParticle = max(0.1*perParticle, (cost-coarse.stepCost())/(each-few))
			power := math.Log(cost/coarse.stepCost()) / math.Log(each/few)
			if power > 1 { // finer liquid takes more iterations, or has more neighbours
				const most, far = 1.25, 10 // bounds of the extrapolation from the measurement
				power = min(power, most)
				near := min(n, far*each)
				return cost * math.Pow(near/each, power) * n / near
			}
		}
	}
	return cost + (n-each)*perParticle
}

// film returns the frames of t, and evenly spaced ones after those that it got to. They
// have what flows in besides. Particles leave as they did. The surface goes on growing
// as it did, but less and less, over as long as its growth was seen. Splashes come to
// rest, a jet reaches the liquid below, and a tank runs dry.
func (t *trial) film() []trialFrame {
	list := slices.Clone(t.frames)
	n := len(list)
	if n == 0 || t.reached == 1 {
		return list
	}
	p, d := t.built.parts, t.scene.Liquid.Spacing
	length := t.scene.Time.At(t.scene.Time.Frames())
	come := func(at float64) float64 { return p.comeBy(t.scene, at*length) / (d * d * d) }
	last, rate, leaving := list[n-1], 0., 0.
	if seen := last.at - list[0].at; seen > 0 {
		rate = (last.vertices - list[0].vertices) / seen
		before := list[n-2]
		leaving = (before.particles + come(last.at) - come(before.at) - last.particles) / (last.at - before.at)
	}
	const more = 2 * trialFrames
	for k := 1; k <= more; k++ {
		at := last.at + (1-last.at)*float64(k)/more
		x := trialFrame{at: at, particles: last.particles + come(at) - come(last.at), vertices: last.vertices}
		later := last.at * -math.Expm1(-(at-last.at)/last.at)
		x.particles = max(0, x.particles-leaving*later)
		if rate > 0 {
			x.vertices += rate * later
		}
		list = append(list, x)
	}
	return list
}

// mean returns the mean over the given number of images of a film, as far as the trial's
// frames reach, and the largest, of the function of the frames.
func mean(frames []trialFrame, images int, of func(trialFrame) float64) (mean, most float64) {
	if len(frames) == 0 {
		return 0, 0
	}
	for _, f := range frames {
		most = max(most, of(f))
	}
	const enough = 1000 // more change nothing
	images = min(images, enough)
	count, k := 0., 0
	for i := range images {
		at := float64(i) / float64(max(1, images-1))
		for k+1 < len(frames) && frames[k+1].at < at {
			k++
		}
		if k+1 == len(frames) && at > frames[k].at+1e-9 {
			break
		}
		here := of(frames[k])
		if k+1 < len(frames) {
			if long := frames[k+1].at - frames[k].at; long > 0 {
				here += (at - frames[k].at) / long * (of(frames[k+1]) - here)
			}
		}
		mean += here
		count++
	}
	return mean / max(1, count), most
}

// vertices returns the mean number of vertices of the film at spacing d, and the
// largest. A mean frame has the given number of particles. The vertices per particle
// fall with a power of the spacing: 1 for the surface of a body of liquid, less if
// finer liquid splashes into smaller drops. The two finest trials determine the power.
// A sum of a surface and of drops, a/d² + b/d³, fits the trials as well. But coarse
// liquid that spreads is one particle deep and cannot have more surface. The sum
// takes that for drops, and extrapolates them to any number of particles.
func (r *Rehearsal) vertices(d, particles float64) (average, most float64) {
	fine := r.finest()
	frames, images := fine.film(), fine.scene.Time.Frames()
	average, most = mean(frames, images, verticesOf)
	few, _ := mean(frames, images, particlesOf)
	if average == 0 || few == 0 {
		return 0, 0
	}
	d2 := fine.scene.Liquid.Spacing
	if x := fine.reached; x < 1 { // the less is known, the more is a guess
		p, few := fine.built.parts, 1/(d2*d2*d2)
		by := guess(float64(fine.start), p.incoming(fine.scene)*few, p.area(), d2)
		factor := math.Pow(max(1, by.vertices/average), (1-x)*(1-x))
		average, most = factor*average, factor*most
	}
	scale := particles / few * math.Pow(d/d2, r.surfacePower())
	return average * scale, most * scale
}

func verticesOf(f trialFrame) float64  { return f.vertices }
func particlesOf(f trialFrame) float64 { return f.particles }
func parcelsOf(f trialFrame) float64   { return f.parcels }

// The powers of the spacing with which the vertices per particle may fall. The
// cube of bench-cube had 4.98, 2.27 and 1.48 in a mean frame with 8000, 64,000 and
// 216,000 particles, which is a power of 1.1. The shipped dam break had 2.59, 1.82
// and 1.46 with 7200, 63,550 and 232,848, which is a power of 0.5. The same holds
// for a wave that crosses a tank of 20 m, with 4.57 and 3.22 for 7581 and 62,244.
const (
	leastSurfacePower = 0.5
	mostSurfacePower  = 1
)

// surfacePower returns the power of the spacing with which the vertices per
// particle fall. In a single trial, half of the surface added after the start counts
// as drops.
func (r *Rehearsal) surfacePower() float64 {
	fine, power := r.finest(), math.NaN()
	if len(r.trials) > 1 {
		coarse := r.trials[len(r.trials)-2]
		n := min(len(coarse.frames), len(fine.frames))
		images := fine.scene.Time.Frames()
		share := func(t *trial) float64 {
			v, _ := mean(t.frames[:n], images, verticesOf)
			p, _ := mean(t.frames[:n], images, particlesOf)
			return v / p
		}
		power = math.Log(share(coarse)/share(fine)) / math.Log(coarse.scene.Liquid.Spacing/fine.scene.Liquid.Spacing)
	}
	if math.IsNaN(power) {
		average, _ := mean(fine.frames, fine.scene.Time.Frames(), verticesOf)
		power = 1 - 0.5*max(0, 1-fine.frames[0].vertices/average)
	}
	return max(leastSurfacePower, min(mostSurfacePower, power))
}

// particles returns the mean number of particles of the film at spacing d, with start
// particles at the start, and the largest.
func (r *Rehearsal) particles(d float64, start int) (average, most float64) {
	fine := r.finest()
	average, most = mean(fine.film(), fine.scene.Time.Frames(), particlesOf)
	x := fine.scene.Liquid.Spacing / d
	more := func(n float64) float64 { return max(0, float64(start)+(n-float64(fine.start))*x*x*x) }
	return more(average), max(float64(start), more(most))
}
