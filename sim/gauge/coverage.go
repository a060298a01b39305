package gauge

import (
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// wallLayer are the particles near a wall, by whose pressures it is pushed.
type wallLayer struct {
	w     *sim.World
	near  []int32
	push  []vec.Vec3 // area that each represents times the direction into the wall, m²
	cells map[[3]int][]int
	edge  float64 // of a cell, m
}

// newWallLayer returns the layer of particles near at a wall, for sensors of the radius r.
func newWallLayer(w *sim.World, wall boundary.Boundary, near []int32, forces *sim.WallForces, r float64) *wallLayer {
	l := &wallLayer{w: w, near: near, cells: map[[3]int][]int{}, edge: math.Hypot(r, w.Kernel.H())}
	for k, i := range near {
		l.push = append(l.push, forces.Gradient(wall, i).Mul(w.ParticleVolume()))
		c := l.cell(w.X[i])
		l.cells[c] = append(l.cells[c], k)
	}
	return l
}

func (l *wallLayer) cell(x vec.Vec3) [3]int {
	return [3]int{int(math.Floor(x.X / l.edge)), int(math.Floor(x.Y / l.edge)), int(math.Floor(x.Z / l.edge))}
}

// around calls do for the particles within r of the point x of the wall, along it, with the area
// that each represents times a kernel of this radius, whose integral over a plane is 1.
func (l *wallLayer) around(x, n vec.Vec3, r float64, do func(i int32, area float64)) {
	h := l.w.Kernel.H()
	weight := sensor(l.w, n, r)
	c := l.cell(x)
	for a := -1; a <= 1; a++ {
		for b := -1; b <= 1; b++ {
			for d := -1; d <= 1; d++ {
				for _, k := range l.cells[[3]int{c[0] + a, c[1] + b, c[2] + d}] {
					y := l.w.X[l.near[k]].Sub(x)
					if f := weight(y); f > 0 && math.Abs(y.Dot(n)) < h {
						do(l.near[k], float64(-l.push[k].Dot(n)*f))
					}
				}
			}
		}
	}
}

// sensor returns a kernel of the radius r in the plane with the normal n.
func sensor(w *sim.World, n vec.Vec3, r float64) func(y vec.Vec3) float64 {
	u, v := n.LevelBasis()
	norm := 3 / (math.Pi * r * r)
	if w.Dim() == 2 {
		norm = 15 / (16 * r)
	}
	return func(y vec.Vec3) float64 {
		a, b := y.Dot(u), y.Dot(v)
		q2 := (float64(a*a) + float64(b*b)) / (r * r)
		if q2 >= 1 {
			return 0
		}
		return float64(norm * (1 - q2) * (1 - q2))
	}
}

// open returns the share of the kernel about the point x of a wall that no other wall is in the way
// of. Where walls meet, there is less of each.
func open(w *sim.World, x, n vec.Vec3, r float64, side int) float64 {
	weight := sensor(w, n, r)
	u, v := n.LevelBasis()
	flat := w.Dim() == 2
	var area, all float64
	for a := range side {
		for b := range side {
			at := func(i int) float64 { return float64(r * (float64(2*(float64(i)+0.5)/float64(side)) - 1)) }
			y := u.Mul(at(a)).Add(v.Mul(at(b)))
			if flat {
				if b > 0 {
					break
				}
				y = vec.New(-n.Y, n.X, 0).Mul(at(a))
			}
			f := weight(y)
			all += f
			y = x.Add(y).Add(n.Mul(float64(w.Spacing / 2)))
			if !slices.ContainsFunc(w.Walls, func(o boundary.Boundary) bool { d, _ := boundary.RoughDist(o, y); return d < 0 }) {
				area += f
			}
		}
	}
	if all == 0 {
		return 0
	}
	return area / all
}

// wetted and halfWet are shares of a wall that its particles cover: it is wet all over from the
// first on, and has parts that are dry below the second.
const wetted, halfWet = 0.75, 0.5

// whole returns the factor for particle i at a wall; see the function.
func (l *wallLayer) whole(wall boundary.Boundary, i int32) float64 {
	if !l.w.PressureField() {
		return 1
	}
	r := l.w.Kernel.H()
	d, n := wall.Dist(l.w.X[i])
	x := l.w.X[i].Sub(n.Mul(d))
	cover := 0.
	l.around(x, n, r, func(_ int32, area float64) { cover += area })
	area := open(l.w, x, n, r, 6)
	if area == 0 {
		return 1
	}
	return whole(cover / area)
}

// whole returns the factor by which a sum over the particles at a wall is too small, for the share
// of the wall that they cover by the gradients of their images. In isph no force holds the first
// layer at half a spacing. Where the liquid moves it lies up to 0.6 spacings off and more densely,
// and a wall that is wet all over is covered by 0.8: in a tank that sloshes the walls would carry 0.85
// of the weight.
func whole(cover float64) float64 {
	switch {
	case cover <= halfWet:
		return 1
	case cover < wetted:
		return 1 + float64((1/wetted-1)*(cover-halfWet)/(wetted-halfWet))
	}
	return 1 / cover
}
