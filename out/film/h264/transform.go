package h264

import "math/bits"

// zigzag is the order in which the coefficients of a block are coded, Table
// 8-2: indices of its rows of four.
var zigzag = [16]uint8{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}

// normAdjust holds the steps of levels, equation 8-315. For each QP % 6 it has the step
// of the coefficients at even places both ways, at odd places both ways, and of the
// others.
var normAdjust = [6][3]int32{{10, 16, 13}, {11, 18, 14}, {13, 20, 16}, {14, 23, 18}, {16, 25, 20}, {18, 29, 23}}

// A quantiser turns coefficients of the transform into levels at one QP, and
// back. Its tables are in rows of four.
type quantiser struct {
	scale [16]uint16 // 2^shift / (step · gain), where gain is the gain of the transform and its inverse
	step  [16]int32  // LevelScale · 2^(QP / 6)
	shift uint
	intra int32 // added before the shift: a third of a step in intra macroblocks,
	inter int32 // a sixth in others, as in the reference software
}

var quantisers = makeQuantisers()

func makeQuantisers() (all [52]quantiser) {
	for qp := range all {
		q := &all[qp]
		q.shift = 15 + uint(qp/6)
		q.intra, q.inter = 1<<q.shift/3, 1<<q.shift/6
		for i := range 16 {
			class := 2
			gain := int32(20) // squared lengths of the rows of the transform: 4 and 10, together by 4
			switch odd := i/4&1 + i&1; odd {
			case 0:
				class, gain = 0, 16
			case 2:
				class, gain = 1, 25
			}
			v := normAdjust[qp%6][class]
			// The inverse transform divides by 64. Rows of odd places have weight 5/2 of
			// 4 already.
			q.step[i] = v << (qp / 6)
			n := int32(1 << 21)
			d := v * gain
			q.scale[i] = uint16((n + d/2) / d)
		}
	}
	return all
}

// chromaQP is QP_C for each QP_Y, Table 8-15.
var chromaQP = [52]uint8{
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
	29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39,
}

// forward is the transform whose inverse is in clause 8.5.12.2.
func forward(d *[16]int32) {
	for i := 0; i < 16; i += 4 {
		r := d[i : i+4 : i+4]
		s, t, m, n := r[0]+r[3], r[1]+r[2], r[1]-r[2], r[0]-r[3]
		r[0], r[1], r[2], r[3] = s+t, 2*n+m, s-t, n-2*m
	}
	for i := range 4 {
		s, t, m, n := d[i]+d[i+12], d[i+4]+d[i+8], d[i+4]-d[i+8], d[i]-d[i+12]
		d[i], d[i+4], d[i+8], d[i+12] = s+t, 2*n+m, s-t, n-2*m
	}
}

// inverse4 is the transform of clause 8.5.12.2, rounded to samples.
func inverse4(d *[16]int32) {
	for i := 0; i < 16; i += 4 {
		r := d[i : i+4 : i+4]
		s, t, m, n := r[0]+r[2], r[0]-r[2], r[1]>>1-r[3], r[1]+r[3]>>1
		r[0], r[1], r[2], r[3] = s+n, t+m, t-m, s-n
	}
	for i := range 4 {
		s, t, m, n := d[i]+d[i+8], d[i]-d[i+8], d[i+4]>>1-d[i+12], d[i+4]+d[i+12]>>1
		d[i], d[i+4], d[i+8], d[i+12] = (s+n+32)>>6, (t+m+32)>>6, (t-m+32)>>6, (s-n+32)>>6
	}
}

// hadamard4 is the transform of the DC of 16×16 luma, equation 8-320, which
// is its own inverse but for a factor.
func hadamard4(d *[16]int32) {
	for i := 0; i < 16; i += 4 {
		r := d[i : i+4 : i+4]
		s, t, m, n := r[0]+r[3], r[1]+r[2], r[1]-r[2], r[0]-r[3]
		r[0], r[1], r[2], r[3] = s+t, n+m, s-t, n-m
	}
	for i := range 4 {
		s, t, m, n := d[i]+d[i+12], d[i+4]+d[i+8], d[i+4]-d[i+8], d[i]-d[i+12]
		d[i], d[i+4], d[i+8], d[i+12] = s+t, n+m, s-t, n-m
	}
}

// hadamard2 is the transform of the DC of chroma, equation 8-328.
func hadamard2(d *[4]int32) {
	s, t, m, n := d[0]+d[1], d[0]-d[1], d[2]+d[3], d[2]-d[3]
	d[0], d[1], d[2], d[3] = s+m, t+n, s-m, t-n
}

// level returns the level of coefficient c.
func level(c, scale, bias int32, shift uint) int32 {
	sign := c >> 31
	l := ((c^sign)-sign)*scale + bias
	return (l>>shift ^ sign) - sign
}

