package scenes

import (
	"math"

	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

// gasPeriod returns the range in which a gas repeats itself and along which axes, none of them if
// the range is not known.
func (s *Scene) gasPeriod() (r vec.Box, on [3]bool) {
	at := s.root.Get("domain")
	for _, key := range []string{"periodic", "min", "max"} {
		if n := at.Get(key); n == nil || n.Broken() {
			return r, on
		}
	}
	p, _ := s.period(nil)
	r = vec.Box{Min: p.Min, Max: p.Max}
	for axis := range on {
		if ok, lo, hi := p.Side(axis); ok && lo < hi {
			on[axis] = true
		}
	}
	return r, on
}

// spanning is a vortex that is cut off at the sides of the range that repeats.
type spanning struct {
	vorticity.Distribution
	box vec.Box
}

// Bounds implements vorticity.Distribution.
func (d spanning) Bounds() vec.Box { return d.box }

// withinPeriod returns a vortex as it is in the range that repeats.
func (s *Scene) withinPeriod(d vorticity.Distribution) vorticity.Distribution {
	r, on := s.gasPeriod()
	box, cut := d.Bounds(), false
	for axis := range on {
		lo, hi := r.Min.Array()[axis], r.Max.Array()[axis]
		if on[axis] && (box.Min.Array()[axis] < lo || box.Max.Array()[axis] > hi) {
			box.Min, box.Max, cut = with(box.Min, axis, lo), with(box.Max, axis, hi), true
		}
	}
	if !cut {
		return d
	}
	return spanning{d, box}
}

// gasDomain reports faults of the range in which a gas repeats itself.
func (c *checker) gasDomain() {
	s := c.scene
	n := s.root.Get("domain")
	if n == nil || n.Broken() {
		return
	}
	c.noKeys(n, []string{"dim", "closed"}, "is of a liquid, and this scene has a gas; leave it out. For a plane flow of a gas, give periodic = [\"z\"] and a range of 8 cells")
	list := n.Get("periodic")
	if list != nil && list.Broken() || !c.repeating(n) {
		return
	}
	if _, ok := c.parts.gas.solver.(*vortex.Mesh); !ok {
		if c.parts.gas.solver != nil {
			c.Report.Value(list, "the solver %q does not support a gas that repeats itself; set solver.kind to mesh, or leave out domain.periodic", s.Solver.Kind)
		}
		return
	}
	lo, hi := n.Get("min"), n.Get("max")
	if lo == nil || hi == nil {
		c.Report.Value(lo.Or(hi).Or(list), "has no range; give domain.min and max")
		return
	}
	if lo.Broken() || hi.Broken() || c.badValue("gas") || s.Gas.Cell == 0 {
		return
	}
	for i := range s.Body {
		c.Report.Value(s.Body[i].Shape.Node, "a free body cannot be in a scene that repeats itself; leave it out, or domain.periodic")
		return
	}
	p, _ := s.period(nil)
	for axis, name := range axisNames {
		on, from, to := p.Side(axis)
		if !on {
			continue
		}
		if !(from < to) {
			c.Report.Value(hi, "the range along %s ends at %.4g m, before it begins at %.4g m; expected larger coordinates than those of min", name, to, from)
			return
		}
		c.gasPeriodicWalls(axis, from, to)
		c.gasPeriodicRegions(axis, from, to)
	}
}

// gasPeriodicWalls checks that walls do not end at the sides of the range along an axis: the gas on
// the other side would not meet them.
func (c *checker) gasPeriodicWalls(axis int, lo, hi float64) {
	cell := c.scene.Gas.Cell
	for i, w := range c.parts.walls {
		if w == nil {
			continue
		}
		at, name := c.scene.Wall[i].Shape.Node, axisNames[axis]
		shape, mover := body.Unwrap(w)
		turns := mover != nil && mover.Motion.Turns() && !alongAxis(mover.Motion.Axis, axis)
		if p, ok := shape.(*boundary.Plane); ok {
			if n := p.Normal.Unit().Array()[axis]; math.Abs(n) > 1e-9 || turns {
				c.Report.Value(at, "is not parallel to the axis %s, along which the scene repeats itself; make its normal perpendicular to it", name)
			}
			continue
		}
		var prism bool // of the same section all along the axis
		switch x := shape.(type) {
		case *boundary.Box:
			prism = !turns
		case *boundary.Cylinder:
			prism = !turns && alongAxis(x.Top.Sub(x.Bottom), axis)
		}
		from, to, first, last := math.Inf(1), math.Inf(-1), math.Inf(-1), math.Inf(1)
		see := func() {
			b := body.Extent(w)
			a, b1 := b.Min.Array()[axis], b.Max.Array()[axis]
			from, to, first, last = min(from, a), max(to, b1), max(first, a), min(last, b1)
		}
		see()
		if mover != nil && !mover.Motion.Still() && !c.badValue("time") && c.scene.Time.Frames() <= maxFrames {
			c.scene.Time.course(mover, see)
		}
		near := float64(2 * cell * (1 - 1e-9))
		if inside, across := from >= lo+near && to <= hi-near, prism && first <= lo-near && last >= hi+near; !inside && !across {
			c.Report.Value(at, "extends from %s = %.4g to %.4g m; expected two cells, %.4g m, between it and the sides of the range from %.4g to %.4g m that repeats itself, or a box or a cylinder along %s that reaches two cells beyond both", name, from, to, 2*cell, lo, hi, name)
		}
	}
}

// alongAxis reports whether a direction is along an axis.
func alongAxis(d vec.Vec3, axis int) bool { return math.Abs(d.Unit().Array()[axis]) > 1-1e-9 }

// gasPeriodicRegions checks that what gives off gas is in the range along an axis, and that no vortex but a
// straight one reaches beyond it.
func (c *checker) gasPeriodicRegions(axis int, lo, hi float64) {
	slack := float64(periodSlack * c.scene.Gas.Cell)
	check := func(at *toml.Node, box vec.Box) {
		if from, to := box.Min.Array()[axis], box.Max.Array()[axis]; from < lo-slack || to > hi+slack {
			c.Report.Value(at, "extends from %s = %.4g to %.4g m, out of the range from %.4g to %.4g m that repeats itself; move or shrink it, or change domain.min and max", axisNames[axis], from, to, lo, hi)
		}
	}
	for i, r := range c.parts.gas.sources {
		if r != nil {
			check(c.scene.Source[i].Region.Node, r.Bounds())
		}
	}
	for i, r := range c.parts.gas.smoke {
		if r != nil {
			check(c.scene.Smoke[i].Region.Node, r.Bounds())
		}
	}
	for i, d := range c.parts.gas.vortices {
		switch d.(type) {
		case nil, *vorticity.Tube, *vorticity.Sheet, *vorticity.Noise: // which end at the sides
		default:
			check(c.scene.Vortex[i].Field.Node, d.Bounds())
		}
	}
}
