package scenes

import (
	"math"
	"slices"

	"breakwater/raster"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/outflow"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// sources returns the inflows and outflows of s, whose variants p has.
func (s *Scene) sources(p *parts) (in []inflow.Inflow, out []outflow.Outflow) {
	for i := range s.Inflow {
		in = append(in, s.Inflow[i].sim(p.inflows[i]))
	}
	for i, o := range s.Outflow {
		out = append(out, outflow.Outflow{Region: p.outflows[i], Flow: o.Flow})
	}
	return in, out
}

// incoming returns the volume that the inflows bring in the whole film, m³.
func (p *parts) incoming(s *Scene) float64 { return p.comeBy(s, s.Time.At(s.Time.Frames())) }

// comeBy returns the volume that the inflows have brought at the time t, m³.
func (p *parts) comeBy(s *Scene, t float64) (volume float64) {
	for i, opening := range p.inflows {
		if opening == nil {
			continue
		}
		in := s.Inflow[i].sim(opening)
		volume += float64(opening.Area() * in.Speed * max(0, min(t, in.Stop)-in.Start))
	}
	return volume
}

// Incoming returns the volume that the inflows of b have brought at the time t, m³.
func (s *Scene) Incoming(b *Built, t float64) float64 { return b.parts.comeBy(s, t) }

// peak returns the highest speed in the opening of an inflow, m/s.
func peak(in inflow.Inflow) float64 {
	if !in.Parabolic {
		return in.Speed
	}
	return 2.25 * in.Speed // of a rectangle; 2 of a disc
}

// pipe returns the pipe of a nozzle as it is drawn.
func pipe(n *inflow.Nozzle, d float64) raster.Solid {
	wall, length := n.Pipe(d)
	if len(n.Outline) == 2 { // of two dimensions: a rectangle, drawn a spacing deep
		a, b := n.Outline[0], n.Outline[1]
		side := b.Sub(a).Unit().Mul(wall)
		back := n.Dir.Mul(-length)
		a, b = a.Sub(side), b.Add(side)
		line := []vec.Vec3{a, b, b.Add(back), a.Add(back)}
		if b.Sub(a).Cross(back).Z < 0 {
			slices.Reverse(line)
		}
		return raster.Solid{Mesh: mesh.Extrusion([][]vec.Vec3{line}, d)}
	}
	var outline []vec.Vec3
	for _, x := range n.Outline {
		r := x.Sub(n.At)
		outline = append(outline, n.At.Add(r.Mul(1+wall/r.Len())))
	}
	return raster.Solid{Mesh: mesh.Prism(outline, n.Dir.Mul(-length))}
}

// inflows checks that each inflow is an opening for particles d apart, with its pipe
// clear of the walls and room before it. Without a known spacing only checks that do not
// depend on it are made.
func (c *checker) inflows(d float64, known bool) {
	for i := range c.scene.Inflow {
		in := &c.scene.Inflow[i]
		at := in.Opening.Node
		complete := true
		for _, must := range [][2]string{
			{"position", "position = [0.5, 0.2, 0.5]"}, {"direction", "direction = [0, 1, 0]"}, {"speed", "speed = 2"},
		} {
			if n := at.Get(must[0]); n == nil {
				c.Report.Value(at, "has no %s; add a line such as %s", must[0], must[1])
				complete = false
			} else if n.Broken() {
				complete = false
			}
		}
		if !complete {
			continue
		}
		if in.Direction == (vec.Vec3{}) {
			c.Report.Value(at.Get("direction"), "[0, 0, 0] is not a direction; expected the direction of the flow, such as [0, 1, 0]")
			continue
		}
		if in.Stop != 0 && in.Stop <= in.Start {
			c.Report.Value(at.Get("stop"), "%s s is not after the start at %s s; expected a later time, or 0 for never", registry.Number(in.Stop), registry.Number(in.Start))
		}
		if opening := c.parts.inflows[i]; opening != nil && known {
			c.nozzle(i, in.sim(opening), d)
		}
	}
	c.outflows(d, known)
}

// nozzle checks one inflow at a spacing.
func (c *checker) nozzle(i int, in inflow.Inflow, d float64) {
	at := c.scene.Inflow[i].Opening.Node
	n, err := in.Nozzle(d)
	if err != nil {
		remedy, spacing := "wider or liquid.spacing at most", in.Opening.Across()/inflow.LeastColumns
		if d < spacing {
			remedy, spacing = "smaller or liquid.spacing at least", math.Sqrt(in.Opening.Area()/inflow.MostColumns)
		}
		c.Report.Value(at, "%v: make it %s %.3g m", err, remedy, spacing)
		return
	}
	position := at.Get("position")
	host := in.Host(c.parts.walls, d)
	n.Flush = host >= 0
	wall, length := n.Pipe(d)
	if pipe := at.Get("pipe"); pipe != nil && n.Flush && in.Pipe > 0 {
		tank := c.scene.Wall[host].Shape.Node
		c.Report.Value(pipe, "the opening lies in a side of %s%s, so its pipe is outside and not drawn; remove the line", tank.Path, lineOf(pipe, tank))
		return
	}
	if in.Pipe > 0 && in.Pipe < length*(1-1e-9) {
		c.Report.Value(at.Get("pipe"), "%s m is too short for the particle layers behind the opening; expected %.3g m or more, or 0 for the shortest", registry.Number(in.Pipe), length)
	}
	room := 2 * d
	deepest, where, into := 0., vec.Vec3{}, -1
	nearest, facing := room, -1
	for j, w := range c.parts.walls {
		if w == nil {
			continue
		}
		for _, edge := range n.Outline {
			r := edge.Sub(n.At)
			side := n.At.Add(r.Mul(1 + wall/r.Len()))
			for k := range gridSide {
				if j == host {
					break // which its buffer is in
				}
				x := side.Sub(n.Dir.Mul(length * float64(k) / (gridSide - 1)))
				if t, _ := w.Dist(x); t < deepest-float64(1e-9*length) {
					deepest, where, into = t, x, j
				}
			}
			for _, x := range []vec.Vec3{n.At, edge} {
				if t, _ := w.Dist(x.Add(n.Dir.Mul(room))); t < nearest-float64(1e-9*length) && t < -1e-9*length {
					nearest, facing = t, j
				}
			}
		}
	}
	if into >= 0 {
		wall := c.scene.Wall[into].Shape.Node
		c.Report.Value(position, "the pipe behind the opening, %.3g m long and %.3g m wider than it on each side, is buried in %s%s by %.3g m, at %s; move the opening that far out of the wall%s",
			length, pipeSide(n, d), wall.Path, lineOf(position, wall), -deepest, point(where), flushAdvice(c.parts.walls[into]))
		return
	}
	if facing >= 0 {
		wall := c.scene.Wall[facing].Shape.Node
		c.Report.Value(position, "opens into %s%s: expected two spacings, %.3g m, before the opening; move it back or turn it", wall.Path, lineOf(position, wall), room)
	}
	for j, region := range c.parts.outflows {
		if region != nil && region.Depth(n.At.Add(n.Dir.Mul(d))) > 0 {
			out := c.scene.Outflow[j].Region.Node
			c.Report.Value(position, "opens into %s%s, which would remove all of its liquid; move one of them", out.Path, lineOf(position, out))
		}
	}
	for j := range i {
		if opening := c.parts.inflows[j]; opening != nil {
			other := c.scene.Inflow[j].sim(opening)
			m, err := other.Nozzle(d)
			if err == nil {
				m.Flush = other.Host(c.parts.walls, d) >= 0
			}
			if err == nil && n.Meets(m, d) {
				first := c.scene.Inflow[j].Opening.Node
				c.Report.Value(position, "the pipe overlaps the pipe of %s%s; move one of them", first.Path, lineOf(position, first))
			}
		}
	}
}

// flushAdvice returns the other way to have an opening in a wall, if there is one.
func flushAdvice(wall boundary.Boundary) string {
	shape, mover := body.Unwrap(wall)
	box, ok := shape.(*boundary.Box)
	if !ok || !box.Inside || mover != nil && !mover.Motion.Still() {
		return ""
	}
	return ", or place it in a side of the tank, pointing straight inward: its pipe is then outside"
}

// pipeSide returns how much wider a nozzle's pipe is on each side, m.
func pipeSide(n *inflow.Nozzle, d float64) float64 {
	wall, _ := n.Pipe(d)
	return wall
}

// outflows checks that liquid may get to each outflow.
func (c *checker) outflows(d float64, known bool) {
	if !known {
		return
	}
	for i, region := range c.parts.outflows {
		box, ok := region.(*outflow.Box)
		if !ok || box == nil {
			continue
		}
		reach, tank := math.Inf(1), (*toml.Node)(nil)
		for j, w := range c.parts.walls {
			if w == nil || !container(w) {
				continue
			}
			removed, liquid := vec.Box{Min: box.Min, Max: box.Max}, w.(interface{ Bounds() vec.Box }).Bounds()
			if c.scene.Flat() { // all is endless along z
				for _, b := range []*vec.Box{&removed, &liquid} {
					b.Min.Z, b.Max.Z = math.Inf(-1), math.Inf(1)
				}
			}
			if t := gap(removed, liquid); t < reach {
				reach, tank = t, c.scene.Wall[j].Shape.Node
			}
		}
		if tank != nil && reach > -d/2 {
			at := c.scene.Outflow[i].Region.Node
			c.Report.Value(at, "removes nothing: liquid in %s%s stays half a spacing, %.3g m, from its walls, and the box does not reach that far; move it into the tank by %.3g m",
				tank.Path, lineOf(at, tank), d/2, reach+d)
		}
	}
}

// gap returns how far two boxes are apart, or minus how deep one is in the
// other, m.
func gap(a, b vec.Box) float64 {
	s := a.Intersect(b).Size()
	return -min(s.X, s.Y, s.Z)
}
