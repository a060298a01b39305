package boundary

import (
	"math"
	"slices"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// scatter returns points half a spacing d behind the surface of a wall, evenly
// spread and layerGap or a little more apart. It knows of the wall no more than
// its distance, so that any shape will do, and always returns the same points:
//
// First, a tree finds the cubes that the surface crosses, and moves their centres onto
// it. Then, in order, it keeps the points that are not too close to an earlier one. At
// last the points repel each other.
func scatter(b Boundary, d float64) []vec.Vec3 {
	var cells neighbor.Cells
	x := inCells(&cells, onLayer(b, d), layerGap*d)
	return evenOut(b, thin(x, &cells, layerGap*d), d)
}

// onLayer returns points of the layer, a third of d apart or less.
func onLayer(b Boundary, d float64) []vec.Vec3 {
	const finest = 1. / 3
	// The sides of a tank with an open one go on for as far as there is liquid.
	box := b.(Bounded).Extent().Grow(float64(3 * d))
	size := box.Size()
	edge := float64(finest * d)
	for edge < max(size.X, size.Y, size.Z) {
		edge *= 2
	}
	level := []vec.Vec3{box.Center()}
	for edge > finest*d*1.5 {
		edge /= 2
		parts := make([][]vec.Vec3, len(level))
		par.Each(len(level), func(i int) {
			for c := range 8 {
				at := level[i].Add(vec.New(float64(c&1)-0.5, float64(c>>1&1)-0.5, float64(c>>2)-0.5).Mul(edge))
				if t, _ := b.Dist(at); math.Abs(t+float64(d/2)) <= math.Sqrt(3)/2*edge {
					parts[i] = append(parts[i], at)
				}
			}
		})
		level = slices.Concat(parts...)
	}
	return slices.DeleteFunc(toLayer(b, level, d), func(x vec.Vec3) bool { return !box.Contains(x) })
}

// toLayer moves points onto the layer, and drops points that do not converge, as at an
// edge of the solid between two faces.
func toLayer(b Boundary, x []vec.Vec3, d float64) []vec.Vec3 {
	const tries, enough = 6, 1e-4
	lost := make([]bool, len(x))
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			lost[i] = true
			for range tries {
				t, n := b.Dist(x[i])
				off := t + float64(d/2)
				if math.Abs(off) < enough*d {
					lost[i] = false
					break
				}
				x[i] = x[i].Sub(n.Mul(off))
			}
		}
	})
	n := 0
	for i := range x {
		if !lost[i] {
			x[n] = x[i]
			n++
		}
	}
	return x[:n]
}

// thin returns the points that are at least gap from all earlier ones. The points are in
// the order of cells with the edge gap.
func thin(x []vec.Vec3, cells *neighbor.Cells, gap float64) (kept []vec.Vec3) {
	taken := make([]bool, len(x))
	for i, p := range x {
		free := true
		for _, r := range around27(cells, p) {
			for j := r[0]; j < r[1] && free; j++ {
				u := x[j].Sub(p)
				free = !taken[j] || u.Dot(u) >= gap*gap
			}
		}
		if taken[i] = free; free {
			kept = append(kept, p)
		}
	}
	return kept
}

// evenOut moves the points along the layer, away from each other. After ten rounds their
// sum is off by 0.2 % of the rest density at most along a flat wall, after none by 1 %.
// Every fifth round projects them back onto a curved layer.
func evenOut(b Boundary, x []vec.Vec3, d float64) []vec.Vec3 {
	const rounds, back, reach, pace = 10, 5, 2 * layerGap, 0.15
	var cells neighbor.Cells
	for round := 1; round <= rounds; round++ {
		x = inCells(&cells, x, float64(reach*d))
		moved := make([]vec.Vec3, len(x))
		par.For(len(x), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				var push vec.Vec3
				for _, r := range around27(&cells, x[i]) {
					for _, y := range x[r[0]:r[1]] {
						u := x[i].Sub(y)
						if r := u.Len(); r > 0 && r < reach*d {
							near := 1 - r/(reach*d)
							push = push.Add(u.Mul(near * near / r))
						}
					}
				}
				moved[i] = x[i].Add(push.Mul(float64(pace * reach * d)))
			}
		})
		x = moved
		if round%back == 0 {
			x = toLayer(b, x, d)
		}
	}
	return x
}

// inCells returns x in the order of cells of the given edge, which it builds.
func inCells(cells *neighbor.Cells, x []vec.Vec3, edge float64) []vec.Vec3 {
	cells.Build(x, edge)
	s := make([]vec.Vec3, len(x))
	for i, j := range cells.Order() {
		s[i] = x[j]
	}
	cells.Build(s, edge)
	return s
}
