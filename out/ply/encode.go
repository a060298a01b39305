package ply

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"breakwater/sim/vec"
)

// Encoder writes the rows of a binary little-endian PLY file.
type Encoder struct {
	w      io.Writer
	buf    []byte
	finite bool // all numbers since EndRow fit a float32
}

// NewEncoder starts a file with comments and the head's lines for its
// elements.
func NewEncoder(w io.Writer, comments []string, elements string) *Encoder {
	var head strings.Builder
	head.WriteString("ply\nformat binary_little_endian 1.0\n")
	for _, c := range comments {
		head.WriteString("comment " + c + "\n")
	}
	head.WriteString(elements + "end_header\n")
	return &Encoder{w: w, buf: append(make([]byte, 0, 1<<16), head.String()...), finite: true}
}

// Float writes v as a float32.
func (e *Encoder) Float(v float64) {
	f := float32(v)
	e.finite = e.finite && f-f == 0
	e.Uint32(math.Float32bits(f))
}

// Vec writes the coordinates of v as float32 numbers.
func (e *Encoder) Vec(v vec.Vec3) {
	e.Float(v.X)
	e.Float(v.Y)
	e.Float(v.Z)
}

// Uint32 writes v in little-endian order.
func (e *Encoder) Uint32(v uint32) { e.buf = binary.LittleEndian.AppendUint32(e.buf, v) }

// EndRow ends row i of the element named what.
func (e *Encoder) EndRow(what string, i int) error {
	if !e.finite {
		return fmt.Errorf("%s %d: a value is not finite", what, i)
	}
	if len(e.buf) < 1<<15 {
		return nil
	}
	return e.Flush()
}

// Flush writes the buffered bytes.
func (e *Encoder) Flush() error {
	_, err := e.w.Write(e.buf)
	e.buf = e.buf[:0]
	return err
}
