package h264

// Where coefficients of inter blocks are few and small they cost more than
// they give: weights of ±1 after each run of zeros, as in the reference
// software's elimination of single coefficients.
var runWeight = [16]int{3, 2, 2, 1, 1, 1}

// sparseness returns how little would be missed without the levels, less
// being less; more than 9 if one of them is larger than 1.
func sparseness(levels []int32) int {
	sum, run := 0, 0
	for _, l := range levels {
		switch l {
		case 0:
			run++
			continue
		case 1, -1:
			sum += runWeight[run]
		default:
			return 10
		}
		run = 0
	}
	return sum
}

// codeInterLuma quantises the luma of the source less the prediction, writes
// the reconstruction to the trial, and returns which of the quarters have
// levels.
func (m *coder) codeInterLuma(t *choice, pred *[256]byte) (pattern int) {
	all := 0
	for quarter := range 4 {
		sum := 0
		for k := 4 * quarter; k < 4*quarter+4; k++ {
			var d [16]int32
			at := 16*int(blockY[k]) + int(blockX[k])
			difference(&d, m.src.luma[at:], 16, pred[at:], 16)
			forward(&d)
			if m.luma.levels(&m.levels[k], &d, 0, m.luma.inter) {
				sum += sparseness(m.levels[k][:])
				pattern |= 1 << quarter
			}
		}
		if sum < 4 {
			pattern &^= 1 << quarter
		} else {
			all += sum
		}
	}
	if all < 6 {
		pattern = 0
	}
	for k := range 16 {
		at := 16*int(blockY[k]) + int(blockX[k])
		if pattern>>(k/4)&1 == 0 {
			copyRows(t.rec.luma[at:], 16, pred[at:], 16, 4, 4)
			continue
		}
		m.rebuild(t.rec.luma[at:], pred[at:], 16, &m.levels[k])
	}
	return pattern
}

// rebuild writes prediction and residual of a block of luma.
func (m *coder) rebuild(to, pred []byte, predStride int, levels *[16]int32) {
	var d [16]int32
	any := int32(0)
	for i, l := range levels {
		any |= l
		d[zigzag[i]&15] = l * m.luma.step[i]
	}
	if any == 0 {
		copyRows(to, 16, pred, predStride, 4, 4)
		return
	}
	add(to, 16, pred, predStride, &d)
}

// writeLuma writes the levels of the quarters in pattern.
func (m *coder) writeLuma(t *choice, pattern int) {
	for k := range 16 {
		if pattern>>(k/4)&1 != 0 {
			x, y := int(blockX[k])/4, int(blockY[k])/4
			t.count[4*y+x] = uint8(t.tail.residual(m.levels[k][:], m.context(t, 0, 4, x, y)))
		}
	}
}

// codeChroma quantises the chroma of the source less the prediction, writes
// the reconstruction to the trial, and returns 0 if there are no levels, 1 if
// there are only those of the DC, else 2: CodedBlockPatternChroma.
func (m *coder) codeChroma(t *choice, pred *[2][64]byte) (pattern int) {
	q := m.chroma
	bias := q.inter
	if t.kind.intra() {
		bias = q.intra
	}
	var ac [2]bool
	for c := range 2 {
		dc, sum := &m.chromaDC[c], 0
		for k := range 4 {
			var d [16]int32
			at := 8*4*(k/2) + 4*(k%2)
			difference(&d, m.src.chroma[c][at:], 8, pred[c][at:], 8)
			forward(&d)
			dc[k] = d[0]
			m.chromaAC[c][k][0] = 0
			if q.levels(&m.chromaAC[c][k], &d, 1, bias) {
				sum += sparseness(m.chromaAC[c][k][1:])
				ac[c] = true
			}
		}
		if sum < 7 && !t.kind.intra() {
			ac[c] = false
		}
		if !ac[c] {
			m.chromaAC[c] = [4][16]int32{}
		} else {
			pattern = 2
		}
		hadamard2(dc)
		for k := range dc {
			dc[k] = level(dc[k], q.scale[0], 2*bias, q.shift+1)
			if dc[k] != 0 {
				pattern = max(pattern, 1)
			}
		}
	}
	for c := range 2 {
		back := m.chromaDC[c]
		hadamard2(&back)
		for k := range 4 {
			at := 8*4*(k/2) + 4*(k%2)
			var d [16]int32
			d[0] = back[k] * q.step[0] >> 1 // equation 8-330
			if d[0] == 0 && !ac[c] {
				copyRows(t.rec.chroma[c][at:], 8, pred[c][at:], 8, 4, 4)
				continue
			}
			for i := 1; i < 16; i++ {
				d[zigzag[i]&15] = m.chromaAC[c][k][i] * q.step[i]
			}
			add(t.rec.chroma[c][at:], 8, pred[c][at:], 8, &d)
		}
	}
	return pattern
}

func (m *coder) writeChroma(t *choice, pattern int) {
	if pattern > 0 {
		t.tail.residual(m.chromaDC[0][:], -1)
		t.tail.residual(m.chromaDC[1][:], -1)
	}
	if pattern < 2 {
		return
	}
	for c := range 2 {
		for k := range 4 {
			first := 16 + 4*c
			t.count[first+k] = uint8(t.tail.residual(m.chromaAC[c][k][1:], m.context(t, first, 2, k%2, k/2)))
		}
	}
}
