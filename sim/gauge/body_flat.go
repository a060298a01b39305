package gauge

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// flatSurfaceOf is surfaceOf in two dimensions: the sides of the outline in parts of about a
// spacing, for one metre of depth.
func flatSurfaceOf(b boundary.Boundary, spacing float64) (list []patch) {
	for _, line := range boundary.Outlines(b) {
		for k, p := range line {
			q := line[(k+1)%len(line)]
			parts := int(math.Ceil(q.Sub(p).Len() / spacing))
			for i := range parts {
				side := q.Sub(p).Mul(1 / float64(parts))
				list = append(list, patch{p.Lerp(q, (float64(i)+0.5)/float64(parts)), vec.New(side.Y, -side.X, 0)})
			}
		}
	}
	return list
}
