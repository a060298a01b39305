package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"breakwater/sim/boundary"
	"breakwater/sim/inflow"
	"breakwater/sim/outflow"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// openInflows makes the nozzles of the inflows, if it has not yet: with pipes,
// which are walls, or as openings in the sides of tanks.
func (w *World) openInflows() error {
	if len(w.buffers.Nozzles) == len(w.Inflows) {
		return nil
	}
	if w.Closed {
		return errors.New("sim: nothing can flow into a closed liquid")
	}
	inflows := slices.Clone(w.Inflows)
	if w.Dim() == 2 {
		for i := range inflows {
			in := &inflows[i]
			if in.Position.Z != 0 {
				return fmt.Errorf("sim: inflow %d: the position has z = %g: in two dimensions it must be 0", i+1, in.Position.Z)
			}
			var err error
			if in.Opening, err = inflow.Section(in.Opening, in.Direction); err != nil {
				return fmt.Errorf("sim: inflow %d: %w", i+1, err)
			}
		}
	}
	b, walls, err := inflow.Open(inflows, w.Walls, w.Spacing)
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	w.buffers, w.Walls = b, walls
	return nil
}

// Nozzles returns the openings of the inflows. They are there after Init.
func (w *World) Nozzles() []*inflow.Nozzle { return w.buffers.Nozzles }

// Pipes returns the nozzles as solid blocks, for products without the buffers.
func (w *World) Pipes() (list []boundary.Boundary) {
	for _, wall := range w.Walls {
		if p, ok := wall.(*inflow.Pipe); ok {
			list = append(list, p.Solid())
		}
	}
	return list
}

// InBuffer reports whether the particle with this number is in a nozzle at time t,
// in seconds, and not yet free.
func (w *World) InBuffer(id uint32, t float64) bool {
	n, _ := w.buffers.Holding(id, t)
	return n != nil
}

// ReleaseTime returns when the particle with this number passes the opening of its inflow,
// s: 0 for a particle that is there at the start.
func (w *World) ReleaseTime(id uint32) float64 { return w.buffers.ReleaseTime(id) }

// addBufferImages makes the buffers walls to the particles lo ≤ i < hi of block b that are
// just before an opening. The buffer is an image of the liquid that has its pressure and
// moves with it, and so is in balance with it; see layers.Mirror. Without pressure in the
// buffer the liquid would sink towards it, and the jet would be thrown on when it has
// passed.
func (p *Pairs) addBufferImages(w *World, b, lo, hi int) {
	h := float64(p.h)
	blk := &p.blocks[b]
	for i := lo; i < hi; i++ {
		if !w.buffers.IsNear(w.X[i], h) {
			continue
		}
		if n, _ := w.buffers.Holding(w.ID[i], w.Time); n != nil {
			continue
		}
		var all, buffer Vec4 // Σ V∇W_ij, 1/m; of buffer also the rate −Σ v·V∇W_ij, 1/s
		var square float32
		for j, f := range blk.Of(i - lo) {
			f /= p.h
			x, y, z := float32(f*(p.At[j].X-p.At[i].X)), float32(f*(p.At[j].Y-p.At[i].Y)), float32(f*(p.At[j].Z-p.At[i].Z))
			all.X, all.Y, all.Z = all.X+x, all.Y+y, all.Z+z
			square += float32(x*x) + float32(y*y) + float32(z*z)
			if n, c := w.buffers.Holding(w.ID[j], w.Time); n != nil {
				buffer.X, buffer.Y, buffer.Z = buffer.X+x, buffer.Y+y, buffer.Z+z
				if n.Start <= w.Time && w.Time < n.Stop {
					buffer.S -= float32(float32(c.Speed) * float32(n.Dir.Dot(vec.New(float64(x), float64(y), float64(z)))))
				}
			}
		}
		if buffer == (Vec4{}) {
			continue
		}
		if len(blk.walls) == 0 {
			blk.walls = append(blk.walls, zeros[:hi-lo]...)
		}
		blk.fed, blk.closing = append(blk.fed, fedParticle{int32(i), buffer.S}), true
		wall := &blk.walls[i-lo]
		wall.X, wall.Y, wall.Z, wall.S = wall.X+buffer.X, wall.Y+buffer.Y, wall.Z+buffer.Z, wall.S+buffer.S
		x, y, z := all.X+wall.X, all.Y+wall.Y, all.Z+wall.Z
		p.Diagonal[i] = float32(x*x) + float32(y*y) + float32(z*z) + square
	}
}

// threadDensity and jetDensity are relative densities: a jet that is a row of particles has at
// most the first, and from the second on it has all its suction. A row has no width to
// lose, and would hang from its opening as a rope does.
const threadDensity, jetDensity = 0.42, 0.5

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
			suction := w.buffers.Suction(w.ID[i], w.Time, w.V[i], w.Gravity, w.Viscosity)
			if suction == 0 || blk.inContact(i-lo) && !atMouth(w, i) {
				continue
			}
			share := min(1, max(0, (w.Rho[i]/w.Rho0-threadDensity)/(jetDensity-threadDensity)))
			p.suction[i] = float32(share * suction)
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

// drain removes the particles that the outflows have taken since time before, and
// returns their number. If an outflow's rate is limited, the deepest go first.
func (w *World) drain(before float64) (removed int) {
	type drained struct {
		i     int32
		depth float64
	}
	for _, o := range outflow.All(w.Outflows, w.Walls) {
		quota := o.Quota(before, w.Time, w.ParticleVolume())
		if quota == 0 {
			continue
		}
		part := make([][]drained, blocks(w.Len()))
		par.Each(len(part), func(b int) {
			for i := b * blockLen; i < min(w.Len(), (b+1)*blockLen); i++ {
				if d := o.Region.Depth(w.X[i]); d > 0 {
					if n, _ := w.buffers.Holding(w.ID[i], w.Time); n == nil {
						part[b] = append(part[b], drained{int32(i), d})
					}
				}
			}
		})
		list := slices.Concat(part...)
		if len(list) > quota {
			slices.SortFunc(list, func(a, b drained) int {
				return cmp.Or(cmp.Compare(b.depth, a.depth), cmp.Compare(w.ID[a.i], w.ID[b.i]))
			})
			list = list[:quota]
			slices.SortFunc(list, func(a, b drained) int { return cmp.Compare(a.i, b.i) })
		}
		gone := make([]int32, len(list))
		for k, s := range list {
			gone[k] = s.i
		}
		w.energy.took(w, gone)
		w.Remove(gone)
		removed += len(gone)
	}
	return removed
}
