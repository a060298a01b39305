package sim

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// wallFriction is how a wall holds a particle by friction: it accelerates it by
//
//	a = (ν·rate + drag·|u|) u,  u = the part of v_wall − v along the wall.
//
// The first term is viscosity. Behind a wall without slip, the image's velocity relative
// to the wall is opposite to the liquid's (Morris, Fox and Zhu, Modeling Low Reynolds
// Number Incompressible Flows Using SPH, J. Comput. Phys. 136, 1997, section 3.8). In the
// sum of addViscosity a layer z away therefore adds z/t times the term of a layer at
// rest, at the particle's distance t. Summed over the layers of the solid,
//
//	rate = −2/t ∂λ/∂t,  λ their share,
//
// which is 2/d² at t = d/2, as finite differences have it.
//
// The second is the friction of a liquid as thin as water, whose boundary layer is far
// thinner than a spacing. It is the drag of a turbulent boundary layer, ½ c ρ u² per area
// with c = skinFriction, on the mass of the layer at the wall.
//
// Friction f takes f of both: from 0, where the image moves along, to 1.
//
// In an explicit step the second term would throw about a free body that is much lighter
// than the layer of particles at it. There, u is taken to be the velocity after the step
// if the whole layer drags, as in an implicit step.
type wallFriction struct {
	i    int32   // of the particle, in its block
	slot int32   // of the body, in its block; −1 for a wall that does not move freely
	part float32 // of a particle's resistance that its image makes
	n, v Vec4    // the wall's normal, and in S the rate, 1/m²; its velocity, and in S the drag, 1/m
	arm  Vec4    // from the centre of mass of a free body, m
}

// imagePart is the share of the sum of scaleResistance, 0.31, from the layer below a
// particle of a lattice, over that layer's share of the kernel.
const imagePart = 0.31 / 0.15

// skinFriction is the drag coefficient of a smooth plate at a Reynolds number
// of about 10⁶ (Schlichting, Boundary-Layer Theory, fig. 21.2).
const skinFriction = 0.004

// addWallFriction appends the terms of the walls that have friction with particle i of
// the block at x.
func addWallFriction(dst []wallFriction, walls []boundary.Boundary, i int32, x vec.Vec3, spacing float64) []wallFriction {
	for _, wall := range walls {
		if b, ok := wall.(*body.Body); ok {
			if r, ok := wallFrictionOf(b, i, x, spacing); ok {
				dst = append(dst, r)
			}
		}
	}
	return dst
}

// wallFrictionOf returns the friction of b, and whether it has any.
func wallFrictionOf(b *body.Body, i int32, x vec.Vec3, spacing float64) (r wallFriction, ok bool) {
	if b.Friction == 0 {
		return r, false
	}
	share, g := b.Wall(x)
	slope := g.Len()
	if slope == 0 {
		return r, false
	}
	t, n := boundary.RoughDist(b, x)
	_, push := b.Mirror(x)
	r = wallFriction{i: i, slot: -1, part: imagePart * float32(b.Friction*share), n: vec4(n), v: vec4(b.Vel(x))}
	r.n.S = float32(b.Friction * 2 * slope / max(t, boundary.ParticleGap*spacing))
	r.v.S = float32(b.Friction * skinFriction / 2 * push.Len())
	return r, true
}

// addFriction adds the acceleration by friction of the particles of block b to
// a, with that by the viscosity ν if viscous is set, for a step of dt. It returns the sum of
// the products of the accelerations by walls, but for free bodies, with the walls'
// velocities, m²/s³.
func addFriction(w *World, b int, a []Vec4, p *Pairs, dt float64, viscous bool) (onWalls float64) {
	nu := float32(0)
	if viscous {
		nu = float32(w.Viscosity)
	}
	blk := &p.blocks[b]
	for k := range blk.frictions {
		r := &blk.frictions[k]
		v := &p.V[blk.First+int(r.i)]
		u := r.along(Vec4{X: r.v.X - v.X, Y: r.v.Y - v.Y, Z: r.v.Z - v.Z})
		speed := float32(math.Sqrt(float64(float64(u.X)*float64(u.X)) + float64(float64(u.Y)*float64(u.Y)) + float64(float64(u.Z)*float64(u.Z))))
		drag := float32(r.v.S * speed)
		if r.slot >= 0 {
			drag /= 1 + float32(float32(dt*w.entrainedMass(p.rigid.Bodies[blk.coupledBodies[r.slot]]))*drag)
		}
		f := float32(nu*r.n.S) + drag
		r.accelerate(&a[r.i], f, u)
		if r.slot >= 0 {
			p.addDrag(blk, r, -f, u)
		} else {
			onWalls += float64(float64(f) * vec3(u).Dot(vec3(r.v)))
		}
	}
	return onWalls
}

// addFrictionResistance adds to a the terms of friction in resistance. If walls is not
// set, these are the terms of walls at rest and of moving free bodies; otherwise the
// terms of the walls' velocities.
func (p *Pairs) addFrictionResistance(b int, a, v []Vec4, walls bool) {
	blk := &p.blocks[b]
	for k := range blk.frictions {
		r := &blk.frictions[k]
		switch {
		case r.slot >= 0 && walls: // their term depends on the unknown
		case r.slot >= 0:
			p.addBodyResistance(blk, r, &a[r.i], &v[blk.First+int(r.i)])
		case walls:
			r.accelerate(&a[r.i], r.n.S, r.along(r.v))
		default:
			r.accelerate(&a[r.i], -r.n.S, r.along(v[blk.First+int(r.i)]))
		}
	}
}

// along returns the part of u along the wall.
func (r *wallFriction) along(u Vec4) Vec4 {
	in := float32(u.X*r.n.X) + float32(u.Y*r.n.Y) + float32(u.Z*r.n.Z)
	return Vec4{X: u.X - float32(in*r.n.X), Y: u.Y - float32(in*r.n.Y), Z: u.Z - float32(in*r.n.Z)}
}

// accelerate adds f times u to the acceleration a.
func (r *wallFriction) accelerate(a *Vec4, f float32, u Vec4) {
	a.X += float32(f * u.X)
	a.Y += float32(f * u.Y)
	a.Z += float32(f * u.Z)
}
