package scenes

import (
	"math"

	"breakwater/scenes/scenery"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// layout lays the scene out whose variants p has.
func (s *Scene) layout(p *parts) (l scenery.Layout) {
	l = scenery.Layout{Floor: math.Inf(1), Shown: vec.Empty()}
	defer func() {
		if s.Flat() { // a spacing deep, and seen from the front
			l.Shown.Min.Z, l.Shown.Max.Z = -s.Liquid.Spacing/2, s.Liquid.Spacing/2
			return
		}
		l.Azimuth = l.Facing(p.walls)
	}()
	if s.Shown != nil {
		l.Shown, l.Floor = *s.Shown, s.Shown.Min.Y
		return l
	}
	for i, w := range p.walls {
		if w == nil {
			continue
		}
		shape, mover := body.Unwrap(w)
		if plane, ok := shape.(*boundary.Plane); ok && scenery.Level(plane) && (mover == nil || mover.Motion.Still()) {
			l.Floor = min(l.Floor, plane.Point.Y)
		}
		if !container(w) {
			continue
		}
		see := func() {
			b := body.Extent(w)
			l.Floor = min(l.Floor, b.Min.Y)
			if s.Wall[i].Hidden {
				return
			}
			if box, ok := shape.(*boundary.Box); ok {
				if b = s.style().Rimmed(box.Bounds()); mover != nil {
					b = mover.MovedBox(b)
				}
			}
			l.Shown = l.Shown.Union(b)
		}
		if mover != nil && !mover.Motion.Still() {
			s.Time.course(mover, see)
		} else {
			see()
		}
	}
	if l.Held = !l.Shown.IsEmpty(); l.Held {
		return l
	}
	if s.Gas != nil {
		s.spreadGas(p, &l)
	} else {
		s.spread(p, &l)
	}
	return l
}

// style returns how the solids of s are drawn.
func (s *Scene) style() scenery.Style {
	return scenery.Style{Flat: s.Flat(), Spacing: s.Liquid.Spacing, Rim: s.Picture.Rim}
}

// shownMost limits the region shown around the start in a scene without a tank, relative
// to the longest side of the initial scene.
const shownMost = 1.5

// spread lays out a scene without a tank, where the liquid goes as far as it
// gets.
func (s *Scene) spread(p *parts, l *scenery.Layout) {
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
		l.Floor = finite(l.Floor, 0)
		l.Shown = vec.Box{Max: vec.New(1, 1, 1)}
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
	if math.IsInf(l.Floor, 1) {
		l.Floor = fastest.Min.Y
	}
	// A pile on level ground runs out to both sides, as a dam break does, until it is one
	// layer of particles thick.
	size = start.Size()
	long := max(size.X, size.Y, size.Z)
	if g := s.Liquid.Gravity.Len(); g > 0 && volume > 0 && s.Liquid.Spacing > 0 {
		height := ends.Max.Y - max(l.Floor, ends.Min.Y)
		thin := float64(math.Sqrt(volume/s.Liquid.Spacing) / 2)
		front := float64(2 * math.Sqrt(float64(g*height)) * end)
		by := max(0, min(front, float64(2*thin)))
		ends.Min.X, ends.Min.Z = ends.Min.X-by, ends.Min.Z-by
		ends.Max.X, ends.Max.Z = ends.Max.X+by, ends.Max.Z+by
	}
	for _, w := range p.walls { // upright walls stop it
		if plane, ok := scenery.RestPlane(w); ok && l.Upright(plane) {
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
	l.Shown = ends.Intersect(start.Grow(float64(shownMost * long)))
	l.Beyond = l.Shown != ends
	l.Shown.Min.Y = max(l.Shown.Min.Y, l.Floor)
	if l.Shown.Min.Y > l.Floor && l.Shown.Min.Y < l.Floor+long {
		l.Shown.Min.Y = l.Floor // stand on it
	}
	if l.Shown.IsEmpty() {
		l.Shown = start
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
