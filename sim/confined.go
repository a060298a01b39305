package sim

import (
	"math"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// confinedStiffness is the stiffness with which walls hold a particle of pressure k in a gap, over
// k|∇λ|/d for each wall. Between parallel walls it is some 3. Neighbours in the gap add to it, and
// are themselves in motion: with 4, particles in the gap below a disc in 0.6 m of water still got
// 1.1 m/s at a spacing of 5 mm; with 8 they got 0.1 m/s, and with 16 they got 0.04 m/s.
const confinedStiffness = 16

// Walls confine a particle if their slopes cancel each other: the length of the sum of ∇λ over the
// sum of the lengths is 0 between parallel walls, 1 at one wall and √½ in the corner of a box. The
// treatment ends between these values.
const confined, unconfined = 0.5, 0.65

// stillConfined changes the accelerations of particles in gaps between walls that hold a single
// row, such as the corner below a ball that stands on the floor, and in acute corners.
//
// The moments of such a particle are singular or nearly so, and in the conservative form each wall
// pushes it with −k∇λ: it oscillates between them with the frequency ω, ω² ≈ k|∇λ|/d times
// confinedStiffness. The deeper the liquid is in spacings, the shorter are the steps that this
// takes: in longer steps the oscillation grew until the particles burst out of the corner. A
// linearly implicit step is stable for any length,
//
//	(1 + dt² Σ ω² n nᵀ) v′ = v + dt a + dt² Σ ω² n n·u,
//
// with the walls' normals n and velocities u (Hairer and Wanner, Solving ordinary differential
// equations II, 1996, sec. IV.7, the method of Rosenbrock with one stage). Nothing changes beside
// free bodies, with which steps are shorter.
//
// Where walls meet at an acute angle, and in corners of a single wall as of a mesh, no two walls are
// opposite. With the moments of such a particle nearly singular, it oscillates in all directions: in
// a polytope with an edge of 63°, the particles along the edge of water 25 layers deep went on moving
// at 0.2 √(gH). The same step with 1/d for |∇λ|, in all directions, holds them to the walls.
func (s *ISPH) stillConfined(w *World, p *Pairs, dt, kick float64) {
	single := len(w.fixed()) < 2
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		var beside [blockLen]bool // a free body
		for k := range blk.couplings {
			beside[blk.couplings[k].i] = true
		}
		var walls []boundary.Boundary
		last := -1
		for i := lo; i < hi; i++ {
			k := float64(p.At[i].S)
			if k <= 0 || !blk.besideWall(i-lo) || beside[i-lo] || p.Diagonal[i] == 0 {
				continue
			}
			corner := float64(s.gradient.corner[i])
			if single && corner == 0 {
				continue
			}
			x := w.X[i]
			if cell := w.cells.Cell(x); cell != last {
				last, walls = cell, w.wallsNear(walls[:0], cell)
			}
			if corner > 0 && len(walls) > 0 {
				s.holdInCorner(w, i, walls, corner*confinedStiffness*dt*kick*k/(w.Spacing*w.Spacing), kick)
			}
			if len(walls) < 2 {
				continue
			}
			var sum, moving vec.Vec3
			var stiff vec.Sym3
			lengths := 0.
			for _, wall := range walls {
				_, g := wall.Mirror(x)
				if slope := g.Len(); slope > 0 {
					sum, lengths = sum.Add(g), lengths+slope
					stiff.AddOuter(g, 1/slope)
					moving = moving.Add(g.Mul(wall.Vel(x).Dot(g) / slope))
				}
			}
			between := min(1, (unconfined-sum.Len()/max(lengths, math.SmallestNonzeroFloat64))/(unconfined-confined))
			if between <= 0 {
				continue
			}
			scale := confinedStiffness * dt * kick * between * k / w.Spacing
			before := w.V[i].Add(vec3(s.accel[i]).Mul(kick))
			left, right := stiff.Scale(scale), before.Add(moving.Mul(scale))
			left.XX, left.YY, left.ZZ = left.XX+1, left.YY+1, left.ZZ+1
			adjugate, det := left.Adjugate()
			after := adjugate.Times(right).Mul(1 / det)
			s.accel[i] = vec4(vec3(s.accel[i]).Add(after.Sub(before).Mul(1 / kick)))
		}
	})
}

// holdInCorner adds to the acceleration of particle i a linearly implicit drag towards the mean
// velocity v_w of the walls: the velocity becomes (v + scale v_w)/(1 + scale).
func (s *ISPH) holdInCorner(w *World, i int, walls []boundary.Boundary, scale, kick float64) {
	var moving vec.Vec3
	for _, wall := range walls {
		moving = moving.Add(wall.Vel(w.X[i]))
	}
	moving = moving.Mul(1 / float64(len(walls)))
	before := w.V[i].Add(vec3(s.accel[i]).Mul(kick))
	after := before.Add(moving.Mul(scale)).Mul(1 / (1 + scale))
	s.accel[i] = vec4(vec3(s.accel[i]).Add(after.Sub(before).Mul(1 / kick)))
}
