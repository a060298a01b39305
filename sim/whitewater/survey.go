package whitewater

import (
	"math"
	"slices"

	"breakwater/sim/dice"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// survey is what one look at the next frame finds, by its particles.
type survey struct {
	top      []bool    // the particle is at the surface
	surface  []float32 // share of the last surfaceTime that it was there
	airborne []bool    // it is shown as spray from this frame on
	was      []bool    // it was shown as spray at the frame before
	fresh    []int32   // what became airborne, by the numbers of the particles

	approach []float32 // speed A at which its neighbours come closer, m/s, where needed
	toward   [][3]float32
	count    []int16 // neighbours closer than 2 d, where needed
	linked   []int16 // neighbours closer than linkLength
	thin     []bool  // at the surface, with less than half of its neighbours
	normal   [][3]float32

	cells  neighbor.Cells
	union  par.Union
	size   []int32
	big    []bool
	middle middle
}

const (
	surfaceShare = 0.93 // density below which a particle is at the surface, over ρ₀
	thinShare    = 0.80 // density of particles that may be isolated, over ρ₀
	backShare    = 0.5  // density from which spray is liquid again, over ρ₀
	linkLength   = 1.5  // distance at which particles hold together, in spacings
	cling        = 0.75 // distance to a wall within which an isolated particle stays in the mesh, in spacings
	surfaceTime  = 0.1  // s: for which particles that were at the surface catch air
	surfaceLeast = 0.05 // share of this time below which they catch none
)

// look surveys the next frame.
func (s *survey) look(w *Whitewater) {
	f := &w.flow
	n := f.next.Len()
	s.recall(w)
	d := w.scene.Spacing
	s.cells.Build(f.next.X, 2*d)
	s.approach = par.Resize(s.approach, n)
	s.toward = par.Resize(s.toward, n)
	s.normal = par.Resize(s.normal, n)
	s.count, s.linked = par.Resize(s.count, n), par.Resize(s.linked, n)
	s.thin = par.Resize(s.thin, n)
	s.union = par.NewUnion(s.union, n)
	back := w.set.Group * 3
	order := s.cells.Order()
	par.For(n, func(lo, hi int) {
		var rows [9][2]int32
		for i := lo; i < hi; i++ {
			s.approach[i], s.count[i], s.linked[i], s.thin[i] = 0, 0, 0, false
			if s.surface[i] < surfaceLeast {
				continue
			}
			s.cells.Rows(s.cells.Cell(f.next.X[i]), &rows)
			s.pairs(w, i, &rows, order)
			s.thin[i] = f.next.Rho[i] < thinShare*w.scene.Rho0
		}
	})
	// The links of the thin, by those that are few.
	link2 := linkLength * linkLength * d * d
	par.For(n, func(lo, hi int) {
		var rows [9][2]int32
		for i := lo; i < hi; i++ {
			if !s.thin[i] || int(s.linked[i]) > back {
				continue
			}
			xi := f.next.X[i]
			s.cells.Rows(s.cells.Cell(xi), &rows)
			for _, run := range rows {
				for _, j := range order[run[0]:run[1]] {
					if x := xi.Sub(f.next.X[j]); x.Dot(x) < link2 {
						s.union.Unite(int32(i), j)
					}
				}
			}
		}
	})
	s.sort(w)
}

// pairs sums over the neighbours of particle i that are closer than 2 d:
//
//	A² = Σ W max(0, −v·x̂)² / Σ W,  W = 1 − |x|/2d
//
// over the relative positions x and velocities v. Neither rotation nor parting adds to it, and shear
// adds less than compression does.
func (s *survey) pairs(w *Whitewater, i int, rows *[9][2]int32, order []int32) {
	f := &w.flow
	d := w.scene.Spacing
	h, link2 := 2*d, linkLength*linkLength*d*d
	xi, vi := f.next.X[i], f.next.V[i]
	var sum, sq float64
	var toward, normal vec.Vec3
	count, linked := 0, 0
	for _, run := range rows {
		for _, j := range order[run[0]:run[1]] {
			xj := &f.next.X[j]
			dx, dy, dz := xi.X-xj.X, xi.Y-xj.Y, xi.Z-xj.Z
			r2 := dx*dx + dy*dy + dz*dz
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
			normal.X += weight * dx
			normal.Y += weight * dy
			normal.Z += weight * dz
			vj := &f.next.V[j]
			closing := -((vi.X-vj.X)*dx + (vi.Y-vj.Y)*dy + (vi.Z-vj.Z)*dz) / r
			if closing > 0 {
				a := weight * closing * closing
				sq += a
				a /= r
				toward.X -= a * dx
				toward.Y -= a * dy
				toward.Z -= a * dz
			}
		}
	}
	s.count[i], s.linked[i] = int16(min(count, math.MaxInt16)), int16(min(linked, math.MaxInt16))
	s.normal[i] = narrow(normal.Unit())
	s.toward[i] = narrow(toward.Unit())
	if sum > 0 {
		s.approach[i] = float32(math.Sqrt(sq / sum))
	}
}

// open returns how much particle i catches of the air that one at the surface does.
func (s *survey) open(i int) float64 {
	return min(1, 2*max(0, float64(s.surface[i])-surfaceLeast)/(1-surfaceLeast))
}

// recall reads the marks of the particles of the next frame, and finds which of these are
// at the surface now.
func (s *survey) recall(w *Whitewater) {
	f := &w.flow
	n := f.next.Len()
	s.top, s.surface = par.Resize(s.top, n), par.Resize(s.surface, n)
	fade := math.Exp(-f.dt / surfaceTime)
	s.airborne, s.was = par.Resize(s.airborne, n), par.Resize(s.was, n)
	marks := w.state.marks
	k := 0
	for _, key := range f.byID {
		i, id := uint32(key), uint32(key>>32)
		for k < len(marks) && marks[k].id < id {
			k++
		}
		s.airborne[i] = false
		share := 0.
		if k < len(marks) && marks[k].id == id {
			s.airborne[i] = marks[k].airborne
			share = float64(marks[k].surface) * shareStep * fade
		}
		// An average that forgets as time passes, so that looking more often does not find more.
		if s.top[i] = f.next.Rho[i] < surfaceShare*w.scene.Rho0; s.top[i] {
			share += 1 - fade
		}
		s.surface[i] = float32(share)
		s.was[i] = s.airborne[i]
	}
}

// marks returns what the next step has to know of the particles.
func (s *survey) marks(list []mark, ids []uint32) []mark {
	for i, id := range ids {
		m := mark{id: id, airborne: s.airborne[i]}
		if s.surface[i] >= surfaceLeast/2 {
			m.surface = uint16(math.RoundToEven(float64(s.surface[i]) / shareStep))
		}
		if m.surface != 0 || m.airborne {
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
	d := w.scene.Spacing
	back := w.set.Group * 3
	parts := s.union.Number()
	s.size = slices.Grow(s.size[:0], parts)[:parts]
	s.big = slices.Grow(s.big[:0], parts)[:parts]
	clear(s.size)
	clear(s.big)
	for i := range n {
		p := s.union[i]
		s.size[p]++
		if !s.thin[i] || int(s.linked[i]) > back {
			s.big[p] = true
		}
	}
	s.fresh = s.fresh[:0]
	purpose := dice.New(uint64(w.set.Seed), purposeAirborne)
	lone := s.middle.reset()
	for _, key := range f.byID {
		i := int(uint32(key))
		p := s.union[i]
		switch {
		case s.airborne[i]:
			if s.big[p] || int(s.size[p]) > back || f.next.Rho[i] > backShare*w.scene.Rho0 {
				s.airborne[i] = false
			}
		case !s.big[p] && int(s.size[p]) <= w.set.Group && f.next.Rho[i] <= backShare*w.scene.Rho0 && purpose.Of(key>>32).Float(0) < w.set.Spray && w.spraying():
			if !w.walls.within(f.next.X[i], cling*d) {
				lone = append(lone, int32(i))
			}
		}
	}
	s.middle.list = lone
	// A second look, halfway from the frame before: what holds together there is no spray yet.
	for _, i := range s.middle.confirmed(w) {
		s.airborne[i] = true
		s.fresh = append(s.fresh, i)
	}
}

// spraying reports whether isolated particles become spray.
func (w *Whitewater) spraying() bool { return slices.Contains(w.set.Sources, "strays") }

// middle is the liquid halfway between the frames, in which isolated particles have to
// be isolated too.
type middle struct {
	list []int32 // the particles to look at
	x    []vec.Vec3
	grid neighbor.Grid
}

func (m *middle) reset() []int32 { return m.list[:0] }

// confirmed returns the particles of the list that are isolated halfway too.
func (m *middle) confirmed(w *Whitewater) (kept []int32) {
	if len(m.list) == 0 {
		return nil
	}
	f := &w.flow
	m.x = par.Resize(m.x, f.next.Len())
	par.For(len(m.x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m.x[i] = f.at(i, 0.5)
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
