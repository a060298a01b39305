package scenes

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"breakwater/raster"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/outflow"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// domain reports what does not fit the dimensions of the scene, or the range in which it
// repeats itself.
func (c *checker) domain() {
	n := c.scene.root.Get("domain")
	if n == nil || n.Broken() {
		return
	}
	if c.scene.Flat() {
		c.flat()
	}
	c.periodic(n)
	c.closed(n.Get("closed"))
}

// flat reports what does not lie in the plane of two dimensions.
func (c *checker) flat() {
	s, root := c.scene, c.scene.root
	for _, key := range meshTables {
		if n := root.Get(key); n != nil {
			c.Report.Value(n, "is for a surface or a volume, and a scene of two dimensions has neither; leave it out, or make domain.dim 3")
		}
	}
	if _, gas := c.look.(raster.GasLook); c.look != nil && !gas && !drawsParticles(c.look) {
		c.Report.Value(root.Find("look", "kind").Or(root.Get("look")).Or(root.Get("domain")), "the look %q shows a surface, and the scene has two dimensions, which have none; expected one of %s",
			s.Look.Kind, strings.Join(namesOf(&raster.Looks, func(l raster.Look) bool {
				_, gas := l.(raster.GasLook)
				return drawsParticles(l) && !gas
			}), ", "))
	}
	if at := root.Find("camera", "view"); at != nil && !at.Broken() {
		c.Report.Value(at, "has no effect, since the camera faces the plane of two dimensions: leave it out, or give eye and target")
	}
	c.inPlane(root.Find("liquid", "gravity"), s.Liquid.Gravity)
	for i := range s.Fluid {
		c.inPlane(s.Fluid[i].Shape.Node.Get("velocity"), s.Fluid[i].Velocity)
	}
	for i := range s.Wall {
		c.flatMotion(s.Wall[i].Shape.Node.Get("motion"), &s.Wall[i].Motion)
	}
	for i, r := range c.parts.outflows {
		if p, ok := r.(*outflow.Plane); ok && p != nil {
			c.inPlane(s.Outflow[i].Region.Node.Get("direction"), p.Direction)
		}
	}
	for i, g := range c.parts.gauges {
		if g != nil {
			c.flatGauge(s.Gauge[i].What.Node, reflect.ValueOf(g).Elem())
		}
	}
	for i := range s.Inflow {
		c.inPlane(s.Inflow[i].Opening.Node.Get("position"), s.Inflow[i].Position)
		c.inPlane(s.Inflow[i].Opening.Node.Get("direction"), s.Inflow[i].Direction)
	}
	for i := range s.Body {
		c.flatBody(&s.Body[i])
	}
}

// flatBody reports motions of a body out of the plane.
func (c *checker) flatBody(b *Body) {
	at := b.Shape.Node
	c.inPlane(at.Get("position"), b.Position)
	c.inPlane(at.Get("velocity"), b.Velocity)
	c.aboutZ(at.Get("rotation"), b.Rotation)
	c.aboutZ(at.Get("angular_velocity"), b.AngularVelocity)
	joint := at.Get("joint")
	if joint == nil {
		return
	}
	if n := joint.Get("body"); n != nil {
		c.Report.Value(n, "a joint between two bodies needs three dimensions; leave out body to join it to the world, or make domain.dim 3")
	}
	c.inPlane(joint.Get("point"), b.Joint.Point)
	if b.Joint.Kind == "slider" {
		c.inPlane(joint.Get("axis"), b.Joint.Axis)
	} else {
		c.aboutZ(joint.Get("axis"), b.Joint.Axis)
	}
}

// aboutZ reports an axis that is not upright to the plane z = 0.
func (c *checker) aboutZ(at *toml.Node, axis vec.Vec3) {
	if (axis.X != 0 || axis.Y != 0) && at != nil && !at.Broken() {
		c.Report.Value(at, "is %s, and the scene has two dimensions; expected an axis along z, such as [0, 0, 1]", point(axis))
	}
}

// flatGauge reports the positions of a gauge off the plane. Boxes are cut by it.
func (c *checker) flatGauge(at *toml.Node, settings reflect.Value) {
	for _, f := range toml.Fields(settings.Type()) {
		if x, ok := settings.FieldByIndex(f.Index).Interface().(vec.Vec3); ok && f.Key != "min" && f.Key != "max" {
			c.inPlane(at.Get(f.Key), x)
		}
	}
}

