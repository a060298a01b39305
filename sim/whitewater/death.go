package whitewater

import (
	"breakwater/sim/dice"
	"breakwater/sim/num"
	"breakwater/sim/par"
)

const (
	mistLife  = 1.5  // s: in which mist evaporates to 1/e
	thickFoam = 0.03 // m: a layer that lasts thickLife times as long again as a thin one
	thickLife = 4
)

// age lets foam and mist fade, by chance in proportion to the time: so they decay as e^(−t/τ)
// at any length of a step. What fades does so for fadeTime.
func (w *Whitewater) age() {
	p := &w.state.Parcels
	w.lace.find(w)
	par.For(p.Len(), func(lo, hi int) {
		var c cursor
		for i := lo; i < hi; i++ {
			s := p.Kind[i]
			if s.fate() != alive || s&clinging != 0 {
				continue
			}
			kind := s.Kind()
			if s&fading != 0 {
				if p.Age[i] >= fadeTime {
					fate := burst
					if !kind.Air() {
						fate = evaporated
					}
					p.Kind[i] |= fate << fateShift
				}
				continue
			}
			life := 0.
			switch kind {
			case Foam:
				life = w.set.FoamLife
				if q := w.voxels.at(p.At(i), &c); q != nil {
					layer := float64(q.foam) / (w.voxels.edge * w.voxels.edge)
					life *= 1 + float64(thickLife*min(1, layer/thickFoam))
				}
				life /= w.lace.open(w, i)
			case Mist:
				life = mistLife
			default:
				continue
			}
			die := dice.New(uint64(w.set.Seed), purposeFade, p.ID[i], w.state.Steps)
			if die.Float(0) < 1-num.Decay(w.flow.dt/life) {
				p.Kind[i] |= fading
				p.Age[i] = 0
			}
		}
	})
}

// bury removes the parcels that ended, and enters their volumes in the budget.
func (w *Whitewater) bury() {
	p, l := &w.state.Parcels, &w.state.Budget
	p.keep(func(i int) bool {
		s := p.Kind[i]
		v := p.Volume(i)
		switch s.fate() {
		case alive:
			return true
		case landed:
			l.Landed += v
			// A body may have moved over the place since the drop landed there.
			if s&splashed != 0 && !w.walls.within(p.At(i), 0) {
				w.splash(i)
				l.Entrained += p.Volume(i)
				return true
			}
		case burst:
			l.Burst += v
		case clung:
			l.Clung += v
		case evaporated:
			l.Evaporated += v
		case left:
			if s.Kind().Air() {
				l.AirOut += v
			} else {
				l.SprayOut += v
			}
		}
		return false
	})
}

// splash makes bubbles of a drop that landed, with the volume of the drop.
func (w *Whitewater) splash(i int) {
	p := &w.state.Parcels
	die := dice.New(uint64(w.set.Seed), purposeSplash, p.ID[i])
	v := p.Volume(i)
	v0 := p.Velocity(i)
	// The dissipation of a drop: the cube of its speed over its size.
	speed := v0.Len()
	r, _ := w.sizes.bubble(v, die.Float(1), speed*speed*speed/float64(p.R[i]))
	r = min(r, float64(p.R[i]))
	p.R[i] = float32(r)
	p.N[i] = float32(v / volume(p.R[i], 1))
	p.Kind[i] = Status(Bubble)
	p.Age[i] = 0
}
