package multipole

import "breakwater/sim/par"

// blocks calls f on consecutive blocks [lo, hi) that cover [0, n), in parallel.
func blocks(n, size int, f func(lo, hi int)) {
	par.Each((n+size-1)/size, func(b int) { f(b*size, min(n, (b+1)*size)) })
}

// upward sets f.out to the moments of all cells.
func (f *Field) upward(t *tables) {
	width := 3 * t.stride
	f.out = par.Resize(f.out, len(f.cells)*width)
	for level := len(f.levels) - 2; level >= 0; level-- {
		lo := f.levels[level]
		blocks(f.levels[level+1]-lo, 16, func(a, b int) {
			h, sum := make([]float64, t.n), make([]float64, width)
			for i := lo + a; i < lo+b; i++ {
				c := &f.cells[i]
				m := f.out[i*width : (i+1)*width]
				clear(m)
				if !c.split {
					f.moments(m, c, t, h, sum)
					continue
				}
				for o, j := range c.child {
					if j != 0 && f.cells[j].sources.len() > 0 {
						apply(m, f.out[int(j)*width:], t.up[o], t.n, t.stride)
					}
				}
			}
		})
	}
}

// moments sets m to the moments of the particles in a cell. H and sum are work space.
func (f *Field) moments(m []float32, c *cell, t *tables, h, sum []float64) {
	clear(sum)
	middle, e := f.center(c)
	x, y, z := sum[:t.n], sum[t.stride:][:t.n], sum[2*t.stride:][:t.n]
	for j := c.sources.lo; j < c.sources.hi; j++ {
		d, a := f.sorted.X[j].Sub(middle).Mul(1/e), f.sorted.Alpha[j]
		regular(h, t.p, d.X, d.Y, d.Z)
		for k, v := range h {
			x[k] += float64(a.X * v)
			y[k] += float64(a.Y * v)
			z[k] += float64(a.Z * v)
		}
	}
	for k, v := range sum {
		m[k] = float32(v)
	}
}

// block is how many cells gather at a time. Each map is then read once for all of them.
const block = 32

// downward sets f.in to the local expansions of all cells with points.
func (f *Field) downward(t *tables) {
	width := 3 * t.stride
	f.in = par.Resize(f.in, len(f.cells)*width)
	type pair struct{ target, source int32 }
	for level := 0; level+1 < len(f.levels); level++ {
		lo := f.levels[level]
		blocks(f.levels[level+1]-lo, block, func(a, b int) {
			var list []pair
			var slots []int16
			var first [len(t.far) + 1]int32
			for i := lo + a; i < lo+b; i++ {
				c := &f.cells[i]
				into := f.in[i*width : (i+1)*width]
				clear(into)
				if c.points.len() == 0 || level == 0 {
					continue
				}
				p := &f.cells[c.parent]
				for o, j := range p.child {
					if int(j) == i {
						apply(into, f.in[int(c.parent)*width:], t.down[o], t.n, t.stride)
					}
				}
				for _, j := range f.cousins(c) {
					d := &f.cells[j]
					x, y, z := c.at[0]-d.at[0], c.at[1]-d.at[1], c.at[2]-d.at[2]
					if d.sources.len() == 0 || touch(x, y, z) {
						continue
					}
					s := slot(x, y, z)
					list, slots = append(list, pair{int32(i), j}), append(slots, int16(s))
					first[s+1]++
				}
			}
			for s := range t.far {
				first[s+1] += first[s]
			}
			next, sorted := first, make([]pair, len(list))
			for k, s := range slots {
				sorted[next[s]] = list[k]
				next[s]++
			}
			for s, m := range t.far {
				for _, p := range sorted[first[s]:first[s+1]] {
					apply(f.in[int(p.target)*width:], f.out[int(p.source)*width:], m, t.n, t.stride)
				}
			}
		})
	}
}
