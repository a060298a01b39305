package sim

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/neighbor"
	"breakwater/sim/vec"
)

// bodyPressure is the force of the pressures of isph on free bodies.
type bodyPressure struct {
	gradient  *consistentGradient
	around    *surroundings
	shells    [][]shell // by block
	clearance []float64 // of each body, see clearances
}

// shell is the part of a particle in the force on a body.
type shell struct {
	i, slot int32
	weight  Vec4    // q ∇φ; S is q φ
	wall    Vec4    // −q φ ∇λ of the other solids
	more    float32 // added to the pressure over ρ₀ of the particle, where it has any
	modes   [6]Vec4 // velocities of the body's modes at the particle
}

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
	for len(s.shells) < blocks(p.n) {
		s.shells = append(s.shells, nil)
	}
	d := w.Spacing
	clearance := s.clearances(w, p)
	s.clearance = clearance
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		list := s.shells[b][:0]
		if len(blk.bodies) > 0 {
			bodies := p.rigid.Near(nil, neighbor.Bounds(w.X[lo:hi]), 2*d)
			q := make([]float32, hi-lo)
			sums := make([]Vec4, hi)
			blk.Gradient(sums, p.At)
			for i := lo; i < hi; i++ {
				q[i-lo] = s.share(p, i, &sums[i])
			}
			for c := range blk.couplings {
				h := &blk.couplings[c]
				if h.wedged {
					q[h.i] = 0
				}
				h.plain = 1 - q[h.i]
			}
			near := make([]bool, hi-lo)
			for _, k := range bodies {
				for i := lo; i < hi; i++ {
					if clearance[k] < 1 && !p.rigid.Bodies[k].Beyond(w.X[i], 2*d) {
						if t, _ := p.rigid.Bodies[k].Dist(w.X[i]); t < 2*d {
							q[i-lo] = min(q[i-lo], float32(clearance[k]))
						}
					}
				}
			}
			for c := range blk.couplings {
				h := &blk.couplings[c]
				h.plain = 1 - q[h.i]
			}
			for _, k := range bodies {
				body0 := p.rigid.Bodies[k]
				for i := lo; i < hi; i++ {
					x := w.X[i]
					if q[i-lo] == 0 || p.Diagonal[i] == 0 || body0.Beyond(x, 2*d) {
						continue
					}
					t, n := body0.Dist(x)
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
							foot, _ := body0.Dist(x.Add(g.Unit().Mul(max(0, tw))))
							at, _ := shellWeight(foot / d)
							u := vec4(g.Mul(-share * at))
							e.wall = Vec4{X: e.wall.X + u.X, Y: e.wall.Y + u.Y, Z: e.wall.Z + u.Z}
						}
					}
					m := &p.rigid.Modes[k]
					for a := range m {
						e.modes[a] = vec4(m[a].At(x.Sub(body0.Free.Center())))
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

// clearances returns a share of each body, 0 where it is close to another solid.
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

// addLifts adds the pressure where a body touches a wall and no particle fits between them:
// it is that of the particles around, and its area is such that a constant pressure does
// not press the body on the wall.
func (s *bodyPressure) addLifts(w *World, p *Pairs) {
	for k, body0 := range p.rigid.Bodies {
		if s.clearance[k] >= 1 {
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
				_, g := body0.Mirror(x)
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
		lift := normal.Mul(0.5 * max(0, -sum.Dot(normal)) / float64(len(rims)))
		contact, middle = contact.Mul(1/wedged), middle.Mul(1/float64(len(rims)))
		more := w.Gravity.Dot(contact.Sub(middle)) // of the pressure over ρ₀, at rest
		for _, r := range rims {
			e := shell{i: r.h.i, slot: r.h.slot, weight: vec4(lift), more: float32(more)}
			for a, u := range p.rigid.Modes[k] {
				e.modes[a] = vec4(u.At(contact.Sub(body0.Free.Center())))
			}
			b := r.blk.First / blockLen
			s.shells[b] = append(s.shells[b], e)
		}
	}
}

// share returns the share of the shell in the force at particle i.
func (s *bodyPressure) share(p *Pairs, i int, sum *Vec4) float32 {
	k, g := p.At[i].S, &p.correction.gradients[i]
	d := s.gradient.inverse[i].Of(sum.X-float32(2*k*g.X), sum.Y-float32(2*k*g.Y), sum.Z-float32(2*k*g.Z))
	c := float32(0)
	if k > 0 {
		near := min(1, float32(0.5*conservativeDepth*math.Sqrt(float64(dotVec(&d, &d))))/k)
		c = near * near * near * near
	}
	return s.around.inner[i] * s.gradient.usable[i] * (1 - c)
}

// sum adds the forces to the block's sums.
func (s *bodyPressure) sum(p *Pairs, b int) {
	if len(s.shells[b]) == 0 {
		return
	}
	blk := &p.blocks[b]
	sums := make([]Vec4, blk.First+blk.Len())
	blk.Gradient(sums, p.At)
	for c := range s.shells[b] {
		e := &s.shells[b][c]
		f := s.force(p, blk.First+int(e.i), e, &sums[blk.First+int(e.i)])
		at := &blk.sums[e.slot]
		for a := range e.modes {
			at[a] += float64(dotVec(&f, &e.modes[a]))
		}
	}
}

// force returns the force of particle i on the body of e, over its mass.
func (s *bodyPressure) force(p *Pairs, i int, e *shell, sum *Vec4) Vec4 {
	inv := 1 / p.h
	k, g := p.At[i].S, &p.correction.gradients[i]
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

// balance gives the shells what the bodies got less than the shells lost.
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
		sums := make([]Vec4, blk.First+blk.Len())
		blk.Gradient(sums, p.At)
		for c := range s.shells[b] {
			e := &s.shells[b][c]
			i, k := blk.First+int(e.i), blk.coupledBodies[e.slot]
			f := s.force(p, i, e, &sums[i])
			by := s.gradient.by[i]
			if len(blk.walls) > 0 {
				kq := p.At[i].S * s.gradient.usable[i]
				by.X += float32(kq * blk.walls[e.i].X)
				by.Y += float32(kq * blk.walls[e.i].Y)
				by.Z += float32(kq * blk.walls[e.i].Z)
			}
			off[k] = s.clearance[k] < 1
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
		if off[k] || t.n < 8 {
			continue
		}
		if t.all == 0 {
			continue
		}
		t.left = t.left.Mul(min(1, t.net/t.all))
		c := t.first.Mul(1 / t.n)
		m := t.second
		m.AddOuter(c, -t.n)
		tr := m.XX + m.YY + m.ZZ
		inertia := vec.Sym3{XX: tr - m.XX, YY: tr - m.YY, ZZ: tr - m.ZZ, XY: -m.XY, YZ: -m.YZ, ZX: -m.ZX}
		adj, det := inertia.Adjugate()
		ang := t.left.Ang.Sub(c.Cross(t.left.Lin))
		turns[k] = turn{at: c.Add(p.rigid.Bodies[k].Free.Center()), lin: t.left.Lin.Mul(1 / t.n)}
		inverse := adj.Scale(1 / det)
		rows := inverse.Rows()
		mul := func(r [3]float64) float64 { return float64(r[0]*ang.X) + float64(r[1]*ang.Y) + float64(r[2]*ang.Z) }
		turns[k].ang = vec.New(mul(rows[0]), mul(rows[1]), mul(rows[2]))
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
