package scenes

import (
	"slices"

	"breakwater/raster/grains"
	"breakwater/scenes/host"
	"breakwater/sim/particle"
	"breakwater/sim/whitewater"
)

// trialWater is the whitewater of a trial. Its volumes do not depend on the spacing, so
// the trial has as many parcels as the film, but for the detail.
type trialWater struct {
	built   *Built
	water   *whitewater.Whitewater
	before  whitewater.Frame
	every   float64 // s between two samples at the particles
	samples []trialFrame

	moving      rate      // of particles, in sub-steps
	parcelSteps float64   // sub-steps of parcels in the same time
	parcelCost  float64   // s of processor time for a parcel in a sub-step
	substeps    []float64 // of each sample

	parcel float64 // bytes of memory for each
}

const (
	// trialDetail is how many parcels of the film stand for one of a trial.
	trialDetail = 10
	// trialSamples is how often a trial makes whitewater of its particles.
	trialSamples = 40

	// The bytes of memory for each particle and parcel, without the collector's room, as
	// measured in the shipped dam break. A trial's few particles would count for more: the
	// blocks of its grid are nearly empty.
	usualWaterParticle = 850
	usualWaterParcel   = 100
)

// trialWhitewater returns the whitewater of a trial of s, of which b was built, or nil if
// the scene has none.
func (s *Scene) trialWhitewater(b *Built) (*trialWater, error) {
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
	t := &trialWater{built: b, water: water, every: max(s.Time.At(2), s.Time.At(s.Time.Frames())/trialSamples)}
	t.before = t.frame(0)
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

// sample makes the whitewater of the particles at time now, a share of the film, if the
// last sample was long enough ago.
func (t *trialWater) sample(now, share float64) error {
	if t == nil || now-t.before.Time < t.every {
		return nil
	}
	next := t.frame(now)
	bodies := slices.Clone(t.built.World.Set.Bodies)
	begun := startWatch()
	if err := t.water.Step(t.before, next); err != nil {
		return err
	}
	parts, n := 1., float64(t.water.Parcels().Len())
	if n > 0 {
		parts = float64(t.water.Substeps())
	}
	first := len(t.samples) == 1
	if first {
		t.parcelSteps = 0
	}
	t.moving.add(first, float64(next.Len())*parts, begun)
	t.parcelSteps += n * parts
	t.substeps = append(t.substeps, parts)
	t.samples = append(t.samples, trialFrame{at: share, parcels: n * trialDetail})
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

// count counts the memory of the parcels.
func (t *trialWater) count() {
	const enough = 100
	parcels := t.water.Parcels().Len()
	t.parcel = usualWaterParcel
	if parcels >= enough {
		f := newFootprint(parcels)
		f.add(t.built)
		each, _ := f.add(t.water)
		t.parcel = each / float64(parcels)
	}
}

// parcels returns the mean number of parcels in the frames of a film, and the largest.
func (t *trialWater) parcels(images int) (average, most float64) {
	if t == nil {
		return 0, 0
	}
	samples := slices.Concat([]trialFrame{{}}, t.samples) // there are none at the start
	return mean(samples, images, func(f trialFrame) float64 { return f.parcels })
}

// points returns how many points the files of w have for a parcel of the film.
func (t *trialWater) points(w *Whitewater) float64 {
	if t == nil {
		return 1
	}
	return t.apart(w.Expand, whitewater.Spray, whitewater.Foam, whitewater.Bubble, whitewater.Mist)
}

// grains returns how many grains are drawn for a parcel of the film in the frames with the
// most, which have little foam.
func (t *trialWater) grains() float64 {
	return t.apart(grains.Most, whitewater.Spray, whitewater.Bubble)
}

// apart returns the mean number of points, at most most, of the film's parcels of some kinds.
func (t *trialWater) apart(most int, kinds ...whitewater.Kind) float64 {
	if t == nil {
		return 1
	}
	p, sum, n := t.water.Parcels(), 0, 0
	for i, count := range p.N {
		if slices.Contains(kinds, p.Kind[i].Kind()) {
			sum, n = sum+ParcelPoints(float64(count)/trialDetail, most), n+1
		}
	}
	return max(1, float64(sum)/float64(max(1, n)))
}

// asMany returns the parcels of the trial as the film has them: trialDetail for each, of
// which each stands for as many fewer drops.
func (t *trialWater) asMany() whitewater.Parcels {
	var many whitewater.Parcels
	p := t.water.Parcels()
	for range trialDetail {
		many.X = append(many.X, p.X...)
		many.V = append(many.V, p.V...)
		many.R = append(many.R, p.R...)
		many.N = append(many.N, p.N...)
		many.Kind = append(many.Kind, p.Kind...)
		many.Age = append(many.Age, p.Age...)
		many.ID = append(many.ID, p.ID...)
	}
	for i := range many.N {
		many.N[i] /= trialDetail
	}
	return many
}

// time measures the cost of a parcel. It makes the last step twice more, with the parcels of
// the trial and with as many as the film has. The parcels are then not those of the film.
func (t *trialWater) time() error {
	const enough = 100
	if t.water.Parcels().Len() < enough {
		return nil
	}
	few, many := *t.water.State(), *t.water.State()
	many.Parcels = t.asMany()
	next := t.before
	next.Time += t.every
	var seconds, steps [2]float64
	for i, state := range []whitewater.State{few, many} {
		steps[i] = float64(state.Parcels.Len())
		t.water.Restore(&state)
		begun := host.ProcessorTime()
		if err := t.water.Step(t.before, next); err != nil {
			return err
		}
		seconds[i] = host.ProcessorTime() - begun
		steps[i] *= float64(t.water.Substeps())
	}
	t.parcelCost = max(0, (seconds[1]-seconds[0])/(steps[1]-steps[0]))
	return nil
}

// particleCost returns the processor time of a particle in a sub-step, s.
func (t *trialWater) particleCost() float64 {
	const least = 0.1 // of the time that parcels do not explain
	if t.moving.things == 0 {
		return 0
	}
	return max(least*t.moving.seconds, t.moving.seconds-t.parcelCost*t.parcelSteps) / t.moving.things
}

// steps returns the mean number of sub-steps in a frame of a film of particles d apart, with
// dt between frames. In each, the fastest particles move by d, and there is at least one.
func (t *trialWater) steps(d, dt float64) (mean float64) {
	finer := dt / t.every * t.built.World.Spacing / d
	for _, n := range t.substeps {
		mean += min(whitewater.MostSteps, max(1, (n-0.5)*finer+0.5)) // numbers are rounded up
	}
	return mean / float64(len(t.substeps))
}

// whitewaterTime returns the processor time that the whitewater of a frame takes, s, with
// the given numbers of particles d apart and of parcels, and with dt between frames. The
// velocity of the liquid is on blocks of nodes. At the surface these are partly empty, so
// coarse particles take longer each. The two finest trials show by how much.
func (r *Rehearsal) whitewaterTime(particles, parcels, d, dt float64) float64 {
	fine := r.finest().water
	each := fine.particleCost()
	if n := len(r.trials); n > 1 {
		coarse := r.trials[n-2].water
		x, y := coarse.built.World.Spacing, fine.built.World.Spacing
		if more := coarse.particleCost() - each; more > 0 {
			const least = 1. / 3 // of the extrapolation from the measurement
			each = max(least*each, each-more*(y*y-d*d)/(x*x-y*y))
		}
	}
	return (particles*each + parcels*fine.parcelCost) * fine.steps(d, dt)
}
