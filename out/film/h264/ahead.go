package h264

import (
	"math/bits"

	"breakwater/sim/par"
)

// Parts of the picture that stay are worth more bits, since later pictures show them for
// next to none: their error counts as often as they are seen. Minimising bits plus error
// then makes the quantiser's step fall with the square root of the number of pictures, 3
// of QP for twice as many. Garrett-Glaser, A novel macroblock-tree algorithm for
// high-performance optimization of dependent video coding in H.264/AVC, 2009, follows
// motion as well. Here, where cameras seldom move, it is enough to find the parts that
// stay.

// lookAhead is how many pictures ahead the encoder looks.
const lookAhead = 16

// sameError is up to how much a macroblock may differ from the one before, as
// a sum over its samples, to count as the same.
const sameError = 128

// waiting is a picture that is not encoded yet, and which of its macroblocks
// are as in the picture before.
type waiting struct {
	picture *Picture
	same    []bool
}

// await puts a picture into the queue.
func (e *Encoder) await(p *Picture) {
	w := waiting{p, make([]bool, e.columns*e.rows)}
	if before := e.latest; before != nil {
		par.Each(e.rows, func(y int) {
			for x := range e.columns {
				a, b := p.luma.at(16*x, 16*y), before.luma.at(16*x, 16*y)
				w.same[y*e.columns+x] = sad(p.luma.pix[a:], p.luma.stride, before.luma.pix[b:], before.luma.stride, sameError) <= sameError
			}
		})
	}
	e.latest = p
	e.queue = append(e.queue, w)
}

// setQPs sets the QP of each macroblock of the first picture of the queue.
func (e *Encoder) setQPs() {
	for i := range e.qps {
		stay := 1
		for stay < len(e.queue) && e.queue[stay].same[i] {
			stay++
		}
		e.qps[i] = uint8(max(LowestQP, e.QP-gain(stay)))
	}
}

// gain returns 3 log2(n), rounded down.
func gain(n int) int {
	n *= n * n
	return bits.Len(uint(n)) - 1
}
