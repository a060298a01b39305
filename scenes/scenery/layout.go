package scenery

import (
	"math"

	"breakwater/raster/camera"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// Layout is how a film is laid out. It follows from the scene alone, so that
// every frame has the same floor and the same picture of it, whichever are
// drawn.
type Layout struct {
	Floor   float64 // height of the floor, m
	Shown   vec.Box // the default view of the camera, and the extent of the floor's layout
	Azimuth float64 // of that camera, degrees
	Held    bool    // whether Shown is the box of tanks, which hold the liquid
	Beyond  bool    // whether the liquid may go on beyond Shown
}

// Facing returns the azimuth from which the camera sees all planes from where
// the liquid is, or the least from behind.
func (l *Layout) Facing(walls []boundary.Boundary) (best float64) {
	most := math.Inf(-1)
	for _, azimuth := range [...]float64{camera.Azimuth, -camera.Azimuth, 180 - camera.Azimuth, camera.Azimuth - 180} {
		least := 0.1 // well seen
		for _, w := range walls {
			if p, ok := RestPlane(w); ok && !l.IsFloor(w) {
				least = min(least, p.Normal.Unit().Dot(camera.Viewpoints[""].Behind(azimuth)))
			}
		}
		if least > most {
			best, most = azimuth, least
		}
	}
	return best
}

// Upright reports whether a plane is a wall more than a slope.
func (l *Layout) Upright(p *boundary.Plane) bool { return math.Abs(p.Normal.Unit().Y) < 0.3 }

// Level reports whether liquid rests on a plane.
func Level(p *boundary.Plane) bool { return p.Normal.Unit().Y > 0.999 }

// IsFloor reports whether a wall is the plane that is drawn as the floor.
func (l *Layout) IsFloor(w boundary.Boundary) bool {
	p, ok := RestPlane(w)
	return ok && Level(p) && p.Point.Y == l.Floor
}

// RestPlane returns a wall that is an endless plane.
func RestPlane(w boundary.Boundary) (*boundary.Plane, bool) {
	if w == nil {
		return nil, false
	}
	shape, mover := body.Unwrap(w)
	p, ok := shape.(*boundary.Plane)
	return p, ok && (mover == nil || mover.Motion.Still())
}

// region returns the box in which a plane is drawn. It is the tanks' box, or more than is
// shown. A wall extends only a little beyond, so that it is as high and as thick as walls
// are.
func (l *Layout) region(p *boundary.Plane) vec.Box {
	b, size := l.Shown, l.Shown.Size()
	switch long := max(size.X, size.Y, size.Z); {
	case l.Held:
	case l.Upright(p):
		b = b.Grow(0.08 * long)
	default:
		b = b.Grow(long)
	}
	b.Min.Y = l.Floor
	return b
}
