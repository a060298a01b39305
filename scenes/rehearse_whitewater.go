package scenes

import (
	"math"
	"slices"

	"breakwater/sim/particle"
	"breakwater/sim/whitewater"
)

// trialWater is the whitewater of a trial. Its volumes do not depend on the spacing, so
// the trial has as many parcels as the film, but for the detail.
type trialWater struct {
	built  *Built
	water  *whitewater.Whitewater
	before whitewater.Frame
	every  float64 // s between two looks at the particles
	looks  []trialFrame
	moving rate // of particles and parcels, in sub-steps

	parcel float64 // bytes of memory for each
}

const (
	// trialDetail is how many parcels of the film stand for one of a trial.
	trialDetail = 10
	// trialLooks is how often a trial makes whitewater of its particles.
	trialLooks = 40

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
	t := &trialWater{built: b, water: water, every: max(s.Time.At(2), s.Time.At(s.Time.Frames())/trialLooks)}
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

// look makes the whitewater of the particles at time now, a share of the film, if the
// last look was long enough ago.
func (t *trialWater) look(now, share float64) error {
	if t == nil || now-t.before.Time < t.every {
		return nil
	}
	next := t.frame(now)
	bodies := slices.Clone(t.built.World.Set.Bodies)
	begun := startWatch()
	if err := t.water.Step(t.before, next); err != nil {
		return err
	}
	n := float64(t.water.Parcels().Len())
	t.moving.add(len(t.looks) == 1, (n+float64(next.Len()))*float64(t.water.Substeps()), begun)
	t.looks = append(t.looks, trialFrame{at: share, parcels: n * trialDetail})
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
	return mean(t.looks, images, func(f trialFrame) float64 { return f.parcels })
}

// seconds returns the processor time that the whitewater of a frame takes, with the given
// numbers of particles d apart and of parcels, every dt.
func (t *trialWater) seconds(particles, parcels, d, dt float64) float64 {
	steps := float64(t.water.Substeps()) * dt / t.every * t.built.World.Spacing / d
	return (particles + parcels) * max(1, math.Ceil(steps)) * t.moving.each()
}
