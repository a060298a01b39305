package out

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"breakwater/sim/plug"
)

func init() {
	Formats.Register(plug.Entry[PerFrame]{
		Name: "obj",
		Doc:  "liquid surfaces with normals, y up, as Wavefront OBJ, which every 3D program reads",
		New: func(d plug.Decode) (PerFrame, error) {
			f := &obj{}
			return f, d(f)
		},
	})
}

// obj writes positions as the shortest decimal that gives the same float32,
// and normals to 5 decimals, which turns them by less than a thousandth of a
// degree.
type obj struct{}

func (o *obj) Needs() Part { return NeedsMesh }

func (o *obj) Ext() string { return "obj" }

// objEnd is the last line of a whole file.
const objEnd = "# end\n"

func (o *obj) Encode(w io.Writer, f *Frame) error {
	m := f.Mesh
	if err := checkMesh(m); err != nil {
		return fmt.Errorf("obj: %w", err)
	}
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("obj: %w", err)
	}
	e := objEncoder{w: w, buf: make([]byte, 0, 1<<16)}
	e.buf = append(e.buf, "# y up, metres\n"...)
	for _, n := range notes {
		e.buf = fmt.Appendf(e.buf, "# %s %s\n", n.key, n.value)
	}
	e.buf = append(e.buf, "o liquid\n"...)
	for i, p := range m.Pos {
		if p = p.Round(); !p.Finite() {
			return fmt.Errorf("obj: vertex %d is at %v", i, m.Pos[i])
		}
		e.buf = append(e.buf, 'v')
		for _, c := range [...]float64{p.X, p.Y, p.Z} {
			e.buf = strconv.AppendFloat(append(e.buf, ' '), c, 'f', -1, 32)
		}
		e.endLine()
	}
	for i, n := range m.Nrm {
		if !(math.Abs(n.X) <= 2 && math.Abs(n.Y) <= 2 && math.Abs(n.Z) <= 2) {
			return fmt.Errorf("obj: normal %d is %v", i, n)
		}
		e.buf = append(e.buf, "vn"...)
		for _, c := range [...]float64{n.X, n.Y, n.Z} {
			e.buf = appendFixed(append(e.buf, ' '), c)
		}
		e.endLine()
	}
	for _, t := range m.Tri {
		e.buf = append(e.buf, 'f')
		for _, v := range t {
			e.buf = strconv.AppendInt(append(e.buf, ' '), int64(v)+1, 10)
			if len(m.Nrm) > 0 {
				e.buf = strconv.AppendInt(append(e.buf, "//"...), int64(v)+1, 10)
			}
		}
		e.endLine()
	}
	e.buf = append(e.buf, objEnd...)
	e.flush()
	return e.err
}

// objEncoder gathers lines. The first error stays.
type objEncoder struct {
	w   io.Writer
	buf []byte
	err error
}

func (e *objEncoder) endLine() {
	e.buf = append(e.buf, '\n')
	if len(e.buf) > 1<<15 {
		e.flush()
	}
}

func (e *objEncoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

// appendFixed appends v, |v| ≤ 2, rounded to 5 decimals.
func appendFixed(b []byte, v float64) []byte {
	const one = 100_000
	n := int(math.Round(v * one))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = append(b, byte('0'+n/one), '.')
	for unit := one / 10; unit > 0; unit /= 10 {
		b = append(b, byte('0'+n/unit%10))
	}
	return b
}

func (o *obj) Check(r io.ReaderAt, size int64) (string, error) {
	tail := make([]byte, len(objEnd))
	if _, err := r.ReadAt(tail, max(0, size-int64(len(tail)))); err != nil || string(tail) != objEnd {
		return "", errors.New("obj: cut short, or not a file that this program wrote")
	}
	head := make([]byte, 1<<10)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	var f Frame
	for line := range bytes.Lines(head[:n]) {
		if line[0] != '#' {
			break
		}
		if err := f.readNote(string(line[1:])); err != nil {
			return "", fmt.Errorf("obj: %w", err)
		}
	}
	return f.Fingerprint, nil
}
