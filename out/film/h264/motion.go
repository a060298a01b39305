package h264

import "slices"

// maxMotion bounds the motion each way, in quarters of a sample: the range of
// level 1, Table A-1, holds at every level.
const maxMotion = 4*64 - 4

// near is the motion of one neighbour, as clause 8.4.1.3.2 has it.
type near struct {
	v     vector
	there bool // coded before, in this picture
	inter bool
}

func quarter(b *macro, q int) near {
	if b == nil {
		return near{}
	}
	return near{b.mv[q], true, !b.kind.intra()}
}

// neighbours returns A, B and C of Figure 8-5 of a part, w quarters wide, of a macroblock
// whose mv is known as far as it is coded.
func (m *coder) neighbours(mv *[4]vector, x, y, w int) (a, b, c near) {
	own := func(q int) near { return near{mv[q], true, true} }
	if x > 0 {
		a = own(2 * y)
	} else {
		a = quarter(m.left, 2*y+1)
	}
	if y > 0 {
		b = own(x)
	} else {
		b = quarter(m.up, 2+x)
	}
	switch {
	case y > 0 && x+w < 2:
		c = own(1)
	case y > 0:
	case x+w < 2:
		c = quarter(m.up, 3)
	default:
		c = quarter(m.upRight, 2)
	}
	if !c.there { // D takes its place
		switch {
		case x > 0 && y > 0:
			c = own(0)
		case x > 0:
			c = quarter(m.up, 2)
		case y > 0:
			c = quarter(m.left, 1)
		default:
			c = quarter(m.upLeft, 3)
		}
	}
	return a, b, c
}

// expect returns mvpLX of part i, clause 8.4.1.3.
func (m *coder) expect(mv *[4]vector, shape, i int) vector {
	p := parts[shape][i]
	a, b, c := m.neighbours(mv, p.x, p.y, p.w)
	switch {
	case shape == parts16x8 && i == 0 && b.inter:
		return b.v
	case shape == parts16x8 && i == 1 && a.inter:
		return a.v
	case shape == parts8x16 && i == 0 && a.inter:
		return a.v
	case shape == parts8x16 && i == 1 && c.inter:
		return c.v
	}
	return median(a, b, c)
}

// median is clause 8.4.1.3.1.
func median(a, b, c near) vector {
	switch {
	case a.there && !b.there && !c.there:
		return a.v
	case a.inter && !b.inter && !c.inter:
		return a.v
	case b.inter && !a.inter && !c.inter:
		return b.v
	case c.inter && !a.inter && !b.inter:
		return c.v
	}
	middle := func(a, b, c int) int { return max(min(a, b), min(max(a, b), c)) }
	return vector{middle(a.v.x, b.v.x, c.v.x), middle(a.v.y, b.v.y, c.v.y)}
}

// skipMotion returns the motion of a macroblock that is left out, clause
// 8.4.1.1.
func (m *coder) skipMotion() vector {
	a, b, c := m.neighbours(nil, 0, 0, 2)
	if !a.there || !b.there || a.inter && a.v == (vector{}) || b.inter && b.v == (vector{}) {
		return vector{}
	}
	return median(a, b, c)
}

// allowed reports whether the macroblock may move by v.
func (m *coder) allowed(v vector) bool {
	return v.x >= m.low.x && v.x <= m.high.x && v.y >= m.low.y && v.y <= m.high.y
}

// searchParts finds motion and shape of the parts, and their cost in satd and bits.
func (m *coder) searchParts(skip vector) (shape int, mv [4]vector, cost int) {
	starts := make([]vector, 0, 8)
	starts = append(starts, vector{}, skip)
	for _, n := range []*macro{m.left, m.up, m.upRight, &m.e.before[m.y*m.e.columns+m.x]} {
		if n != nil && !n.kind.intra() {
			starts = append(starts, n.mv[3])
		}
	}
	var whole [4]vector
	v, cost := m.search(&whole, parts16x16, 0, starts)
	cost += m.lambda * ueLen(parts16x16)
	setPart(&whole, parts16x16, 0, v)
	shape, mv = parts16x16, whole

	if cost < partsPay*m.lambda {
		return shape, mv, cost
	}
	var small [4]vector
	c := m.lambda * (ueLen(parts8x8) + 4)
	for i := range 4 {
		v, more := m.about(&small, parts8x8, i, whole[0], small[max(0, i-1)])
		setPart(&small, parts8x8, i, v)
		c += more
	}
	// Halves seldom pay where quarters are far from it.
	if c > cost+8*m.lambda {
		return shape, mv, cost
	}
	if c < cost {
		shape, mv, cost = parts8x8, small, c
	}
	for s := parts16x8; s <= parts8x16; s++ {
		var half [4]vector
		c := m.lambda * ueLen(uint32(s))
		for i, p := range parts[s] {
			first, last := 2*p.y+p.x, 2*(p.y+p.h-1)+p.x+p.w-1
			v, more := m.about(&half, s, i, small[first], small[last])
			setPart(&half, s, i, v)
			if c += more; c >= cost {
				break
			}
		}
		if c < cost {
			shape, mv, cost = s, half, c
		}
	}
	return shape, mv, cost
}

