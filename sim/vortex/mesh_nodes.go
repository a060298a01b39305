package vortex

import (
	"math"
	"slices"

	"breakwater/sim/fft"
	"breakwater/sim/par"
	"breakwater/sim/remesh"
	"breakwater/sim/vec"
)

// extent returns the box of all that must have nodes: vortons, tracers, sources and bodies,
// in the box of the user.
func (s *Mesh) extent(f *Flow) vec.Box {
	box := remesh.Bounds(s.x).Union(remesh.Bounds(f.Tracers.X))
	for i := range f.Sources {
		if x := &f.Sources[i]; f.Time < x.Stop {
			box = box.Union(x.Region.Bounds())
		}
	}
	for _, b := range f.Bodies {
		if !b.Hole && b.Endless == nil {
			solid := b.Bounds()
			if s.Repeats != [3]bool{} { // a solid through the range may be much longer than wide
				solid = b.Extent()
			}
			box = box.Union(solid)
		}
	}
	return box.Intersect(s.box())
}

// carryAt counts nodes of sources and of bodies that conduct heat among those that may carry heat or mixture.
func (s *Mesh) carryAt(f *Flow) {
	for i := range f.Sources {
		s.carriers = s.carriers.Union(s.lattice.Around(f.Sources[i].Region.Bounds(), 0))
	}
	for _, b := range f.Bodies {
		if b.Conductance > 0 {
			s.carriers = s.carriers.Union(s.lattice.Around(s.reachOf(b), 0))
		}
	}
}

// forCarriers calls f for rows of nodes in parallel: of those that may carry heat or mixture, and of some more
// around them. All others carry none.
func (s *Mesh) forCarriers(more int, f func(lo, hi int)) {
	block := s.lattice.Grown(s.carriers, more)
	par.For(s.lattice.Len(), func(lo, hi int) { s.lattice.Rows(block, lo, hi, f) })
}

// sumCarriers returns the sum of f over the nodes that may carry heat or mixture. It has the bits of the sum over
// all nodes if f is 0 for all others.
func (s *Mesh) sumCarriers(f func(p int) float64) float64 {
	return par.Sum(s.lattice.Len(), func(lo, hi int) (sum float64) {
		s.lattice.Rows(s.carriers, lo, hi, func(p, q int) {
			for ; p < q; p++ {
				sum += f(p)
			}
		})
		return sum
	})
}

// toNodes sets the first channels of the nodes to what vortons at x carry of them.
func (s *Mesh) toNodes(x []vec.Vec3, of [][]float32) {
	s.cleared(s.node[:len(of)])
	s.carriers = s.lattice.Around(remesh.Bounds(x), remesh.DepositReach)
	if !s.Expansion {
		s.lattice.Deposit(s.node[:len(of)], x, of)
		s.lattice.Fold(s.node[:len(of)]...)
		return
	}
	// Vortons that grow apart leave ripples in sums, but not in means.
	s.room = par.Resize(s.room, s.lattice.Len())
	clear(s.room)
	conserve := s.conserves() && len(of) > heatExcess
	if conserve {
		of = s.masses(of)
	}
	fields := append(s.node[:len(of):len(of)], s.room)
	s.lattice.Deposit(fields, x, append(of[:len(of):len(of)], s.volume))
	s.lattice.Fold(fields...)
	if conserve && len(of) == channels {
		s.level()
	} else {
		for _, list := range s.node[heatExcess:len(of)] {
			s.forCarriers(0, func(lo, hi int) {
				for p := lo; p < hi; p++ {
					list[p] /= max(leastRoom, s.room[p])
				}
			})
		}
	}
	if conserve {
		s.fromMasses(len(of))
	}
}

// leastRoom is the share of a cell below which vortons do not fill it, because gas that
// carries nothing has none.
const leastRoom = 0.7

// cleared makes each list a zero for each node.
func (s *Mesh) cleared(lists [][]float32) {
	for c := range lists {
		lists[c] = par.Resize(lists[c], s.lattice.Len())
		clear(lists[c])
	}
}

