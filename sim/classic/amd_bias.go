package classic

import (
	"math"

	"breakwater/sim"
)

// Seen returns how many lists each particle of w is in. It sorts the particles.
func (s *AMD) Seen(w *sim.World) []int {
	s.group(w, s.constants(w))
	s.voxels.findNeighbors(walk{random: s.Random, alternate: s.Alternate, short: s.Short})
	seen := make([]int, w.Len())
	for i := range seen {
		near, _ := s.voxels.of(i)
		for _, j := range near {
			seen[j]++
		}
	}
	return seen
}

// Bias returns what part of the particles is in no list, and the standard deviation of
// the number of lists, relative to the mean. In lists that are long enough, a particle is
// in as many lists as it has neighbours. In shorter lists the order of the search decides
// which neighbours count.
func Bias(seen []int) (unseen, spread float64) {
	n := float64(len(seen))
	mean, square := 0., 0.
	for _, k := range seen {
		if k == 0 {
			unseen += 1 / n
		}
		mean += float64(k) / n
		square += float64(k) * float64(k) / n
	}
	return unseen, math.Sqrt(max(0, square-float64(mean*mean))) / mean
}
