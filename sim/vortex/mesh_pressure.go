package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/remesh"
)

// mostPressures is the largest number of iterations for the pressure.
const mostPressures = 40

// pressure is the pressure of gas with a variable density. Its gradient
// makes vorticity:
//
//	Dω/Dt = … + ∇ρ × ∇p / ρ²,  ∇p/ρ = g − Du/Dt.
//
// With p = ρ₀(g·x + P), s = ρ₀/ρ − 1 and the ambient density ρ₀, the acceleration of the gas is
//
//	Du/Dt = −s g − (1 + s)∇P,
//
// and its divergence makes the velocity keep the divergence of the expansion:
//
//	∇·((1 + s)∇P) = −∇·(s g + (u·∇)u).
//
// In bodies, both sides are 0, so that no gas accelerates through their surface. Bodies are taken
// not to accelerate, and the divergence of the expansion is steady in a part of a step. The
// equation has no sides, since P is the potential of its sources in free space. The method of
// conjugate gradients solves it, with Poisson's equation for a constant density as
// preconditioner (Concus and Golub, Use of fast direct methods for the efficient numerical
// solution of nonseparable elliptic equations, SIAM J. Numer. Anal. 10, 1973). The number of
// iterations depends on the largest ratio of densities, and not on the number of nodes.
type pressure struct {
	of        remesh.Lattice // whose nodes have a potential in this step
	potential []float32      // P, m²/s²
	light     []float32      // 1 + s
	open      []float32      // share of a node that no body takes
	flow      remesh.Vector  // an acceleration, m/s²
	rest      []float32      // of the equation, 1/s²
	guess     []float32      // potential of the rest
	along     []float32      // direction of the search
	image     []float32      // of the direction, by the operator
	first     float64        // product of the rest and its guess at the start of the step
	count     int            // iterations in the last solution
}

// openings sets the share of each node that no body takes.
func (s *Mesh) openings(bodies []*Body) {
	open := par.Resize(s.pressure.open, s.lattice.Len())
	s.pressure.open = open
	par.For(len(open), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			open[p] = 1
		}
	})
	for _, b := range bodies {
		s.lattice.Inside(s.reachOf(b), func(_, p, to int) {
			for ; p < to; p++ {
				open[p] *= float32(1 - inside(s.gap(b, s.lattice.At(p))))
			}
		})
	}
	s.lattice.Wrap(open)
}

// press sets the pressure for the velocity and the heat at the nodes. It begins with the pressure
// of a moment before in the same step, in which bodies keep their places.
func (s *Mesh) press(bodies []*Body, gas *Gas) {
	q, n := &s.pressure, s.lattice.Len()
	again := q.of == s.lattice
	if q.of = s.lattice; !again {
		s.openings(bodies)
	}
	for _, list := range []*[]float32{&q.potential, &q.light, &q.rest, &q.guess, &q.along, &q.image, &q.flow[0], &q.flow[1], &q.flow[2]} {
		*list = par.Resize(*list, n)
	}
	heat, g := s.node[heatExcess], gas.Gravity.Array()
	s.lattice.Convect(q.flow, s.u, gas.Wind.Array())
	par.For(n, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			q.light[p] = float32(gas.above(heat[p]) / gas.Temperature)
			for a := range g {
				q.flow[a][p] += float32((q.light[p] - 1) * float32(g[a]))
			}
		}
	})
	s.lattice.Sources(q.rest, q.open, q.flow)
	if again {
		s.lattice.Elliptic(q.image, q.open, q.light, q.potential)
		add(q.rest, q.image, -1)
	}
	s.potentialOf(q.guess, q.rest)
	copy(q.along, q.guess)
	left := product(q.rest, q.guess)
	if !again {
		clear(q.potential)
		q.first = left
	}
	for q.count = 0; q.count < mostPressures && left > s.PressureError*s.PressureError*q.first; q.count++ {
		s.lattice.Elliptic(q.image, q.open, q.light, q.along)
		step := product(q.along, q.image)
		if step <= 0 {
			return
		}
		by := float32(left / step)
		add(q.potential, q.along, by)
		add(q.rest, q.image, -by)
		s.potentialOf(q.guess, q.rest)
		next := product(q.rest, q.guess)
		turn := float32(next / left)
		left = next
		par.For(n, func(lo, hi int) {
			for p := lo; p < hi; p++ {
				q.along[p] = q.guess[p] + float32(turn*q.along[p])
			}
		})
	}
}

// potentialOf sets to to the potential of a source, ∇²to = −source, in free space.
func (s *Mesh) potentialOf(to, source []float32) {
	s.space().Solve(to, source)
	square := float32(s.Cell * s.Cell)
	par.For(len(to), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			to[p] *= square
		}
	})
	s.lattice.Wrap(to)
}

// product returns the sum of products of numbers at nodes.
func product(a, b []float32) float64 {
	return par.Sum(len(a), func(lo, hi int) (sum float64) {
		for p := lo; p < hi; p++ {
			sum += float64(float64(a[p]) * float64(b[p]))
		}
		return sum
	})
}

// torque adds the rate at which the pressure makes vorticity, in 1/s², to the rates: the curl of
// the acceleration, in which bodies do not take part. So a wall gets the vorticity that
// keeps gas which the pressure pushes from entering it. All curls here are of the same differences,
// by which a gradient has none, so the rate has no sources and its sum is 0.
func (s *Mesh) torque(gas *Gas) {
	q, g := &s.pressure, gas.Gravity.Array()
	extra := q.rest
	par.For(len(extra), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			extra[p] = float32(q.light[p]*q.open[p]) - 1
		}
	})
	s.lattice.Flow(q.flow, extra, q.potential)
	par.For(len(extra), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			by := float32((q.light[p] - 1) * q.open[p])
			for a := range g {
				q.flow[a][p] += float32(by * float32(g[a]))
			}
		}
	})
	turn := remesh.Vector{q.image, q.along, q.guess}
	for a := range turn {
		clear(turn[a])
	}
	s.lattice.Curl(turn, q.flow, -1)
	for a := range turn {
		add(s.rate[a], turn[a], 1)
	}
}
