package surface

import (
	"fmt"
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// mostSide is the longest side of a triangle before coarsening, in spacings. A cell's
// diagonal is about one, and the later stages move vertices by less than one; a side may
// be four where bodies reach into each other.
const mostSide = 5

// mostMiss bounds the error of the volumes of all parts, as a share of the liquid.
// Polishing also takes volume from edges, as much as a shift of the whole surface by
// mostOff spacings. Parts of up to strayParticles do not count: in a corner of walls they
// have hardly any surface by which their volume could be restored.
const (
	mostMiss       = 0.01
	mostOff        = 0.1
	strayParticles = 8
)

// Flaw is the error of a mesh that no liquid can have.
type Flaw struct {
	At       vec.Vec3 // m
	Particle uint32   // number of the particle nearest to it
	Cause    string   // what caused it
}

func (e *Flaw) Error() string {
	return fmt.Sprintf("surface: the mesh is implausible for a liquid: near particle %d, at [%.4g, %.4g, %.4g] m, %s", e.Particle, e.At.X, e.At.Y, e.At.Z, e.Cause)
}

// flaw returns an error at x, relative to the grid's origin.
func (f *field) flaw(x vec.Vec3, ids *Cloud, format string, args ...any) error {
	near, least := 0, math.Inf(1)
	for i, p := range f.x {
		if d := p.Sub(x); d.Dot(d) < least {
			near, least = i, d.Dot(d)
		}
	}
	return &Flaw{At: x.Add(f.origin), Particle: ids.id(f.cells.Order()[near]), Cause: fmt.Sprintf(format, args...)}
}

// strayVolume returns the volume up to which a part is of strayParticles at most, m³.
func (f *field) strayVolume() float64 {
	return float64(strayParticles*f.spacing*f.spacing*f.spacing) * (1 + 1e-9)
}

// longSide returns an error if a triangle has a side longer than mostSide.
func (s *vertices) longSide(f *field, cloud *Cloud) error {
	limit := mostSide * f.spacing
	long := par.Max(len(s.Tri), 0, func(lo, hi int) (most float64) {
		for _, t := range s.Tri[lo:hi] {
			a, b, c := s.Pos[t[0]], s.Pos[t[1]], s.Pos[t[2]]
			e, f, g := b.Sub(a), c.Sub(b), a.Sub(c)
			most = max(most, e.Dot(e), f.Dot(f), g.Dot(g))
		}
		return most
	})
	if long <= limit*limit {
		return nil
	}
	if l, at := s.Longest(); !(l <= limit) {
		return f.flaw(at, cloud, "a triangle has a side of %.3g m, %.3g spacings; expected %d at most", l, l/f.spacing, mostSide)
	}
	return nil
}

// missedVolume returns an error if the parts of the liquid do not hold the
// volumes want, in m³. Only those count that restoreVolume could give theirs: the
// particles of the others lie too close together or too far apart for it.
func (s *vertices) missedVolume(f *field, cloud *Cloud, want []float64) error {
	origin := s.origins(len(want))
	sums := par.Sums(len(s.Tri), len(want), func(list []par.Share, lo, hi int) []par.Share {
		last := int32(-1)
		for _, t := range s.Tri[lo:hi] {
			p := s.part[t[0]]
			if p != last {
				last = p
				list = append(list, par.Share{Group: p})
			}
			sum, o := &list[len(list)-1], origin[p]
			a, b, c := s.Pos[t[0]].Sub(o), s.Pos[t[1]].Sub(o), s.Pos[t[2]].Sub(o)
			sum.A += a.Dot(b.Cross(c)) / 6
			if !s.onWall(t) {
				sum.B += float64(b.Sub(a).Cross(c.Sub(a)).Len() / 2)
			}
		}
		return list
	})
	stray := f.strayVolume()
	var whole, missed, most float64
	worst := 0
	for p, sum := range sums {
		if whole += want[p]; sum.B == 0 || s.limited[p] || want[p] <= stray {
			continue // a stray, or without a free surface near it, or it may not move farther
		}
		miss := max(0, math.Abs(sum.A-want[p])-float64(mostOff*f.spacing*sum.B))
		missed += miss
		if !(miss <= most) {
			worst, most = p, miss
		}
	}
	if !(missed <= mostMiss*whole) {
		return f.flaw(origin[worst], cloud, "a part of the mesh has a volume of %.4g m³ instead of %.4g m³", sums[worst].A, want[worst])
	}
	return nil
}
