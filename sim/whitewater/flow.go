package whitewater

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// flow is the liquid between two frames.
type flow struct {
	prev, next Frame
	dt         float64 // s
	from       []int32 // for each particle of next its index in prev, or −1
	byID, old  []uint64
	tmp        []uint64
}

// match finds the particles of next in prev.
func (f *flow) match(prev, next Frame) {
	f.prev, f.next, f.dt = prev, next, next.Time-prev.Time
	f.byID = f.sorted(f.byID, next.ID)
	f.old = f.sorted(f.old, prev.ID)
	f.from = par.Resize(f.from, next.Len())
	k := 0
	for _, key := range f.byID {
		for k < len(f.old) && f.old[k]>>32 < key>>32 {
			k++
		}
		i := uint32(key)
		f.from[i] = -1
		if k < len(f.old) && f.old[k]>>32 == key>>32 {
			f.from[i] = int32(uint32(f.old[k]))
		}
	}
}

// repeated returns a number that two particles of the next frame have, or −1.
func (f *flow) repeated() int {
	for k := 1; k < len(f.byID); k++ {
		if f.byID[k]>>32 == f.byID[k-1]>>32 {
			return int(f.byID[k] >> 32)
		}
	}
	return -1
}

// sorted returns the numbers of particles, each with its index in the low half, ascending.
// It is a radix sort, three times as fast as a comparison sort here.
func (f *flow) sorted(list []uint64, ids []uint32) []uint64 {
	list, f.tmp = par.Resize(list, len(ids)), par.Resize(f.tmp, len(ids))
	for i, id := range ids {
		list[i] = uint64(id)<<32 | uint64(i)
	}
	const bits = 11
	for shift := 32; shift < 64; shift += bits {
		var start [1 << bits]int32
		for _, v := range list {
			start[v>>shift&(1<<bits-1)]++
		}
		if len(list) > 0 && int(start[list[0]>>shift&(1<<bits-1)]) == len(list) {
			continue // all the same
		}
		sum := int32(0)
		for k, n := range start {
			start[k] = sum
			sum += n
		}
		for _, v := range list {
			k := v >> shift & (1<<bits - 1)
			f.tmp[start[k]] = v
			start[k]++
		}
		list, f.tmp = f.tmp, list
	}
	return list
}

// at returns where particle i of the next frame is at the share s of the time between the
// frames, by the cubic that has the positions and the velocities of both.
func (f *flow) at(i int, s float64) vec.Vec3 {
	x1, v1 := f.next.X[i], f.next.V[i]
	j := f.from[i]
	if j < 0 {
		return x1.Sub(v1.Mul(float64((1 - s) * f.dt)))
	}
	x0, v0 := f.prev.X[j], f.prev.V[j]
	s2, s3 := float64(s*s), float64(s*s*s)
	b := float64(3*s2) - float64(2*s3)
	c0, c1 := float64((s-float64(2*s2)+s3)*f.dt), float64((s3-s2)*f.dt)
	return vec.Vec3{
		X: x0.X + float64(b*(x1.X-x0.X)) + float64(c0*v0.X) + float64(c1*v1.X),
		Y: x0.Y + float64(b*(x1.Y-x0.Y)) + float64(c0*v0.Y) + float64(c1*v1.Y),
		Z: x0.Z + float64(b*(x1.Z-x0.Z)) + float64(c0*v0.Z) + float64(c1*v1.Z),
	}
}

// velocity returns the velocity of particle i of the next frame at the share s of the
// time between the frames.
func (f *flow) velocity(i int, s float64) vec.Vec3 {
	j := f.from[i]
	if j < 0 {
		return f.next.V[i]
	}
	return f.prev.V[j].Lerp(f.next.V[i], s)
}

// acceleration returns the mean acceleration of particle i of the next frame.
func (f *flow) acceleration(i int) vec.Vec3 {
	j := f.from[i]
	if j < 0 {
		return vec.Vec3{}
	}
	return f.next.V[i].Sub(f.prev.V[j]).Mul(1 / f.dt)
}
