package sim

import (
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/neighbor"
	"breakwater/sim/vec"
)

// bodyPressure is the force of the pressures of isph on free bodies.
//
// The couplings give a body the pressures of the particles beside it, at the places of the
// particles, with weights ∇λ that depend on how the first layer lies. Both errors are of the
// order of the buoyancy: the sum Σ V ∇λ_i x_i is 0.66 to 1.17 times the body's volume. By
// the divergence theorem the force is also an integral over a shell of liquid,
//
//	F = ρ ∫ (k ∇φ + φ ∇k) dV − ρ ∮ φ k n dA,
//
// where φ falls from 1 at the body to 0 at two spacings, and the last integral is over the other
// solids that the shell meets. −dφ/dt is a hat function, a partition of unity: layers a spacing
// apart have the same sum wherever they lie. ∇k is the gradient in the difference form. A part of
// the shell at a free surface, or between the body and another solid, has the force of
// its coupling, and the conservative form, by its share.
//
// The force is linear in the pressures of two layers. It is not the adjoint of the rate at which
// a body closes in on particles, so the matrix of the pressure equation is not symmetric.
//
// Closer than three spacings to another solid a body has the force of the couplings alone, and
// a lift: see addLifts. Very light bodies have the force of the couplings everywhere: see densityShare.
type bodyPressure struct {
	gradient  *consistentGradient
	around    *surroundings
	shells    [][]shell // by block
	bodyShare []float64 // of the shell in the force on each body: see clearances and densityShare
	sums      []Vec4    // Σ_j h V (k_i + k_j) ∇W_ij
}

// shell is the part of a particle in the force on a body.
type shell struct {
	i, slot int32
	weight  Vec4    // share × ∇φ, 1/m; S is share × φ
	wall    Vec4    // −share × φ ∇λ of the other solids, 1/m
	more    float32 // added to the pressure over ρ₀ of the particle, where it has any, m²/s²
	modes   [6]Vec4 // velocities of the body's modes where the force acts
}

// shellRows bounds the sum of the magnitudes of a body's weights for the pressures, over those
// of its couplings: the pressure at a wall is 1.5 times the first layer's less half the second's.
const shellRows = 2.5

// liftShare is the share of the missing area of a contact that has a pressure. With all of it
// a heavy disc that lands jumps up again; with none a light disc leaves the floor late.
const liftShare = 0.5

// shellWeight returns φ and dφ/dt at the distance t from a body, in spacings.
func shellWeight(t float64) (phi, slope float64) {
	switch {
	case t <= 0:
		return 1, 0
	case t < 1:
		return 1 - float64(t*t/2), -t
	case t < 2:
		return float64((2 - t) * (2 - t) / 2), t - 2
	}
	return 0, 0
}

