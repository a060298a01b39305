package par

import "sync/atomic"

// Union holds disjoint sets of the numbers from 0 on, which many goroutines may unite at
// once. It is a forest in which the parent of a number is smaller, and the root is the
// least of its set. So who leads does not depend on the order.
type Union []int32

// NewUnion returns n sets of one number each, in the memory of u if that
// suffices.
func NewUnion(u Union, n int) Union {
	u = Resize(u, n)
	For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			u[i] = int32(i)
		}
	})
	return u
}

// Unite makes one of the sets of i and j.
func (u Union) Unite(i, j int32) {
	for {
		i, j = u.lead(i), u.lead(j)
		if i == j {
			return
		}
		if i > j {
			i, j = j, i
		}
		if atomic.CompareAndSwapInt32(&u[j], j, i) {
			return
		}
	}
}

// lead returns the least number of i's set, as far as it is united.
func (u Union) lead(i int32) int32 {
	for {
		up := atomic.LoadInt32(&u[i])
		if up == i {
			return i
		}
		over := atomic.LoadInt32(&u[up])
		if over == up {
			return up
		}
		atomic.CompareAndSwapInt32(&u[i], up, over) // half the way for the next
		i = over
	}
}

// Number replaces each element by the number of its set, and returns the number of sets.
// The sets count from 0 in the order of their roots. u is no longer a forest after it.
func (u Union) Number() (sets int) {
	for i, up := range u {
		if up == int32(i) {
			u[i] = int32(sets)
			sets++
		} else {
			u[i] = u[up] // which came before, and is done
		}
	}
	return sets
}