// sources keeps the heat and the mixture of sources at their nodes at a time, but for burners. Where a part is
// too short for all of the heat, the mixture comes as slowly: burnt gas that became fuel at
// once would burn again while it is hot.
func (s *Mesh) sources(f *Flow, gas *Gas, t float64) {
	s.open = par.Resize(s.open, len(f.Sources))
	for i := range f.Sources {
		x := &f.Sources[i]
		if s.open[i] = t >= x.Start && t < x.Stop; !s.open[i] || x.Burner {
			continue
		}
		heat := float32(x.Temperature - gas.Temperature)
		s.lattice.Inside(x.Region.Bounds(), func(_, p, q int) {
			for ; p < q; p++ {
				if x.Region.Contains(s.lattice.At(p)) {
					from := s.node[heatExcess][p]
					s.node[heatExcess][p] = s.heated(gas, from, heat)
					share := float32(1)
					if s.node[heatExcess][p] != heat {
						share = (s.node[heatExcess][p] - from) / (heat - from)
					}
					for c, to := range [3]float64{x.Mix.Fuel, x.Mix.Flame, x.Mix.Smoke} {
						of := &s.node[fuelShare+c][p]
						*of += float32(share * (float32(to) - *of))
					}
				}
			}
		})
	}
	s.lattice.Wrap(s.node[heatExcess:]...)
}

// Nodes returns the number of nodes of the lattice in the last part of a step.
func (s *Mesh) Nodes() int { return s.lattice.Len() }

// GrownNodes returns how many nodes the lattice of the last part would have about, if the gas filled
// more times its volume in the same shape, within the box of Low and High, and had cells that are
// finer times as small.
func (s *Mesh) GrownNodes(more, finer float64) float64 {
	wider, nodes, box := math.Cbrt(more), 1., s.box().Size().Array()
	for a, n := range s.lattice.N {
		if s.Repeats[a] {
			nodes *= float64(n) * finer
			continue
		}
		filled := max(1, float64(n-2*latticeMargin))
		nodes *= float64(2*latticeMargin) + float64(finer*min(filled*wider, max(filled, box[a]/s.Cell)))
	}
	return nodes
}

// space returns the solver of Poisson's equation for the lattice. The last few are kept.
func (s *Mesh) space() *fft.Space {
	const most = 4
	n := s.lattice.N
	if s.spaces[n] == nil {
		if len(s.spaces) >= most || s.spaces == nil {
			s.spaces = map[[3]int]*fft.Space{}
		}
		s.spaces[n] = fft.NewPeriodicSpace(n, s.Repeats)
	}
	return s.spaces[n]
}

// velocity sets u to the velocity of the vorticity at the nodes.
func (s *Mesh) velocity() {
	var u, w [3]fft.Field
	edge := float32(s.Cell)
	for a := range s.u {
		s.u[a] = par.Resize(s.u[a], s.lattice.Len())
		to, from := s.u[a], s.node[a]
		par.For(len(to), func(lo, hi int) {
			for p := lo; p < hi; p++ {
				to[p] = edge * from[p]
			}
		})
		u[a] = to
		w[a] = u[a]
	}
	s.space().Curl(u, w, nil)
	s.lattice.Wrap(s.u[:]...)
	s.addExpansion()
}

// vorticity returns the vorticity at the nodes.
func (s *Mesh) vorticity() remesh.Vector { return remesh.Vector(s.node[:3]) }

// project replaces the vorticity by the curl of its velocity, which has no sources. The differences
// are the velocity's own, of the order 10, and take 1.4 % of waves 4 cells long in each part of a step.
// Differences of the fourth order take 15 %: a viscosity that grows with the number of parts. What is new at
// nodes that were empty stays: without it, the impulse of Hill's vortex grows by 0.4 % at 12 cells.
func (s *Mesh) project() {
	w := s.vorticity()
	s.lattice.FineCurl(w, s.u, 1)
	s.lattice.Wrap(w[:]...)
}

// steadySpread is the product of a diffusivity and a time, over the square of an edge, for
// which differences of the fourth order are stable.
const steadySpread = 0.1

// longest returns the longest part of a step that resolves the flow, s.
func (s *Mesh) longest(gas *Gas) float64 {
	w := s.vorticity()
	square := func(v *remesh.Vector, p int) float64 {
		return float64(float64(v[0][p])*float64(v[0][p])) + float64(float64(v[1][p])*float64(v[1][p])) + float64(float64(v[2][p])*float64(v[2][p]))
	}
	n := s.lattice.Len()
	turning := math.Sqrt(par.Max(n, 0, func(lo, hi int) (most float64) {
		for p := lo; p < hi; p++ {
			most = max(most, square(&w, p))
		}
		return most
	}))
	speed := gas.Wind.Len() + math.Sqrt(par.Max(n, 0, func(lo, hi int) (most float64) {
		for p := lo; p < hi; p++ {
			most = max(most, square(&s.u, p))
		}
		return most
	}))
	h := min(s.Turn/turning, (farthestMove-1)*s.Cell/speed)
	if !s.splits() {
		h = min(h, steadySpread*s.Cell*s.Cell/max(gas.Viscosity, gas.Conduction))
	}
	return h
}

