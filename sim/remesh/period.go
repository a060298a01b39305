package remesh

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Halo is how many nodes on each side of an axis that repeats are copies of others. So all loops over
// neighbours are the same for all axes, and their results are right at all nodes that are not copies,
// as long as Wrap has set the copies of what they read.
const Halo = FineMargin

// Repeat makes the nodes along an axis repeat after n, n ≥ Halo. They begin at lo, in m, or just above.
func (l *Lattice) Repeat(axis int, lo float64, n int) {
	l.Low[axis] = int(math.Ceil(lo/l.Edge-1e-6)) - Halo
	l.N[axis], l.Period[axis] = n+2*Halo, n
}

// Copies returns how many nodes on each side of an axis are copies.
func (l *Lattice) Copies(axis int) int {
	if l.Period[axis] > 0 {
		return Halo
	}
	return 0
}

// Repeats reports whether any axis repeats.
func (l *Lattice) Repeats() bool { return l.Period != [3]int{} }

// Own reports whether node p is not a copy.
func (l *Lattice) Own(p int) bool { return !l.Repeats() || l.own(p) }

func (l *Lattice) own(p int) bool {
	for a, i := range [3]int{p % l.N[0], p / l.N[0] % l.N[1], p / (l.N[0] * l.N[1])} {
		if c := l.Copies(a); i < c || i >= l.N[a]-c {
			return false
		}
	}
	return true
}

// Home moves places to where they are within the period.
func (l *Lattice) Home(x []vec.Vec3) {
	if !l.Repeats() {
		return
	}
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := x[i].Array()
			for a, n := range l.Period {
				if n == 0 {
					continue
				}
				from, long := float64(float64(l.Low[a]+Halo)*l.Edge), float64(float64(n)*l.Edge)
				if at[a] < from || at[a] >= from+long {
					at[a] -= float64(long * math.Floor((at[a]-from)/long))
				}
			}
			x[i] = vec.New(at[0], at[1], at[2])
		}
	})
}

// Wrap sets the copies of fields.
func (l *Lattice) Wrap(fields ...[]float32) {
	for _, f := range fields {
		for a := range l.Period {
			l.copies(f, a, func(own, image []float32) { copy(image, own) })
		}
	}
}

// Fold adds what was left at copies to their nodes, and sets the copies.
func (l *Lattice) Fold(fields ...[]float32) {
	for _, f := range fields {
		for a := 2; a >= 0; a-- {
			l.copies(f, a, func(own, image []float32) {
				for i, v := range image {
					own[i] += v
				}
			})
		}
	}
	l.Wrap(fields...)
}

// Lone sets the copies of a field to 0.
func (l *Lattice) Lone(f []float32) {
	for a := range l.Period {
		l.copies(f, a, func(_, image []float32) { clear(image) })
	}
}

// copies calls do for all runs of copies along an axis, with the nodes that they are copies of, in
// parallel for runs that share none.
func (l *Lattice) copies(f []float32, axis int, do func(own, image []float32)) {
	n := l.Period[axis]
	if n == 0 {
		return
	}
	run, all := l.steps()[axis], l.N[axis]
	block := run * all
	if axis == 2 { // whose blocks are one: go along y as well
		row := l.N[0]
		par.Each(l.N[1], func(j int) { copiesOf(f[j*row:], run, row, n, do) })
		return
	}
	par.Each(l.Len()/block, func(b int) { copiesOf(f[b*block:], run, run, n, do) })
}

// copiesOf calls do for the copies along one axis, of the first count numbers of layers that are step apart.
func copiesOf(f []float32, step, count, n int, do func(own, image []float32)) {
	for k := range Halo {
		do(f[(k+n)*step:][:count], f[k*step:][:count])
		do(f[(k+Halo)*step:][:count], f[(k+Halo+n)*step:][:count])
	}
}