// block are the levels of 4×4 samples.
type block struct {
	level   [16]int16 // in the order of the scan
	nonzero uint16    // which of them are not 0, the first by the lowest bit
	large   uint16    // which are beyond ±1
	dc      int16     // the first coefficient as it was
}

// put sets one level of a block that has none at its place.
func (b *block) put(i int, level int32) {
	i &= 15
	b.level[i] = int16(level)
	size := max(level, -level)
	b.nonzero |= uint16(uint32(-size)>>31) << uint(i)
	b.large |= uint16(uint32(1-size)>>31) << uint(i)
}

// A strip is four rows of a macroblock's samples: 0 to 3 of luma, 4 and 5 of
// chroma, of Cb and Cr at once. The blocks of one lie at places 0, 1, 4 and 5
// from that which comes first in the order of coding.
func strip(s *samples, k int) (a, b []byte, stride int) {
	if k < 4 {
		return s.luma[64*k:], s.luma[64*k+8:], 16
	}
	return s.chroma[0][32*(k-4):], s.chroma[1][32*(k-4):], 8
}

// transformGo sets the four blocks of strip k to the source less the prediction.
func transformGo(to *[6]block, src, pred *samples, k int, q *quantiser, bias int32) {
	a0, a1, stride := strip(src, k)
	b0, b1, _ := strip(pred, k)
	to[0].set(a0, stride, b0, stride, q, bias)
	to[1].set(a0[4:], stride, b0[4:], stride, q, bias)
	to[4].set(a1, stride, b1, stride, q, bias)
	to[5].set(a1[4:], stride, b1[4:], stride, q, bias)
}

// transform4Go transforms one block of luma.
func transform4Go(to *block, src []byte, pred *[16]byte, q *quantiser, bias int32) {
	to.set(src, 16, pred[:], 4, q, bias)
}

func (b *block) set(src []byte, srcStride int, pred []byte, predStride int, q *quantiser, bias int32) {
	var d [16]int32
	difference(&d, src, srcStride, pred, predStride)
	forward(&d)
	*b = block{dc: int16(d[0])}
	// Most blocks have only small coefficients. No scale exceeds the first.
	all := int32(0)
	for _, c := range d {
		all |= (c ^ c>>31) - c>>31
	}
	if all*int32(q.scale[0])+bias < 1<<q.shift {
		return
	}
	for i, at := range zigzag {
		b.put(i, level(d[at&15], int32(q.scale[at&15]), bias, q.shift))
	}
}

// rebuildGo writes the prediction and the residual of two blocks side by side.
// DC, unless nil, stands for the first of their coefficients.
func rebuildGo(to, pred []byte, stride int, from *[2]block, q *quantiser, dc *[2]int32) {
	for k := range from {
		var d [16]int32
		from[k].coefficients(&d, q)
		if dc != nil {
			d[0] = dc[k]
		}
		add(to[4*k:], stride, pred[4*k:], stride, &d)
	}
}

// rebuild4Go rebuilds one block of luma.
func rebuild4Go(to []byte, pred *[16]byte, from *block, q *quantiser) {
	var d [16]int32
	from.coefficients(&d, q)
	add(to, 16, pred[:], 4, &d)
}

func (b *block) coefficients(d *[16]int32, q *quantiser) {
	for left := b.nonzero; left != 0; left &= left - 1 {
		i := bits.TrailingZeros16(left)
		at := zigzag[i&15] & 15
		d[at] = int32(b.level[i&15]) * q.step[at]
	}
}

// difference returns a − b for blocks of 4×4.
func difference(d *[16]int32, a []byte, aStride int, b []byte, bStride int) {
	for y := range 4 {
		ra, rb := a[y*aStride:][:4], b[y*bStride:][:4]
		r := d[4*y : 4*y+4 : 4*y+4]
		r[0], r[1] = int32(ra[0])-int32(rb[0]), int32(ra[1])-int32(rb[1])
		r[2], r[3] = int32(ra[2])-int32(rb[2]), int32(ra[3])-int32(rb[3])
	}
}

// add writes the inverse transform of d plus the prediction to a block.
func add(to []byte, toStride int, pred []byte, predStride int, d *[16]int32) {
	inverse4(d)
	for y := range 4 {
		rt, rp := to[y*toStride:][:4], pred[y*predStride:][:4]
		r := d[4*y : 4*y+4 : 4*y+4]
		rt[0], rt[1] = clip(int32(rp[0])+r[0]), clip(int32(rp[1])+r[1])
		rt[2], rt[3] = clip(int32(rp[2])+r[2]), clip(int32(rp[3])+r[3])
	}
}

func clip(v int32) byte {
	if uint32(v) > 255 {
		return byte(^v >> 31)
	}
	return byte(v)
}