// remesh makes vortons of the nodes that carry something.
func (s *Mesh) remesh() {
	w := s.vorticity()
	n := s.lattice.Len()
	size := func(p int) float32 {
		return float32(math.Sqrt(float64(float32(w[0][p]*w[0][p]) + float32(w[1][p]*w[1][p]) + float32(w[2][p]*w[2][p]))))
	}
	most := func(of func(p int) float32) float32 {
		return float32(s.Keep * par.Max(n, 0, func(lo, hi int) (most float64) {
			for p := lo; p < hi; p++ {
				most = max(most, float64(of(p)))
			}
			return most
		}))
	}
	heat := func(p int) float32 { return max(s.node[heatExcess][p], -s.node[heatExcess][p]) }
	leastTurn, leastHeat, leastShare := most(size), most(heat), float32(s.Keep)
	full := func(p int) bool {
		return size(p) > leastTurn || heat(p) > leastHeat || s.node[fuelShare][p] > leastShare || s.node[flameShare][p] > leastShare
	}
	if s.Expansion {
		full = s.widened(full)
	}
	grain := s.lattice.N[0] * s.lattice.N[1]
	first := make([]int, s.lattice.N[2]+1)
	edge := [3]int{} // nodes next to a side that stay empty, or are copies
	for a := range edge {
		if edge[a] = fft.Border + 2; s.Repeats[a] {
			edge[a] = remesh.Halo
		}
	}
	each := func(k int, f func(p int)) {
		if k < edge[2] || k >= s.lattice.N[2]-edge[2] {
			return
		}
		for j := edge[1]; j < s.lattice.N[1]-edge[1]; j++ {
			row := k*grain + j*s.lattice.N[0]
			for p := row + edge[0]; p < row+s.lattice.N[0]-edge[0]; p++ {
				if full(p) && s.fade(s.lattice.At(p)) > 0 {
					f(p)
				}
			}
		}
	}
	par.Each(s.lattice.N[2], func(k int) { each(k, func(int) { first[k+1]++ }) })
	for k := range s.lattice.N[2] {
		first[k+1] += first[k]
	}
	total := first[s.lattice.N[2]]
	s.x, s.index = par.Resize(s.x, total), par.Resize(s.index, total)
	for c := range s.now {
		s.now[c] = par.Resize(s.now[c], total)
	}
	par.Each(s.lattice.N[2], func(k int) {
		i := first[k]
		each(k, func(p int) {
			s.x[i], s.index[i] = s.lattice.At(p), int32(p)
			share := float32(s.fade(s.x[i]))
			for c := range s.now {
				s.now[c][i] = float32(share * s.node[c][p])
			}
			i++
		})
	})
}

// widened returns a function that reports whether a node is full, or near one that is. So
// vortons fill the cells around all that carry something.
func (s *Mesh) widened(full func(p int) bool) func(p int) bool {
	n := s.lattice.Len()
	now, next := par.Resize(s.wide[0], n), par.Resize(s.wide[1], n)
	par.For(n, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			now[p] = full(p)
		}
	})
	for _, step := range []int{1, s.lattice.N[0], s.lattice.N[0] * s.lattice.N[1]} {
		par.For(n, func(lo, hi int) {
			for p := lo; p < hi; p++ {
				next[p] = slices.ContainsFunc([]int{p - 2*step, p - step, p, p + step, p + 2*step}, func(q int) bool { return q >= 0 && q < n && now[q] })
			}
		})
		now, next = next, now
	}
	s.wide = [2][]bool{now, next}
	return func(p int) bool { return now[p] }
}

// fadeWidth is the width, in cells, over which the gas fades at the sides of the box.
const fadeWidth = 4

// fade returns the share of what the gas carries at x that stays in a part of a step.
func (s *Mesh) fade(x vec.Vec3) float64 {
	if s.Low == s.High {
		return 1
	}
	share := 1.
	lo, hi, at := s.Low.Array(), s.High.Array(), x.Array()
	for a := range at {
		if !s.Repeats[a] {
			share = min(share, min(at[a]-lo[a], hi[a]-at[a])/(fadeWidth*s.Cell))
		}
	}
	return max(0, share)
}

// clip removes tracers outside of the box.
func (s *Mesh) clip(f *Flow) {
	if s.Low != s.High {
		box := s.box()
		f.Tracers.Keep(func(i int) bool { return box.Contains(f.Tracers.X[i]) })
	}
}
