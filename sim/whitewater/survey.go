package whitewater

import (
	"math"
	"slices"

	"breakwater/sim/dice"
	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// survey is what a sample of the surface finds, by the particles of the next frame.
type survey struct {
	top      []bool    // the particle is at the surface
	cover    []float32 // largest share of its neighbourhood that was liquid of late
	gain     []float32 // how much more of it is now
	airborne []bool    // it is shown as spray from now on
	fresh    []int32   // what became airborne at this sample, by the numbers of the particles

	approach []float32 // speed at which what covers it came, m/s, where needed
	toward   [][3]float32
	count    []int16 // neighbours closer than 2 d, where needed
	linked   []int16 // neighbours closer than linkLength
	thin     []bool  // at the surface, with less than half of its neighbours
	few      []bool  // it may be in a part of few particles
	normal   [][3]float32

	cells  neighbor.Cells
	union  par.Union
	size   []int32
	big    []bool
	middle middle
}

const (
	surfaceShare = 0.93 // density below which a particle is at the surface, over ρ₀
	thinShare    = 0.80 // density of thin parts, over ρ₀
	linkLength   = 1.5  // distance at which particles hold together, in spacings
)

// backOf returns the number of particles above which a part that was spray is liquid again,
// if no more than group particles become spray. Parts that gain and lose a few do not change.
func backOf(group int) int { return 3 * group }

// sample surveys the liquid at the end of the part.
func (s *survey) sample(w *Whitewater) {
	p := &w.part
	n := len(p.x)
	d := w.scene.Spacing
	s.cells.Build(p.x, 2*d)
	s.approach, s.gain = par.Resize(s.approach, n), par.Resize(s.gain, n)
	s.toward = par.Resize(s.toward, n)
	s.normal = par.Resize(s.normal, n)
	s.count, s.linked = par.Resize(s.count, n), par.Resize(s.linked, n)
	s.thin, s.few = par.Resize(s.thin, n), par.Resize(s.few, n)
	s.union = par.NewUnion(s.union, n)
	order, back := s.cells.Order(), backOf(w.set.Group)
	fade := num.Exp(-p.dt / coverTime)
	par.For(n, func(lo, hi int) {
		var rows [9][2]int32
		for i := lo; i < hi; i++ {
			s.top[i] = p.rho[i] < surfaceShare*w.scene.Rho0
			s.approach[i], s.gain[i], s.count[i], s.linked[i], s.thin[i], s.few[i] = 0, 0, 0, 0, false, false
			if s.inside(i) {
				continue
			}
			s.cells.Rows(s.cells.Cell(p.x[i]), &rows)
			s.meet(i, s.pairs(w, i, &rows, order), fade)
			s.thin[i] = p.rho[i] < thinShare*w.scene.Rho0
			// The density alone does not tell: pairs are often closer than at rest, and walls
			// add to it.
			s.few[i] = s.top[i] && int(s.linked[i]) < w.set.Group || s.thin[i] && int(s.linked[i]) <= back
		}
	})
	// The links of those that may be few.
	link2 := linkLength * linkLength * d * d
	par.For(n, func(lo, hi int) {
		var rows [9][2]int32
		for i := lo; i < hi; i++ {
			if !s.few[i] {
				continue
			}
			xi := p.x[i]
			s.cells.Rows(s.cells.Cell(xi), &rows)
			for _, run := range rows {
				for _, j := range order[run[0]:run[1]] {
					if x := xi.Sub(p.x[j]); x.Dot(x) < link2 {
						s.union.Unite(int32(i), j)
					}
				}
			}
		}
	})
	s.sort(w)
}

// pairs visits the neighbours of particle i that are closer than 2 d, and returns the
// sum of their weights W = 1 − |x|/2d. The speed of approach is the speed of the neighbours that
// came closer since the sample before, at the frame before:
//
//	Σ G v·ê / Σ G,  ê ∝ Σ G x̂,  G = max(0, W − W before)
//
// over the relative positions x and velocities v. Below the surface, only what comes from the
// side that was open, Σ W x̂ at the sample before, covers anything. The rest packs the liquid
// closer, as under the thinning tip of a wave and along walls.
func (s *survey) pairs(w *Whitewater, i int, rows *[9][2]int32, order []int32) (sum float64) {
	f, p := &w.flow, &w.part
	d := w.scene.Spacing
	h, link2 := 2*d, linkLength*linkLength*d*d
	xi, from := p.x[i], f.from[i]
	var newer float64
	var toward, normal, speed, open vec.Vec3
	count, linked := 0, 0
	for _, run := range rows {
		for _, j := range order[run[0]:run[1]] {
			x := xi.Sub(p.x[j])
			r2 := x.Dot(x)
			if r2 >= h*h || int(j) == i || r2 == 0 {
				continue
			}
			count++
			if r2 < link2 {
				linked++
			}
			r := math.Sqrt(r2)
			weight := 1 - r/h
			sum += weight
			normal = normal.Add(x.Mul(weight))
			if from < 0 || f.from[j] < 0 {
				continue
			}
			old := f.from[j]
			y := p.old[i].Sub(p.old[j])
			apart := y.Len()
			before := max(0, 1-apart/h)
			if before > 0 && apart > 0 {
				open = open.Add(y.Mul(before / apart))
			}
			if g := weight - before; g > 0 {
				newer += g
				toward = toward.Sub(x.Mul(g / r))
				speed = speed.Add(f.prev.V[from].Sub(f.prev.V[old]).Mul(g))
			}
		}
	}
	s.count[i], s.linked[i] = int16(min(count, math.MaxInt16)), int16(min(linked, math.MaxInt16))
	s.normal[i] = narrow(normal.Unit())
	if newer > 0 {
		toward = toward.Unit()
		s.toward[i] = narrow(toward)
		if s.top[i] || toward.Dot(open) >= 0 {
			s.approach[i] = float32(speed.Dot(toward) / newer)
		}
	}
	return sum
}

// recall reads the marks of the particles of the next frame.
func (s *survey) recall(w *Whitewater) {
	f := &w.flow
	n := f.next.Len()
	s.top, s.cover = par.Resize(s.top, n), par.Resize(s.cover, n)
	s.airborne = par.Resize(s.airborne, n)
	marks := w.state.marks
	k := 0
	for _, key := range f.byID {
		i, id := uint32(key), uint32(key>>32)
		for k < len(marks) && marks[k].id < id {
			k++
		}
		s.airborne[i], s.cover[i] = false, 1
		if k < len(marks) && marks[k].id == id {
			s.airborne[i] = marks[k].airborne
			s.cover[i] = float32(float64(marks[k].cover) * shareStep)
		}
	}
	if w.state.Steps == 0 {
		s.uncover(w)
	}
}

// marks returns what the next step has to know of the particles.
func (s *survey) marks(list []mark, ids []uint32) []mark {
	for i, id := range ids {
		m := mark{id: id, airborne: s.airborne[i], cover: uint16(math.RoundToEven(float64(s.cover[i]) / shareStep))}
		if m.cover != math.MaxUint16 || m.airborne {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b mark) int { return int(int64(a.id) - int64(b.id)) })
	return list
}

// sort finds the parts that thin particles make, and which of these become airborne or
// come back.
func (s *survey) sort(w *Whitewater) {
	f := &w.flow
	n := f.next.Len()
	back := backOf(w.set.Group)
	parts := s.union.Number()
	s.size = slices.Grow(s.size[:0], parts)[:parts]
	s.big = slices.Grow(s.big[:0], parts)[:parts]
	clear(s.size)
	clear(s.big)
	for i := range n {
		q := s.union[i]
		s.size[q]++
		if !s.few[i] {
			s.big[q] = true
		}
	}
	s.fresh = s.fresh[:0]
	purpose := dice.New(uint64(w.set.Seed), purposeAirborne)
	lone := s.middle.reset()
	for _, key := range f.byID {
		i := int(uint32(key))
		q := s.union[i]
		switch {
		case s.airborne[i]:
			if s.big[q] || int(s.size[q]) > back {
				s.airborne[i] = false
			}
		case !s.big[q] && int(s.size[q]) <= w.set.Group && purpose.Of(key>>32).Float(0) < w.set.Spray && w.spraying():
			lone = append(lone, int32(i))
		}
	}
	s.middle.list = lone
	// A check halfway from the sample before: what holds together there is no spray yet.
	for _, i := range s.middle.confirmed(w) {
		s.airborne[i] = true
		s.fresh = append(s.fresh, i)
	}
}

// spraying reports whether isolated particles become spray.
func (w *Whitewater) spraying() bool { return slices.Contains(w.set.Sources, "strays") }

// middle is the liquid halfway between two samples, in which isolated particles have to
// be isolated too.
type middle struct {
	list []int32 // the particles in question
	x    []vec.Vec3
	grid neighbor.Grid
}

func (m *middle) reset() []int32 { return m.list[:0] }

// confirmed returns the particles of the list that are isolated halfway too.
func (m *middle) confirmed(w *Whitewater) (kept []int32) {
	if len(m.list) == 0 {
		return nil
	}
	p := &w.part
	m.x = par.Resize(m.x, len(p.x))
	par.For(len(m.x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m.x[i] = p.at(i, 0.5)
		}
	})
	m.grid.Build(m.x, linkLength*w.scene.Spacing)
	isolated := make([]bool, len(m.list))
	par.For(len(m.list), func(lo, hi int) {
		var part, near []int32
		for k := lo; k < hi; k++ {
			part = append(part[:0], m.list[k])
			for at := 0; at < len(part) && len(part) <= w.set.Group; at++ {
				near = m.grid.Near(near[:0], m.x[part[at]])
				for _, j := range near {
					if !slices.Contains(part, j) {
						part = append(part, j)
					}
				}
			}
			isolated[k] = len(part) <= w.set.Group
		}
	})
	for k, i := range m.list {
		if isolated[k] {
			kept = append(kept, i)
		}
	}
	return kept
}
