package gauge

import (
	"breakwater/sim"
	"breakwater/sim/kernel"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"slices"
)

// chunk is how many particles a goroutine takes at once. Sums depend on it.
const chunk = 256

func chunks(w *sim.World) int { return (w.Len() + chunk - 1) / chunk }

// within returns the particles closer to x than r, in their order.
func within(w *sim.World, x vec.Vec3, r float64) []int32 {
	return where(w, func(y vec.Vec3) bool { d := y.Sub(x); return d.Dot(d) < r*r })
}

// where returns the particles at places for which holds is true, in their order.
func where(w *sim.World, holds func(x vec.Vec3) bool) []int32 {
	part := make([][]int32, chunks(w))
	par.Each(len(part), func(c int) {
		for i := c * chunk; i < min(w.Len(), (c+1)*chunk); i++ {
			if holds(w.X[i]) {
				part[c] = append(part[c], int32(i))
			}
		}
	})
	return slices.Concat(part...)
}

// total returns the sum of f over all particles.
func total(w *sim.World, f func(i int) float64) (sum float64) {
	part := make([]float64, chunks(w))
	par.Each(len(part), func(c int) {
		for i := c * chunk; i < min(w.Len(), (c+1)*chunk); i++ {
			part[c] += f(i)
		}
	})
	for _, p := range part {
		sum += p
	}
	return sum
}

// valueAt returns the value at x of a quantity of the nearby particles, where value gives
// the quantity of one particle. It fits a linear function to the particles closer than r,
// weighted with the kernel (moving least squares; Dilts, Int. J. Numer. Methods Eng. 44,
// 1999). The fit is exact for linear quantities up to a wall or a surface, where a plain
// mean would be biased inward. Where the particles do not span space, it is the plain
// mean. ok is false without particles.
func valueAt(w *sim.World, x vec.Vec3, r float64, value func(i int32) float64) (v float64, ok bool) {
	list := within(w, x, r)
	if len(list) == 0 {
		return 0, false
	}
	dims := w.Dim()
	var m [4][5]float64
	for _, i := range list {
		d := w.X[i].Sub(x).Mul(1 / r)
		q2 := d.Dot(d)
		weight := (1 - q2) * (1 - q2)
		basis, f := [4]float64{1, d.X, d.Y, d.Z}, value(i)
		for a := range dims + 1 {
			for b := range dims + 1 {
				m[a][b] += float64(weight * basis[a] * basis[b])
			}
			m[a][4] += float64(weight * basis[a] * f)
		}
	}
	if m[0][0] == 0 { // all of them at r
		return 0, false
	}
	mean := m[0][4] / m[0][0]
	// Gaussian elimination from the last row up, which leaves the first unknown, the
	// value at x. The matrix needs no pivots.
	whole := m[0][0]
	for k := dims; k > 0; k-- {
		if m[k][k] < 1e-3*whole {
			return mean, true
		}
		for a := range k {
			f := m[a][k] / m[k][k]
			for b := range k {
				m[a][b] -= float64(f * m[k][b])
			}
			m[a][4] -= float64(f * m[k][4])
		}
	}
	if m[0][0] < 0.01*whole {
		return mean, true
	}
	return m[0][4] / m[0][0], true
}

// radius returns the radius of a gauge at a point: two spacings unless it has
// its own.
func radius(w *sim.World, own float64) float64 {
	if own > 0 {
		return own
	}
	return kernel.Support(w.Spacing)
}
