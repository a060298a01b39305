package h264

// edges are the samples around a block that intra prediction reads: those
// above start with the corner.
type edges struct {
	above     [17]byte // [0] is the corner
	left      [16]byte
	hasAbove  bool
	hasLeft   bool
	hasCorner bool
}

// read takes the edges of a block of n×n samples at (x, y) in a plane of a
// picture of one slice.
func (e *edges) read(p *plane, x, y, n int) {
	e.hasAbove, e.hasLeft = y > 0, x > 0
	e.hasCorner = e.hasAbove && e.hasLeft
	if e.hasAbove {
		copy(e.above[1:n+1], p.pix[p.at(x, y-1):])
	}
	if e.hasLeft {
		for i := range n {
			e.left[i] = p.pix[p.at(x-1, y+i)]
		}
	}
	if e.hasCorner {
		e.above[0] = p.pix[p.at(x-1, y-1)]
	}
}

// Modes of intra 16×16 prediction, Table 8-4.
const (
	vertical16 = iota
	horizontal16
	dc16
	plane16
)

// predict16 writes the prediction of 16×16 luma, clause 8.3.3, and reports
// whether the mode can be used here.
func (e *edges) predict16(to *[256]byte, mode int) bool {
	switch mode {
	case vertical16:
		if !e.hasAbove {
			return false
		}
		for y := range 16 {
			copy(to[16*y:16*y+16], e.above[1:])
		}
	case horizontal16:
		if !e.hasLeft {
			return false
		}
		for y := range 16 {
			fill(to[16*y:16*y+16], e.left[y])
		}
	case dc16:
		sum, n := 0, 0
		if e.hasAbove {
			sum, n = sum+total(e.above[1:17]), n+16
		}
		if e.hasLeft {
			sum, n = sum+total(e.left[:16]), n+16
		}
		fill(to[:], mean0(sum, n))
	case plane16:
		if !e.hasCorner {
			return false
		}
		e.slope(to[:], 16, 5)
	}
	return true
}

// Modes of intra prediction of chroma, Table 8-5.
const (
	dcChroma = iota
	horizontalChroma
	verticalChroma
	planeChroma
)

// predictChroma writes the prediction of 8×8 chroma, clause 8.3.4, and reports
// whether the mode can be used here.
func (e *edges) predictChroma(to *[64]byte, mode int) bool {
	switch mode {
	case dcChroma:
		for k := range 4 {
			x, y := k&1*4, k>>1*4
			above, left := 0, 0
			if e.hasAbove {
				above = total(e.above[x+1 : x+5])
			}
			if e.hasLeft {
				left = total(e.left[y : y+4])
			}
			var v byte
			switch {
			case k == 1 && e.hasAbove, !e.hasLeft && e.hasAbove:
				v = mean0(above, 4)
			case k == 2 && e.hasLeft, !e.hasAbove && e.hasLeft:
				v = mean0(left, 4)
			case e.hasAbove:
				v = mean0(above+left, 8)
			default:
				v = mean0(0, 0)
			}
			for i := range 4 {
				fill(to[8*(y+i)+x:][:4], v)
			}
		}
	case horizontalChroma:
		if !e.hasLeft {
			return false
		}
		for y := range 8 {
			fill(to[8*y:8*y+8], e.left[y])
		}
	case verticalChroma:
		if !e.hasAbove {
			return false
		}
		for y := range 8 {
			copy(to[8*y:8*y+8], e.above[1:])
		}
	case planeChroma:
		if !e.hasCorner {
			return false
		}
		e.slope(to[:], 8, 34)
	}
	return true
}

// slope writes a plane through the edges of n×n samples, clauses 8.3.3.4 and
// 8.3.4.4, which differ by a factor.
func (e *edges) slope(to []byte, n int, factor int) {
	h, v := 0, 0
	left := func(i int) int { // from −1, the corner
		if i < 0 {
			return int(e.above[0])
		}
		return int(e.left[i])
	}
	for i := 1; i <= n/2; i++ {
		h += i * (int(e.above[n/2+i]) - int(e.above[n/2-i]))
		v += i * (left(n/2-1+i) - left(n/2-1-i))
	}
	b, c := (factor*h+32)>>6, (factor*v+32)>>6
	a := 16 * (left(n-1) + int(e.above[n]))
	for y := range n {
		s := a + c*(y+1-n/2) + b*(1-n/2) + 16
		for x := range n {
			to[y*n+x] = clip(int32(s >> 5))
			s += b
		}
	}
}

func fill(to []byte, v byte) {
	for i := range to {
		to[i] = v
	}
}

func total(v []byte) int {
	s := 0
	for _, c := range v {
		s += int(c)
	}
	return s
}

// mean0 returns the rounded mean of n samples, or the middle of the range for n = 0.
func mean0(sum, n int) byte {
	if n == 0 {
		return 128
	}
	return byte((sum + n/2) / n)
}

// Modes of intra 4×4 prediction, Table 8-2.
const (
	vertical4 = iota
	horizontal4
	dc4
	diagonalDownLeft4
	diagonalDownRight4
	verticalRight4
	horizontalDown4
	verticalLeft4
	horizontalUp4
	modes4
)

// canvas is a macroblock's luma in the making and the samples around it, which 4×4
// prediction reads. Row 0 is above, column 0 on the left. Another 4 samples are above
// on the right.
type canvas struct {
	pix                   [17 * canvasStride]byte
	hasAbove, hasLeft     bool
	hasCorner, hasAboveRt bool
}

const canvasStride = 32

