package classic

import (
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// pairs are the pairs of particles of a step, each once, by the slabs of a half
// stencil. What a pair adds to both of its particles needs no lock, and comes in
// the same order for any number of threads.
type pairs struct {
	stencil neighbor.HalfStencil
	slab    [][]neighbor.Pair
	scratch particle.Scratch
}

// core is the distance below which a pair has no direction of its own, in support radii.
// It is far above the rounding of positions to single precision, 6e-8, and far below the
// distances in a compressed liquid.
const core = 1e-3

// find sorts the particles of w by place and lists the pairs closer than h.
// Particles on top of each other get a direction that depends on their numbers
// and the time alone, where the article draws one at random.
func (p *pairs) find(w *sim.World, h float64) {
	if p.stencil.Build(w.X, h); !p.stencil.Sorted() {
		w.Permute(p.stencil.Order(), &p.scratch)
		p.stencil.Build(w.X, h)
	}
	for len(p.slab) < p.stencil.Slabs() {
		p.slab = append(p.slab, nil)
	}
	p.stencil.Phases(func(k int) {
		list := p.stencil.Slab(p.slab[k][:0], k)
		for n := range list {
			if q := &list[n]; q.R < core*h {
				q.S, q.R = pairDirection(w.ID[q.I], w.ID[q.J], w.Time), max(q.R, core*h/2)
			}
		}
		p.slab[k] = list
	})
}

// each calls f for the list of each slab. Slabs that share particles are visited one
// after the other.
func (p *pairs) each(f func(list []neighbor.Pair)) { p.stencil.Phases(func(k int) { f(p.slab[k]) }) }

// pairDirection returns a direction for the particles a and b, the opposite of that for
// b and a.
func pairDirection(a, b uint32, t float64) vec.Vec3 {
	if a > b {
		return pairDirection(b, a, t).Mul(-1)
	}
	bits := uint64(a)<<32 | uint64(b)
	bits ^= math.Float64bits(t)
	unit := func() float64 {
		bits += num.Golden
		return float64(float64(num.SplitMix64(bits)>>11)/(1<<52)) - 1
	}
	for {
		if v := vec.New(unit(), unit(), unit()); v.Dot(v) > 0.01 && v.Dot(v) < 1 {
			return v.Unit()
		}
	}
}

// lists are the points closer than a radius to each point, itself among them,
// ascending.
type lists struct {
	chunk [][]int32 // the lists of 256 points each, one after the other
	end   []int32   // where each point's list ends in its chunk
}

const listChunk = 256

// find lists the neighbours of all points by any search.
func (l *lists) find(f neighbor.Finder, pos []vec.Vec3, r float64) {
	f.Build(pos, r)
	chunks := (len(pos) + listChunk - 1) / listChunk
	for len(l.chunk) < chunks {
		l.chunk = append(l.chunk, nil)
	}
	l.end = slices.Grow(l.end[:0], len(pos))[:len(pos)]
	par.Each(chunks, func(c int) {
		list := l.chunk[c][:0]
		for i := c * listChunk; i < min(len(pos), (c+1)*listChunk); i++ {
			list = f.Near(list, pos[i])
			l.end[i] = int32(len(list))
		}
		l.chunk[c] = list
	})
}

// of returns the neighbours of point i.
func (l *lists) of(i int) []int32 {
	from := int32(0)
	if i%listChunk > 0 {
		from = l.end[i-1]
	}
	return l.chunk[i/listChunk][from:l.end[i]]
}