// part is a part of a macroblock whose motion is looked for.
type part struct {
	*coder
	src          []byte // with 16 samples per row
	px, py, w, h int    // samples
	expect       vector
	best         vector
	least        int // the cost of best
}

func (m *coder) part(mv *[4]vector, shape, i int) part {
	p := parts[shape][i]
	return part{
		coder: m, src: m.src.luma[16*8*p.y+8*p.x:], px: 16*m.x + 8*p.x, py: 16*m.y + 8*p.y, w: 8 * p.w, h: 8 * p.h,
		expect: m.expect(mv, shape, i), least: 1 << 60,
	}
}

// bits returns the bits that the motion costs.
func (p *part) bits(v vector) int { return p.lambda * (seLen(v.x-p.expect.x) + seLen(v.y-p.expect.y)) }

// whole tries a motion of whole samples, by the sum of differences, and reports
// whether it is the best so far. The part is all of the macroblock.
func (p *part) whole(v vector) bool {
	if !p.allowed(v) {
		return false
	}
	c := p.bits(v)
	if c >= p.least {
		return false
	}
	ref := &p.e.ref.luma[0]
	c += 16 * sad(p.src, 16, ref.pix[ref.at(p.px+v.x>>2, p.py+v.y>>2):], ref.stride, (p.least-c)>>4)
	if c < p.least {
		p.best, p.least = v, c
		return true
	}
	return false
}

// fine tries a motion by satd.
func (p *part) fine(v vector) {
	if !p.allowed(v) {
		return
	}
	c := p.bits(v)
	if c >= p.least {
		return
	}
	pred, stride := p.e.ref.predict(p.buffer[:], p.px, p.py, v, p.w, p.h)
	if c += 16 * satd(p.src, 16, pred, stride, p.w, p.h, (p.least-c)>>4); c < p.least {
		p.best, p.least = v, c
	}
}

// refine tests the four neighbours of the best vector at the given distance in quarter
// samples, and then the neighbours of the best of them.
func (p *part) refine(step int) {
	before := p.best // the step before
	for range 2 {
		from := p.best
		for _, d := range [4]vector{{0, -step}, {-step, 0}, {step, 0}, {0, step}} {
			if v := from.plus(d.x, d.y); v != before {
				p.fine(v)
			}
		}
		if before = from; p.best == from {
			break
		}
	}
}

// search finds the motion of part i from the best of some starts, and its cost in satd
// and bits. It tries whole samples by hexagons, then halves and quarters by their four
// neighbours.
func (m *coder) search(mv *[4]vector, shape, i int, starts []vector) (vector, int) {
	p := m.part(mv, shape, i)
	round := func(v vector) vector { return vector{(v.x + 2) &^ 3, (v.y + 2) &^ 3} }
	p.whole(round(p.expect))
	for k, s := range starts {
		if s = round(s); (s != p.best || p.least == 1<<60) && !slices.Contains(starts[:k], s) {
			p.whole(s)
		}
	}
	// After a step only the three corners ahead are new.
	first, n := 0, len(hexagon)
	for range 12 {
		from, ahead := p.best, -1
		for k := first; k < first+n; k++ {
			d := hexagon[(k+len(hexagon))%len(hexagon)]
			if p.whole(from.plus(d.x, d.y)) {
				ahead = (k + len(hexagon)) % len(hexagon)
			}
		}
		if ahead < 0 {
			break
		}
		first, n = ahead-1, 3
	}
	from := p.best
	for _, d := range square {
		p.whole(from.plus(d.x, d.y))
	}
	p.least = 1 << 60
	p.fine(p.best)
	p.refine(2)
	p.refine(1)
	return p.best, p.least
}

// about finds the motion of part i about some motions that are known to quarters of a
// sample, and its cost: parts seldom move far from the whole.
func (m *coder) about(mv *[4]vector, shape, i int, starts ...vector) (vector, int) {
	p := m.part(mv, shape, i)
	p.fine(p.expect)
	for k, s := range starts {
		if s != p.expect && !slices.Contains(starts[:k], s) {
			p.fine(s)
		}
	}
	p.refine(2)
	p.refine(1)
	return p.best, p.least
}

// The least cost of a whole macroblock, in bits, for which its parts, and intra
// prediction, are tried. Without these bounds a rendered dam break takes a third longer,
// and 2 to 3 % less bits at equal PSNR.
const (
	partsPay  = 600
	intraPays = 300
)

// Steps of the search, in quarters of a sample.
var (
	hexagon = [6]vector{{-8, 0}, {-4, -8}, {4, -8}, {8, 0}, {4, 8}, {-4, 8}} // in the order of their directions
	square  = [8]vector{{-4, 0}, {4, 0}, {0, -4}, {0, 4}, {-4, -4}, {4, -4}, {-4, 4}, {4, 4}}
)