// find finds the shells of the bodies for the positions of p.
func (s *bodyPressure) find(w *World, p *Pairs, gradient *consistentGradient, around *surroundings) {
	p.shells = nil
	if p.rigid == nil {
		return
	}
	s.gradient, s.around = gradient, around
	s.sums = slices.Grow(s.sums[:0], p.n)[:p.n]
	for len(s.shells) < blocks(p.n) {
		s.shells = append(s.shells, nil)
	}
	d := w.Spacing
	s.bodyShare = s.clearances(w, p)
	for k, solid := range p.rigid.Bodies {
		s.bodyShare[k] *= densityShare(w, solid.Free)
	}
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		list := s.shells[b][:0]
		if len(blk.bodies) > 0 {
			bodies := p.rigid.Near(nil, neighbor.Bounds(w.X[lo:hi]), 2*d)
			q := make([]float32, hi-lo)
			blk.Gradient(s.sums, p.At)
			for i := lo; i < hi; i++ {
				q[i-lo] = s.share(p, i)
			}
			for c := range blk.couplings {
				h := &blk.couplings[c]
				if h.wedged {
					q[h.i] = 0
				}
			}
			near := make([]bool, hi-lo)
			for _, k := range bodies {
				for i := lo; i < hi; i++ {
					if s.bodyShare[k] < 1 && !p.rigid.Bodies[k].Beyond(w.X[i], 2*d) {
						if t, _ := p.rigid.Bodies[k].Dist(w.X[i]); t < 2*d {
							q[i-lo] = min(q[i-lo], float32(s.bodyShare[k]))
						}
					}
				}
			}
			for c := range blk.couplings {
				h := &blk.couplings[c]
				h.plain = 1 - q[h.i]
			}
			for _, k := range bodies {
				solid := p.rigid.Bodies[k]
				for i := lo; i < hi; i++ {
					x := w.X[i]
					if q[i-lo] == 0 || p.Diagonal[i] == 0 || solid.Beyond(x, 2*d) {
						continue
					}
					t, n := solid.Dist(x)
					phi, slope := shellWeight(t / d)
					if phi == 0 {
						continue
					}
					near[i-lo] = true
					share := float64(q[i-lo])
					e := shell{i: int32(i - lo), slot: blk.slotOf(k)}
					e.weight = vec4(n.Mul(share * slope / d))
					e.weight.S = float32(share * phi)
					for _, wall := range blk.solids {
						if _, g := wall.Mirror(x); g != (vec.Vec3{}) {
							tw, _ := boundary.RoughDist(wall, x)
							foot, _ := solid.Dist(x.Add(g.Unit().Mul(max(0, tw))))
							at, _ := shellWeight(foot / d)
							u := vec4(g.Mul(-share * at))
							e.wall = Vec4{X: e.wall.X + u.X, Y: e.wall.Y + u.Y, Z: e.wall.Z + u.Z}
						}
					}
					m := &p.rigid.Modes[k]
					for a := range m {
						e.modes[a] = vec4(m[a].At(x.Sub(solid.Free.Center())))
					}
					list = append(list, e)
				}
			}
			for c := range blk.couplings {
				near[blk.couplings[c].i] = true
			}
			for i, is := range near {
				if is {
					gradient.coupled[lo+i] = true
					gradient.usable[lo+i] = q[i]
				}
			}
		}
		s.shells[b] = list
	})
	s.addLifts(w, p)
	p.shells = s
}

// densityShare returns 1 for a body whose density, relative to the liquid, times its radius in spacings is
// above twice lightBody, and 0 below lightBody. The lighter a body, the larger is the part of the matrix
// that is not symmetric: under water, balls of 2.25, 3 and 4.5 spacings burst the liquid with 0.002, 0.001
// and 0.0005 times its density. So light bodies have the force of the couplings alone.
func densityShare(w *World, free *body.Rigid) float64 {
	volume := free.Volume()
	radius := math.Cbrt(float64(3*volume) / (4 * math.Pi)) // of a ball as large
	if w.Dim() == 2 {
		radius = math.Sqrt(volume / math.Pi)
	}
	return min(1, max(0, free.Mass/(w.Rho0*volume)*radius/(lightBody*w.Spacing)-1))
}

// lightBody is where densityShare begins to rise. With 0.007 a ball of 2.25 spacings and 0.005 times the density of
// the liquid bursts it.
const lightBody = 0.015

// clearances returns for each body 0 with another solid up to two spacings away, and 1 from
// three spacings on.
func (s *bodyPressure) clearances(w *World, p *Pairs) []float64 {
	d := w.Spacing
	part := make([][]float64, blocks(p.n))
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		if len(blk.bodies) == 0 {
			return
		}
		bodies := p.rigid.Near(nil, neighbor.Bounds(w.X[lo:hi]), 2*d)
		if len(bodies) == 0 || len(bodies) == 1 && len(blk.solids) == 0 {
			return
		}
		part[b] = make([]float64, len(p.rigid.Bodies))
		for k := range part[b] {
			part[b][k] = math.Inf(1)
		}
		for i := lo; i < hi; i++ {
			x := w.X[i]
			for _, k := range bodies {
				if p.rigid.Bodies[k].Beyond(x, 2*d) {
					continue
				}
				t, _ := p.rigid.Bodies[k].Dist(x)
				if t >= 2*d {
					continue
				}
				for _, wall := range blk.solids {
					if !boundary.Beyond(wall, x, 2*d) {
						tw, _ := wall.Dist(x)
						part[b][k] = min(part[b][k], t+tw)
					}
				}
				for _, o := range bodies {
					if o != k && !p.rigid.Bodies[o].Beyond(x, 2*d) {
						tw, _ := p.rigid.Bodies[o].Dist(x)
						part[b][k] = min(part[b][k], t+tw)
					}
				}
			}
		}
	})
	all := make([]float64, len(p.rigid.Bodies))
	for k := range all {
		gap := math.Inf(1)
		for b := range part {
			if part[b] != nil {
				gap = min(gap, part[b][k])
			}
		}
		all[k] = min(1, max(0, gap/d-2))
	}
	return all
}

