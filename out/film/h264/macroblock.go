package h264

// kind is how a macroblock is predicted.
type kind uint8

const (
	skipped kind = iota // inter of 16×16 with the motion expected and no residual
	inter
	intra16
	intra4
)

func (k kind) intra() bool { return k >= intra16 }

// macro is the data of a macroblock that later ones, and the deblocking, need.
type macro struct {
	kind  kind
	qp    uint8
	delta bool      // mb_qp_delta is coded; else qp is the previous macroblock's
	mv    [4]vector // of its quarters, zero in intra macroblocks
	count [24]uint8 // total_coeff of the blocks of luma, Cb and Cr, each row by row
	mode4 [16]uint8 // intra 4×4 modes row by row; dc4 in macroblocks of another kind
}

// samples are the samples of a macroblock.
type samples struct {
	luma   [256]byte
	chroma [2][64]byte
}

// Shapes of the parts of inter macroblocks, in the order of mb_type in
// Table 7-13.
const (
	parts16x16 = iota
	parts16x8
	parts8x16
	parts8x8
)

// parts are the parts of each shape: place and size, in quarters.
var parts = [4][]struct{ x, y, w, h int }{
	{{0, 0, 2, 2}},
	{{0, 0, 2, 1}, {0, 1, 2, 1}},
	{{0, 0, 1, 2}, {1, 0, 1, 2}},
	{{0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}},
}

// choice is one way to code a macroblock, coded.
type choice struct {
	macro
	rec  samples   // as a decoder gets it
	head bitWriter // up to mb_qp_delta
	tail bitWriter // after it
	cost int       // squared error, and bits by lambda2; in 1/16
}

// coder codes a row of macroblocks.
type coder struct {
	e       *Encoder
	out     row
	x, y    int // in macroblocks
	qp      int
	luma    *quantiser
	chroma  *quantiser
	lambda  int // of a bit against satd, in 1/16
	lambda2 int // of a bit against ssd, in 1/16

	at                        *macro
	left, up, upLeft, upRight *macro // nil at a border
	low, high                 vector // bounds of the motion
	src                       samples
	pred                      samples
	blocks                    [16]block // of luma, in the order of coding
	chromaDC                  [2]block
	chromaAC                  [8]block // of Cb, and then of Cr
	best, trial               *choice
	buffer                    [256]byte
	pred4                     [12][16]byte // by the modes of intra 4×4, and room for vectors
	cost4                     [12]int32
	edgesY, edgesCb, edgesCr  edges
}

// lambdas returns the worth of a bit at a QP against satd and ssd, in 1/16: 0.92 ·
// 2^((QP−12)/6) and 0.85 · 2^((QP−12)/3), as in the reference software.
func lambdas(qp int) (lambda, lambda2 int) {
	sixth := [6]int{236, 265, 297, 333, 374, 420}
	third := [3]int{218, 274, 345}
	return max(1, sixth[qp%6]<<(qp/6)>>6), max(1, third[qp%3]<<(qp/3)>>8)
}

// macroblock codes the macroblock (x, y).
func (m *coder) macroblock(x, y int) {
	e := m.e
	m.x, m.y = x, y
	i := y*e.columns + x
	m.at = &e.macros[i]
	m.left, m.up, m.upLeft, m.upRight = nil, nil, nil, nil
	if x > 0 {
		m.left = &e.macros[i-1]
	}
	if y > 0 {
		m.up = &e.macros[i-e.columns]
		if x > 0 {
			m.upLeft = &e.macros[i-e.columns-1]
		}
		if x+1 < e.columns {
			m.upRight = &e.macros[i-e.columns+1]
		}
	}
	m.setQP(int(e.qps[i]))
	s := e.source
	copyRows(m.src.luma[:], 16, s.luma.pix[s.luma.at(16*x, 16*y):], s.luma.stride, 16, 16)
	copyRows(m.src.chroma[0][:], 8, s.cb.pix[s.cb.at(8*x, 8*y):], s.cb.stride, 8, 8)
	copyRows(m.src.chroma[1][:], 8, s.cr.pix[s.cr.at(8*x, 8*y):], s.cr.stride, 8, 8)
	m.best.cost = 1 << 60
	if e.predicted {
		m.chooseInter()
	} else {
		m.chooseIntra(1 << 60)
	}
	m.keep()
}

func (m *coder) setQP(qp int) {
	m.qp = qp
	m.luma, m.chroma = &quantisers[qp], &quantisers[chromaQP[qp]]
	m.lambda, m.lambda2 = lambdas(qp)
}

// start makes the trial ready for a macroblock of the given kind.
func (m *coder) start(k kind) *choice {
	t := m.trial
	t.macro = macro{kind: k, qp: uint8(m.qp)}
	for i := range t.mode4 {
		t.mode4[i] = dc4
	}
	t.head.reset()
	t.tail.reset()
	return t
}

// weigh finds the cost of the trial, and takes it if it is the best so far.
func (m *coder) weigh() {
	t := m.trial
	bits := t.head.len() + t.tail.len()
	if t.delta {
		bits++ // as a rule
	}
	t.cost = 16*ssd(&m.src, &t.rec) + m.lambda2*bits
	if t.cost < m.best.cost {
		m.best, m.trial = m.trial, m.best
	}
}

// keep puts the best choice into the picture and the row.
func (m *coder) keep() {
	b := m.best
	*m.at = b.macro
	r := m.e.next
	luma := &r.luma[0]
	copyRows(luma.pix[luma.at(16*m.x, 16*m.y):], luma.stride, b.rec.luma[:], 16, 16, 16)
	for c := range 2 {
		p := &r.chroma[c]
		copyRows(p.pix[p.at(8*m.x, 8*m.y):], p.stride, b.rec.chroma[c][:], 8, 8, 8)
	}
	m.out.put(b, m.e.predicted)
}

// context returns nC of clause 9.2.1 for the block at (x, y), in blocks, of a
// component whose counts start at first and have n per row.
func (m *coder) context(t *choice, first, n, x, y int) int {
	sum, known := 0, 0
	at := first + n*y + x
	switch {
	case x > 0:
		sum, known = sum+int(t.count[at-1]), known+1
	case m.left != nil:
		sum, known = sum+int(m.left.count[at+n-1]), known+1
	}
	switch {
	case y > 0:
		sum, known = sum+int(t.count[at-n]), known+1
	case m.up != nil:
		sum, known = sum+int(m.up.count[at+n*(n-1)]), known+1
	}
	if known == 2 {
		return (sum + 1) >> 1
	}
	return sum
}
