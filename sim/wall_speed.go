package sim

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
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
