package raster

import "breakwater/sim/vec"

// shrinkSolids moves the faces of the solids in by as much as the given length, m, a
// little less at edges. Liquid that touches a solid ends on its faces, to the rounding of
// mesh files. A ray that starts between two surfaces in the same place would miss one of
// them.
func (g *geometry) shrinkSolids(by float64) {
	// Faces of a corner may have vertices of their own there.
	outward := map[vec.Vec3]vec.Vec3{}
	for _, t := range g.tri[g.liquid : g.liquid+g.solids] {
		a, b, c := g.pos[t[0]], g.pos[t[1]], g.pos[t[2]]
		n := b.Sub(a).Cross(c.Sub(a)).Unit()
		for _, v := range t {
			outward[g.pos[v]] = outward[g.pos[v]].Add(n)
		}
	}
	moved := make([]bool, len(g.pos))
	for _, t := range g.tri[g.liquid : g.liquid+g.solids] {
		for _, v := range t {
			if p := g.pos[v]; !moved[v] {
				g.pos[v], moved[v] = p.Sub(outward[p].Unit().Mul(by)), true
				g.vertex[v].pos = narrow(g.pos[v])
			}
		}
	}
}
