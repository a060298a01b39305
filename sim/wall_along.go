package sim

import (
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/neighbor"
	"breakwater/sim/vec"
)

// alongWall corrects the pressure acceleration of a particle along one side of a
// wall.
//
// A wall mirrors the pressure of the particle (see boundary.Layers), so it adds
// nothing to the pressure gradient along it. In the sum over neighbours
//
//	Σ_j V (k_j − k_i) ∇W_ij
//
// the gradient along the wall lacks a part that equals the share λ of the kernel in the
// wall, because ∫ x ∂W/∂x dA = −∫ W dA over each layer of the wall. Half a spacing from
// the wall λ is 0.14. Water at rest therefore sank along upright walls by half a spacing
// within a quarter of a second, until the first layer was crowded enough to bear the
// rest.
//
// If the pressure in the wall is extrapolated instead (Adami et al., A generalized
// wall boundary condition for smoothed particle hydrodynamics, J. Comput. Phys. 231,
// 2012, eq. 27; Band et al., Moving least squares boundaries for SPH fluids, VRIPHYS
// 2017), the acceleration a along the wall becomes a/(1 − λ). The difference is
// added for the pressures that the solve starts from. During the solve it is a
// constant force, so the matrix of the solve stays symmetric. It vanishes in free
// fall and normal to the wall.
//
// Only particles that are slow beside the wall get it. The added part falls from all to
// none as their speed relative to the wall grows to √(gd), the speed of a fall by half a
// spacing. With it at any speed the height of a broken dam was off by 4.4 %, and 3.8 %
// with this.
//
// The faces of free bodies do not get it, nor do walls near one. There the level of the
// first layer moves the body. With the correction in the whole tank a cube bobbed 8 % too
// slowly at half its width from the walls, and 4 % without. About half of the difference
// comes from the start, when the sinking layer lifts the cube. The other half is there in
// settled water too. With the distances of nearBody and farFromBody the error is 3 %. A
// correction that stops while the body moves lets the layer sink and rise with each
// swing. With it a spar bobbed 10 % too slowly.
type alongWall struct {
	i int32 // of the particle, in its block
	n Vec4  // unit normal of the side; in S the part of the acceleration that is added
	a Vec4  // the acceleration that is added, m/s²
}

// alongShare is the part of the missing gradient that is added. The mean gradient inside
// a disordered liquid is 0.988 of the exact one, and beside a wall it is 1.00 with all of
// the missing part. This surplus drives a circulation. In a tank of 12 by 12 by 10
// particles without viscosity, it raised the speeds to 1.9 times within 10 s. With 0.9
// and less they stay as high as without it, and in the plane reach at most 1.25 times as
// much. Of 0.75, 0.8, 0.85 and 0.9 this one left the least flow in a tank of 16 by 12 by
// 16.
const alongShare = 0.8

// The correction grows from none at nearBody radii from the centre of a free body to all at
// farFromBody radii.
const (
	nearBody    = 2
	farFromBody = 3
)

// correctsAlong reports whether the pressure of a solver is corrected along walls: of one
// that starts from the pressures of the step before. Corrected gradients need none; see
// gradientCorrection.
func correctsAlong(w *World, s Solver) bool {
	_, ok := s.(interface{ warmStarts() })
	return ok && !correctsGradients(w, s)
}

// startsWarm marks the solvers whose solve starts from the pressures of the step
// before.
func (*incompressible) warmStarts() {}

// findAlong finds the sides of walls that particles are in contact with, if p does not
// hold them yet.
func findAlong(w *World, p *Pairs) {
	if p.along || !w.along {
		return
	}
	p.along = true
	layers := boundary.NewLayers(w.Kernel)
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		blk.along = blk.along[:0]
		sides := sideFinder{w: w, layers: &layers}
		sides.bodies = w.rigid.Around(nil, neighbor.Bounds(w.X[lo:hi]), farFromBody)
		for k, touches := range blk.nearWall {
			if touches {
				sides.each(blk.solids, w.X[lo+k], w.V[lo+k], func(n vec.Vec3, part float64) {
					s := alongWall{i: int32(k), n: vec4(n)}
					s.n.S = float32(part)
					blk.along = append(blk.along, s)
				})
			}
		}
	})
}

// sideFinder finds the sides of walls along which the pressure is corrected. It serves one
// goroutine.
type sideFinder struct {
	w      *World
	layers *boundary.Layers
	bodies []int32     // the free bodies that may be near
	sides  []body.Side // scratch
}

