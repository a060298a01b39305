package h264

import "breakwater/sim/par"

// vector is a motion in quarters of a luma sample.
type vector struct{ x, y int }

func (a vector) plus(x, y int) vector { return vector{a.x + x, a.y + y} }

// The border of a reference: how far a block may lie outside, and the samples that the
// filters read beyond it.
const (
	lumaBorder = 32
	maxOutside = 20 // samples that a macroblock may lie outside the picture, and 4 less on the far sides
	halfMargin = 24 // of the planes between samples, beyond the picture
)

// reference is a decoded picture, and its luma at the places between samples.
type reference struct {
	// luma[0] holds the samples (G of Figure 8-4), the others those half a
	// sample to the right (b), below (h) and both (j).
	luma   [4]plane
	chroma [2]plane
	down   [][]int16 // h before rounding, a row each for rows of macroblocks
}

func newReference(width, height int) *reference {
	r := &reference{down: make([][]int16, height/16)}
	for i := range r.luma {
		r.luma[i] = newPlane(width, height, lumaBorder)
	}
	for i := range r.chroma {
		r.chroma[i] = newPlane(width/2, height/2, lumaBorder/2)
	}
	for i := range r.down {
		r.down[i] = make([]int16, width+2*lumaBorder)
	}
	return r
}

// finish makes the borders and the luma between samples, once all macroblocks are there.
// Still macroblocks have the samples of the previous reference.
func (r *reference) finish(before *reference, still func(x, y int) bool) {
	rows := r.luma[0].height / 16
	par.Each(rows, func(y int) {
		r.luma[0].extend(16*y, 16*y+16)
		r.chroma[0].extend(8*y, 8*y+8)
		r.chroma[1].extend(8*y, 8*y+8)
	})
	par.Each(rows, func(y int) {
		columns := r.luma[0].width / 16
		for x := 0; x < columns; {
			first, same := x, r.same(x, y, still)
			for x++; x < columns && r.same(x, y, still) == same; x++ {
			}
			r.span(first, x, y, before, same)
		}
	})
}

// same reports whether the luma between the samples of a macroblock is unchanged. The
// interpolation filters, like the deblocking filters, read three samples beyond it.
func (r *reference) same(x, y int, still func(x, y int) bool) bool {
	for v := max(0, y-1); v <= min(y+1, r.luma[0].height/16-1); v++ {
		for u := max(0, x-1); u <= min(x+1, r.luma[0].width/16-1); u++ {
			if !still(u, v) {
				return false
			}
		}
	}
	return true
}

// span makes the luma between the samples of macroblocks from first up to end
// in row y, and of the border beside them.
func (r *reference) span(first, end, y int, before *reference, same bool) {
	g := &r.luma[0]
	left, right, top, bottom := 16*first, 16*end, 16*y, 16*y+16
	if left == 0 {
		left = -halfMargin
	}
	if right == g.width {
		right += halfMargin
	}
	if top == 0 {
		top = -halfMargin
	}
	if bottom == g.height {
		bottom += halfMargin
	}
	for ; top < bottom; top++ {
		at := g.at(left, top)
		if same {
			for k := 1; k < len(r.luma); k++ {
				copy(r.luma[k].pix[at:][:right-left], before.luma[k].pix[at:])
			}
			continue
		}
		// Whole vectors; the next span, or nobody, does the rest.
		n := (right - left + 15) &^ 15
		between(r.luma[1].pix[at:][:n], r.luma[2].pix[at:][:n], r.luma[3].pix[at:][:n], g.pix[at-2-2*g.stride:], g.stride, r.down[y])
	}
}

// betweenGo makes samples of a row of b, h and j, clause 8.4.2.2.1, from g, which
// starts two rows above and two samples to the left: a multiple of 16. There is
// room for h before rounding in down.
func betweenGo(b, h, j, g []byte, stride int, down []int16) {
	n := len(b)
	r0, r1, r2 := g[:n+5], g[stride:][:n+5], g[2*stride:][:n+5]
	r3, r4, r5 := g[3*stride:][:n+5], g[4*stride:][:n+5], g[5*stride:][:n+5]
	for x := range b {
		s := r2[x : x+6 : x+6]
		b[x] = clip((tap6(int32(s[0]), int32(s[1]), int32(s[2]), int32(s[3]), int32(s[4]), int32(s[5])) + 16) >> 5)
	}
	down = down[:n+5]
	for x := range down {
		down[x] = int16(tap6(int32(r0[x]), int32(r1[x]), int32(r2[x]), int32(r3[x]), int32(r4[x]), int32(r5[x])))
	}
	h, j = h[:n], j[:n]
	for x := range h {
		s := down[x : x+6 : x+6]
		h[x] = clip((int32(s[2]) + 16) >> 5)
		j[x] = clip((tap6(int32(s[0]), int32(s[1]), int32(s[2]), int32(s[3]), int32(s[4]), int32(s[5])) + 512) >> 10)
	}
}

