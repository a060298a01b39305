package gauge

import (
	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/vec"
)

// link is the largest distance of two particles that belong together, in spacings. It is
// the reach of the solvers' kernel: particles farther apart do not act on each other.
const link = 2

// connected reports for each particle of the list whether it belongs to liquid of at least
// the given number of particles, and not to a separate drop. Particles closer than link
// spacings belong together. The answer does not depend on the order of the list.
func connected(w *sim.World, list []int32, least int) []bool {
	ok := make([]bool, len(list))
	if len(list) == 0 {
		return ok
	}
	x := make([]vec.Vec3, len(list))
	for k, i := range list {
		x[k] = w.X[i]
	}
	var grid neighbor.Grid
	grid.Build(x, link*w.Spacing)
	seen := make([]bool, len(list))
	var group, near []int32
	for k := range list {
		if seen[k] {
			continue
		}
		// A search from particle k that ends as soon as the answer is known.
		seen[k] = true
		group = append(group[:0], int32(k))
		large := least <= 1
		for next := 0; next < len(group) && !large; next++ {
			near = grid.Near(near[:0], x[group[next]])
			for _, j := range near {
				if large = ok[j]; large {
					break
				}
				if !seen[j] {
					seen[j] = true
					if group = append(group, j); len(group) >= least {
						large = true
						break
					}
				}
			}
		}
		if large {
			for _, j := range group {
				ok[j] = true
			}
		}
	}
	return ok
}