// each calls f for each side of the walls in contact with a particle at x with the
// velocity v. It passes the side's normal and the part of the acceleration along it that
// is added. Pipes of inflows, openings in sides and walls near free bodies are left out.
func (s *sideFinder) each(walls []boundary.Boundary, x, v vec.Vec3, f func(n vec.Vec3, part float64)) {
	away := s.awayFromBodies(x)
	if !(away > 0) {
		return
	}
	fast := s.w.Gravity.Len() * s.w.Spacing
	for _, wall := range walls {
		shape, _ := body.Unwrap(wall)
		if _, ok := shape.(*inflow.Pipe); ok {
			continue
		}
		u := v.Sub(wall.Vel(x))
		calm := away * (1 - u.Dot(u)/fast)
		if !(calm > 0) {
			continue
		}
		tank, _ := shape.(*inflow.Tank)
		s.sides = body.Sides(s.sides[:0], wall, x, s.w.Spacing)
		for _, side := range s.sides {
			if s.w.Dim() == 2 && side.Normal.Z != 0 || tank != nil && tank.OpensAt(x, side.Normal) { // a box has no sides across the plane
				continue
			}
			share, _ := s.layers.HalfSpace(max(0, side.Dist))
			f(side.Normal, calm*alongShare*share/(1-share))
		}
	}
}

// awayFromBodies returns the part of the correction that a point at x gets for its
// distance from free bodies: 0 up to nearBody radii from one, and 1 from farFromBody.
func (s *sideFinder) awayFromBodies(x vec.Vec3) float64 {
	away := 1.
	for _, k := range s.bodies {
		b := s.w.rigid.Bodies[k].Free
		away = min(away, (x.Sub(b.Center()).Len()/b.Radius()-nearBody)/(farFromBody-nearBody))
	}
	return max(0, away)
}

// addAlong adds the corrections to the accelerations a of the block's particles. If
// start is set, it takes them from a.
func (blk *block) addAlong(a []Vec4, start bool) {
	for k := range blk.along {
		s := &blk.along[k]
		v, n := &a[s.i], &s.n
		if start {
			in := float32(v.X*n.X) + float32(v.Y*n.Y) + float32(v.Z*n.Z)
			s.a.X = n.S * (v.X - float32(in*n.X))
			s.a.Y = n.S * (v.Y - float32(in*n.Y))
			s.a.Z = n.S * (v.Z - float32(in*n.Z))
		}
		v.X += s.a.X
		v.Y += s.a.Y
		v.Z += s.a.Z
	}
}

// PressureField reports whether the pressures of the particles are values of a field at their places, as
// with isph, whose gradient is exact. In a conservative solver they depend on the particles'
// arrangement.
func (w *World) PressureField() bool { return w.placed }

// WallForces gives the forces of a world's particles on its walls. It serves one
// goroutine, as long as the particles stay in their places.
type WallForces struct {
	w     *World
	sides sideFinder
}

// NewWallForces returns the forces on the walls of w.
func NewWallForces(w *World) *WallForces {
	layers := boundary.NewLayers(w.Kernel)
	f := &WallForces{w: w, sides: sideFinder{w: w, layers: &layers}}
	for k := range w.rigid.Bodies {
		f.sides.bodies = append(f.sides.bodies, int32(k))
	}
	return f
}

// Pressure returns the pressure on a wall beside particle i, Pa, whose own is p. In a
// conservative solver it is p, since the first layer bears what is above it. That of isph is
// p at the place of the particle; a wall that does not move has the slope ρ g·n of the
// pressure along its normal, by the balance of momentum there. Where walls meet, the gradients
// of their images are too small for it: a sum over the walls of a tank ten particles wide is 4 %
// too small, which gauges of force correct.
func (f *WallForces) Pressure(wall boundary.Boundary, i int32, p float64) float64 {
	w := f.w
	if !w.placed || p == 0 {
		return p
	}
	_, g := wall.Mirror(w.X[i])
	slope := g.Len()
	if slope == 0 {
		return p
	}
	t, _ := boundary.RoughDist(wall, w.X[i])
	return max(0, p+float64(w.Rho0*max(0, t)*w.Gravity.Dot(g)/slope))
}

// Gradient returns the gradient of the mirror image in a wall at particle i, with the
// corrections along the sides there. Times mass and pressure over density it is the force
// of the particle on the wall. Beside an upright wall the correction carries a part of
// the particles' weight, and the pressure on the floor is lower by as much. With both the
// force on a tank at rest is the weight of the liquid.
func (f *WallForces) Gradient(wall boundary.Boundary, i int32) vec.Vec3 {
	w := f.w
	_, g := wall.Mirror(w.X[i])
	if w.along && g != (vec.Vec3{}) {
		f.sides.each(w.Walls, w.X[i], w.V[i], func(n vec.Vec3, part float64) {
			g = g.Add(g.Sub(n.Mul(g.Dot(n))).Mul(part))
		})
	}
	return g
}
