package scenes

import (
	"fmt"
	"math"
	"slices"

	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
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
			note := fmt.Sprintf("%s is not a whole number of spacings of %s m along each edge; a cubic lattice would have %.1f %% less volume, so it has %s rows",
				at, registry.Number(s.Liquid.Spacing), 100*(1-l.Cubic), rows)
			if l.Strain >= 0.0005 { // a tenth of a per cent, rounded
				note += fmt.Sprintf(", which are strained by up to %.1f %%", 100*l.Strain)
			}
			list = append(list, note)
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
			why := "particles keep half a spacing from walls"
			if w.Packs() {
				why = "its lattice has steps where a wall or its surface is round"
			}
			list = append(list, fmt.Sprintf("%s has %.1f %% %s liquid than there is room in it outside walls, bodies and other blocks, since %s; a smaller spacing is closer",
				at, 100*math.Abs(have/asked-1), more, why))
		}
	}
	return list
}

// cutNotes says in words which walls cut which blocks of liquid.
func (p *parts) cutNotes() (list []string) {
	side := sideFor(len(p.shapes) * len(p.walls))
	for i, x := range p.shapes {
		for _, j := range p.cutters(x.Bounds()) {
			switch deepest, where, _ := depthIn(p.walls[j], x, side); {
			case deepest == 0:
			case container(p.walls[j]):
				list = append(list, fmt.Sprintf("fluid[%d] reaches out of wall[%d] by %.3g m, at %s: there is liquid only within the wall", i+1, j+1, deepest, point(where)))
			default:
				list = append(list, fmt.Sprintf("fluid[%d] reaches into the solid wall[%d] by %.3g m, at %s: there is no liquid there", i+1, j+1, deepest, point(where)))
			}
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
	holds := func(at vec.Vec3) bool {
		return x.Contains(at) && !slices.ContainsFunc(p.shapes[:i], func(other shape.Shape) bool { return other.Contains(at) })
	}
	n, room := 0, 0.
	grid(box, side, false, func(at vec.Vec3) bool {
		n++
		type face struct {
			t      float64 // of the middle of the cell
			normal vec.Vec3
		}
		var cut []face // walls that cut the cell, where they are planes
		for _, wall := range w.Walls {
			t, normal := wall.Dist(at)
			reach := math.Abs(float64(half.X*normal.X)) + math.Abs(float64(half.Y*normal.Y)) + math.Abs(float64(half.Z*normal.Z))
			if t <= -reach {
				return true
			}
			if t < reach {
				cut = append(cut, face{t, normal})
			}
		}
		if len(cut) == 0 {
			if holds(at) {
				room++
			}
			return true
		}
		for k := range 8 { // a wall may be the surface of the block too
			off := vec.New((float64(k&1)-0.5)*half.X, (float64(k>>1&1)-0.5)*half.Y, (float64(k>>2)-0.5)*half.Z)
			outside := slices.ContainsFunc(cut, func(f face) bool { return f.t+off.Dot(f.normal) < 0 })
			if !outside && holds(at.Add(off)) {
				room += 1. / 8
			}
		}
		return true
	})
	return volumeOf(box) * room / float64(n)
}

// complete derives the length of a film from the simulated time at its end.
func (t *Time) complete() {
	if t.End > 0 && t.FPS > 0 && t.Speed > 0 {
		t.Duration = (math.Floor(float64(t.End/t.Speed*t.FPS)+0.5) + 1) / t.FPS
	}
}

// lengthNotes says in words how the length of the film was rounded to whole frames.
func (s *Scene) lengthNotes() []string {
	t := s.Time
	n := t.Frames()
	key, given, frames := "duration", t.Duration, float64(t.Duration*t.FPS)
	if t.End > 0 {
		key, given, frames = "end", t.End, float64(t.End/t.Speed*t.FPS)
	}
	// A number of frames from decimals has an error of a few units in the last place.
	if math.Abs(frames-math.Round(frames)) <= 1e-9*max(1, frames) {
		return nil
	}
	return []string{fmt.Sprintf("time.%s = %s s is not a whole number of frames at %s per second: the film has %s and lasts %s s, and the last one shows %s s of simulated time",
		key, registry.Number(given), registry.Number(t.FPS), toml.Count(n, "frame"), fourDigits(float64(n)/t.FPS), fourDigits(t.At(n)))}
}

// fourDigits returns x in about four digits.
func fourDigits(x float64) string { return fmt.Sprintf("%.4g", x) }