// tap6 is the filter between samples, equation 8-241.
func tap6(e, f, g, h, i, j int32) int32 { return e + j - 5*(f+i) + 20*(g+h) }

// quarters says which planes make the samples at each place between whole samples,
// Table 8-12. A sample is taken from one plane or is the mean of two. Of each plane it
// is the sample at the place, or its neighbour on the right or below. Places are in the
// order of y, x.
var quarters = [16]struct {
	planes    int
	a, ax, ay int
	b, bx, by int
}{
	{1, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 1, 0, 0}, {1, 1, 0, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 1, 0},
	{2, 0, 0, 0, 2, 0, 0}, {2, 1, 0, 0, 2, 0, 0}, {2, 1, 0, 0, 3, 0, 0}, {2, 1, 0, 0, 2, 1, 0},
	{1, 2, 0, 0, 0, 0, 0}, {2, 2, 0, 0, 3, 0, 0}, {1, 3, 0, 0, 0, 0, 0}, {2, 3, 0, 0, 2, 1, 0},
	{2, 2, 0, 0, 0, 0, 1}, {2, 2, 0, 0, 1, 0, 1}, {2, 3, 0, 0, 1, 0, 1}, {2, 2, 1, 0, 1, 0, 1},
}

// predict returns the luma of w×h samples whose upper left one is moved from
// (x, y) by v. It lies in the reference, or is written to buffer.
func (r *reference) predict(buffer []byte, x, y int, v vector, w, h int) (p []byte, stride int) {
	x, y = x+v.x>>2, y+v.y>>2
	q := &quarters[v.y&3*4+v.x&3]
	a := r.luma[q.a].pix[r.luma[q.a].at(x+q.ax, y+q.ay):]
	stride = r.luma[0].stride
	if q.planes == 1 {
		return a, stride
	}
	b := r.luma[q.b].pix[r.luma[q.b].at(x+q.bx, y+q.by):]
	mean(buffer, a, b, stride, w, h)
	return buffer, 16
}

// predictLuma is predict into a buffer of 16 samples per row.
func (r *reference) predictLuma(to []byte, x, y int, v vector, w, h int) {
	p, stride := r.predict(to, x, y, v, w, h)
	if stride == 16 {
		return
	}
	copyRows(to, 16, p, stride, w, h)
}

// predictChroma writes w×h samples of chroma c, moved from (x, y) by v, which
// are eighths here, to rows of 8: clause 8.4.2.2.2.
func (r *reference) predictChroma(to []byte, c, x, y int, v vector, w, h int) {
	p := &r.chroma[c]
	from := p.pix[p.at(x+v.x>>3, y+v.y>>3):]
	fx, fy := v.x&7, v.y&7
	if fx|fy == 0 {
		copyRows(to, 8, from, p.stride, w, h)
		return
	}
	bilinear(to, from, p.stride, w, h, &[4]int{(8 - fx) * (8 - fy), fx * (8 - fy), (8 - fx) * fy, fx * fy})
}

// bilinearGo writes w×h samples, 4 or 8 each way, to rows of 8: means of four neighbours
// of the given weights in 1/64, the upper two first.
func bilinearGo(to, from []byte, stride, w, h int, weight *[4]int) {
	wa, wb, wc, wd := int32(weight[0]), int32(weight[1]), int32(weight[2]), int32(weight[3])
	for i := range h {
		r0, r1 := from[i*stride:][:w+1], from[(i+1)*stride:][:w+1]
		t := to[8*i:][:w]
		a, c := int32(r0[0]), int32(r1[0])
		for k := range t {
			b, d := int32(r0[k+1]), int32(r1[k+1])
			t[k] = byte((wa*a + wb*b + wc*c + wd*d + 32) >> 6)
			a, c = b, d
		}
	}
}

// copyRows copies w×h samples, w being 4, 8 or 16.
func copyRows(to []byte, toStride int, from []byte, fromStride, w, h int) {
	switch w {
	case 16:
		for y := range h {
			*(*[16]byte)(to[y*toStride:]) = [16]byte(from[y*fromStride:])
		}
	case 8:
		for y := range h {
			*(*[8]byte)(to[y*toStride:]) = [8]byte(from[y*fromStride:])
		}
	case 4:
		for y := range h {
			*(*[4]byte)(to[y*toStride:]) = [4]byte(from[y*fromStride:])
		}
	}
}