// inPlane reports a position or a direction off the plane z = 0.
func (c *checker) inPlane(at *toml.Node, x vec.Vec3) {
	if x.Z != 0 && at != nil && !at.Broken() {
		c.Report.Value(at, "has z = %s, and the scene has two dimensions; expected z = 0", registry.Number(x.Z))
	}
}

// flatMotion reports motions out of the plane z = 0.
func (c *checker) flatMotion(at *toml.Node, m *body.Motion) {
	if at == nil || at.Broken() {
		return
	}
	c.inPlane(at.Get("velocity"), m.Velocity)
	c.inPlane(at.Get("amplitude"), m.Amplitude)
	for _, x := range m.Positions {
		if x.Z != 0 {
			c.inPlane(at.Get("positions"), x)
			break
		}
	}
	if m.Turns() {
		c.aboutZ(at.Get("axis").Or(at), m.Axis)
	}
}

// periodic reports faults of the range in which the scene repeats itself.
func (c *checker) periodic(n *toml.Node) {
	if !c.repeating(n) {
		return
	}
	s, list := c.scene, n.Get("periodic")
	for _, x := range list.Items {
		if x.Text == "z" && s.Flat() {
			c.Report.Value(x, "the scene has two dimensions and no z; expected x, y or both")
			return
		}
	}
	lo, hi := n.Get("min"), n.Get("max")
	if (lo == nil) != (hi == nil) {
		c.Report.Value(lo.Or(hi), "needs the other corner of the range too: give min and max, or leave out both to take the range of the first tank")
		return
	}
	p, ok := s.period(c.parts.walls)
	if !ok {
		if c.whole && !slices.Contains(c.parts.walls, nil) {
			c.Report.Value(list, "has no range: give min and max, or add a tank, which is a [[wall]] of kind \"box\"")
		}
		return
	}
	spacing := s.root.Find("liquid", "spacing")
	if spacing == nil || spacing.Broken() {
		return
	}
	d := s.Liquid.Spacing
	for axis, name := range axisNames {
		on, from, to := p.Side(axis)
		if !on {
			continue
		}
		if !(to-from >= 4*d*(1-1e-9)) {
			c.Report.Value(hi.Or(list), "the range along %s is %.4g m long; expected four spacings, %.4g m, or more", name, to-from, 4*d)
			return
		}
		c.periodicBlocks(axis, from, to, d)
		c.periodicWalls(axis, from, to, d)
	}
	for i := range s.Body {
		c.Report.Value(s.Body[i].Shape.Node, "a free body cannot be in a scene that repeats itself; leave it out, or domain.periodic")
		break
	}
	for i := range s.Inflow {
		c.Report.Value(s.Inflow[i].Opening.Node, "an inflow cannot be in a scene that repeats itself; leave it out, or domain.periodic")
		break
	}
	if at := s.root.Get("whitewater"); at != nil && !s.Flat() {
		c.Report.Value(at, "whitewater cannot be in a scene that repeats itself; leave it out, or domain.periodic")
	}
}

// repeating reports whether the scene repeats itself along axes without a fault in their names.
func (c *checker) repeating(n *toml.Node) bool {
	axes := c.scene.Domain.Periodic
	if len(axes) == 0 {
		for _, key := range []string{"min", "max"} {
			if at := n.Get(key); at != nil {
				c.Report.Value(at, "has no effect, since no axis repeats: give periodic, such as periodic = [\"x\"], or leave it out")
			}
		}
		return false
	}
	for i, x := range n.Get("periodic").Items {
		if slices.Contains(axes[:i], x.Text) {
			c.Report.Value(x, "%q appears twice; remove one", x.Text)
			return false
		}
	}
	return true
}

// periodicBlocks checks that the blocks lie in the range along an axis.
func (c *checker) periodicBlocks(axis int, lo, hi, d float64) {
	for i, x := range c.shapes {
		if x == nil {
			continue
		}
		b, slack := x.Bounds(), float64(periodSlack*d)
		if from, to := b.Min.Array()[axis], b.Max.Array()[axis]; from < lo-slack || to > hi+slack {
			c.Report.Value(c.scene.Fluid[i].Shape.Node, "extends from %s = %.4g to %.4g m, out of the range from %.4g to %.4g m that repeats itself; move or shrink it, or change domain.min and max", axisNames[axis], from, to, lo, hi)
		}
	}
}

