package scenes

import (
	"math"
	"slices"

	"breakwater/scenes/toml"
	"breakwater/sim/inflow"
	"breakwater/sim/lattice"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// Coarsened returns the spacing at which s has about the given number of particles, or
// the fewest possible.
func (s *Scene) Coarsened(particles float64) (float64, error) {
	var f toml.Report
	p := s.parts(&f)
	if err := f.Err(); err != nil {
		return 0, err
	}
	d := s.Liquid.Spacing
	all := (p.initial(s).volume + p.incoming(s)) / s.ParticleVolume(d)
	x := d * math.Cbrt(all/particles)
	if s.Flat() {
		x = d * math.Sqrt(all/particles)
	}
	return max(d, num.Rounded(min(x, s.coarsest(p)), 6)), nil
}

// coarsest returns the largest spacing that the blocks and openings of p allow, of which those
// with faults are nil.
func (s *Scene) coarsest(p *parts) float64 {
	most := math.Inf(1)
	for _, shape := range p.shapes {
		if shape == nil {
			continue
		}
		for _, edge := range s.edges(shape.Bounds()) {
			most = min(most, edge/leastAcross)
		}
	}
	for _, opening := range p.inflows {
		if opening != nil {
			most = min(most, opening.Across()/inflow.LeastColumns)
		}
	}
	return most
}

// leastCellsAcross is how many cells a source or a body in a gas has across at least, in a trial with
// larger cells.
const leastCellsAcross = 3

// MostCoarser returns by how much larger cells of a gas may be in a trial: sources and bodies keep
// some cells across. Vortices are often a few cells thick, so they allow no larger cells, but noise
// has no scale.
func (s *Scene) MostCoarser(b *Built) float64 {
	for _, d := range b.parts.gas.vortices {
		if _, ok := d.(*vorticity.Noise); !ok {
			return 1
		}
	}
	most := math.Inf(1)
	across := func(box vec.Box) {
		edges := box.Max.Sub(box.Min)
		most = min(most, min(edges.X, edges.Y, edges.Z)/s.Gas.Cell/leastCellsAcross)
	}
	for _, r := range b.parts.gas.sources {
		across(r.Bounds())
	}
	for _, x := range b.Flow.Bodies {
		if !x.Hole && x.Endless == nil {
			across(x.Extent())
		}
	}
	return most
}

// CoarserGas returns s with larger cells, by a factor, and as many tracers per cell.
func (s *Scene) CoarserGas(factor float64) *Scene {
	few, gas := *s, *s.Gas
	cube := factor * factor * factor
	gas.Cell *= factor
	few.Gas, few.Source = &gas, slices.Clone(s.Source)
	for i := range few.Source {
		x := &few.Source[i]
		x.Tracers /= cube
		if x.Stir > 0 {
			x.Eddies = max(x.Eddies, eddyCells*gas.Cell)
		}
	}
	few.Tracers.Mass *= cube
	few.Tracers.Most = int(math.Ceil(float64(s.Tracers.Most) / cube))
	return &few
}

// LeastStrained returns the spacing from x to most at which the lattices of the blocks are
// strained least; x if that is the spacing of s. A trial is coarse, so few rows fill a block,
// and their strain is many times as large as in the film. Strained liquid splashes into more
// surface.
func (s *Scene) LeastStrained(x, most float64) (float64, error) {
	if x <= s.Liquid.Spacing {
		return x, nil
	}
	var f toml.Report
	p := s.parts(&f)
	if err := f.Err(); err != nil {
		return 0, err
	}
	var edges []float64
	for _, shape := range p.shapes {
		edges = append(edges, s.edges(shape.Bounds())...)
	}
	strain := func(x float64) (most float64) {
		for _, edge := range edges {
			rows := edge / x
			most = max(most, math.Abs(rows/math.Round(rows)-1))
		}
		return most
	}
	most = min(most, s.coarsest(p))
	best, least := x, strain(x)
	if 3*least <= lattice.FillError { // the lattices are cubic
		return x, nil
	}
	for _, edge := range edges {
		y := edge / math.Floor(edge/x) // a whole number of rows
		if now := strain(y); y > x && y <= most && now < least {
			best, least = y, now
		}
	}
	return best, nil
}
