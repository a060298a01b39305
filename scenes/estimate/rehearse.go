package estimate

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"

	"breakwater/out"
	"breakwater/scenes"
	"breakwater/scenes/host"
	"breakwater/scenes/memory"
	"breakwater/sim"
	"breakwater/sim/boundary"
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
	part   *trial   // a finer one that got to a part of the film, if there is a single trial; nil for none
	shot   *trialShot
	gas    *gasTrial // of a gas; nil for a liquid
	unused float64   // processors of the machine that no program used meanwhile; +Inf if that is not known
	steady bool      // whether it must say the same of memory and disk each time
}

// trial is a film with few particles.
type trial struct {
	scene   *scenes.Scene
	built   *scenes.Built
	start   int          // particles at the start
	frames  []trialFrame // of frames of the film, about evenly spaced, and where it ended; as far as it got
	reached float64      // share of the film, from 0 to 1
	dt      float64      // s that a step was expected to take
	steps   float64      // of the solver, as far as it got
	moved   float64      // particles in all these steps
	sim     rate         // of those that readied no grids of walls
	readied rate         // of the others
	ready   float64      // s of processor time for grids that meshing readied
	meshing rate         // of the vertices
	coding  rate         // of bytes of particle files
	last    *mesh.Mesh   // of the last frame
	each    float64      // bytes of a particle in a file of the last frame
	text    float64      // bytes of OBJ files for one that out.PointBytes expects
	live    memory.Live
	water   *trialWater  // nil for none
	stills  []trialStill // of the frames
	failed  error        // what ended the simulation
}

// trialFrame is a frame of a trial.
type trialFrame struct {
	at                  float64 // share of the film before it
	particles, vertices float64
	parcels             float64 // of whitewater
	grains              float64 // of a picture of them
	parts               float64 // sub-steps of the whitewater that led to it
	sim                 rate    // of the steps up to it
	each                float64 // particles in these, in the mean
	vortons, bytes      float64 // of the particles and of the file, in a gas
	work                float64 // of a step before it, in a gas; see gasStep
}

// trialStill is what a picture of a frame of a trial shows.
type trialStill struct {
	mesh    *mesh.Mesh
	bodies  []particle.Body
	parcels *whitewater.Parcels // as many as the film has; nil for none
}

// What a rehearsal has.
const (
	trialFrames = 13
	shotPixels  = 25e3 // of a picture at good; four times as many in a check of the usual effort
)

// How much finer each trial is than the one before, at least: of its own choice,
// and where it has the particles that it should have.
const (
	leastFiner = 1.2
	leastOwn   = 1.15
)

// Where the time is up after the coarsest trial, a finer one gets to a part of the film, with a share
// of the effort and within the patience. It says what each particle adds to the time of a step.
const (
	partFiner  = 1.6
	partEffort = 0.5
)

// mostCoarser bounds how much coarser a trial may be to have less strained lattices.
const mostCoarser = 1.1

// trialParticles are about how many each trial has. With a third, the last two say
// how the surface grows.
var trialParticles = []float64{600, 2500, 8000}

// oneMore is about how many particles a fourth trial has, if the first three do not settle how
// the surface grows.
const oneMore float64 = 27e3

// Effort bounds a rehearsal. A value of 0 sets no bound.
type Effort struct {
	Seconds float64 // of processor time, which other programs on the machine do not change
	Moves   float64 // particles in all steps, on which no machine and no load has an influence

	// Patience is how many times the effort the coarsest trial may take until it reaches the
	// end of the film, 1 if it is 0. A part of a film does not tell how a glass runs over. A gas
	// may take as much while its steps get longer or shorter.
	Patience float64
}

// The efforts of a check, and of a run that may need too much. A run is refused
// for what its rehearsal says, so that must be the same each time.
var (
	checkEffort = Effort{Seconds: 20, Patience: 2}
	largeEffort = Effort{Seconds: 1.2} // of films with many particles, which may be refused at once
	RunEffort   = Effort{Moves: 2e6}
)

// EffortFor returns how much a check of b rehearses by default.
func EffortFor(b *scenes.Built) Effort {
	const many = 10e6
	if b.Most > many {
		return largeEffort
	}
	return checkEffort
}

