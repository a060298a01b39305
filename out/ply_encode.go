package out

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"breakwater/sim/vec"
)

// plyEncoder writes the rows of a binary little-endian PLY file.
type plyEncoder struct {
	w      io.Writer
	buf    []byte
	finite bool // all numbers since endRow fit a float32
}

// newPLYEncoder starts a file with comments and the head's lines for its
// elements.
func newPLYEncoder(w io.Writer, comments []string, elements string) *plyEncoder {
	var head strings.Builder
	head.WriteString("ply\nformat binary_little_endian 1.0\n")
	for _, c := range comments {
		head.WriteString("comment " + c + "\n")
	}
	head.WriteString(elements + "end_header\n")
	return &plyEncoder{w: w, buf: append(make([]byte, 0, 1<<16), head.String()...), finite: true}
}

func (e *plyEncoder) float(v float64) {
	f := float32(v)
	e.finite = e.finite && f-f == 0
	e.uint(math.Float32bits(f))
}

func (e *plyEncoder) vec(v vec.Vec3) {
	e.float(v.X)
	e.float(v.Y)
	e.float(v.Z)
}

func (e *plyEncoder) uint(v uint32) { e.buf = binary.LittleEndian.AppendUint32(e.buf, v) }

// endRow ends row i of what.
func (e *plyEncoder) endRow(what string, i int) error {
	if !e.finite {
		return fmt.Errorf("%s %d: a value is not finite", what, i)
	}
	if len(e.buf) < 1<<15 {
		return nil
	}
	return e.flush()
}

func (e *plyEncoder) flush() error {
	_, err := e.w.Write(e.buf)
	e.buf = e.buf[:0]
	return err
}
