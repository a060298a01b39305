package inflow

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Buffers are the nozzles of a world's inflows, and the particles in their buffers. A
// particle's number says which column of which nozzle it has come by.
type Buffers struct {
	Nozzles []*Nozzle
	first   uint32 // number of the first particle that is not there at the start
}

// Open makes the nozzles of inflows for particles d apart. It returns the walls with the
// openings in the sides of tanks, and with a pipe for each other nozzle.
func Open(inflows []Inflow, walls []boundary.Boundary, d float64) (b Buffers, all []boundary.Boundary, err error) {
	columns := 0
	for i, in := range inflows {
		n, err := in.Nozzle(d)
		if err != nil {
			return b, nil, fmt.Errorf("inflow %d: %w", i+1, err)
		}
		n.first = uint32(columns)
		columns += len(n.Columns)
		b.Nozzles = append(b.Nozzles, n)
	}
	all = slices.Clone(walls)
	for i, n := range b.Nozzles {
		n.step = uint32(columns)
		if k := inflows[i].Host(walls, d); k >= 0 {
			n.Flush = true
			all[k] = addInlet(all[k], &inflows[i], n, d)
			continue
		}
		u, v := n.Dir.LevelBasis()
		all = append(all, &Pipe{Nozzle: n, opening: inflows[i].Opening, u: u, v: v, d: d})
	}
	return b, all, nil
}

// Fill adds the particles in the buffers at the start to s, which holds all particles that
// are not of an inflow.
func (b *Buffers) Fill(s *particle.Set, rho float64) error {
	b.first = 0
	for _, id := range s.ID {
		b.first = max(b.first, id+1)
	}
	_, err := b.Feed(s, rho, math.Inf(-1), 0)
	return err
}

// Column returns the nozzle and the column that the particle with this number
// has come by, and its layer; nil for one that was there at the start.
func (b *Buffers) Column(id uint32) (*Nozzle, *Column, uint32) {
	if len(b.Nozzles) == 0 || id < b.first {
		return nil, nil, 0
	}
	k := (id - b.first) % b.Nozzles[0].step
	layer := (id - b.first) / b.Nozzles[0].step
	i := len(b.Nozzles) - 1
	for b.Nozzles[i].first > k {
		i--
	}
	n := b.Nozzles[i]
	return n, &n.Columns[k-n.first], layer
}

// Holding returns the nozzle in whose buffer the particle with this number is at
// time t, and its column; nil for one that is free.
func (b *Buffers) Holding(id uint32, t float64) (*Nozzle, *Column) {
	if n, c, layer := b.Column(id); n != nil && n.distance(c, layer, t) < 0 {
		return n, c
	}
	return nil, nil
}

// IsNear reports whether x is before an opening, no farther than r from it.
func (b *Buffers) IsNear(x vec.Vec3, r float64) bool {
	return slices.ContainsFunc(b.Nozzles, func(n *Nozzle) bool { return n.IsBefore(x, r) })
}

// ReleaseTime returns when the particle with this number passes its opening, s: 0 for one
// that is there at the start.
func (b *Buffers) ReleaseTime(id uint32) float64 {
	n, c, layer := b.Column(id)
	if n == nil {
		return 0
	}
	return n.Start + n.delay(c, layer)
}

// Velocity returns the velocity, m/s, of a particle in a buffer in a step from t to t+dt.
func (b *Buffers) Velocity(id uint32, t, dt float64) vec.Vec3 {
	n, c := b.Holding(id, t)
	return n.Dir.Mul(c.Speed * n.within(t, dt))
}

// EndVelocity returns the velocity, m/s, with which a particle that was in a buffer at t
// ends a step of dt. A particle that leaves it has the speed of its column, however short
// a part of the step the flow was on. Otherwise the next particles would push it aside.
func (b *Buffers) EndVelocity(id uint32, t, dt float64) vec.Vec3 {
	n, c, layer := b.Column(id)
	if n.distance(c, layer, t+dt) >= 0 {
		return n.Dir.Mul(c.Speed)
	}
	return b.Velocity(id, t, dt)
}

// Drive sets the velocities of the particles in the buffers for a step of dt. It returns
// the change of the sum of their squares, m²/s².
func (b *Buffers) Drive(s *particle.Set, t, dt float64) (change float64) {
	if len(b.Nozzles) == 0 {
		return 0
	}
	return par.Sum(s.Len(), func(lo, hi int) (change float64) {
		for i := lo; i < hi; i++ {
			if n, _ := b.Holding(s.ID[i], t); n != nil {
				change -= s.V[i].Dot(s.V[i])
				s.V[i] = b.Velocity(s.ID[i], t, dt)
				change += s.V[i].Dot(s.V[i])
			}
		}
		return change
	})
}

// Driven appends to dst the particles lo ≤ i < hi that are in a buffer at t.
func (b *Buffers) Driven(dst []int32, s *particle.Set, t float64, lo, hi int) []int32 {
	for i := lo; i < hi; i++ {
		if n, _ := b.Holding(s.ID[i], t); n != nil {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// Feed adds to s the particles, of the density rho, that have come after time from and up
// to time to, and returns their number.
func (b *Buffers) Feed(s *particle.Set, rho, from, to float64) (added int, err error) {
	for _, n := range b.Nozzles {
		for i := range n.Columns {
			c := &n.Columns[i]
			layer := uint32(0)
			if !math.IsInf(from, -1) {
				layer = n.layers(c, from)
			}
			for end := n.layers(c, to); layer < end; layer++ {
				id := uint64(b.first) + uint64(n.first) + uint64(i) + uint64(layer)*uint64(n.step)
				if id > math.MaxUint32 {
					return added, fmt.Errorf("at %g s: the inflows have used up all particle numbers", to)
				}
				v := 0.
				if n.Start <= to && to < n.Stop {
					v = c.Speed
				}
				s.Add(c.At.Add(n.Dir.Mul(n.distance(c, layer, to))), n.Dir.Mul(v), rho, uint32(id))
				added++
			}
		}
	}
	return added, nil
}
