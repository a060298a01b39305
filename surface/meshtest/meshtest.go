// Package meshtest measures meshes for tests.
package meshtest

import (
	"math"

	"breakwater/sim/par"
	"breakwater/surface/mesh"
)

// Deviation returns the mean and the largest distance of m's vertices from the
// triangles of o, m. Both are 0 for an empty m, and infinite for an empty o.
func Deviation(m, o *mesh.Mesh) (mean, largest float64) {
	if len(m.Pos) == 0 {
		return 0, 0
	}
	to := mesh.NewDistance(o)
	d := make([]float64, len(m.Pos))
	par.For(len(d), func(lo, hi int) {
		for v := lo; v < hi; v++ {
			d[v] = to.To(m.Pos[v], math.Inf(1))
		}
	})
	for _, x := range d {
		mean += x / float64(len(d))
		largest = max(largest, x)
	}
	return mean, largest
}