// periodicWalls checks that no wall ends at the sides of the range along an axis: liquid
// on the other side of the range would not see it.
func (c *checker) periodicWalls(axis int, lo, hi, d float64) {
	h := 2 * d
	for i, w := range c.parts.walls {
		if w == nil {
			continue
		}
		at, name := c.scene.Wall[i].Shape.Node, axisNames[axis]
		shape, mover := body.Unwrap(w)
		if p, ok := shape.(*boundary.Plane); ok {
			if n := p.Normal.Unit().Array()[axis]; math.Abs(n) > 1e-9 || mover != nil && mover.Motion.Turns() {
				c.Report.Value(at, "is not parallel to the axis %s, along which the scene repeats itself; make its normal perpendicular to it", name)
			}
			continue
		}
		if b, ok := shape.(*boundary.Box); ok && b.Repeats(axis) && (mover == nil || !mover.Motion.Turns()) {
			continue
		}
		from, to := math.Inf(1), math.Inf(-1)
		see := func() {
			b := body.Extent(w)
			from, to = min(from, b.Min.Array()[axis]), max(to, b.Max.Array()[axis])
		}
		see()
		if mover != nil && !mover.Motion.Still() && !c.badValue("time") && c.scene.Time.Frames() <= maxFrames {
			c.scene.Time.course(mover, see)
		}
		if near := float64(h * (1 - 1e-9)); from < lo+near || to > hi-near {
			c.Report.Value(at, "extends from %s = %.4g to %.4g m; expected two spacings, %.4g m, between it and the sides of the range from %.4g to %.4g m that repeats itself, or a box across all of it", name, from, to, h, lo, hi)
		}
	}
}

// closed checks that nothing enters or leaves a liquid without a surface, which fills its
// domain.
func (c *checker) closed(at *toml.Node) {
	s := c.scene
	if !s.Domain.Closed || at == nil {
		return
	}
	if len(s.Inflow)+len(s.Outflow) > 0 {
		c.Report.Value(at, "a liquid without a surface cannot have an inflow or an outflow; leave them out, or closed")
		return
	}
	if len(s.Body) > 0 {
		c.Report.Value(at, "a liquid without a surface cannot have free bodies; leave them out, or closed")
		return
	}
	p, ok := s.period(c.parts.walls)
	if !ok {
		return
	}
	room := vec.Box{Min: vec.New(math.Inf(-1), math.Inf(-1), math.Inf(-1)), Max: vec.New(math.Inf(1), math.Inf(1), math.Inf(1))}
	if s.Flat() {
		room.Min.Z, room.Max.Z = 0, 0
	}
	for axis := range 3 {
		if on, lo, hi := p.Side(axis); on {
			room.Min, room.Max = with(room.Min, axis, lo), with(room.Max, axis, hi)
		}
	}
	for i, w := range c.parts.walls {
		if w == nil {
			return
		}
		shape, mover := body.Unwrap(w)
		b, ok := shape.(*boundary.Box)
		if ok && len(b.Open) > 0 {
			c.Report.Value(c.scene.Wall[i].Shape.Node.Get("open"), "liquid leaves through open sides, and a liquid without a surface must not; leave out open, or domain.closed")
			return
		}
		if !ok || !b.Inside || mover != nil && !mover.Motion.Still() {
			return // whose room is not known so easily
		}
		room = room.Intersect(vec.Box{Min: b.Min, Max: b.Max})
	}
	if all := volumeOf(room); !math.IsInf(all, 0) && all > 0 {
		if have := c.parts.initial(s).volume; math.Abs(have/all-1) > closedError {
			c.Report.Value(at, "the liquid takes %.3g of the domain's %.3g m³; expected all of it, since it has no surface: make the blocks larger, or leave out closed", have, all)
		}
	}
}

// closedError is the relative error of the volume of a liquid that fills its domain.
const closedError = 0.02

// with returns v with another value along an axis.
func with(v vec.Vec3, axis int, x float64) vec.Vec3 {
	a := v.Array()
	a[axis] = x
	return vec.New(a[0], a[1], a[2])
}

// domainWarnings names what gives poor results in a range that repeats itself.
func (s *Scene) domainWarnings(p *parts) (list []string) {
	period, ok := s.period(p.walls)
	if !ok {
		return nil
	}
	for axis, name := range axisNames {
		on, lo, hi := period.Side(axis)
		if n := (hi - lo) / s.Liquid.Spacing; on && math.Abs(n-math.Round(n)) > 1e-3 {
			list = append(list, "the range that repeats itself along "+name+" is "+number2(n)+" spacings long; with a whole number of them the liquid has no seam")
		}
	}
	return list
}
