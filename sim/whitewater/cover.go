package whitewater

import "math"

// Air is caught where a surface is covered by other liquid. The cover of a particle is the
// sum of the weights 1 − r/2d of its neighbours, over the sum of a full neighbourhood: about
// 0.7 at a flat surface, and 1 inside. Rotation, shear and any flow that keeps the distances
// to the particles nearby on average do not change it. Its growth does not depend on the
// number of samples in which it is seen, as a rate of approach would.

// The sums of weights in a cubic lattice.
var (
	fullCover  = 6*(1-1./2) + 12*(1-math.Sqrt2/2) + float64(8*(1-float64(math.Sqrt(3)/2)))      // of all neighbours
	crossCover = 2 * ((1 - 1./2) + 4*(1-math.Sqrt2/2) + float64(4*(1-float64(math.Sqrt(3)/2)))) // across a plane, from both sides, per d²
)

const (
	coverTime = 0.2 // s in which a cover that opened is forgotten, so that particles that jostle catch nothing
	buried    = 0.9 // cover from which a particle that is not at the surface is inside
)

// inside reports whether particle i can neither catch air nor become spray.
func (s *survey) inside(i int) bool { return !s.top[i] && s.cover[i] == 1 }

// meet compares the cover of particle i, from the sum of the weights of its neighbours, with the largest
// of late.
func (s *survey) meet(i int, sum, fade float64) {
	cover, old := min(1, sum/fullCover), float64(s.cover[i])
	if cover >= old {
		s.gain[i] = float32(cover - old)
	} else {
		cover += float64((old - cover) * fade)
	}
	if !s.top[i] && cover >= buried {
		cover = 1
	}
	s.cover[i] = float32(cover)
}

// uncover finds the cover of the surface at the first frame.
func (s *survey) uncover(w *Whitewater) {
	f := &w.flow
	h := 2 * w.scene.Spacing
	s.cells.Build(f.prev.X, h)
	order := s.cells.Order()
	for i, from := range f.from {
		if from < 0 || f.prev.Rho[from] >= surfaceShare*w.scene.Rho0 {
			continue
		}
		var rows [9][2]int32
		var sum float64
		s.cells.Rows(s.cells.Cell(f.prev.X[from]), &rows)
		for _, run := range rows {
			for _, j := range order[run[0]:run[1]] {
				if j != from {
					sum += max(0, 1-f.prev.X[j].Sub(f.prev.X[from]).Len()/h)
				}
			}
		}
		s.cover[i] = float32(min(1, sum/fullCover))
	}
}