// addLifts adds the pressure where a body touches a wall and no particle fits between them: its
// area is such that a constant pressure does not press the body on the wall. The pressure is
// the mean of the particles beside the body alone, at rest: those in the gap are squeezed.
func (s *bodyPressure) addLifts(w *World, p *Pairs) {
	for k, solid := range p.rigid.Bodies {
		if s.bodyShare[k] >= 1 {
			continue
		}
		type rim struct {
			blk *block
			h   *coupling
			x   vec.Vec3
		}
		var sum, normal, contact, middle vec.Vec3
		var rims []rim // the particles beside the body alone
		wedged := 0.
		for b := range blocks(p.n) {
			blk := &p.blocks[b]
			for c := range blk.couplings {
				h := &blk.couplings[c]
				if int(blk.coupledBodies[h.slot]) != k {
					continue
				}
				x := w.X[blk.First+int(h.i)]
				_, g := solid.Mirror(x)
				sum = sum.Add(g)
				push := vec.Vec3{}
				for _, wall := range blk.solids {
					_, g := wall.Mirror(x)
					push = push.Sub(g)
				}
				if push != (vec.Vec3{}) {
					normal, contact = normal.Add(push), contact.Add(x)
					wedged++
				} else if !h.wedged {
					rims, middle = append(rims, rim{blk, h, x}), middle.Add(x)
				}
			}
		}
		if normal == (vec.Vec3{}) || len(rims) == 0 {
			continue
		}
		normal = normal.Unit()
		lift := normal.Mul(liftShare * max(0, -sum.Dot(normal)) / float64(len(rims)))
		contact, middle = contact.Mul(1/wedged), middle.Mul(1/float64(len(rims)))
		more := w.Gravity.Dot(contact.Sub(middle)) // of the pressure over ρ₀, at rest
		for _, r := range rims {
			e := shell{i: r.h.i, slot: r.h.slot, weight: vec4(lift), more: float32(more)}
			for a, u := range p.rigid.Modes[k] {
				e.modes[a] = vec4(u.At(contact.Sub(solid.Free.Center())))
			}
			b := r.blk.First / blockLen
			s.shells[b] = append(s.shells[b], e)
		}
	}
}

// share returns the share of the shell in the force at particle i, the rest being the coupling's.
func (s *bodyPressure) share(p *Pairs, i int) float32 {
	k, g, sum := p.At[i].S, &p.correction.moments[i].X, &s.sums[i]
	d := s.gradient.inverse[i].Of(sum.X-float32(2*k*g.X), sum.Y-float32(2*k*g.Y), sum.Z-float32(2*k*g.Z))
	c := float32(0)
	if k > 0 {
		c = nearSurface(k, &d)
	}
	return s.around.inner[i] * s.gradient.usable[i] * (1 - c)
}

// nearSurface returns the share of the coupling near a surface, for a pressure k with the
// gradient d/h: all where the pressure is what a depth of one spacing gives.
func nearSurface(k float32, d *Vec4) float32 {
	near := min(1, float32(0.5*math.Sqrt(float64(dotVec(d, d))))/k) // a spacing is h/2
	return near * near * near * near
}

// sum adds the forces to the block's sums.
func (s *bodyPressure) sum(p *Pairs, b int) {
	if len(s.shells[b]) == 0 {
		return
	}
	blk := &p.blocks[b]
	blk.Gradient(s.sums, p.At)
	for c := range s.shells[b] {
		e := &s.shells[b][c]
		f := s.force(p, blk.First+int(e.i), e)
		at := &blk.sums[e.slot]
		for a := range e.modes {
			at[a] += float64(dotVec(&f, &e.modes[a]))
		}
	}
}

