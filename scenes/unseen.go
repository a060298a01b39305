package scenes

import (
	"fmt"
	"slices"

	"breakwater/raster"
	"breakwater/raster/camera"
	"breakwater/scenes/scenery"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// unseen says what the picture will not show, in words: it keeps nothing from
// being run.
func (s *Scene) unseen(p *parts, l scenery.Layout, shot *shot) (list []string) {
	list = s.withoutColors()
	if l.Beyond && s.framed() {
		list = append(list, "the liquid leaves the picture before the end of the film, since no tank holds it; give a [camera] that is farther away, or one that follows the liquid")
	}
	for i, w := range p.walls {
		if plane, ok := scenery.RestPlane(w); ok && !l.IsFloor(w) {
			if _, drawn := l.Plane(p.walls, i); !drawn {
				list = append(list, fmt.Sprintf("%s, a plane through %s, is far outside the picture", toml.Index("wall", i), point(plane.Point)))
			}
		}
	}
	size := l.Shown.Size()
	if way := min(size.X, size.Y, size.Z) / 2; s.root.Find("look", "distance") == nil && raster.Passed(p.look, way) < 0.02 {
		list = append(list, fmt.Sprintf("%.2g m of this liquid look black, as in nature: if the scene is a model of something smaller, set look.distance, for example to %.2g m", way, way/2))
	}
	if way, ok := s.thinSlab(p); ok {
		list = append(list, fmt.Sprintf("%.2g m of this liquid between two walls are nearly invisible, as in nature: set look.distance, for example to %.2g m, or look.kind = \"particles\"; for a flow in a plane, set domain.dim = 2", way, 2*way))
	}
	if s.Camera != nil && s.Camera.Follow != "" {
		return list
	}
	return append(list, s.outOfView(p, shot)...)
}

// thinSlab returns the thickness of the liquid between two sides of a tank, m, if it is too
// thin for its colour to be seen. Its faces on the sides are flat, so nothing but colour
// would show it.
func (s *Scene) thinSlab(p *parts) (way float64, ok bool) {
	if s.root.Find("look", "distance") != nil {
		return 0, false
	}
	const slab, pale = 0.1, 0.9 // share of the tank's other sides; share of light that passes
	for _, w := range p.walls {
		shape, _ := body.Unwrap(w)
		box, ok := shape.(*boundary.Box)
		if !ok || !box.Inside {
			continue
		}
		sides := box.Max.Sub(box.Min).Array()
		slices.Sort(sides[:])
		way = sides[0]
		if passed := raster.Passed(p.look, way); way < slab*sides[1] && pale < passed && passed < 1 {
			return way, true
		}
	}
	return 0, false
}

// outOfView names what the camera does not show in any frame: blocks of liquid and free
// bodies where they are at the start, and walls on their way. Inflows are often above the
// picture.
func (s *Scene) outOfView(p *parts, shot *shot) (list []string) {
	type thing struct {
		name string
		box  vec.Box    // at the start
		wall *body.Body // that moves; nil for what stays
	}
	var things []thing
	for i, shape := range p.shapes {
		things = append(things, thing{toml.Index("fluid", i), shape.Bounds(), nil})
	}
	for i, w := range p.walls {
		if box := body.Extent(w); !box.IsEmpty() { // a plane has no end
			x := thing{toml.Index("wall", i), box, nil}
			if mover, ok := w.(*body.Body); ok && !mover.Motion.Still() {
				x.wall = mover
			}
			things = append(things, x)
		}
	}
	for i, b := range p.bodies {
		things = append(things, thing{toml.Index("body", i), body.Extent(b), nil})
	}
	for _, x := range things {
		seen := false
		const looks = 30
		for k := range looks {
			n, box := 1+k*(s.Time.Frames()-1)/(looks-1), x.box
			if x.wall != nil {
				x.wall.Move(s.Time.At(n))
				box = body.Extent(x.wall)
			}
			if seen = inView(shot.At(s.Time.Film(n)), box, s.Picture.Size); seen {
				break
			}
		}
		if x.wall != nil {
			x.wall.Move(0)
		}
		c, middle := shot.At(0), x.box.Center()
		away := middle.Sub(c.Eye).Len()
		wide := x.box.Size().Len() / away * c.Focal / 36 * float64(s.Picture.Size[0])
		switch {
		case !seen && s.framed():
			list = append(list, fmt.Sprintf("%s is outside the camera's view in every frame: give a [camera] whose eye and target show it at %s", x.name, point(middle)))
		case !seen:
			list = append(list, fmt.Sprintf("%s is outside the camera's view in every frame: turn camera.target to it at %s", x.name, point(middle)))
		case !s.framed() && !shot.moves() && wide < 1:
			list = append(list, fmt.Sprintf("%s is only %.2g pixels wide, at %.3g m from the camera: move camera.eye nearer", x.name, wide, away))
		}
	}
	return list
}

// inView reports whether a part of a box may be in the picture. None is when all of the
// box is behind the camera or beyond one side of the picture.
func inView(c camera.Camera, b vec.Box, size [2]int) bool {
	right, up, back := c.Axes()
	const sensor = 36 // mm
	tanX := sensor / 2 / c.Focal
	tanY := tanX * float64(size[1]) / float64(size[0])
	var out [5]bool
	for i := range out {
		out[i] = true
	}
	for _, p := range b.Corners() {
		q := p.Sub(c.Eye)
		x, y, z := q.Dot(right), q.Dot(up), -q.Dot(back)
		for i, beyond := range [5]bool{z <= 0, x < -tanX*z, x > tanX*z, y < -tanY*z, y > tanY*z} {
			out[i] = out[i] && beyond
		}
	}
	return out == [5]bool{}
}
