package remesh

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// reach is how many nodes a particle meets along an axis.
const reach = 4

// DepositReach is how many nodes away from a particle Deposit adds at the most.
const DepositReach = reach / 2

// weights sets w to the weights of the four nodes around a point at the share s of the way
// between the second and the third: the kernel M4′ (Monaghan, Extrapolating B splines for
// interpolation, J. Comput. Phys. 60, 1985). It keeps the sum, the mean place, and the mean
// square distance of the deposits.
func weights(w *[reach]float32, s float64) {
	r := 1 - s
	near := func(x float64) float64 { return 1 + float64(x*x*(float64(1.5*x)-2.5)) }
	far := func(x float64) float64 { return 0.5 * (2 - x) * (2 - x) * (1 - x) }
	w[0], w[1], w[2], w[3] = float32(far(1+s)), float32(near(s)), float32(near(r)), float32(far(1+r))
}

// place returns the first of the nodes that x meets, and sets the weights of them all. ok is
// false if they are not all in the lattice.
func (l *Lattice) place(x vec.Vec3, w *stencil) (first int, ok bool) {
	var axes [3][reach]float32
	step := 1
	for a, c := range x.Array() {
		c = c/l.Edge - float64(l.Low[a])
		f := math.Floor(c)
		if !(f >= 1 && f < float64(l.N[a]-2)) {
			return 0, false
		}
		first += step * (int(f) - 1)
		step *= l.N[a]
		weights(&axes[a], c-f)
	}
	w.set(&axes)
	return first, true
}

// slab is how many planes of nodes particles of one slab are between. Those of every second
// slab meet different nodes.
const slab = reach

// Deposit adds to each field of nodes what the particles at x carry of it. Particles whose
// nodes are not all in the lattice are left out.
func (l *Lattice) Deposit(to [][]float32, x []vec.Vec3, of [][]float32) {
	slabs := l.N[2]/slab + 1
	slabOf := make([]int32, len(x)) // slab of each particle, −1 for none
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			k := math.Floor(x[i].Z/l.Edge) - float64(l.Low[2])
			if slabOf[i] = -1; k >= 0 && k < float64(l.N[2]) {
				slabOf[i] = int32(k) / slab
			}
		}
	})
	first := make([]int32, slabs+1)
	for _, s := range slabOf {
		if s >= 0 {
			first[s+1]++
		}
	}
	for s := range slabs {
		first[s+1] += first[s]
	}
	next := append([]int32{}, first[:slabs]...)
	order := make([]int32, first[slabs])
	for i, s := range slabOf {
		if s >= 0 {
			order[next[s]] = int32(i)
			next[s]++
		}
	}
	row, plane := l.N[0], l.N[0]*l.N[1]
	for parity := range 2 {
		par.Each((slabs+1-parity)/2, func(c int) {
			s := 2*c + parity
			var w stencil
			for _, i := range order[first[s]:first[s+1]] {
				p, ok := l.place(x[i], &w)
				if !ok {
					continue
				}
				for f, field := range to {
					if v := of[f][i]; v != 0 {
						deposit(field[p:], &w, row, plane, v)
					}
				}
			}
		})
	}
}

// Fetch sets the numbers of particles at x to those of the fields between nodes. Outside of
// the lattice they are 0.
func (l *Lattice) Fetch(to [][]float32, x []vec.Vec3, of [][]float32) {
	row, plane := l.N[0], l.N[0]*l.N[1]
	par.For(len(x), func(lo, hi int) {
		var w stencil
		for i := lo; i < hi; i++ {
			p, ok := l.place(x[i], &w)
			for f, field := range of {
				if to[f][i] = 0; ok {
					to[f][i] = fetch(field[p:], &w, row, plane)
				}
			}
		}
	})
}