// Rehearse runs s with few particles, at two or three spacings if they differ. It
// stops once it has spent the effort, with what it has got by then.
func Rehearse(s *scenes.Scene, ctx context.Context, effort Effort) (*Rehearsal, error) {
	if s.Gas != nil {
		return rehearseGas(s, ctx, effort)
	}
	spent := startSpending(effort)
	r := &Rehearsal{steady: effort.Moves > 0}
	before := 0. // spacing of the trial before
	took := 0.   // share of the effort
	moving := 1. // share of that for the particles' steps
	for k := 0; k < len(trialParticles) || k == len(trialParticles) && r.unsettled(); k++ {
		particles := oneMore
		if k < len(trialParticles) {
			particles = trialParticles[k]
		}
		d, err := s.Coarsened(particles)
		if err != nil {
			return nil, err
		}
		if before > 0 && d*leastOwn > before {
			continue // a thin block or opening allows no coarser one
		}
		begun, most := spent.share(), mostCoarser*d
		if before > 0 {
			// A finer one takes longer: the steps with the fourth power, work on surfaces
			// and walls with the third at most. Cut short, it would say less than a
			// coarse one of all the film, so it is as fine as the time allows. Spacings
			// close to each other add little, but the scene's own needs no scaling at
			// all.
			finer := 1.
			for x := finer; x < 3 && took*x*x*x*(float64(moving*x)+1-moving) <= 0.9*(1-begun); x += 0.01 {
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
			most = min(mostCoarser*d, before/least)
		}
		if d, err = s.LeastStrained(d, most); err != nil {
			return nil, err
		}
		limit := 1.
		if len(r.trials) == 0 {
			limit = max(1, effort.Patience)
		}
		t, err := try(s, ctx, d, spent, limit)
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
	if len(r.trials) == 1 && r.trials[0].reached == 1 && effort.Seconds > 0 {
		limit := min(spent.share()+partEffort, max(1, effort.Patience))
		if x := max(s.Liquid.Spacing, before/partFiner); before/x >= leastFiner && spent.share() < limit {
			part, err := try(s, ctx, num.Rounded(x, 6), spent, limit)
			if err != nil {
				return nil, err
			}
			r.part = part
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

// errLate ends a trial that has spent its effort.
var errLate = errors.New("late")

// try runs the film of s at spacing x, or the next below at which there can be
// one, without writing anything, until the limit of the effort is spent.
func try(s *scenes.Scene, ctx context.Context, x float64, spent *spending, limit float64) (*trial, error) {
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
	t := &trial{scene: s, built: b, start: b.World.Len(), dt: s.StepLength(b)}
	if t.water, err = trialWhitewater(s, b, d); err != nil {
		return nil, err
	}
	length := s.Time.At(s.Time.Frames())
	meshed, clean := 0, 0
	frames := min(trialFrames, s.Time.Frames())
	clouds, most, files, expected := 0, 0., 0., 0.
	for k := 0; k < frames && t.reached < 1 && t.failed == nil; k++ {
		now := s.Time.At(1 + k*(s.Time.Frames()-1)/max(1, frames-1)) // a frame of the film
		share := 0.
		if length > 0 {
			share = now / length
		}
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
					return errLate
				}
				return ctx.Err()
			})
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err == errLate:
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
		b.World.Round() // as the film does
		m := new(mesh.Mesh)
		for _, w := range b.World.Walls {
			w.Move(now)
		}
		surface := func() error {
			cloud := s.Cloud(b, t.water.liquid(&b.World.Set), k+1, now)
			clouds = len(cloud.X)
			if s.Meshless() {
				return nil
			}
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
			expected += float64(n * out.PointBytes(text, out.NeedsMesh, n, 0))
			most = max(most, n)
		}
		frame := trialFrame{at: t.reached, particles: float64(b.World.Len()), vertices: float64(len(m.Pos)), sim: t.sim, each: t.moved / max(1, t.steps)}
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
		begun := startWatch()
		if err := b.Formats.Particles.Encode(&file, &out.Frame{Particles: &b.World.Set}); err != nil {
			return nil, err
		}
		t.coding.add(false, float64(file.Len()), begun)
		t.each = float64(file.Len()) / float64(n)
	}
	if expected > 0 {
		t.text = files / expected
	}
	t.live = liveOf(b, clouds, most, t.last)
	if t.water != nil {
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
