package estimate

import (
	"math"
	"slices"

	"breakwater/raster/camera"
	"breakwater/raster/grains"
	"breakwater/scenes"
	"breakwater/scenes/convert"
	"breakwater/scenes/host"
	"breakwater/sim/num"
	"breakwater/sim/particle"
	"breakwater/sim/whitewater"
)

// trialWater is the whitewater of a trial. Its volumes depend little on the spacing, so
// the trial has nearly as many parcels as the film, but for the detail; see waterPower.
type trialWater struct {
	scene   *scenes.Scene // with the detail of the trial
	spacing float64       // of the film's particles, m
	breakup float64       // of its threads, s
	view    grains.View   // of the film
	built   *scenes.Built
	water   *whitewater.Whitewater
	before  whitewater.Frame
	every   float64 // s between two samples at the particles
	due     float64 // time of the next sample, s
	samples []trialFrame

	moving rate      // of the samples of the surface and the sub-steps, without the first step
	work   waterWork // in the same time

	// s of processor time: for a particle in a sample of the surface, for a parcel in a
	// sub-step, and for a parcel in a file
	sampleCost, parcelCost, fileCost float64

	newest uint64  // parcels that the trial has made
	born   float64 // the most of them in a step, for each second
}

// waterWork is how often things were done in steps of whitewater.
type waterWork struct {
	sampled float64 // particles, in samples of the surface
	spread  float64 // particles, in sub-steps
	moved   float64 // parcels, in sub-steps
}

const (
	// trialDetail is how many parcels of the film stand for one of a trial.
	trialDetail = 10
	// trialSamples is how often a trial makes whitewater of its particles.
	trialSamples = 40
	// dueTolerance is by what share of the time between two samples rounding may shift one.
	dueTolerance = 1e-6
)

// trialWhitewater returns the whitewater of a trial of s, of which b was built, or nil if
// the scene has none. The film has particles d apart.
func trialWhitewater(s *scenes.Scene, b *scenes.Built, d float64) (*trialWater, error) {
	if s.Whitewater == nil || b.DrawsParticles() {
		return nil, nil
	}
	few, own := *s, *s.Whitewater
	own.Detail /= trialDetail
	few.Whitewater = &own
	water, err := few.WhitewaterOf(b)
	if err != nil {
		return nil, err
	}
	film := *s
	film.Liquid.Spacing = d
	t := &trialWater{
		scene: &few, built: b, spacing: d, breakup: film.BreakupTime(),
		view: grains.View{
			Eye: b.Camera.Eye, Spread: camera.NewLens(b.Camera, s.Picture.Size[0], s.Picture.Size[1]).PixelAngle(),
			Shutter: s.Shutter(b),
		},
		water: water, every: max(s.Time.At(2), s.Time.At(s.Time.Frames())/trialSamples)}
	t.before, t.due = t.frame(0), t.every
	water.Start(0)
	return t, nil
}

// frame returns the particles as they are at time now.
func (t *trialWater) frame(now float64) whitewater.Frame {
	of := &t.built.World.Set
	set := &particle.Set{X: slices.Clone(of.X), V: slices.Clone(of.V), Rho: slices.Clone(of.Rho), ID: slices.Clone(of.ID), Bodies: slices.Clone(of.Bodies)}
	t.built.Free(set, now)
	return whitewater.Frame{Time: now, Set: set}
}

// sample makes the whitewater of the particles at time now, a share of the film, if a sample
// is due. The last is due at the end of the film, which may have the most parcels.
func (t *trialWater) sample(now, share float64) error {
	if t == nil || now < t.due-float64(dueTolerance*t.every) {
		return nil
	}
	t.due += t.every
	next := t.frame(now)
	bodies := slices.Clone(t.built.World.Set.Bodies)
	begun := startWatch()
	if err := t.water.Step(t.before, next); err != nil {
		return err
	}
	if len(t.samples) == 1 { // the first step readied what the others use
		t.work = waterWork{}
	}
	newest := t.newest
	for _, id := range t.water.Parcels().ID {
		newest = max(newest, id+1)
	}
	t.born = max(t.born, float64(newest-t.newest)/(next.Time-t.before.Time))
	t.newest = newest
	particles, parcels, parts := float64(next.Len()), float64(t.water.Parcels().Len()), float64(t.water.Substeps())
	t.moving.add(len(t.samples) == 1, 1, begun)
	t.work.sampled += float64(particles * float64(whitewater.Samples(next.Time-t.before.Time)))
	t.work.spread += float64(particles * parts)
	t.work.moved += float64(parcels * parts)
	t.samples = append(t.samples, trialFrame{at: share, parcels: parcels * trialDetail, grains: t.grains(), parts: parts})
	t.before = next
	// The walls are where the simulation expects them.
	for _, w := range t.built.World.Walls {
		w.Move(now)
	}
	return t.built.World.PlaceBodies(bodies)
}

