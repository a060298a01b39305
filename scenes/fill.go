package scenes

import (
	"fmt"
	"math"

	"breakwater/sim"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// tellFill is the relative difference between the volume of a block and the volume of its
// particles above which a note reports it.
const tellFill = 0.01

// fillNotes says in words which blocks of liquid have a fitted lattice, and which have
// another volume than asked for. Block i has counts[i] particles, about if they are sampled.
func (s *Scene) fillNotes(p *parts, w *sim.World, counts []int, sampled bool) (list []string) {
	for i, x := range p.shapes {
		at := fmt.Sprintf("fluid[%d]", i+1)
		if l := w.Lattice(x); l.Fitted {
			rows := fmt.Sprintf("%s × %s", number2(l.Rows[0]), number2(l.Rows[1]))
			if !s.Flat() {
				rows = fmt.Sprintf("%s × %s × %s", number2(l.Rows[0]), number2(l.Rows[1]), number2(l.Rows[2]))
			}
			list = append(list, fmt.Sprintf("%s is not a whole number of spacings of %s m along each edge; a cubic lattice would have %.1f %% less volume, so it has %s rows, which are strained by up to %.1f %%",
				at, registry.Number(s.Liquid.Spacing), 100*(1-l.Cubic), rows, 100*l.Strain))
		}
		least := tellFill
		if sampled {
			least *= 2 // the error of a sample
		}
		asked := s.asked(p, w, i)
		if have := float64(counts[i]) * s.ParticleVolume(s.Liquid.Spacing); asked > 0 && math.Abs(have/asked-1) > least {
			more := "less"
			if have > asked {
				more = "more"
			}
			list = append(list, fmt.Sprintf("%s has %.1f %% %s liquid than there is room in it outside walls, bodies and other blocks, since particles keep half a spacing from walls; a smaller spacing is closer",
				at, 100*math.Abs(have/asked-1), more))
		}
	}
	return list
}

// number2 returns x with two decimals at most.
func number2(x float64) string { return registry.Number(math.Round(x*100) / 100) }

// asked returns the volume of block i outside the walls of w and the blocks before it, m³.
func (s *Scene) asked(p *parts, w *sim.World, i int) float64 {
	const side = 32 // cells along each axis: the error is below 0.3 %
	x := p.shapes[i]
	box := x.Bounds()
	half := box.Size().Mul(0.5 / side)
	n, room := 0, 0.
	grid(box, side, false, func(at vec.Vec3) bool {
		n++
		if !x.Contains(at) {
			return true
		}
		for _, other := range p.shapes[:i] {
			if other.Contains(at) {
				return true
			}
		}
		share := 1.
		for _, wall := range w.Walls {
			// The wall is a plane in the cell.
			t, normal := wall.Dist(at)
			reach := math.Abs(float64(half.X*normal.X)) + math.Abs(float64(half.Y*normal.Y)) + math.Abs(float64(half.Z*normal.Z))
			if t < reach && reach > 0 {
				share = min(share, max(0, (1+t/reach)/2))
			}
		}
		room += share
		return true
	})
	return volumeOf(box) * room / float64(n)
}
