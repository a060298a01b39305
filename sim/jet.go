package sim

import (
	"math"
	"slices"
)

// A jet that falls gets faster, and so thinner: its section is A = Q/v. The pressure in
// it, slightly below ambient, draws it together. Solvers hold the pressure at 0 or
// above, since liquid that could pull would stick to what it touches. A jet would then
// keep the width of its opening, and its layers would part.
//
// So particles of an inflow that fly freely may have a negative pressure. Its bound is
// the pressure of a round jet of radius R that gravity stretches at the rate s,
//
//	p/ρ ≥ −(R²s² + 3νs),
//
// where the inertia of a liquid that flows inward needs 3/8 R²s², and its viscosity
// νs. Without the bound, particles that pull at each other draw together in pairs
// (Swegle, Hicks and Attaway, Smoothed particle hydrodynamics stability analysis, J.
// Comput. Phys. 116, 1995).

// maxJetDeviation is the largest deviation of a jet particle's velocity from free fall,
// relative to the speed of free fall.
const maxJetDeviation = 0.5

// jetThread and jetWhole are relative densities: A jet that is a row of particles has at
// most the first, and from the second on it has all its suction. A row has no width to
// lose, and would hang from its opening as a rope does.
const threadDensity, jetDensity = 0.42, 0.5

// jetShift is the shift of a jet's particles along it while gravity stretches it by a
// length. It is relative to this length times hg, with g the gradient of the kernel sum.
// With 0 the tip of a jet gets lumps, and 3 is no better than 1.
const jetShift = 1

// jetStretching returns at which rate gravity stretches the jet of particle i, 1/s, and the
// radius of its opening, m: 0 for a particle that is not in a jet, or in one that
// rises.
func jetStretching(w *World, i int) (rate, radius float64) {
	n, c, layer := w.buffers.Column(w.ID[i])
	if n == nil {
		return 0, 0
	}
	age := w.Time - n.Start - n.Delay(c, layer)
	if age < 0 || n.Distance(c, layer, w.Time) < 0 {
		return 0, 0
	}
	free := n.Dir.Mul(c.Speed).Add(w.Gravity.Mul(age))
	v2 := free.Dot(free)
	if off := w.V[i].Sub(free); !(off.Dot(off) <= maxJetDeviation*maxJetDeviation*v2) {
		return 0, 0
	}
	rate = w.Gravity.Dot(free) / v2
	// Where a jet turns, it would be stretched without bounds.
	return max(0, min(rate, math.Sqrt(v2)/n.HalfWidth)), n.HalfWidth
}

// allowSuction lets the pressure of particles in jets be negative, down to −p.suction.
func allowSuction(w *World, p *Pairs) {
	if len(w.buffers.Nozzles) == 0 || w.Gravity.Len() == 0 {
		return
	}
	p.suction = slices.Grow(p.suction[:0], p.n)[:p.n]
	p.inJet = slices.Grow(p.inJet[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			p.suction[i], p.inJet[i] = 0, false
			rate, radius := jetStretching(w, i)
			if rate == 0 || blk.inContact(i-lo) && !atMouth(w, i) {
				continue
			}
			share := min(1, max(0, (w.Rho[i]/w.Rho0-threadDensity)/(jetDensity-threadDensity)))
			p.suction[i] = float32(share * (float64(radius*radius*rate*rate) + float64(3*w.Viscosity*rate)))
			p.inJet[i] = p.suction[i] > 0
		}
	})
}

// jets reports whether particle i is in a jet that may pull.
func (p *Pairs) jets(i int) bool { return len(p.inJet) > 0 && p.inJet[i] }

// inContact reports whether a wall or a free body is in contact with particle k of the
// block.
func (blk *block) inContact(k int) bool {
	return len(blk.nearWall) > 0 && blk.nearWall[k] ||
		slices.ContainsFunc(blk.couplings, func(h coupling) bool { return int(h.i) == k })
}

// atMouth reports whether particle i is just before its opening.
func atMouth(w *World, i int) bool {
	n, _, _ := w.buffers.Column(w.ID[i])
	return n.IsBefore(w.X[i], w.Kernel.H())
}

// spreadAlongJets moves the particles of jets along them, from where they are dense to
// where they are few, as shift does. It leaves S of p.At without meaning.
func spreadAlongJets(w *World, p *Pairs, dt float64) {
	if len(p.inJet) == 0 {
		return
	}
	for i := range p.At {
		p.At[i].S = 0.5
	}
	p.shiftSums = slices.Grow(p.shiftSums[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		if !slices.Contains(p.inJet[lo:hi], true) {
			return
		}
		p.blocks[b].Gradient(p.shiftSums, p.At)
		for i := lo; i < hi; i++ {
			if !p.jets(i) {
				continue
			}
			v := w.V[i]
			rate := max(0, w.Gravity.Dot(v)/v.Dot(v))
			along := v.Unit()
			shift := jetShift * rate * dt * w.Spacing * vec3(p.shiftSums[i]).Dot(along)
			w.X[i] = w.X[i].Sub(along.Mul(shift))
		}
	})
}
