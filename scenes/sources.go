package scenes

import (
	"slices"

	"breakwater/raster"
	"breakwater/sim"
	"breakwater/sim/inflow"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// sources returns the inflows and outflows of s, whose variants p has.
func (s *Scene) sources(p *parts) (in []inflow.Inflow, out []sim.Outflow) {
	for i := range s.Inflow {
		in = append(in, s.Inflow[i].sim(p.inflows[i]))
	}
	for i, o := range s.Outflow {
		out = append(out, sim.Outflow{Region: p.outflows[i], Flow: o.Flow})
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
