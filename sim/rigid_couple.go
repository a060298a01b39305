package sim

import (
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/vec"
)

// A free body and the liquid act on each other. A particle at x_i gets −k_i ∇λ_i from the
// body's mirror image, and the body m k_i ∇λ_i at x_i. So momentum and angular momentum
// are exchanged and conserved. As the body moves by V + Ω × r, its share in the
// particle's kernel grows by −(V + Ω × r)·∇λ_i. In the body's modes u (see modes), with
//
//	u_id = u_d·(∇λ_i, r × ∇λ_i),
//
// the pressures k change its speeds by m Σ_i k_i u_id per second, and the speeds y change
// the relative densities by −Σ_d y_d u_id. Both are part of each iteration of the
// pressure solve, so that the coupling is stable for light and heavy bodies (strong
// coupling, as Gissler et al., Interlinked SPH Pressure Solvers for Strong Fluid-Rigid
// Coupling, ACM Trans. Graph. 38, 2019, but with pressures on the liquid alone).

// coupling is the hold that a particle and a free body have on each other.
type coupling struct {
	i      int32      // of the particle, in its block
	slot   int32      // of the body, in its block
	wedged bool       // between the body and another solid
	u      [6]float32 // 1/(m √kg)
	plain  float32    // share of the pressure that acts by u, besides bodyPressure
}

// leaf names the sum that a block has for a body.
type leaf struct{ block, slot int32 }

// slotOf returns the place of body k in blk.coupledBodies, to which it adds the body if
// it is not there.
func (blk *block) slotOf(k int32) int32 {
	slot := slices.Index(blk.coupledBodies, k)
	if slot < 0 {
		slot = len(blk.coupledBodies)
		blk.coupledBodies = append(blk.coupledBodies, k)
	}
	return int32(slot)
}

// addCouplings appends the couplings of the bodies near with particle i of the block, at
// x, and adds their terms to share and wall, as wallShare does.
func (blk *block) addCouplings(r *rigidBodies, near []int32, i int32, x vec.Vec3, share float64, wall Vec4) (float64, Vec4) {
	for _, k := range near {
		b := r.Bodies[k]
		s, g := b.Mirror(x)
		if s == 0 {
			continue
		}
		wedged := share > 0
		share += s
		wall.X, wall.Y, wall.Z = wall.X+float32(g.X), wall.Y+float32(g.Y), wall.Z+float32(g.Z)
		p := coupling{i: i, slot: blk.slotOf(k), wedged: wedged, plain: 1}
		for d, u := range r.Modes[k].Of(body.Wrench(x.Sub(b.Free.Center()), g)) {
			p.u[d] = float32(u)
		}
		blk.couplings = append(blk.couplings, p)
	}
	return share, wall
}

// bodiesNear appends to dst the bodies that may be closer than h to points of a cell.
func bodiesNear(w *World, dst, bodies []int32, cell int) []int32 {
	if len(bodies) == 0 {
		return dst
	}
	center, reach := w.cells.Center(cell), reachOfCell(w)
	for _, k := range bodies {
		b := w.rigid.Bodies[k]
		if b.Beyond(center, reach) {
			continue
		}
		if d, _ := b.RoughDist(center); d < reach {
			dst = append(dst, k)
		}
	}
	return dst
}

// prepareCouplings prepares the coupling sums of all blocks, and adds the bodies'
// compliance to Diagonal.
//
// The matrix that they add to the solve's matrix is m Σ_d u_d u_dᵀ. By Gershgorin's
// theorem it is at most the diagonal matrix of m Σ_d |u_id| Σ_j |u_jd|. With this sum
// over λ in Diagonal the bounds of projection hold.
func prepareCouplings(w *World, p *Pairs, lambda float64) {
	r := &w.rigid
	for k := range r.leaves {
		r.leaves[k] = r.leaves[k][:0]
	}
	for b := range blocks(p.n) {
		for slot, k := range p.blocks[b].coupledBodies {
			r.leaves[k] = append(r.leaves[k], leaf{int32(b), int32(slot)})
		}
	}
	p.each(func(b, _, _ int) {
		blk := &p.blocks[b]
		blk.clearSums()
		for i := range blk.couplings {
			h := &blk.couplings[i]
			for d, u := range h.u {
				blk.sums[h.slot][d] += math.Abs(float64(u))
			}
		}
	})
	r.sum(p, r.force)
	m := w.Mass()
	p.each(func(b, _, _ int) {
		blk := &p.blocks[b]
		for i := range blk.couplings {
			h := &blk.couplings[i]
			all := &r.force[blk.coupledBodies[h.slot]]
			bound := 0.
			for d, u := range h.u {
				bound += float64(math.Abs(float64(u)) * all[d])
			}
			if diagonal := &p.Diagonal[blk.First+int(h.i)]; *diagonal > 0 {
				*diagonal += float32(m * bound / lambda)
			}
		}
	})
	clear(r.force)
}

// maxWedgedExcess bounds the excess density that a step corrects between a free body and
// another solid. An eighth of the excess is added to the bound. Without that eighth, the
// liquid under a landing ball would be over-compressed. Where one solid comes down on the
// other, particles are pressed into a gap that they do not fit. Separating them within a
// step ejects them at many times the highest speed. With 0.1, lead that falls on the
// ground through water at 3 m/s makes jets of 60 m/s; without a bound it bursts the
// solve. With 0.03 the jets have 8 m/s.
const maxWedgedExcess = 0.03

