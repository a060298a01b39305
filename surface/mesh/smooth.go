package mesh

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Smooth moves the points x n times, all at once each time, towards the means
// of their neighbours:
//
//	x_v ← x_v + w_v·slide_v(mean of x over the neighbours of v − x_v)
//
// with weights w from 0 to 1: the weighted Laplacian smoothing of Löschner et
// al. 2023 with β = 1, in Jacobi form. near lists the neighbours that pull at
// v; a point without any stays. slide lays a step into the directions in which
// v may move; nil lets all points move freely.
func Smooth(x []vec.Vec3, w []float64, near func(v int) []int32, n int, slide func(v int, step vec.Vec3) vec.Vec3) {
	next := make([]vec.Vec3, len(x))
	for range n {
		par.For(len(x), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				next[v] = x[v]
				ring := near(v)
				if w[v] == 0 || len(ring) == 0 {
					continue
				}
				var sum vec.Vec3
				for _, u := range ring {
					sum = sum.Add(x[u])
				}
				step := sum.Mul(1 / float64(len(ring))).Sub(x[v])
				if slide != nil {
					step = slide(v, step)
				}
				next[v] = x[v].Add(step.Mul(w[v]))
			}
		})
		copy(x, next)
	}
}