// liquid returns the particles of p that are not shown as spray.
func (t *trialWater) liquid(p *particle.Set) *particle.Set {
	if t == nil {
		return p
	}
	airborne := t.water.Airborne(nil)
	if len(airborne) == 0 {
		return p
	}
	own := &particle.Set{X: slices.Clone(p.X), V: slices.Clone(p.V), Rho: slices.Clone(p.Rho), ID: slices.Clone(p.ID)}
	own.RemoveIDs(airborne)
	return own
}

// births returns the most parcels that are born in a frame of a film with dt between frames. As
// many are born in each part of a step of the trial.
func (t *trialWater) births(dt float64) float64 {
	if t == nil {
		return 0
	}
	return trialDetail * t.born * min(dt, t.every)
}

// parcels returns the mean number of parcels in the frames of a film, and the largest.
func (t *trialWater) parcels(images int) (average, most float64) {
	if t == nil {
		return 0, 0
	}
	return mean(t.film(), images, parcelsOf)
}

// waterPower and grainPower are the powers of the spacing with which the parcels of whitewater
// fall, and the grains of a picture. Finer liquid breaks into more spray, and entrains more air. In a
// mean frame the shipped dam break has 54,400 parcels, and 32,500 at three times its spacing;
// dam-break-obstacle has 96,200, and 61,900 at 2.2 times; plunge has 5950, and 5290 at 2.3 times;
// drop has 81,400, and 49,200 at 2.3 times. Of more parcels, each is drawn as fewer grains.
const (
	waterPower = 0.4
	grainPower = 0.2
)

// growth returns how many times a number that falls with a power of the spacing is larger in a
// film of particles d apart than in the trial.
func (t *trialWater) growth(d, power float64) float64 {
	return num.Pow(max(1, t.built.World.Spacing/d), power)
}

// film returns the samples and the start, at which there is no whitewater.
func (t *trialWater) film() []trialFrame { return slices.Concat([]trialFrame{{}}, t.samples) }

// points returns how many points the files of w have for a parcel of the film.
func (t *trialWater) points(w *scenes.Whitewater) float64 {
	if t == nil || t.water.Parcels().Len() == 0 {
		return 1
	}
	sum := 0
	for _, count := range t.water.Parcels().N {
		sum += convert.Points(float64(count)/trialDetail, w.Expand)
	}
	return float64(sum) / float64(t.water.Parcels().Len())
}

// grains returns how many grains a picture of the film has for the parcels of the trial. Foam
// is a part of the surface, and mist is in the voxels alone.
func (t *trialWater) grains() float64 {
	drawn := convert.Grains(*t.asMany(), t.spacing, t.breakup, nil, math.Inf(1))
	return float64(drawn.Grains(t.view, grains.Spray, grains.Bubble))
}

// grainsOf returns the mean number of grains in the pictures of a film, and the largest.
func (t *trialWater) grainsOf(images int) (average, most float64) {
	if t == nil {
		return 0, 0
	}
	return mean(t.film(), images, func(f trialFrame) float64 { return f.grains })
}

// asMany returns the parcels of the trial as the film has them: trialDetail for each, about
// its place, of which each stands for as many fewer drops.
func (t *trialWater) asMany() *whitewater.Parcels {
	var many whitewater.Parcels
	p := t.water.Parcels()
	for k := range trialDetail {
		n := many.Len()
		many.X = append(many.X, p.X...)
		many.V = append(many.V, p.V...)
		many.R = append(many.R, p.R...)
		many.N = append(many.N, p.N...)
		many.Kind = append(many.Kind, p.Kind...)
		many.Age = append(many.Age, p.Age...)
		for i, id := range p.ID {
			off := grains.Offset(id, k).Mul(t.built.World.Spacing)
			many.ID = append(many.ID, id*trialDetail+uint64(k))
			many.X[n+i][0] += float32(off.X)
			many.X[n+i][1] += float32(off.Y)
			many.X[n+i][2] += float32(off.Z)
			many.N[n+i] /= trialDetail
		}
	}
	return &many
}

