package validate

import (
	"breakwater/sim/fft"
	"breakwater/sim/remesh"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// nodes has the vorticity and the velocity of a gas at the nodes of a box that may repeat along some axes.
type nodes struct {
	lattice remesh.Lattice
	space   *fft.Space
	w, u    [3][]float32 // 1/s and m/s
}

// newNodes returns nodes in a box. Along axes that repeat, the box is a multiple of 8 cells long.
func newNodes(box vec.Box, cell float64, repeats [3]bool) *nodes {
	n := &nodes{lattice: remesh.Fit(box, cell, fft.Border, func(_, n int) int { return fft.Smooth(n, fft.Lanes) })}
	for a, on := range repeats {
		if on {
			_, count := vortex.PeriodNodes(box.Size().Array()[a], cell)
			n.lattice.Repeat(a, box.Min.Array()[a], count)
		}
	}
	n.space = fft.NewPeriodicSpace(n.lattice.N, repeats)
	for a := range n.w {
		n.w[a], n.u[a] = make([]float32, n.lattice.Len()), make([]float32, n.lattice.Len())
	}
	return n
}

// set takes the vorticity of a gas, and the velocity that follows from it.
func (n *nodes) set(f *vortex.Flow) {
	edge := n.lattice.Edge
	var of [3][]float32
	for i := range f.Vortons.X {
		for a, w := range f.Vortons.Strength(i).Array() {
			of[a] = append(of[a], float32(w/(edge*edge*edge)))
		}
	}
	for _, list := range n.w {
		clear(list)
	}
	n.lattice.Deposit(n.w[:], f.Vortons.X, of[:])
	n.lattice.Fold(n.w[:]...)
	var u, w [3]fft.Field
	for a := range n.u {
		for p, v := range n.w[a] {
			n.u[a][p] = float32(edge * float64(v))
		}
		u[a], w[a] = n.u[a], n.u[a]
	}
	n.space.Curl(u, w, nil)
	n.lattice.Wrap(n.u[:]...)
}

// square returns the mean of the square of a field over the box.
func (n *nodes) square(of *[3][]float32) float64 {
	sum, count := 0., 0.
	for p := range n.lattice.Len() {
		if n.lattice.Own(p) {
			count++
			for _, list := range of {
				sum += float64(float64(list[p]) * float64(list[p]))
			}
		}
	}
	return sum / count
}

// velocity returns the velocity of the vorticity at places.
func (n *nodes) velocity(x []vec.Vec3) []vec.Vec3 {
	var u [3][]float32
	for a := range u {
		u[a] = make([]float32, len(x))
	}
	n.lattice.Fetch(u[:], x, n.u[:])
	v := make([]vec.Vec3, len(x))
	for i := range v {
		v[i] = vec.New(float64(u[0][i]), float64(u[1][i]), float64(u[2][i]))
	}
	return v
}
