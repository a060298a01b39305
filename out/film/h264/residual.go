package h264

import "math/bits"

// Where coefficients of inter blocks are few and small they cost more than they give.
// These are the weights of ±1 after each run of zeros, as in the reference software's
// elimination of single coefficients.
var runWeight = [16]int{3, 2, 2, 1, 1, 1}

// sparseness returns how little would be missed without the levels from the
// scan's given place on, less being less; more than 9 if one of them is larger
// than 1.
func (b *block) sparseness(from int) int {
	if b.large>>from != 0 {
		return 10
	}
	sum := 0
	for left := b.nonzero >> from; left != 0; {
		run := bits.TrailingZeros16(left)
		sum += runWeight[run]
		left >>= run + 1
	}
	return sum
}

// firsts are the first blocks of the strips of luma.
var firsts = [4]int{0, 2, 8, 10}

// transformLuma sets the blocks of luma to the source less the prediction.
func (m *coder) transformLuma(bias int32) {
	for k, first := range firsts {
		transform((*[6]block)(m.blocks[first:]), &m.src, &m.pred, k, m.luma, bias)
	}
}

// codeInterLuma quantises the luma of the source less the prediction, writes
// the reconstruction to the trial, and returns which of the quarters have
// levels.
func (m *coder) codeInterLuma(t *choice) (pattern int) {
	m.transformLuma(m.luma.inter)
	all := 0
	for quarter := range 4 {
		sum := 0
		for k := 4 * quarter; k < 4*quarter+4; k++ {
			sum += m.blocks[k].sparseness(0)
		}
		if sum >= 4 {
			pattern |= 1 << quarter
			all += sum
		}
	}
	if all < 6 {
		pattern = 0
	}
	for k := 0; k < 16; k += 2 {
		at := 16*int(blockY[k]) + int(blockX[k])
		two := (*[2]block)(m.blocks[k:])
		if pattern>>(k/4)&1 == 0 || two[0].nonzero|two[1].nonzero == 0 {
			copyRows(t.rec.luma[at:], 16, m.pred.luma[at:], 16, 8, 4)
			continue
		}
		rebuild(t.rec.luma[at:], m.pred.luma[at:], 16, two, m.luma, nil)
	}
	return pattern
}

// writeLuma writes the levels of the quarters in pattern.
func (m *coder) writeLuma(t *choice, pattern int) {
	for k := range 16 {
		if pattern>>(k/4)&1 != 0 {
			x, y := int(blockX[k])/4, int(blockY[k])/4
			t.count[4*y+x] = uint8(t.tail.residual(&m.blocks[k], 0, 16, m.context(t, 0, 4, x, y)))
		}
	}
}

// codeChroma quantises the chroma of the source less the prediction, and writes the
// reconstruction to the trial. It returns CodedBlockPatternChroma: 0 without levels, 1
// with levels of the DC only, otherwise 2.
func (m *coder) codeChroma(t *choice) (pattern int) {
	q := m.chroma
	bias := q.inter
	if t.kind.intra() {
		bias = q.intra
	}
	for k := range 2 {
		transform((*[6]block)(m.chromaAC[2*k:]), &m.src, &m.pred, 4+k, q, bias)
	}
	for c := range 2 {
		ac := (*[4]block)(m.chromaAC[4*c:])
		sum, any := 0, uint16(0)
		for k := range ac {
			ac[k].nonzero &^= 1
			any |= ac[k].nonzero
			sum += ac[k].sparseness(1)
		}
		if any == 0 || sum < 7 && !t.kind.intra() {
			for k := range ac {
				ac[k] = block{dc: ac[k].dc}
			}
		} else {
			pattern = 2
		}
		dc := [4]int32{int32(ac[0].dc), int32(ac[1].dc), int32(ac[2].dc), int32(ac[3].dc)}
		hadamard2(&dc)
		m.chromaDC[c] = block{}
		for k := range dc {
			dc[k] = level(dc[k], int32(q.scale[0]), 2*bias, q.shift+1)
			m.chromaDC[c].put(k, dc[k])
		}
		if m.chromaDC[c].nonzero != 0 {
			pattern = max(pattern, 1)
		}
		hadamard2(&dc)
		for k := range dc {
			dc[k] = dc[k] * q.step[0] >> 1 // equation 8-330
		}
		to, pred := &t.rec.chroma[c], &m.pred.chroma[c]
		if m.chromaDC[c].nonzero == 0 && any == 0 {
			*to = *pred
			continue
		}
		for k := 0; k < 4; k += 2 {
			rebuild(to[16*k:], pred[16*k:], 8, (*[2]block)(ac[k:]), q, (*[2]int32)(dc[k:]))
		}
	}
	return pattern
}

func (m *coder) writeChroma(t *choice, pattern int) {
	if pattern > 0 {
		t.tail.residual(&m.chromaDC[0], 0, 4, -1)
		t.tail.residual(&m.chromaDC[1], 0, 4, -1)
	}
	if pattern < 2 {
		return
	}
	for k := range m.chromaAC {
		c := k / 4
		t.count[16+k] = uint8(t.tail.residual(&m.chromaAC[k], 1, 15, m.context(t, 16+4*c, 2, k%2, k/2%2)))
	}
}