// time measures the cost of samples of the surface and of parcels. It makes the last step
// again: without parcels and their sources, with the parcels of the trial, and with as many
// as the film has.
func (t *trialWater) time() error {
	if len(t.samples) == 0 {
		return nil
	}
	begun := host.ProcessorTime()
	file, err := t.water.State().Append(nil)
	if err != nil {
		return err
	}
	wrote := host.ProcessorTime() - begun
	next := t.before
	next.Time += t.every
	step := func(w *whitewater.Whitewater, parcels *whitewater.Parcels) (float64, error) {
		state, err := whitewater.ReadState(file)
		if err != nil {
			return 0, err
		}
		if parcels != nil {
			state.Parcels = *parcels
		}
		w.Restore(state)
		begun := host.ProcessorTime()
		err = w.Step(t.before, next)
		return host.ProcessorTime() - begun, err
	}
	many := t.asMany()
	parcels := float64(t.water.Parcels().Len())
	scene := *t.scene
	own := *scene.Whitewater
	own.Sources = nil
	scene.Whitewater = &own
	still, err := scene.WhitewaterOf(t.built)
	if err != nil {
		return err
	}
	for range 2 { // the first readies what the second uses
		took, err := step(still, new(whitewater.Parcels))
		if err != nil {
			return err
		}
		t.sampleCost = took / float64(next.Len()*whitewater.Samples(t.every))
	}
	const enough = 100
	if parcels < enough {
		return nil
	}
	before, err := step(t.water, nil)
	if err != nil {
		return err
	}
	after, err := step(t.water, many)
	if err != nil {
		return err
	}
	t.parcelCost = max(0, after-before) / (parcels * (trialDetail - 1) * float64(t.water.Substeps()))
	t.fileCost = wrote / parcels
	return nil
}

// spreadCost returns the processor time of a particle in a sub-step, s: the time of the
// trial that samples and parcels do not explain.
func (t *trialWater) spreadCost() float64 {
	const least = 0.1 // of all the time
	if t.work.spread == 0 {
		return 0
	}
	rest := t.moving.seconds - float64(t.sampleCost*t.work.sampled) - float64(t.parcelCost*t.work.moved)
	return max(least*t.moving.seconds, rest) / t.work.spread
}

// steps returns the mean number of sub-steps in a frame of a film of particles d apart, with
// dt between frames, and the mean over its parcels. In each sub-step, the fastest particles
// move by d, and there is at least one where there are parcels.
func (t *trialWater) steps(d, dt float64) (average, ofParcels float64) {
	finer := dt / t.every * t.built.World.Spacing / d
	parcels := 0.
	for _, f := range t.samples {
		if f.parts > 0 {
			n := min(whitewater.MostSteps, max(1, float64((f.parts-0.5)*finer)+0.5)) // numbers are rounded up
			average += n
			ofParcels += float64(n * f.parcels)
			parcels += f.parcels
		}
	}
	return average / max(1, float64(len(t.samples))), ofParcels / max(1, parcels)
}

// whitewaterTime returns the processor time that the whitewater of a frame takes, s, with
// the given numbers of particles d apart and of parcels, and with dt between frames. The
// velocity of the liquid is on blocks of nodes. At the surface these are partly empty, so
// coarse particles take longer each. The two finest trials show by how much.
func (r *Rehearsal) whitewaterTime(particles, parcels, d, dt float64) float64 {
	fine := r.finest().water
	each := fine.spreadCost()
	if n := len(r.trials); n > 1 {
		coarse := r.trials[n-2].water
		x, y := coarse.built.World.Spacing, fine.built.World.Spacing
		if more := coarse.spreadCost() - each; more > 0 {
			const least = 1. / 3 // of the extrapolation from the measurement
			each = max(least*each, each-more*(float64(y*y)-float64(d*d))/(float64(x*x)-float64(y*y)))
		}
	}
	steps, ofParcels := fine.steps(d, dt)
	return float64(particles*(float64(fine.sampleCost*float64(whitewater.Samples(dt)))+float64(steps*each))) + float64(parcels*(float64(ofParcels*fine.parcelCost)+fine.fileCost))
}
