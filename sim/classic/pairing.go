package classic

import (
	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/num"
)

// Paired returns the share of the particles whose nearest neighbour is less than half a
// mean distance away. The mean distance is the edge of the cube that a particle has to
// itself. Such particles have paired, as with kernels whose slope vanishes at the centre
// (Gourlay 2013; Dehnen and Aly 2012).
func Paired(w *sim.World) float64 {
	if w.Len() == 0 {
		return 0
	}
	// The space of a particle, by the densities at the end of a frame.
	mean := 0.
	for _, rho := range w.Rho {
		mean += rho / w.Rho0 / float64(w.Len())
	}
	d := w.Spacing
	if mean > 0 {
		d *= num.Pow(mean, -1/float64(w.Dim()))
	}
	var search neighbor.Grid
	search.Build(w.X, d/2)
	paired := 0
	var list []int32
	for _, x := range w.X {
		if list = search.Near(list[:0], x); len(list) > 1 {
			paired++
		}
	}
	return float64(paired) / float64(w.Len())
}
