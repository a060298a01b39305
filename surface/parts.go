package surface

import (
	"math"
	"math/bits"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// parts are the connected pieces of the liquid: sets of inside nodes that edges of the
// grid connect. The surface bounds exactly these, since cubes keep inside corners across
// a diagonal apart. They are found by union-find over runs of inside nodes along x.
type parts struct {
	g     *grid
	air   bool      // the parts are of the air and not of the liquid; see gaps
	first []int32   // first run of each row of each block
	of    par.Union // part of each run
	n     int
	under []int32 // part of each particle
}

// rows returns the nodes of b that belong to parts.
func (p *parts) rows(b *block) *[rows]uint16 {
	if p.air {
		return &b.air
	}
	return &b.inside
}

// none reports whether no node of b belongs to a part.
func (p *parts) none(b *block) bool {
	if p.air {
		return b.airless
	}
	return b.empty
}

// starts marks the nodes of a row where a run begins.
func starts(row uint16) uint16 { return row &^ (row << 1) }

// run returns the run that holds inside node x of row r of block b.
func (p *parts) run(b int32, r, x int) int32 {
	upTo := uint16(2<<x - 1)
	return p.first[int(b)*rows+r] + int32(bits.OnesCount16(starts(p.rows(p.g.blocks[b])[r])&upTo)) - 1
}

// find finds the parts of the liquid, or of the air, on g.
func (p *parts) find(g *grid) {
	p.g, p.n = g, 0
	p.first = resize(p.first, len(g.blocks)*rows)
	total := make([]int32, len(g.blocks)) // runs of each block
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		if p.none(b) {
			return // its runs are not asked for
		}
		first := p.first[i*rows : (i+1)*rows]
		for r, row := range p.rows(b) {
			first[r] = total[i]
			total[i] += int32(bits.OnesCount16(starts(row)))
		}
	})
	var n int32
	for i, k := range total {
		total[i], n = n, n+k
	}
	par.Each(len(g.blocks), func(i int) {
		if p.none(g.blocks[i]) {
			return
		}
		first := p.first[i*rows : (i+1)*rows]
		for r := range first {
			first[r] += total[i]
		}
	})
	p.of = par.NewUnion(p.of, int(n))
	par.Each(len(g.blocks), func(i int) {
		if !p.none(g.blocks[i]) {
			p.connect(int32(i))
		}
	})
	p.n = p.of.Number()
}

// connect unites the runs of block b with the adjacent runs in the rows above and behind,
// and in the next block along x.
func (p *parts) connect(b int32) {
	blk := p.g.blocks[b]
	for r, row := range p.rows(blk) {
		if row == 0 {
			continue
		}
		y, z := r%side, r/side
		if n := blk.next[1]; n >= 0 && row>>(side-1)&p.rows(p.g.blocks[n])[r]&1 != 0 {
			p.of.Unite(p.run(b, r, side-1), p.run(n, r, 0))
		}
		for _, o := range [...]struct{ y, z int }{{y + 1, z}, {y, z + 1}} {
			n := blk.next[o.y/side<<1|o.z/side<<2]
			if n < 0 {
				continue
			}
			q := o.z%side*side + o.y%side
			// Each stretch that both rows share unites two runs.
			for both := starts(row & p.rows(p.g.blocks[n])[q]); both != 0; both &= both - 1 {
				x := bits.TrailingZeros16(both)
				p.of.Unite(p.run(b, r, x), p.run(n, q, x))
			}
		}
	}
}

// ofNode returns the part that holds an inside node.
func (p *parts) ofNode(n end) int32 { return p.of[p.run(n.block, int(n.row), int(n.x))] }

// count returns the number of particles in each part. A particle belongs to the nearest
// inside node of the cube around it. A particle without any, which lies behind a wall,
// counts for the largest part, so none is lost.
func (p *parts) count(x []vec.Vec3) []float64 {
	p.under = resize(p.under, len(x))
	par.For(len(x), func(lo, hi int) {
		at := finder{g: p.g}
		for i := lo; i < hi; i++ {
			p.under[i] = p.ofPoint(x[i], &at)
		}
	})
	n := make([]float64, p.n)
	var lost float64
	for _, k := range p.under {
		if k < 0 {
			lost++
		} else {
			n[k]++
		}
	}
	largest := 0
	for k := range n {
		if n[k] > n[largest] {
			largest = k
		}
	}
	if p.n > 0 {
		n[largest] += lost
	}
	return n
}

// finder remembers the block asked for last.
type finder struct {
	g     *grid
	at    [3]int
	block int32
}

func (f *finder) find(x, y, z int) int32 {
	if at := [3]int{x, y, z}; at != f.at {
		f.at, f.block = at, f.g.find(x, y, z)
	}
	return f.block
}

func (p *parts) ofPoint(x vec.Vec3, at *finder) int32 {
	x = x.Mul(1 / p.g.cell)
	i, j, k := int(x.X), int(x.Y), int(x.Z)
	b := p.g.blocks[at.find(i/side, j/side, k/side)]
	// of returns the part of a node of the cube, −1 for one outside.
	of := func(u, v, w int) int32 {
		n := b.next[u/side-i/side|(v/side-j/side)<<1|(w/side-k/side)<<2]
		r := w%side*side + v%side
		if n < 0 || p.g.blocks[n].inside[r]>>(u%side)&1 == 0 {
			return -1
		}
		return p.of[p.run(n, r, u%side)]
	}
	if part := of(int(x.X+0.5), int(x.Y+0.5), int(x.Z+0.5)); part >= 0 {
		return part // of the nearest node
	}
	part, nearest := int32(-1), math.Inf(1)
	for c := range 8 {
		u, v, w := i+c&1, j+c>>1&1, k+c>>2&1
		d := x.Sub(vec.New(float64(u), float64(v), float64(w)))
		if d2 := d.Dot(d); d2 < nearest {
			if of := of(u, v, w); of >= 0 {
				part, nearest = of, d2
			}
		}
	}
	return part
}
