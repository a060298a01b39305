package sim

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// wallSpeed returns the highest speed of a wall from now for dt, m/s.
func wallSpeed(w *World, dt float64) float64 {
	return max(drivenSpeed(w, dt), w.rigid.MaxSpeed(w.rigid.All))
}

// drivenSpeed is wallSpeed restricted to walls that are not free bodies.
func drivenSpeed(w *World, dt float64) (speed float64) {
	for _, wall := range w.fixed() {
		if b, ok := wall.(*body.Body); ok && !b.Motion.Still() {
			far := math.Inf(1)
			if _, ok := b.Boundary.(boundary.Bounded); !ok {
				far = farthest(w, b)
			}
			speed = max(speed, b.TopSpeed(w.Time, dt, far))
		}
	}
	return speed
}

// farthest returns the greatest distance of a particle from the axis of b.
func farthest(w *World, b *body.Body) (r float64) {
	center, axis := b.Place(b.Motion.Center), b.Motion.Axis.Unit()
	for _, x := range w.X {
		r = max(r, axis.Cross(x.Sub(center)).Len())
	}
	return r
}

// wallDt returns the longest step in which no wall moves more than maxMove, s. It
// looks a second ahead.
func wallDt(w *World, maxMove float64) float64 {
	const ahead = 1
	dt := w.rigid.MaxDt(w.Gravity.Len(), maxMove)
	if v := wallSpeed(w, ahead); v > 0 {
		return min(dt, maxMove/v)
	}
	return dt
}

// wallsNear appends to dst the walls that may be closer than h to points of a
// cell.
func (w *World) wallsNear(dst []boundary.Boundary, cell int) []boundary.Boundary {
	center, reach := w.cells.Center(cell), reachOfCell(w)
	for _, wall := range w.fixed() {
		if boundary.Beyond(wall, center, reach) {
			continue
		}
		if d, _ := boundary.RoughDist(wall, center); d < reach {
			dst = append(dst, wall)
		}
	}
	return dst
}

// reachOfCell is how far from a cell's centre a solid may be and still be closer than h
// to a point of the cell. It includes a quarter of a spacing for the error of a distance,
// m.
func reachOfCell(w *World) float64 {
	return w.Kernel.H() + float64(math.Sqrt(3)/2*w.cells.Edge()) + float64(w.Spacing/4)
}

// wallShare returns the walls' share at x and its block.walls.
func wallShare(walls []boundary.Boundary, x vec.Vec3) (share float64, wall Vec4) {
	if len(walls) == 0 {
		return 0, Vec4{}
	}
	var rate float64
	var grad vec.Vec3
	for _, b := range walls {
		if s, g := b.Mirror(x); s != 0 {
			share, grad = share+s, grad.Add(g)
			rate -= b.Vel(x).Dot(g)
		}
	}
	return share, Vec4{X: float32(grad.X), Y: float32(grad.Y), Z: float32(grad.Z), S: float32(rate)}
}

// steepestWall bounds ½h|∇λ| of walls in isph. At a flat wall it is 1 for the first layer of a
// lattice, and 1.7 where three walls meet. Inside a thin wall that moves, where faces add up, it can
// be ten times as much, and pressure then throws particles out at many times the speed of the wall.
const steepestWall = 3

// limitedWall returns the terms of the walls of a particle within this bound.
func limitedWall(wall Vec4, h float32) Vec4 {
	l2 := dotVec(&wall, &wall) * h * h / 4
	if l2 <= steepestWall*steepestWall {
		return wall
	}
	f := float32(steepestWall / math.Sqrt(float64(l2)))
	return Vec4{X: f * wall.X, Y: f * wall.Y, Z: f * wall.Z, S: f * wall.S}
}
