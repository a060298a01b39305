package whitewater

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// MostSteps bounds the sub-steps between two frames.
const MostSteps = 16

// move moves all parcels from the frame before to the next, in sub-steps in which nearly
// all of the liquid goes less than a spacing.
func (w *Whitewater) move() error {
	p := &w.state.Parcels
	if p.Len() == 0 {
		return nil
	}
	steps := w.substeps()
	w.steps = steps
	dt := w.flow.dt / float64(steps)
	for k := range steps {
		s0, s1 := float64(k)/float64(steps), float64(k+1)/float64(steps)
		if err := w.walls.move(s1); err != nil {
			return err
		}
		w.nodes.build(w, s0, s1)
		// Long chunks: a mover remembers the block and the walls of the last parcel.
		const chunk = 4096
		par.Each((p.Len()+chunk-1)/chunk, func(c int) {
			m := mover{w: w, dt: dt, step: uint64(k)}
			for i := c * chunk; i < min(p.Len(), (c+1)*chunk); i++ {
				m.move(i)
			}
		})
	}
	return nil
}

// substeps returns the number of sub-steps: the 99.9th percentile of the liquid's speed
// goes less than a spacing in each.
func (w *Whitewater) substeps() int {
	f := &w.flow
	speeds := make([]float64, 0, 1024)
	stride := max(1, f.next.Len()/20000)
	for i := 0; i < f.next.Len(); i += stride {
		speeds = append(speeds, f.next.V[i].Len())
	}
	if len(speeds) == 0 {
		return 1
	}
	slices.Sort(speeds)
	top := speeds[min(len(speeds)-1, int(0.999*float64(len(speeds))))]
	return int(min(MostSteps, max(1, math.Ceil(top*f.dt/w.scene.Spacing))))
}

// mover moves the parcels of a chunk through a sub-step.
type mover struct {
	w      *Whitewater
	dt     float64
	step   uint64
	liquid cursor
	voxel  cursor
	walls  nearby
	near   sample
}

// move moves parcel i.
func (m *mover) move(i int) {
	w, p := m.w, &m.w.state.Parcels
	status := p.Kind[i]
	if status.fate() != alive {
		return
	}
	age := float64(p.Age[i]) + m.dt
	p.Age[i] = float32(age)
	dt := min(m.dt, age)
	if dt < ageStep/2 {
		return // not born yet
	}
	switch status.Kind() {
	case Spray, Mist:
		m.drop(i, dt)
	case Bubble:
		m.bubble(i, dt)
	case Foam:
		m.foam(i, dt)
	}
	x := p.At(i)
	if !within(x.Mul(w.nodes.inverse)) { // also NaN
		p.X[i] = [3]float32{}
		p.V[i] = [3]float32{}
		m.end(i, left)
		return
	}
	for _, r := range w.scene.Outside {
		if r.Depth(x) > 0 {
			m.end(i, left)
		}
	}
}

// end marks parcel i as one that ends in this step.
func (m *mover) end(i int, fate Status) {
	k := &m.w.state.Parcels.Kind[i]
	*k = *k&(1<<fateShift-1) | fate<<fateShift
}

// to moves parcel i from x towards y, as far as walls allow.
func (m *mover) to(i int, x, y vec.Vec3) touch {
	p := &m.w.state.Parcels
	r := float64(p.R[i])
	list := m.w.walls.about(&m.walls, x, m.w.voxels.block, y.Sub(x).Len()+r+m.w.scene.Spacing)
	if len(list) == 0 {
		p.X[i] = narrow(y)
		return touch{}
	}
	at, hit, ok := sweep(list, x, y, r)
	if !ok {
		m.end(i, clung)
		if p.Kind[i].Kind().Air() {
			m.end(i, burst)
		}
	}
	p.X[i] = narrow(at)
	return hit
}
