package h264

// chooseIntra tries intra prediction. It does not if limit, the cost of prediction from
// another picture in satd and bits, is small, or if the better of its kinds is clearly
// worse.
func (m *coder) chooseIntra(limit int) {
	if limit < intraPays*m.lambda {
		return
	}
	luma := &m.e.next.luma[0]
	m.edgesY.read(luma, 16*m.x, 16*m.y, 16)
	best16, mode16 := 1<<60, 0
	var pred [256]byte
	for mode := range 4 {
		if !m.edgesY.predict16(&pred, mode) {
			continue
		}
		cost := m.lambda * ueLen(uint32(mode))
		cost += 16 * satd(m.src.luma[:], 16, pred[:], 16, 16, 16, (best16-cost)>>4)
		if cost < best16 {
			best16, mode16 = cost, mode
			m.pred.luma = pred
		}
	}
	// 4×4 seldom saves more than a third of the cost of 16×16.
	if best16*2 > limit*3 {
		return
	}
	modeC := m.chromaIntra()
	m.intra16(mode16, modeC)
	m.intra4(modeC)
}

// chromaIntra predicts chroma by the best mode, and returns it.
func (m *coder) chromaIntra() (mode int) {
	r := m.e.next
	m.edgesCb.read(&r.chroma[0], 8*m.x, 8*m.y, 8)
	m.edgesCr.read(&r.chroma[1], 8*m.x, 8*m.y, 8)
	best := 1 << 60
	var pred [2][64]byte
	for k := range 4 {
		if !m.edgesCb.predictChroma(&pred[0], k) || !m.edgesCr.predictChroma(&pred[1], k) {
			continue
		}
		cost := m.lambda * ueLen(uint32(k))
		for c := range pred {
			cost += 16 * satd(m.src.chroma[c][:], 8, pred[c][:], 8, 8, 8, (best-cost)>>4)
		}
		if cost < best {
			best, mode = cost, k
			m.pred.chroma = pred
		}
	}
	return mode
}

// intra16 weighs 16×16 prediction, which is in m.pred.
func (m *coder) intra16(mode, modeC int) {
	t := m.start(intra16)
	q := m.luma
	m.transformLuma(q.intra)
	ac := uint16(0)
	var dc [16]int32
	for k := range m.blocks {
		b := &m.blocks[k]
		b.nonzero &^= 1
		ac |= b.nonzero
		dc[int(blockY[k])+int(blockX[k])/4] = int32(b.dc)
	}
	hadamard4(&dc)
	var first block
	var back [16]int32
	for i, at := range zigzag {
		// Halved here, since hadamard4 both ways has a gain of 16.
		back[at] = level((dc[at]+1)>>1, int32(q.scale[0]), 2*q.intra, q.shift+1)
		first.put(i, back[at])
	}
	hadamard4(&back)
	for k := 0; k < 16; k += 2 {
		x, y := int(blockX[k]), int(blockY[k])
		two := [2]int32{(back[y+x/4]*q.step[0] + 2) >> 2, (back[y+x/4+1]*q.step[0] + 2) >> 2} // equations 8-321 and 8-322
		rebuild(t.rec.luma[16*y+x:], m.pred.luma[16*y+x:], 16, (*[2]block)(m.blocks[k:]), q, &two)
	}
	chroma := m.codeChroma(t)

	typ := 1 + mode + 4*chroma // Table 7-11
	if ac != 0 {
		typ += 12
	}
	t.head.ue(uint32(m.intraType() + typ))
	t.head.ue(uint32(modeC))
	t.delta = true
	t.tail.residual(&first, 0, 16, m.context(t, 0, 4, 0, 0))
	if ac != 0 {
		for k := range 16 {
			x, y := int(blockX[k])/4, int(blockY[k])/4
			t.count[4*y+x] = uint8(t.tail.residual(&m.blocks[k], 1, 15, m.context(t, 0, 4, x, y)))
		}
	}
	m.writeChroma(t, chroma)
	m.weigh()
}

// intraType returns mb_type of the first kind of intra macroblock, which
// follow the inter ones in Table 7-13.
func (m *coder) intraType() int {
	if m.e.predicted {
		return 5
	}
	return 0
}

// intra4 evaluates 4×4 prediction of luma; the prediction of chroma is in m.pred.
func (m *coder) intra4(modeC int) {
	t := m.start(intra4)
	q := m.luma
	var c canvas
	c.read(&m.e.next.luma[0], 16*m.x, 16*m.y)
	pattern := 0
	t.head.ue(uint32(m.intraType()))
	for k := range 16 {
		x, y := int(blockX[k]), int(blockY[k])
		src := m.src.luma[16*y+x:]
		e := c.edge(k)
		expected := m.expectedMode(t, x/4, y/4)
		var can [modes4]bool
		for mode := range modes4 {
			can[mode] = e.predict(&m.pred4[mode], mode)
		}
		satd4(&m.cost4, src, 16, &m.pred4, modes4)
		best, bestMode := 1<<60, 0
		for mode := range modes4 {
			cost := 16*int(m.cost4[mode]) + 4*m.lambda
			if mode == expected {
				cost -= 3 * m.lambda
			}
			if can[mode] && cost < best {
				best, bestMode = cost, mode
			}
		}
		pred := &m.pred4[bestMode]
		t.mode4[y+x/4] = uint8(bestMode)
		if bestMode == expected {
			t.head.u(1, 1)
		} else {
			if bestMode > expected {
				bestMode--
			}
			t.head.u(4, uint32(bestMode))
		}
		b := &m.blocks[k]
		transform4(b, src, pred, q, q.intra)
		if b.nonzero != 0 {
			pattern |= 1 << (k / 4)
		}
		rebuild4(t.rec.luma[16*y+x:], pred, b, q)
		copyRows(c.pix[canvasStride*(y+1)+x+1:], canvasStride, t.rec.luma[16*y+x:], 16, 4, 4)
	}
	chroma := m.codeChroma(t)
	t.head.ue(uint32(modeC))
	t.head.ue(uint32(codeIntra[pattern|chroma<<4]))
	t.delta = pattern|chroma != 0
	m.writeLuma(t, pattern)
	m.writeChroma(t, chroma)
	m.weigh()
}

// expectedMode returns predIntra4x4PredMode, clause 8.3.1.1, of the block at
// (x, y), in blocks.
func (m *coder) expectedMode(t *choice, x, y int) int {
	a, b := dc4, dc4
	switch {
	case x > 0:
		a = int(t.mode4[4*y+x-1])
	case m.left != nil:
		a = int(m.left.mode4[4*y+3])
	default:
		return dc4
	}
	switch {
	case y > 0:
		b = int(t.mode4[4*y-4+x])
	case m.up != nil:
		b = int(m.up.mode4[12+x])
	default:
		return dc4
	}
	return min(a, b)
}
