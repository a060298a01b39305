package h264

// chooseInter weighs the ways to code a macroblock of a picture that is
// predicted from another.
func (m *coder) chooseInter() {
	m.low = vector{max(-4*(16*m.x+maxOutside), -maxMotion), max(-4*(16*m.y+maxOutside), -maxMotion)}
	m.high = vector{
		min(4*(16*(m.e.columns-m.x-1)+maxOutside), maxMotion),
		min(4*(16*(m.e.rows-m.y-1)+maxOutside), maxMotion),
	}
	skip := m.skipMotion()
	canSkip := m.allowed(skip)
	if canSkip {
		m.predictParts(&m.pred, parts16x16, [4]vector{skip, skip, skip, skip})
		if m.nothingLeft() {
			m.skip(skip)
			return
		}
	}

	shape, mv, cost := m.searchParts(skip)
	m.inter(shape, mv)
	if canSkip {
		m.predictParts(&m.pred, parts16x16, [4]vector{skip, skip, skip, skip})
		m.skip(skip)
	}
	m.chooseIntra(cost)
}

// skip weighs leaving the macroblock out; its prediction is in m.pred.
func (m *coder) skip(v vector) {
	t := m.start(skipped)
	t.mv = [4]vector{v, v, v, v}
	t.rec = m.pred
	t.head.u(1, 1) // about the growth of mb_skip_run; it is not written
	m.weigh()
}

// nothingLeft reports whether all levels of the source less m.pred are 0.
func (m *coder) nothingLeft() bool {
	for k, first := range firsts {
		b := (*[6]block)(m.blocks[first:])
		transform(b, &m.src, &m.pred, k, m.luma, m.luma.inter)
		if b[0].nonzero|b[1].nonzero|b[4].nonzero|b[5].nonzero != 0 {
			return false
		}
	}
	return m.codeChroma(m.start(inter)) == 0
}

// predictParts writes the prediction of a macroblock.
func (m *coder) predictParts(to *samples, shape int, mv [4]vector) {
	r := m.e.ref
	for _, p := range parts[shape] {
		v := mv[2*p.y+p.x]
		r.predictLuma(to.luma[16*8*p.y+8*p.x:], 16*m.x+8*p.x, 16*m.y+8*p.y, v, 8*p.w, 8*p.h)
		for c := range 2 {
			r.predictChroma(to.chroma[c][8*4*p.y+4*p.x:], c, 8*m.x+4*p.x, 8*m.y+4*p.y, v, 4*p.w, 4*p.h)
		}
	}
}

// inter weighs motion of the given parts.
func (m *coder) inter(shape int, mv [4]vector) {
	m.predictParts(&m.pred, shape, mv)
	t := m.start(inter)
	pattern := m.codeInterLuma(t)
	chroma := m.codeChroma(t)
	m.writeMotion(t, shape, mv)
	t.head.ue(uint32(codeInter[pattern|chroma<<4]))
	if t.delta = pattern|chroma != 0; t.delta {
		m.writeLuma(t, pattern)
		m.writeChroma(t, chroma)
	} else if shape == parts16x16 && mv[0] == m.skipMotion() {
		t.kind = skipped
	}
	coded := t.delta
	m.weigh()
	if coded { // or without its residual
		t = m.start(inter)
		t.rec = m.pred
		m.writeMotion(t, shape, mv)
		t.head.ue(uint32(codeInter[0]))
		m.weigh()
	}
}

// writeMotion writes mb_pred or sub_mb_pred of an inter macroblock.
func (m *coder) writeMotion(t *choice, shape int, mv [4]vector) {
	t.head.ue(uint32(shape))
	if shape == parts8x8 {
		t.head.u(4, 0xf) // four times sub_mb_type P_L0_8x8
	}
	for i, p := range parts[shape] {
		v := mv[2*p.y+p.x]
		expect := m.expect(&t.mv, shape, i)
		t.head.se(v.x - expect.x)
		t.head.se(v.y - expect.y)
		setPart(&t.mv, shape, i, v)
	}
}

// setPart sets the motion of part i.
func setPart(mv *[4]vector, shape, i int, v vector) {
	p := parts[shape][i]
	for y := p.y; y < p.y+p.h; y++ {
		for x := p.x; x < p.x+p.w; x++ {
			mv[2*y+x] = v
		}
	}
}
