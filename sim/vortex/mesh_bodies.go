package vortex

import (
	"math"

	"breakwater/sim/remesh"
	"breakwater/sim/vec"
)

// gap returns how far x is from a body in the gas, in cells, below 0 in the body. Off its edges it
// is less than the distance.
func (s *Mesh) gap(b *Body, x vec.Vec3) float64 {
	d, _ := b.Contact(x)
	if b.Hole {
		d = -d
	}
	return d / s.Cell
}

// inside returns how much of a node at a gap a body takes, from 0 to 1, over a width of one
// cell about its surface.
func inside(gap float64) float64 { return min(1, max(0, 0.5-gap)) }

// solid returns which share of the velocity relative to a body each step takes from a node at
// a gap: from 0 at the surface of the body to 1 a cell below. The gas on the surface then flows
// along it. Over a width of a cell about the surface instead, all of the cell comes to rest
// after some steps, and the body acts as if it were half a cell larger.
func solid(gap float64) float64 { return min(1, max(0, -gap)) }

// separated reports whether a plane of b separates x from it by r or more. It is false for balls, and
// for bodies around the gas. It begins with the plane that separated the last place.
func separated(b *Body, x vec.Vec3, r float64, last *int32) bool {
	return !b.Hole && b.Planes != nil && b.Apart(x, r, last)
}

// reachOf returns the box of the nodes that a body may take.
func (s *Mesh) reachOf(b *Body) vec.Box {
	if b.Hole { // all nodes, for the body is around it
		n := s.lattice.N
		return vec.Box{Min: s.lattice.At(0), Max: s.lattice.At(n[0]*n[1]*n[2] - 1)}
	}
	if b.Endless != nil {
		return b.Endless.Grow(s.Cell)
	}
	return b.Extent().Grow(s.Cell)
}

// atBodies takes the mixture out of bodies, where they stop the gas, and exchanges heat with
// them for h: at nodes of their surface as much as their conductance lets through the area of a cell's side. Inside
// a body that conducts, the temperature is the body's. The heat is added to sums. Where fuel
// burns with air, mixture stays as heat does: hot gas without what has burnt would burn again.
// Soot settles on bodies, and burnt gas takes its place.
func (s *Mesh) atBodies(bodies []*Body, gas *Gas, h float64, sums []push) {
	for k, b := range bodies {
		part := make([]float64, s.lattice.N[2])
		s.lattice.Inside(s.reachOf(b), func(c, p, q int) {
			plane := int32(0)
			for ; p < q; p++ {
				x := s.lattice.At(p)
				if separated(b, x, s.Cell/2, &plane) {
					continue
				}
				gap := s.gap(b, x)
				share, taken := inside(gap), solid(gap)
				if share == 0 {
					continue
				}
				if s.Flame == nil || s.Flame.Air == 0 {
					for _, c := range []int{fuelShare, flameShare, smokeShare} {
						s.node[c][p] *= float32(1 - taken)
					}
				} else {
					settled := float32(float32(taken) * s.node[smokeShare][p])
					s.node[smokeShare][p] -= settled
					s.node[flameShare][p] += settled
				}
				if b.Conductance == 0 {
					continue
				}
				heat := b.Temperature - gas.Temperature - float64(s.node[heatExcess][p]) // K, that the gas lacks
				if share < 1 {
					mass := gas.DensityOf(gas.above(s.node[heatExcess][p])) * gas.HeatCapacity * s.Cell // J/m²/K
					heat *= -math.Expm1(-b.Conductance / mass * h)
					part[c] -= float64(heat * mass * s.Cell * s.Cell)
				}
				s.node[heatExcess][p] += float32(heat)
			}
		})
		for _, x := range part {
			sums[k].heat += x
		}
	}
	s.lattice.Wrap(s.node[heatExcess:]...)
}

// relaxation is by how much bodies add more than the velocity that the gas lacks. What they
// add loses its sources: at a plane wall and in a cylinder one half of a flow through the
// surface, and in a ball one third of a uniform flow. Iterations converge to none of the flow
// (Hejlesen, Koumoutsakos, Leonard and Walther, Iterative Brinkman penalization for remeshed vortex
// methods, J. Comput. Phys. 280, 2015), each with another solution of Poisson's equation. Over-relaxation, one
// iteration in each part of a step, leaves a quarter of it after each part, and none in the ball.
const relaxation = 1.5

// block sets the velocity that bodies add at their nodes, and returns the impulse of each
// body from the gas.
func (s *Mesh) block(bodies []*Body, gas *Gas) []push {
	s.cleared(s.wall[:])
	sums := make([]push, len(bodies))
	mass := gas.Density * s.Cell * s.Cell * s.Cell
	for k, b := range bodies {
		part := make([]push, s.lattice.N[2])
		s.lattice.Inside(s.reachOf(b), func(c, p, q int) {
			plane := int32(0)
			for ; p < q; p++ {
				x := s.lattice.At(p)
				if separated(b, x, 0, &plane) {
					continue
				}
				share := solid(s.gap(b, x))
				if share == 0 {
					continue
				}
				u := vec.New(float64(s.u[0][p]+s.wall[0][p]), float64(s.u[1][p]+s.wall[1][p]), float64(s.u[2][p]+s.wall[2][p]))
				add := b.At(x).Sub(gas.Wind).Sub(u).Mul(relaxation * share)
				for a, v := range add.Array() {
					s.wall[a][p] += float32(v)
				}
				lin := add.Mul(-mass)
				part[c] = part[c].add(push{lin: lin, ang: x.Sub(b.X).Cross(lin), hits: 1})
			}
		})
		for _, x := range part {
			sums[k] = sums[k].add(x)
		}
	}
	s.lattice.Wrap(s.wall[:]...)
	return sums
}

// penalise makes bodies impenetrable (Rasmussen, Cottet and Walther, A multiresolution
// remeshed vortex-in-cell algorithm using patches, J. Comput. Phys. 230, 2011): the
// vorticity gets the curl of the velocity that bodies add. The velocity at
// the nodes does not follow yet. The impulse of the gas on the bodies is added to sums.
func (s *Mesh) penalise(bodies []*Body, gas *Gas, sums []push) {
	if len(bodies) == 0 {
		return
	}
	for k, p := range s.block(bodies, gas) {
		sums[k] = sums[k].add(p)
	}
	s.cleared(s.rate[:3])
	s.lattice.FineCurl(remesh.Vector(s.rate[:3]), s.wall, 1)
	for a, curl := range s.rate[:3] {
		add(s.node[a], curl, 1)
	}
	s.lattice.Wrap(s.node[:3]...)
}