// force returns the force of particle i on the body of e, over its mass.
func (s *bodyPressure) force(p *Pairs, i int, e *shell) Vec4 {
	inv := 1 / p.h
	k, g, sum := p.At[i].S, &p.correction.moments[i].X, &s.sums[i]
	d := s.gradient.inverse[i].Of(sum.X-float32(2*k*g.X), sum.Y-float32(2*k*g.Y), sum.Z-float32(2*k*g.Z))
	if k > 0 {
		k = max(0, k+e.more)
	}
	return Vec4{
		X: float32(k*e.weight.X) + float32(e.weight.S*d.X*inv) + float32(k*e.wall.X),
		Y: float32(k*e.weight.Y) + float32(e.weight.S*d.Y*inv) + float32(k*e.wall.Y),
		Z: float32(k*e.weight.Z) + float32(e.weight.S*d.Z*inv) + float32(k*e.wall.Z),
	}
}

// balance gives the liquid of each shell, as a motion of a rigid body, what the shell lost to
// the body less what the body got, so that the two keep their momentum. In still water this
// would be noise from the pressure of the depth. So it is scaled by the squares of the accelerations,
// |a|²/(|a − g|² + |g|²), with a the acceleration of the shell: 1 in free fall or without gravity, and 0 at rest.
func (s *bodyPressure) balance(w *World, p *Pairs, a []Vec4) {
	if p.shells == nil {
		return
	}
	n := len(p.rigid.Bodies)
	off := make([]bool, n)
	type total struct {
		n        float64
		first    vec.Vec3
		second   vec.Sym3
		left     body.Twist
		net, all float64
	}
	sum := make([]total, n)
	for b := range blocks(p.n) {
		blk := &p.blocks[b]
		if len(s.shells[b]) == 0 {
			continue
		}
		blk.Gradient(s.sums, p.At)
		for c := range s.shells[b] {
			e := &s.shells[b][c]
			i, k := blk.First+int(e.i), blk.coupledBodies[e.slot]
			f := s.force(p, i, e)
			by := s.gradient.by[i]
			if len(blk.walls) > 0 {
				kq := p.At[i].S * s.gradient.usable[i]
				by.X += float32(kq * blk.walls[e.i].X)
				by.Y += float32(kq * blk.walls[e.i].Y)
				by.Z += float32(kq * blk.walls[e.i].Z)
			}
			off[k] = s.bodyShare[k] < 1
			r := w.X[i].Sub(p.rigid.Bodies[k].Free.Center())
			t := &sum[k]
			t.n++
			at := vec3(a[i])
			net := at.Add(w.Gravity)
			t.net += float64(net.Dot(net))
			t.all += float64(at.Dot(at)) + float64(w.Gravity.Dot(w.Gravity))
			t.first = t.first.Add(r)
			t.second.AddOuter(r, 1)
			t.left = t.left.Add(body.Wrench(r, vec3(by).Sub(vec3(f))))
		}
	}
	type turn struct{ at, lin, ang vec.Vec3 }
	turns := make([]turn, n)
	for k := range turns {
		t := &sum[k]
		if off[k] || t.n < 8 || t.all == 0 {
			continue
		}
		t.left = t.left.Mul(min(1, t.net/t.all))
		c := t.first.Mul(1 / t.n)
		m := t.second
		m.AddOuter(c, -t.n)
		turns[k] = turn{
			at:  c.Add(p.rigid.Bodies[k].Free.Center()),
			lin: t.left.Lin.Mul(1 / t.n),
			ang: angularAcceleration(m, t.left.Ang.Sub(c.Cross(t.left.Lin)), w.Dim() == 2),
		}
	}
	for b := range blocks(p.n) {
		blk := &p.blocks[b]
		for c := range s.shells[b] {
			e := &s.shells[b][c]
			i, t := blk.First+int(e.i), &turns[blk.coupledBodies[e.slot]]
			u := vec4(t.lin.Add(t.ang.Cross(w.X[i].Sub(t.at))))
			a[i].X, a[i].Y, a[i].Z = a[i].X+u.X, a[i].Y+u.Y, a[i].Z+u.Z
		}
	}
}
