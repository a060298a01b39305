package scenes

import (
	"math"

	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// walls prepares each wall for the kernel of a run, which fails for walls too thin for
// the spacing.
func (c *checker) walls(d float64) {
	k := c.scene.kernel(d)
	for i, w := range c.parts.walls {
		if w == nil {
			continue
		}
		if err := w.Init(k); err != nil {
			c.Report.Value(c.scene.Wall[i].Shape.Node, "%v", err)
			c.parts.walls[i] = nil
		}
	}
}

// blocks checks where the liquid is: in the tank, out of the obstacles, and
// each block by itself. Without a known spacing only the places are checked.
func (c *checker) blocks(d float64, known bool) {
	bounds := make([]vec.Box, len(c.shapes))
	pairs := 0 // of blocks and walls, and of blocks, that are looked at point by point
	for i, shape := range c.shapes {
		if shape == nil {
			continue
		}
		bounds[i] = shape.Bounds()
		for _, w := range c.parts.walls {
			if w != nil && near(w, bounds[i]) {
				pairs++
			}
		}
		for j := range i {
			if c.shapes[j] != nil && meet(bounds[i], bounds[j]) {
				pairs++
			}
		}
	}
	side := sideFor(pairs)
	for i, shape := range c.shapes {
		if shape == nil {
			continue
		}
		at := c.scene.Fluid[i].Shape.Node
		if known && !c.resolved(at, shape, d) {
			continue
		}
		c.clear(at, shape, bounds[i], side, true)
		for j, other := range c.shapes[:i] {
			if other != nil && meet(bounds[i], bounds[j]) && overlap(shape, other, side) {
				first := c.scene.Fluid[j].Shape.Node
				c.Report.Value(at, "overlaps the block %s%s; move or shrink one of them", first.Path, lineOf(at, first))
				break // with how many more matters little
			}
		}
	}
}

// resolved checks that a block has enough particles across.
func (c *checker) resolved(at *toml.Node, shape shape.Shape, d float64) bool {
	size := c.scene.edges(shape.Bounds())
	least, axis := size[0], 0
	for i, s := range size {
		if s < least {
			least, axis = s, i
		}
	}
	if across := math.Floor(least/d + 1e-6); across < leastAcross {
		c.Report.Value(at, "is %.4g m wide along %s, or %s at a spacing of %s m; expected %d or more: make the block thicker or liquid.spacing at most %.3g m",
			least, "xyz"[axis:axis+1], toml.Count(int(across), "particle"), registry.Number(d), leastAcross, least/leastAcross)
		return false
	}
	return true
}

// clear checks that a block is nowhere in a wall or beyond it. With mayCut, solids and tanks that
// are not boxes may take a part of the block.
func (c *checker) clear(at *toml.Node, shape shape.Shape, b vec.Box, side int, mayCut bool) {
	for j, w := range c.parts.walls {
		if w == nil || !near(w, b) {
			continue
		}
		deepest, where, some := depthIn(w, shape, side)
		if deepest == 0 {
			continue
		}
		wall := c.scene.Wall[j].Shape.Node
		switch {
		case container(w) && !(mayCut && cuts(w)):
			c.Report.Value(at, "reaches out of %s%s by %.3g m, at %s; move or shrink the block, or change the wall", wall.Path, lineOf(at, wall), deepest, point(where))
		case container(w) && !some:
			c.Report.Value(at, "is wholly outside %s%s; move one of them", wall.Path, lineOf(at, wall))
		case container(w):
		case !mayCut:
			c.Report.Value(at, "reaches into %s%s by %.3g m, at %s; move or shrink the block, or change the wall", wall.Path, lineOf(at, wall), deepest, point(where))
		case !some:
			c.Report.Value(at, "is as a whole in %s%s, which is solid; set inside = true to make that a tank, or move one of them", wall.Path, lineOf(at, wall))
		}
	}
}

// depthIn returns how deep a block is in a wall, m, at which of side³ points, and whether other points of
// the block are outside. A depth within rounding is 0.
func depthIn(w boundary.Boundary, shape shape.Shape, side int) (deepest float64, where vec.Vec3, some bool) {
	b := shape.Bounds()
	size := b.Size()
	slack := 1e-9 * max(size.X, size.Y, size.Z)
	grid(b, side, true, func(x vec.Vec3) bool {
		if !shape.Contains(x) {
			return true
		}
		t := distance(w, x)
		if -t > deepest {
			deepest, where = -t, x
		}
		some = some || t > slack
		return true
	})
	if deepest <= slack {
		return 0, where, some
	}
	return deepest, where, some
}

// distance returns the distance of x from a wall, below 0 in it, m.
func distance(w boundary.Boundary, x vec.Vec3) float64 {
	t, _ := w.Dist(x)
	return t
}

// near reports whether a wall may reach into b.
func near(w boundary.Boundary, b vec.Box) bool {
	return distance(w, b.Center()) < b.Size().Len()/2
}

// container reports whether a wall has the liquid within it.
func container(w boundary.Boundary) bool {
	b, ok := w.(interface{ Bounds() vec.Box })
	return ok && !b.Bounds().IsEmpty()
}

// cuts reports whether a wall takes the part of a block of liquid that is in it or beyond it. For boxes
// that hold the liquid such a block is a mistake: its own edges can be those of the box.
func cuts(w boundary.Boundary) bool {
	shape, _ := body.Unwrap(w)
	_, box := shape.(*boundary.Box)
	return !container(w) || !box
}

// meet reports whether two boxes share more than their faces.
func meet(a, b vec.Box) bool {
	return volumeOf(a.Intersect(b)) > 1e-9*min(volumeOf(a), volumeOf(b))
}

// overlap reports whether two blocks whose bounds meet share more than their
// faces.
func overlap(a, b shape.Shape, side int) bool {
	found := false
	grid(a.Bounds().Intersect(b.Bounds()), side, false, func(x vec.Vec3) bool {
		found = a.Contains(x) && b.Contains(x)
		return !found
	})
	return found
}

// gridSide is how many points a grid has along each axis: an obstacle of a
// fortieth of a block is seen. In a scene of more than fullGrids grids they are
// coarser, so that all of them have no more points than fullGrids.
const (
	gridSide  = 40
	fullGrids = 32
)

// sideFor returns how many points each of n grids has along each axis.
func sideFor(n int) int {
	if n <= fullGrids {
		return gridSide
	}
	const least = 4
	return max(least, int(gridSide*math.Cbrt(fullGrids/float64(n))))
}

// grid calls visit for side points along each axis, spread evenly over b, the
// faces included or left out, until it returns false.
func grid(b vec.Box, side int, faces bool, visit func(vec.Vec3) bool) {
	size := b.Size()
	at := make([]vec.Vec3, side)
	for i := range at {
		share := (float64(i) + 0.5) / float64(side)
		if faces {
			share = float64(i) / float64(side-1)
		}
		at[i] = b.Min.Add(size.Mul(share))
	}
	for k := range side {
		for j := range side {
			for i := range side {
				if !visit(vec.Vec3{X: at[i].X, Y: at[j].Y, Z: at[k].Z}) {
					return
				}
			}
		}
	}
}