func (c *canvas) read(p *plane, x, y int) {
	c.hasAbove, c.hasLeft = y > 0, x > 0
	c.hasCorner = c.hasAbove && c.hasLeft
	c.hasAboveRt = c.hasAbove && x+16 < p.width
	if c.hasAbove {
		copy(c.pix[1:17], p.pix[p.at(x, y-1):])
	}
	if c.hasAboveRt {
		copy(c.pix[17:21], p.pix[p.at(x+16, y-1):])
	}
	if c.hasLeft {
		for i := range 16 {
			c.pix[canvasStride*(i+1)] = p.pix[p.at(x-1, y+i)]
		}
	}
	if c.hasCorner {
		c.pix[0] = p.pix[p.at(x-1, y-1)]
	}
}

// edge4 are the 13 samples around a block of 4×4, from the lowest on the left
// up to the corner, [4], and on to the last above on the right.
type edge4 struct {
	s               [13]int32
	above, left, tl bool
}

// aboveRight has a bit for each block, in the order of coding, that is set if the block
// above on its right comes before it, clause 6.4.11.4. For block 5 it depends on the
// neighbouring macroblocks.
const aboveRight = 1<<0 | 1<<1 | 1<<2 | 1<<4 | 1<<5 | 1<<6 | 1<<8 | 1<<9 | 1<<10 | 1<<12 | 1<<14

// edge returns the edge of block k, in the order of coding.
func (c *canvas) edge(k int) (e edge4) {
	x, y := int(blockX[k]), int(blockY[k])
	e.above, e.left = y > 0 || c.hasAbove, x > 0 || c.hasLeft
	e.tl = (y > 0 || c.hasAbove) && (x > 0 || c.hasLeft)
	at := canvasStride*(y+1) + x + 1 // of the block
	if e.left {
		for i := range 4 {
			e.s[3-i] = int32(c.pix[at+canvasStride*i-1])
		}
	}
	if e.tl {
		e.s[4] = int32(c.pix[at-canvasStride-1])
	}
	if e.above {
		for i := range 4 {
			e.s[5+i] = int32(c.pix[at-canvasStride+i])
		}
		right := aboveRight>>k&1 != 0
		if y == 0 && x == 12 {
			right = c.hasAboveRt
		}
		for i := range 4 {
			if right {
				e.s[9+i] = int32(c.pix[at-canvasStride+4+i])
			} else {
				e.s[9+i] = e.s[8]
			}
		}
	}
	return e
}

// predict writes the prediction of 4×4 samples to rows of 4, clause 8.3.1.2,
// and reports whether the mode can be used here.
func (e *edge4) predict(to *[16]byte, mode int) bool {
	s := &e.s
	// Two and three taps around the place between i and i+1, and at i.
	two := func(i int) byte { return byte((s[i] + s[i+1] + 1) >> 1) }
	three := func(i int) byte { return byte((s[i-1] + 2*s[i] + s[i+1] + 2) >> 2) }
	switch mode {
	case vertical4:
		if !e.above {
			return false
		}
		for i := range 16 {
			to[i] = byte(s[5+i&3])
		}
	case horizontal4:
		if !e.left {
			return false
		}
		for i := range 16 {
			to[i] = byte(s[3-i>>2])
		}
	case dc4:
		sum, n := 0, 0
		if e.above {
			sum, n = int(s[5]+s[6]+s[7]+s[8]), 4
		}
		if e.left {
			sum, n = sum+int(s[0]+s[1]+s[2]+s[3]), n+4
		}
		fill(to[:], mean0(sum, n))
	case diagonalDownLeft4:
		if !e.above {
			return false
		}
		var d [7]byte
		for i := range 6 {
			d[i] = three(6 + i)
		}
		d[6] = byte((s[11] + 3*s[12] + 2) >> 2)
		for i := range 16 {
			to[i] = d[i&3+i>>2]
		}
	case diagonalDownRight4:
		if !e.tl {
			return false
		}
		var d [7]byte
		for i := range 7 {
			d[i] = three(1 + i)
		}
		for i := range 16 {
			to[i] = d[3+i&3-i>>2]
		}
	case verticalRight4:
		if !e.tl {
			return false
		}
		a, b := three(3), three(2)
		for x := range 4 {
			to[x], to[4+x] = two(4+x), three(4+x)
		}
		to[8], to[12] = a, b
		for x := 1; x < 4; x++ {
			to[8+x], to[12+x] = to[x-1], to[4+x-1]
		}
	case horizontalDown4:
		if !e.tl {
			return false
		}
		// along a row and then up: pairs of a mean of two and one of three
		d := [10]byte{two(0), three(1), two(1), three(2), two(2), three(3), two(3), three(4), three(5), three(6)}
		for y := range 4 {
			copy(to[4*y:4*y+4], d[6-2*y:])
		}
	case verticalLeft4:
		if !e.above {
			return false
		}
		for x := range 4 {
			to[x], to[4+x] = two(5+x), three(6+x)
			to[8+x], to[12+x] = two(6+x), three(7+x)
		}
	case horizontalUp4:
		if !e.left {
			return false
		}
		// s[3] is the first on the left, s[0] the last
		last := byte(s[0])
		d := [10]byte{two(2), three(2), two(1), three(1), two(0), byte((s[1] + 3*s[0] + 2) >> 2), last, last, last, last}
		for y := range 4 {
			copy(to[4*y:4*y+4], d[2*y:])
		}
	}
	return true
}

// Where the blocks of 4×4 lie, in the order of coding, Figure 6-10.
var (
	blockX = [16]uint8{0, 4, 0, 4, 8, 12, 8, 12, 0, 4, 0, 4, 8, 12, 8, 12}
	blockY = [16]uint8{0, 0, 4, 4, 0, 0, 4, 4, 8, 8, 12, 12, 8, 8, 12, 12}
)
