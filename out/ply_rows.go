package out

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
)

// plyMaxList bounds the length of a list: no polygon has as many corners.
const plyMaxList = 1 << 16

// newPLYRows returns what reads rows from r; order is nil for text.
func newPLYRows(r *bufio.Reader, order binary.ByteOrder) *plyRows {
	return &plyRows{r: r, order: order}
}

// openPLY reads the head of a file of points, and returns what reads its rows.
func openPLY(r io.Reader, note func(comment string) error) (*plyHead, *plyRows, error) {
	b := bufio.NewReaderSize(r, plyMaxLine)
	h, err := readPLYHead(b, note)
	if err != nil {
		return nil, nil, err
	}
	v := h.element("vertex")
	if v == nil {
		return nil, nil, errors.New("no element vertex")
	}
	for _, name := range []string{"x", "y", "z"} {
		if v.number(name) < 0 {
			return nil, nil, fmt.Errorf("the vertices have no %s", name)
		}
	}
	return h, newPLYRows(b, h.order), nil
}

// rowsIn returns how many rows the element has if r is a file that is large
// enough for all of them, and 0 if that is not known.
func rowsIn(r io.Reader, e *plyElement) int {
	f, ok := r.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return 0
	}
	info, err := f.Stat()
	if err != nil || int64(e.rows)*int64(e.fixedSize()) > info.Size() || e.fixedSize() == 0 {
		return 0
	}
	return e.rows
}

// plyRow takes row i of an element: its numbers, one a property, and its
// lists, whose numbers are their lengths. Both are good until it returns.
type plyRow func(i int, num []float64, list [][]float64) error

// plyRows reads the rows of one element after the other.
type plyRows struct {
	r     *bufio.Reader
	order binary.ByteOrder // nil for text
	buf   []byte
}

// readAll reads all elements to the end of the file, and passes over those
// that nothing in rows takes.
func (p *plyRows) readAll(h *plyHead, rows map[string]plyRow) error {
	for i := range h.elements {
		e := &h.elements[i]
		row := rows[e.name]
		delete(rows, e.name) // a second element of the name is another table
		if err := p.read(e, row); err != nil {
			return err
		}
	}
	return p.end()
}

func (p *plyRows) read(e *plyElement, row plyRow) error {
	if len(e.props) == 0 && e.rows > 0 {
		return fmt.Errorf("element %.20q has no properties", e.name)
	}
	num, list := make([]float64, len(e.props)), make([][]float64, len(e.props))
	size := 0 // bytes of a row, if all have the same
	if p.order != nil {
		size = e.fixedSize()
	}
	for i := range e.rows {
		if b, err := p.r.Peek(size); size > 0 && err == nil {
			for k := range e.props {
				t := e.props[k].typ
				num[k] = p.decode(b, t)
				b = b[t.size():]
			}
			p.r.Discard(size) // cannot fail after Peek
		} else if err := p.readRow(e, num, list); err != nil {
			return fmt.Errorf("%s %d: %w", e.name, i, err)
		}
		if row == nil {
			continue
		}
		if err := row(i, num, list); err != nil {
			return fmt.Errorf("%s %d: %w", e.name, i, err)
		}
	}
	return nil
}

// readRow reads a row number by number.
func (p *plyRows) readRow(e *plyElement, num []float64, list [][]float64) error {
	for k := range e.props {
		q := &e.props[k]
		typ := q.typ
		if q.list {
			typ = q.count
		}
		v, err := p.number(typ)
		if err == nil && q.list {
			list[k], err = p.list(list[k][:0], q.typ, v)
		}
		if err == io.EOF {
			err = fmt.Errorf("cut short: the header promises %d", e.rows)
		}
		if err != nil {
			return fmt.Errorf("property %.20s: %w", q.name, err)
		}
		num[k] = v
	}
	return nil
}

// list appends n numbers to dst.
func (p *plyRows) list(dst []float64, t numType, n float64) ([]float64, error) {
	if !(n >= 0 && n <= plyMaxList && n == math.Trunc(n)) {
		return dst, fmt.Errorf("a list of %g: want 0 to %d", n, plyMaxList)
	}
	for range int(n) {
		v, err := p.number(t)
		if err != nil {
			return dst, err
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// number returns the next number; io.EOF if not all of it is there.
func (p *plyRows) number(t numType) (float64, error) {
	if p.order == nil {
		return p.word(t)
	}
	n := t.size()
	b, err := p.r.Peek(n)
	if err != nil {
		return 0, err
	}
	v := p.decode(b, t)
	p.r.Discard(n) // cannot fail after Peek
	return v, nil
}

// decode returns the number that b begins with, in a binary file.
func (p *plyRows) decode(b []byte, t numType) float64 {
	if t == float32Type && p.order == binary.LittleEndian {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	switch t {
	case int8Type:
		return float64(int8(b[0]))
	case uint8Type:
		return float64(b[0])
	case int16Type:
		return float64(int16(p.order.Uint16(b)))
	case uint16Type:
		return float64(p.order.Uint16(b))
	case int32Type:
		return float64(int32(p.order.Uint32(b)))
	case uint32Type:
		return float64(p.order.Uint32(b))
	case float32Type:
		return float64(math.Float32frombits(p.order.Uint32(b)))
	}
	return math.Float64frombits(p.order.Uint64(b))
}

// word returns the next number of a text.
func (p *plyRows) word(t numType) (float64, error) {
	p.buf = p.buf[:0]
	for {
		c, err := p.r.ReadByte()
		if err != nil && (err != io.EOF || len(p.buf) == 0) {
			return 0, err
		}
		switch space := err == io.EOF || c <= ' '; {
		case space && len(p.buf) > 0:
			v, err := strconv.ParseFloat(string(p.buf), 64)
			if err != nil || t < float32Type && v != math.Trunc(v) {
				return 0, fmt.Errorf("%q is not a number of its type", p.buf)
			}
			return v, nil
		case space:
		case len(p.buf) == 64:
			return 0, fmt.Errorf("%q… is not a number", p.buf)
		default:
			p.buf = append(p.buf, c)
		}
	}
}

// end returns an error if anything but space in a text comes after the last
// element.
func (p *plyRows) end() error {
	for {
		c, err := p.r.ReadByte()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case p.order != nil || c > ' ':
			return errors.New("more after the last element")
		}
	}
}
