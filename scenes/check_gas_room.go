package scenes

import (
	"math"

	"breakwater/scenes/memory"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// Limits of a gas.
const (
	maxVortons = 1e6
	maxTracers = 20e6
)

// gasSizes checks that solids and sources are larger than a cell. A solid needs two cells
// across for the gas to part at it.
func (c *checker) gasSizes() {
	cell := c.scene.Gas.Cell
	full := cell * (1 - 1e-9) // max − min is rounded
	_, fills := c.parts.gas.solver.(*vortex.Mesh)
	small := func(at *toml.Node, box vec.Box, thin bool) {
		size := box.Size()
		least, most := min(size.X, size.Y, size.Z), max(size.X, size.Y, size.Z)
		switch {
		case box.IsEmpty() || math.IsInf(most, 1): // a plane
		case most < full:
			c.Report.Value(at, "is %.2g m wide, and fits into a cell of %s m; expected a larger one, or gas.cell %s m or less", most, registry.Number(cell), registry.Number(downTo(least/2)))
		case thin && least < full:
			c.Report.Value(at, "is %.2g m thick, and the solver mesh keeps gas out of solids over the width of a cell, %s m; expected gas.cell %s m or less", least, registry.Number(cell), registry.Number(downTo(least/2)))
		}
	}
	solid := func(at *toml.Node, b boundary.Boundary) {
		if b != nil && !isContainer(b) {
			small(at, body.Extent(b), fills)
		}
	}
	for i, w := range c.parts.walls {
		solid(c.scene.Wall[i].Shape.Node, w)
	}
	for i, b := range c.parts.bodies {
		if b != nil {
			solid(c.scene.Body[i].Shape.Node, b)
		}
	}
	for i, r := range c.parts.gas.sources {
		if r != nil && (fills || c.scene.Source[i].Vortons > 0) {
			small(c.scene.Source[i].Region.Node, r.Bounds(), false)
		}
	}
}

// gasRoom checks that there are no more particles than a run can have, and that the
// machine has memory for them.
func (c *checker) gasRoom(cell *toml.Node) {
	s := c.scene
	vortons, tracers := s.gasCount(c.parts, s.Gas.Cell)
	// What gives off most of the tracers.
	source, most := -1, 0.
	for i := range s.Source {
		if n := s.tracersOf(c.parts, i); n > most {
			source, most = i, n
		}
	}
	at := s.root.Find("tracers", "per_cell").Or(cell)
	remedy := "lower tracers.per_cell, or raise gas.cell"
	if source >= 0 && most > tracers/2 {
		at = s.Source[source].Region.Node.Get("tracers")
		remedy = "lower the rate, or set solver.life, after which they are removed, or tracers.most, above which the oldest are"
	}
	have, who := c.machine()
	needs := func(cell float64) float64 {
		v, t := s.gasCount(c.parts, cell)
		return memory.LeastOfGas(v+t, s.latticeNodes(c.parts, cell))
	}
	nodes := s.latticeNodes(c.parts, s.Gas.Cell)
	mesh, _ := c.parts.gas.solver.(*vortex.Mesh)
	switch {
	case mesh != nil && nodes > float64(mesh.Most):
		enough, _ := num.Nearest(s.Gas.Cell, 1, func(d float64) bool { return s.latticeNodes(c.parts, d) <= float64(mesh.Most) })
		c.Report.Value(cell, "makes a lattice of about %.2g nodes at the start, above solver.most of %.2g: make it %s m or more", nodes, float64(mesh.Most), registry.Number(enough))
	case vortons > maxVortons:
		c.Report.Value(cell, "makes about %.2g vortons; expected at most %.2g: make it %.2g m or more, or lower the rates of sources", vortons, float64(maxVortons), s.Gas.Cell*math.Cbrt(vortons/maxVortons)*1.01)
	case tracers > maxTracers:
		c.Report.Value(at, "makes about %.2g tracers; expected at most %.2g: %s", tracers, float64(maxTracers), remedy)
	case have > 0 && needs(s.Gas.Cell) > float64(have):
		if enough, ok := num.Nearest(s.Gas.Cell, 1, func(d float64) bool { return needs(d) <= float64(have) }); ok {
			remedy = "make it " + measured(enough, "m") + " or more"
			at = cell
		}
		c.Report.Value(at, "makes about %.2g vortons and %.2g tracers, which need about %.3g GB of memory, but %s %.3g GB: %s",
			vortons, tracers, needs(s.Gas.Cell)/1e9, who, float64(have)/1e9, remedy)
	}
}

// latticeNodes returns the number of nodes of the lattice of the solver mesh at the start, 0
// for other solvers.
func (s *Scene) latticeNodes(p *parts, cell float64) float64 {
	mesh, ok := p.gas.solver.(*vortex.Mesh)
	if !ok {
		return 0
	}
	box := vec.Empty()
	for _, d := range p.gas.vortices {
		if d != nil {
			box = box.Union(d.Bounds())
		}
	}
	for i, r := range p.gas.sources {
		if r != nil && s.Source[i].Start == 0 {
			box = box.Union(r.Bounds())
		}
	}
	if mesh.Low != mesh.High {
		box = box.Intersect(vec.Box{Min: mesh.Low, Max: mesh.High})
	}
	if box.IsEmpty() {
		return 0
	}
	for axis, on := range mesh.Repeats {
		if on {
			box.Min, box.Max = with(box.Min, axis, mesh.Period.Min.Array()[axis]), with(box.Max, axis, mesh.Period.Max.Array()[axis])
		}
	}
	return box.Volume() / num.Pow(cell, 3)
}

// tracersOf returns how many tracers of source i there are at the most.
func (s *Scene) tracersOf(p *parts, i int) float64 {
	return float64(s.Source[i].Tracers * s.lives(p, i))
}

// atMost returns a number of tracers, or tracers.most if that is less.
func (s *Scene) atMost(tracers float64) float64 {
	if most := float64(s.Tracers.Most); most > 0 {
		return min(tracers, most)
	}
	return tracers
}

// lives returns how long source i gives off particles that are there together, s.
func (s *Scene) lives(p *parts, i int) float64 {
	x := &s.Source[i]
	live := max(0, min(s.Time.At(s.Time.Frames()), x.Stop)-x.Start)
	if p.gas.life > 0 {
		live = min(live, p.gas.life)
	}
	return live
}

// gasCount returns about how many vortons and tracers there are at the most.
func (s *Scene) gasCount(p *parts, cell float64) (vortons, tracers float64) {
	cube := cell * cell * cell
	for i, d := range p.gas.vortices {
		if d == nil {
			continue
		}
		n := d.Bounds().Volume() / cube
		vortons += n
		if s.Vortex[i].Smoke > 0 {
			tracers += float64(n * s.Tracers.PerCell)
		}
	}
	for _, r := range p.gas.smoke {
		if r != nil {
			tracers += float64(r.Bounds().Volume() / cube * s.Tracers.PerCell)
		}
	}
	_, fills := p.gas.solver.(*vortex.Mesh)
	for i, x := range s.Source {
		if fills {
			x.Vortons = 0
			if r := p.gas.sources[i]; r != nil {
				vortons += r.Bounds().Volume() / cube
			}
		}
		vortons, tracers = vortons+float64(x.Vortons*s.lives(p, i)), tracers+s.tracersOf(p, i)
	}
	return vortons, s.atMost(tracers)
}

// GasCount returns about how many vortons and tracers b has at the most with cells of another
// size.
func (s *Scene) GasCount(b *Built, cell float64) (vortons, tracers float64) {
	return s.gasCount(b.parts, cell)
}

// GasAt returns about how many vortons and tracers there are at time t, if none merge or split.
func (s *Scene) GasAt(b *Built, t float64) (vortons, tracers float64) {
	vortons, tracers = s.gasGiven(b, t)
	return vortons, s.atMost(tracers)
}

// gasGiven is GasAt if there is room for all tracers.
func (s *Scene) gasGiven(b *Built, t float64) (vortons, tracers float64) {
	life := b.parts.gas.life
	if life == 0 || t < life {
		vortons, tracers = float64(b.Flow.Vortons.Len()), float64(len(b.Flow.Tracers.X))
	}
	for _, x := range s.Source {
		from := x.Start
		if life > 0 {
			from = max(from, t-life)
		}
		live := max(0, min(t, x.Stop)-from)
		vortons, tracers = vortons+float64(x.Vortons*live), tracers+float64(x.Tracers*live)
	}
	return vortons, tracers
}
