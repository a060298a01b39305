package surface

import (
	"math"

	"breakwater/sim/vec"
)

// walls answers for all walls of a cloud together, in coordinates relative to
// origin.
type walls struct {
	all    []Wall
	origin vec.Vec3 // m
	h      float64  // support radius of the kernel, m
}

// dist returns the distance to the nearest wall and its normal into the liquid, or +Inf
// without walls.
func (w *walls) dist(x vec.Vec3) (d float64, n vec.Vec3) {
	d = math.Inf(1)
	x = x.Add(w.origin)
	for _, wall := range w.all {
		if e, m := wall.Dist(x); e < d {
			d, n = e, m
		}
	}
	return d, n
}

// mostShare is the largest share counted. A point deep in a corner of three
// planes has 1/8 of its kernel left.
const mostShare = 0.9

// share returns the part of the kernel at x that lies in solids, and its gradient in
// 1/m. It is at most mostShare, so that 1 − share can be a divisor.
func (w *walls) share(x vec.Vec3) (sum float64, grad vec.Vec3) {
	x = x.Add(w.origin)
	for _, wall := range w.all {
		if d, _ := wall.Dist(x); d < w.h {
			s, g := wall.Wall(x)
			sum, grad = sum+s, grad.Add(g)
		}
	}
	if sum > mostShare {
		return mostShare, vec.Vec3{}
	}
	return sum, grad
}

// before moves x out of a wall that it lies behind.
func (w *walls) before(x vec.Vec3) vec.Vec3 {
	if len(w.all) > 0 {
		if d, n := w.dist(x); d < 0 {
			return x.Sub(n.Mul(d))
		}
	}
	return x
}

// project moves x onto the nearest wall by Newton steps along its normal, and
// returns that too.
func (w *walls) project(x vec.Vec3) (foot, normal vec.Vec3) {
	// To get within 1e-6 cells, a plane needs one step, and a curved wall two, or one if
	// the point is almost there.
	d, n := w.dist(x)
	x = x.Sub(n.Mul(d))
	if math.Abs(d) > 1e-4*w.h {
		d, n = w.dist(x)
		x = x.Sub(n.Mul(d))
	}
	return x, n
}
