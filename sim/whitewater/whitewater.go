// Package whitewater adds what breaking water has besides water: spray, foam, bubbles
// and mist. They are volumes of air and of liquid in SI units, carried by parcels, each
// of which stands for a number of equal drops or bubbles. The volumes follow from the
// flow; how many parcels carry them is a matter of detail only.
//
//   - whitewater.go: the state, and a step from a frame to the next; settings.go, scene.go,
//     what surrounds the liquid
//   - parcels.go, encode.go: the parcels, and the state as bytes; budget.go, its volumes;
//     thin.go, fewer parcels for the same volume
//   - flow.go: the liquid between two frames; part.go, between two samples of its surface;
//     survey.go, the surface, its parts and the speeds at which they meet; cover.go, the
//     surface that liquid covers; nodes.go, the velocity on a grid
//   - source.go, source_*.go: where parcels come from; sizes.go, how large their drops are
//   - motion.go: how parcels move; drop.go, bubble.go, foam.go, walls.go; voxels.go, what
//     they have around them; lace.go, holes in foam; death.go, how they end
//
// A Step reads two frames of particles and the state at the first, and nothing else. All
// of the state is rounded to what its bytes keep at the end of a step, so a run that
// resumes from any frame continues with the same bits.
package whitewater

import (
	"fmt"
	"math"

	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Whitewater is the state of all parcels, and the memory to move them in.
type Whitewater struct {
	set     Settings
	scene   Scene
	sources []Source

	state State

	flow   flow
	part   part // between two samples of the surface
	survey survey
	nodes  nodes
	voxels voxels
	walls  walls
	sizes  sizes
	rise   rise
	lace   lace
	births []Parcel
	steps  int // sub-steps of the last step
	tmp    parcelScratch
}

// State is all that a step leaves for the next one, besides the particles.
type State struct {
	Time    float64 // of the frame, s
	Steps   uint64  // since the first frame
	Parcels Parcels
	Budget  Budget

	nextID uint64
	marks  []mark              // of SPH particles, by their number
	peaks  [potentials]float64 // of the source ihmsen: over the steps, the sum of the largest potentials
}

// mark holds values of an SPH particle beyond its frame.
type mark struct {
	id       uint32
	cover    uint16 // largest share of its neighbourhood that was liquid of late, in steps of shareStep
	airborne bool   // it is shown as spray
}

// shareStep is the unit of mark.cover.
const shareStep = 1. / math.MaxUint16

// Frame is the liquid at one time, as the particle cache has it.
type Frame struct {
	Time float64 // s
	*particle.Set
}

// New returns whitewater without any parcels, for a liquid in the given surroundings.
func New(set Settings, scene Scene) (*Whitewater, error) {
	if err := set.Check(); err != nil {
		return nil, err
	}
	if err := scene.check(); err != nil {
		return nil, err
	}
	w := &Whitewater{set: set, scene: scene}
	for _, name := range set.Sources {
		s, err := Sources.New(name, none)
		if err != nil {
			return nil, err
		}
		w.sources = append(w.sources, s)
	}
	w.sizes.init(&w.set, &w.scene)
	w.walls.init(&w.scene)
	w.nodes.edge, w.nodes.inverse = scene.Spacing, 1/scene.Spacing
	w.rise = newRise(&w.scene)
	w.voxels.init(scene.Spacing)
	return w, nil
}

// Start sets the time of the first frame, at which there are no parcels.
func (w *Whitewater) Start(t float64) { w.state = State{Time: t} }

// Add adds a parcel with a number of its own, as a source does.
func (w *Whitewater) Add(p Parcel) {
	s := &w.state
	p.ID = s.nextID
	s.nextID++
	s.Parcels.add(p)
	s.Budget.born(p)
}

// State returns the state. It is valid until the next step.
func (w *Whitewater) State() *State { return &w.state }

// Restore continues from a state that was read from a file.
func (w *Whitewater) Restore(s *State) { w.state = *s }

// Parcels returns the parcels. They are valid until the next step.
func (w *Whitewater) Parcels() *Parcels { return &w.state.Parcels }

// Substeps returns how many parts the last step had in which parcels moved, 0 if there were
// no parcels.
func (w *Whitewater) Substeps() int { return w.steps }

// Budget returns the volumes that came and went so far.
func (w *Whitewater) Budget() Budget { return w.state.Budget }

// Airborne appends the numbers of the SPH particles that are shown as spray, ascending.
// A surface leaves them out, because their drops have their volume.
func (w *Whitewater) Airborne(dst []uint32) []uint32 { return w.state.Airborne(dst) }

// Airborne appends the numbers of the SPH particles that are shown as spray, ascending.
func (s *State) Airborne(dst []uint32) []uint32 {
	for _, m := range s.marks {
		if m.airborne {
			dst = append(dst, m.id)
		}
	}
	return dst
}

// Step brings the state from the frame prev, at which it is, to the frame next.
func (w *Whitewater) Step(prev, next Frame) error {
	if prev.Time != w.state.Time {
		return fmt.Errorf("whitewater: the state is of time %g s, the first frame of %g s", w.state.Time, prev.Time)
	}
	if !(next.Time > prev.Time) {
		return fmt.Errorf("whitewater: a frame at %g s follows one at %g s", next.Time, prev.Time)
	}
	for _, f := range []Frame{prev, next} {
		for _, list := range [][]vec.Vec3{f.X, f.V} {
			if i := vec.NotFinite(list); i >= 0 {
				return fmt.Errorf("whitewater: particle %d at %g s has the position %v m and the velocity %v m/s: both must be finite", f.ID[i], f.Time, f.X[i], f.V[i])
			}
		}
	}
	s := &w.state
	w.flow.match(prev, next)
	if i := w.flow.repeated(); i >= 0 {
		return fmt.Errorf("whitewater: two particles at %g s have the number %d", next.Time, i)
	}
	w.walls.between(prev, next)
	w.births = w.births[:0]
	w.survey.recall(w)
	for w.part.start(&w.flow, w.flow.samples()); ; w.part.next() {
		if err := w.walls.move(w.part.share(1)); err != nil {
			return err
		}
		w.survey.sample(w)
		for _, source := range w.sources {
			source.Emit(w)
		}
		if w.part.k+1 == w.part.n {
			break
		}
	}
	w.part = part{} // its memory is not needed for the motion
	for _, b := range w.births {
		w.Add(b)
	}
	w.voxels.build(w)
	w.steps = 0
	if err := w.move(); err != nil {
		return err
	}
	w.age()
	w.bury()
	w.thin()

	s.marks = w.survey.marks(s.marks[:0], w.flow.next.ID)
	s.Time = next.Time
	s.Steps++
	s.round()
	return nil
}

// round rounds the state to what its bytes keep.
func (s *State) round() {
	p := &s.Parcels
	par.For(p.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k, v := range p.V[i] {
				p.V[i][k] = fromHalf(toHalf(v))
			}
			p.Age[i] = ageOf(ageSteps(p.Age[i]))
		}
	})
}
