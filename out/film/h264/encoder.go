// Package h264 encodes pictures by ITU-T H.264 (ISO/IEC 14496-10), Constrained Baseline
// profile, which every player decodes. Clauses and tables in the comments refer to the
// 2021 edition of the standard.
//
// A picture is one slice. Its macroblocks are chosen, coded and rebuilt row by row,
// several rows at once (wavefront.go). Their bits are joined at the end (slice.go), so
// the bytes are the same for any number of threads.
package h264

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Settings of an Encoder.
type Settings struct {
	Width, Height int    // pixels
	Rate, Per     uint32 // Rate pictures in Per seconds; Rate less than 2³¹
	QP            int    // 10 … 51: of the quantisation; 6 more halve the bits, about
	KeyEvery      int    // a picture of this many at least, from which a player can start
}

// LowestQP is the finest quantisation. Finer levels do not fit the codes of this profile,
// and the step, 2 of 255, is about the rounding error of this range of colours.
const LowestQP = 10

// Encoder turns pictures into a stream.
type Encoder struct {
	Settings
	columns, rows int // of macroblocks

	Sequence, Parameters []byte // the NAL units that a decoder needs first

	queue     []waiting
	latest    *Picture // in the queue
	source    *Picture
	predicted bool // the picture is predicted from the one before
	frameNum  uint32
	keys      uint32 // key pictures so far
	since     int    // pictures since the last
	ref, next *reference
	macros    []macro
	before    []macro // of the picture before
	qps       []uint8 // of each macroblock
	coders    []*coder
}

// Unit is one picture in the stream.
type Unit struct {
	Data []byte // NAL units, each after its length in 4 bytes
	Key  bool   // needs none before it
}

// New returns an encoder, or an error if the standard has no place for such
// pictures.
func New(s Settings) (*Encoder, error) {
	if s.Width < 1 || s.Height < 1 || s.Rate < 1 || s.Per < 1 || s.QP < LowestQP || s.QP > 51 || s.KeyEvery < 1 {
		return nil, fmt.Errorf("h264: settings %+v", s)
	}
	level, err := s.level()
	if err != nil {
		return nil, err
	}
	e := &Encoder{Settings: s, columns: (s.Width + 15) / 16, rows: (s.Height + 15) / 16}
	n := e.columns * e.rows
	e.ref, e.next = newReference(16*e.columns, 16*e.rows), newReference(16*e.columns, 16*e.rows)
	e.macros, e.before, e.qps = make([]macro, n), make([]macro, n), make([]uint8, n)
	for range e.rows {
		e.coders = append(e.coders, &coder{e: e, best: &choice{}, trial: &choice{}})
	}
	e.Sequence, e.Parameters = e.sequence(level), e.parameters()
	return e, nil
}

// Add takes the next picture, which must not change from then on, and returns the
// finished part of the stream.
func (e *Encoder) Add(p *Picture) []Unit {
	e.await(p)
	if len(e.queue) <= lookAhead {
		return nil
	}
	return []Unit{e.first()}
}

// Flush returns the rest of the stream.
func (e *Encoder) Flush() []Unit {
	var units []Unit
	for len(e.queue) > 0 {
		units = append(units, e.first())
	}
	return units
}

// first encodes the first picture of the queue.
func (e *Encoder) first() Unit {
	p := e.queue[0].picture
	e.setQPs()
	key := e.keys == 0 || e.since >= e.KeyEvery
	u := e.encode(p, key)
	if !key && e.isCut() {
		e.macros, e.before = e.before, e.macros
		u = e.encode(p, true)
	}
	if e.since++; u.Key {
		e.since = 1
	}
	e.next.finish(e.ref, e.still)
	e.ref, e.next = e.next, e.ref
	e.frameNum++
	e.queue = slices.Delete(e.queue, 0, 1)
	return u
}

// still reports whether a macroblock equals the previous picture's, except at edges to
// changed ones.
func (e *Encoder) still(x, y int) bool {
	m := &e.macros[y*e.columns+x]
	return m.kind == skipped && m.mv[0] == vector{}
}

// isCut reports whether most of the picture has nothing to do with the one
// before.
func (e *Encoder) isCut() bool {
	n := 0
	for i := range e.macros {
		if e.macros[i].kind.intra() {
			n++
		}
	}
	return 2*n > len(e.macros)
}

// encode encodes one picture to e.next.
func (e *Encoder) encode(p *Picture, key bool) Unit {
	e.source, e.predicted = p, !key
	e.macros, e.before = e.before, e.macros
	if key {
		e.frameNum = 0
		e.keys++
	}
	for _, c := range e.coders {
		c.out.reset()
	}
	wavefront(e.columns, e.rows, func(x, y int) { e.coders[y].macroblock(x, y) })

	w := &bitWriter{}
	e.sliceHeader(w)
	join(w, e.coders, e.predicted, e.QP)
	first := byte(unitPredicted)
	if key {
		first = unitKey
	}
	data := appendUnit(make([]byte, 4, 4+len(w.bytes)+64), first, w.end())
	binary.BigEndian.PutUint32(data, uint32(len(data)-4))

	last := uint8(e.QP) // of macroblocks without a QP of their own: the last one's
	for i := range e.macros {
		m := &e.macros[i]
		if m.delta {
			last = m.qp
		}
		m.qp = last
	}
	wavefront(e.columns, e.rows, e.deblock)
	return Unit{data, key}
}
