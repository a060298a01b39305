package scenes

import (
	"math"

	"breakwater/raster/camera"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// layout is how a film is laid out. It follows from the scene alone, so that
// every frame has the same floor and the same picture of it, whichever are
// drawn.
type layout struct {
	floor   float64 // height of the floor, m
	shown   vec.Box // the default view of the camera, and the extent of the floor's layout
	azimuth float64 // of that camera, degrees
	held    bool    // whether shown is the box of tanks, which hold the liquid
	beyond  bool    // whether the liquid may go on beyond shown
}

// layout lays the scene out whose variants p has.
func (s *Scene) layout(p *parts) (l layout) {
	l = layout{floor: math.Inf(1), shown: vec.Empty()}
	defer func() {
		if s.Flat() { // a spacing deep, and seen from the front
			l.shown.Min.Z, l.shown.Max.Z = -s.Liquid.Spacing/2, s.Liquid.Spacing/2
			return
		}
		l.azimuth = l.facing(p.walls)
	}()
	if s.Shown != nil {
		l.shown, l.floor = *s.Shown, s.Shown.Min.Y
		return l
	}
	for i, w := range p.walls {
		if w == nil {
			continue
		}
		shape, mover := body.Unwrap(w)
		if plane, ok := shape.(*boundary.Plane); ok && level(plane) && (mover == nil || mover.Motion.Still()) {
			l.floor = min(l.floor, plane.Point.Y)
		}
		if !container(w) {
			continue
		}
		see := func() {
			b := body.Extent(w)
			l.floor = min(l.floor, b.Min.Y)
			if s.Wall[i].Hidden {
				return
			}
			if box, ok := shape.(*boundary.Box); ok {
				if b = s.rimmed(box.Bounds()); mover != nil {
					b = mover.MovedBox(b)
				}
			}
			l.shown = l.shown.Union(b)
		}
		if mover != nil && !mover.Motion.Still() {
			s.Time.course(mover, see)
		} else {
			see()
		}
	}
	if l.held = !l.shown.IsEmpty(); l.held {
		return l
	}
	if s.Gas != nil {
		s.spreadGas(p, &l)
	} else {
		s.spread(p, &l)
	}
	return l
}

// facing returns the azimuth from which the camera sees all planes from where
// the liquid is, or the least from behind.
func (l *layout) facing(walls []boundary.Boundary) (best float64) {
	most := math.Inf(-1)
	for _, azimuth := range [...]float64{camera.Azimuth, -camera.Azimuth, 180 - camera.Azimuth, camera.Azimuth - 180} {
		least := 0.1 // well seen
		for _, w := range walls {
			if p, ok := restPlane(w); ok && !l.isFloor(w) {
				least = min(least, p.Normal.Unit().Dot(camera.Viewpoints[""].Behind(azimuth)))
			}
		}
		if least > most {
			best, most = azimuth, least
		}
	}
	return best
}

// upright reports whether a plane is a wall more than a slope.
func (l *layout) upright(p *boundary.Plane) bool { return math.Abs(p.Normal.Unit().Y) < 0.3 }

// level reports whether liquid rests on a plane.
func level(p *boundary.Plane) bool { return p.Normal.Unit().Y > 0.999 }

// shownMost limits the region shown around the start in a scene without a tank, relative
// to the longest side of the initial scene.
const shownMost = 1.5

// spread lays out a scene without a tank, where the liquid goes as far as it
// gets.
func (s *Scene) spread(p *parts, l *layout) {
	start, volume := vec.Empty(), p.incoming(s)
	var blocks []drop
	for i, shape := range p.shapes {
		if shape == nil {
			continue
		}
		b := shape.Bounds()
		start, volume = start.Union(b), volume+volumeOf(b)
		blocks = append(blocks, drop{b, s.Fluid[i].Velocity})
	}
	if len(blocks) > 8 {
		blocks = []drop{{start, vec.Vec3{}}}
	}
	for i, opening := range p.inflows {
		if opening != nil {
			in := s.Inflow[i].sim(opening)
			r := math.Sqrt(opening.Area())
			if s.Flat() {
				r = opening.Across()
			}
			b := vec.Box{Min: in.Position, Max: in.Position}.Grow(float64(r / 2))
			start = start.Union(b)
			blocks = append(blocks, drop{b, in.Direction.Unit().Mul(in.Speed)})
		}
	}
	for _, b := range p.bodies {
		if b != nil {
			start = start.Union(body.Extent(b))
		}
	}
	if start.IsEmpty() {
		l.floor = finite(l.floor, 0)
		l.shown = vec.Box{Max: vec.New(1, 1, 1)}
		return
	}
	// Solids nearby belong to the picture; a table of 100 m does not.
	size := start.Size()
	near := start.Grow(max(size.X, size.Y, size.Z))
	for _, w := range p.walls {
		if w != nil {
			if b := body.Extent(w).Intersect(near); !b.IsEmpty() {
				start = start.Union(b)
			}
		}
	}
	end := s.Time.At(s.Time.Frames())
	ends, fastest := start, start
	for _, d := range blocks {
		slow, fast := d.course(s, p.walls, end)
		ends, fastest = ends.Union(slow), fastest.Union(fast)
	}
	if math.IsInf(l.floor, 1) {
		l.floor = fastest.Min.Y
	}
	// A pile on level ground runs out to both sides, as a dam break does, until it is one
	// layer of particles thick.
	size = start.Size()
	long := max(size.X, size.Y, size.Z)
	if g := s.Liquid.Gravity.Len(); g > 0 && volume > 0 && s.Liquid.Spacing > 0 {
		height := ends.Max.Y - max(l.floor, ends.Min.Y)
		thin := float64(math.Sqrt(volume/s.Liquid.Spacing) / 2)
		front := float64(2 * math.Sqrt(float64(g*height)) * end)
		by := max(0, min(front, float64(2*thin)))
		ends.Min.X, ends.Min.Z = ends.Min.X-by, ends.Min.Z-by
		ends.Max.X, ends.Max.Z = ends.Max.X+by, ends.Max.Z+by
	}
	for _, w := range p.walls { // upright walls stop it
		if plane, ok := restPlane(w); ok && l.upright(plane) {
			switch n, at := plane.Normal.Unit(), plane.Point; {
			case n.X > 0.999:
				ends.Min.X = max(ends.Min.X, at.X)
			case n.X < -0.999:
				ends.Max.X = min(ends.Max.X, at.X)
			case n.Z > 0.999:
				ends.Min.Z = max(ends.Min.Z, at.Z)
			case n.Z < -0.999:
				ends.Max.Z = min(ends.Max.Z, at.Z)
			}
		}
	}
	l.shown = ends.Intersect(start.Grow(float64(shownMost * long)))
	l.beyond = l.shown != ends
	l.shown.Min.Y = max(l.shown.Min.Y, l.floor)
	if l.shown.Min.Y > l.floor && l.shown.Min.Y < l.floor+long {
		l.shown.Min.Y = l.floor // stand on it
	}
	if l.shown.IsEmpty() {
		l.shown = start
	}
}

// finite returns x, or instead if x is infinite.
func finite(x, instead float64) float64 {
	if math.IsInf(x, 0) {
		return instead
	}
	return x
}

// drop is liquid at the start.
type drop struct {
	box      vec.Box
	velocity vec.Vec3
}

// course returns two boxes. The first is around the paths of the corners of d in the
// given seconds, as points that slide along the walls. The second is around points that
// set off to all sides as fast as the height of d and its fall onto the walls can drive
// them.
func (d drop) course(s *Scene, walls []boundary.Boundary, seconds float64) (slow, fast vec.Box) {
	const steps = 400
	dt := seconds / steps
	g := s.Liquid.Gravity
	size := d.box.Size()
	driven := math.Sqrt(2 * (float64(math.Abs(g.X)*size.X) + float64(math.Abs(g.Y)*size.Y) + float64(math.Abs(g.Z)*size.Z)))
	slow, fast = d.box, d.box
	hit := 0. // the fastest that any meets a wall, m/s
	for i, kick := range [...]vec.Vec3{{}, {X: 1}, {X: -1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		for _, x := range d.box.Corners() {
			v := d.velocity.Add(kick.Mul(driven + hit))
			for range steps {
				v = v.Add(g.Mul(dt))
				x = x.Add(v.Mul(dt))
				for _, w := range walls {
					if w == nil {
						continue
					}
					if t, n := w.Dist(x); t < 0 {
						into := min(0, v.Dot(n))
						x, v = x.Sub(n.Mul(t)), v.Sub(n.Mul(into))
						if i == 0 {
							hit = max(hit, -into)
						}
					}
				}
				if i == 0 {
					slow = slow.Include(x)
				}
				fast = fast.Include(x)
			}
		}
	}
	return slow, fast
}