// limitWedgedExcess bounds the excess e to be solved away between free bodies and other
// solids.
func (p *Pairs) limitWedgedExcess(e []float32) {
	if p.rigid == nil {
		return
	}
	p.each(func(b, _, _ int) {
		blk := &p.blocks[b]
		for i := range blk.couplings {
			if h := &blk.couplings[i]; h.wedged {
				at := &e[blk.First+int(h.i)]
				*at = min(*at, maxWedgedExcess+float32(*at/8))
			}
		}
	})
}

// clearSums sets the block's sums to zero.
func (blk *block) clearSums() {
	blk.sums = append(blk.sums[:0], make([]body.Generalized, len(blk.coupledBodies))...)
}

// sum sets dst to the sum of the blocks' sums for each body. It adds them up in
// a binary tree whose leaves are the blocks, of 256 particles each, so that it
// has the same bits on any machine.
func (r *rigidBodies) sum(p *Pairs, dst []body.Generalized) {
	for k, leaves := range r.leaves {
		dst[k] = treeSum(p, leaves)
	}
}

func treeSum(p *Pairs, leaves []leaf) body.Generalized {
	switch n := len(leaves); n {
	case 0:
		return body.Generalized{}
	case 1:
		return p.blocks[leaves[0].block].sums[leaves[0].slot]
	default:
		return treeSum(p, leaves[:n/2]).Add(treeSum(p, leaves[n/2:]))
	}
}

// sumPressures sets the block's sums to the forces of the pressures in S of p.At on the
// free bodies.
func (p *Pairs) sumPressures(b int) {
	blk := &p.blocks[b]
	if len(blk.coupledBodies) == 0 {
		return
	}
	blk.clearSums()
	for i := range blk.couplings {
		h := &blk.couplings[i]
		k := float64(p.At[blk.First+int(h.i)].S)
		if p.shells != nil {
			k *= float64(h.plain)
		}
		if k == 0 {
			continue
		}
		sum := &blk.sums[h.slot]
		for d, u := range h.u {
			sum[d] += float64(k * float64(u))
		}
	}
	if p.shells != nil {
		p.shells.sum(p, b)
	}
}

// countBodyHits returns how many particles of block b press on a free body with the
// present S of p.At.
func (p *Pairs) countBodyHits(b int) (n int) {
	blk := &p.blocks[b]
	for i := range blk.couplings {
		if p.At[blk.First+int(blk.couplings[i].i)].S > 0 {
			n++
		}
	}
	return n
}

// setPressureRates sets the free bodies' accelerations by the pressures in S of p.At, for
// which sumPressures was called on all blocks.
func (p *Pairs) setPressureRates() {
	r := p.rigid
	if r == nil {
		return
	}
	r.sum(p, r.pressureRate)
	for k := range r.pressureRate {
		r.pressureRate[k] = r.pressureRate[k].Mul(p.mass)
	}
}

// addBodyRates adds to c the rate at which the free bodies close in on the particles
// of block b at the speeds y, 1/s.
func (p *Pairs) addBodyRates(b int, c []float32, y []body.Generalized) {
	blk := &p.blocks[b]
	for i := range blk.couplings {
		h := &blk.couplings[i]
		y := &y[blk.coupledBodies[h.slot]]
		sum := 0.
		for d, u := range h.u {
			sum += float64(y[d] * float64(u))
		}
		c[blk.First+int(h.i)] -= float32(sum)
	}
}

// addBodyFriction appends the friction of the free body k, if it has any, on particle i
// of the block at x.
func (blk *block) addBodyFriction(r *rigidBodies, k int32, i int32, x vec.Vec3, spacing float64) []wallFriction {
	b := r.Bodies[k]
	if f, ok := wallFrictionOf(b, i, x, spacing); ok {
		f.slot, f.arm = blk.slotOf(k), vec4(x.Sub(b.Free.Center()))
		return append(blk.frictions, f)
	}
	return blk.frictions
}

// addDrag adds to the block's sums, as force and torque over the mass of a
// particle, f times u at a particle.
func (p *Pairs) addDrag(blk *block, r *wallFriction, f float32, u Vec4) {
	w := body.Wrench(vec3(r.arm), vec3(u).Mul(float64(f)))
	sum := &blk.sums[r.slot]
	for d, v := range [...]float64{w.Lin.X, w.Lin.Y, w.Lin.Z, w.Ang.X, w.Ang.Y, w.Ang.Z} {
		sum[d] += v
	}
}

// wrenchOf returns the sum of addDrag, for a particle of mass m.
func wrenchOf(y *body.Generalized, m float64) body.Twist {
	return body.Twist{Lin: vec.New(y[0], y[1], y[2]).Mul(m), Ang: vec.New(y[3], y[4], y[5]).Mul(m)}
}

// dragBodies sets the effect of friction on the free bodies.
func (p *Pairs) dragBodies() {
	r := p.rigid
	if r == nil {
		return
	}
	r.sum(p, r.force)
	for k := range r.force {
		r.force[k] = r.Modes[k].Of(wrenchOf(&r.force[k], p.mass))
	}
}

// clearPressureRates takes all pressure off the free bodies.
func (p *Pairs) clearPressureRates() {
	if p.rigid != nil {
		clear(p.rigid.pressureRate)
	}
}

// warmStartContacts finds the impulses at the contacts under the pressures of the
// previous step, S of p.At, and applies them to the bodies.
func (p *Pairs) warmStartContacts(s body.Step) {
	if p.rigid == nil || p.rigid.Resting() {
		return
	}
	p.each(func(b, _, _ int) { p.sumPressures(b) })
	p.setPressureRates()
	p.rigid.WarmStart(s, p.rigid.pressureRate)
}
