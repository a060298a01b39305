package ply

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"

	"breakwater/out/numbers"
)

// maxList bounds the length of a list: no polygon has as many corners.
const maxList = 1 << 16

// NewReader returns what reads rows from r; order is nil for text.
func NewReader(r *bufio.Reader, order binary.ByteOrder) *Reader { return &Reader{r: r, order: order} }

// Open reads the head of a file of points, and returns what reads its rows.
func Open(r io.Reader, note func(comment string) error) (*Head, *Reader, error) {
	b := bufio.NewReaderSize(r, MaxLine)
	h, err := ReadHead(b, note)
	if err != nil {
		return nil, nil, err
	}
	v := h.Element("vertex")
	if v == nil {
		return nil, nil, errors.New("no element vertex")
	}
	for _, name := range []string{"x", "y", "z"} {
		if v.Number(name) < 0 {
			return nil, nil, fmt.Errorf("the vertices have no %s", name)
		}
	}
	return h, NewReader(b, h.Order), nil
}

// RowsIn returns how many rows the element has if r is a file that is large enough for
// all of them, and 0 if that is not known. It expects three items in each list.
func RowsIn(r io.Reader, e *Element) int {
	f, ok := r.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return 0
	}
	info, err := f.Stat()
	if size := int64(e.rowSize()); err != nil || size == 0 || int64(e.Rows) > info.Size()/size {
		return 0
	}
	return e.Rows
}

// Row takes row i of an element: its numbers, one per property, and its
// lists, whose numbers are their lengths. Both are good until it returns.
type Row func(i int, num []float64, list [][]float64) error

// Reader reads the rows of one element after the other.
type Reader struct {
	r     *bufio.Reader
	order binary.ByteOrder // nil for text
	buf   []byte
}

// ReadAll reads all elements to the end of the file, and passes over those
// that nothing in rows takes.
func (p *Reader) ReadAll(h *Head, rows map[string]Row) error {
	for i := range h.Elements {
		e := &h.Elements[i]
		row := rows[e.Name]
		delete(rows, e.Name) // a second element of the name is another table
		if err := p.Read(e, row); err != nil {
			return err
		}
	}
	return p.end()
}

// Read passes each row of e, which must be the next element of the file, to row.
func (p *Reader) Read(e *Element, row Row) error {
	if len(e.Props) == 0 && e.Rows > 0 {
		return fmt.Errorf("element %.20q has no properties", e.Name)
	}
	num, list := make([]float64, len(e.Props)), make([][]float64, len(e.Props))
	size := 0 // bytes of a row, if all have the same
	if p.order != nil {
		size = e.FixedSize()
	}
	for i := range e.Rows {
		if b, err := p.r.Peek(size); size > 0 && err == nil {
			for k := range e.Props {
				t := e.Props[k].Type
				num[k] = p.decode(b, t)
				b = b[t.Size():]
			}
			p.r.Discard(size) // cannot fail after Peek
		} else if err := p.readRow(e, num, list); err != nil {
			return fmt.Errorf("%s %d: %w", e.Name, i, err)
		}
		if row == nil {
			continue
		}
		if err := row(i, num, list); err != nil {
			return fmt.Errorf("%s %d: %w", e.Name, i, err)
		}
	}
	return nil
}

// readRow reads a row number by number.
func (p *Reader) readRow(e *Element, num []float64, list [][]float64) error {
	for k := range e.Props {
		q := &e.Props[k]
		typ := q.Type
		if q.List {
			typ = q.count
		}
		v, err := p.number(typ)
		if err == nil && q.List {
			list[k], err = p.list(list[k][:0], q.Type, v)
		}
		if err == io.EOF {
			err = fmt.Errorf("cut short: the header promises %d", e.Rows)
		}
		if err != nil {
			return fmt.Errorf("property %.20s: %w", q.Name, err)
		}
		num[k] = v
	}
	return nil
}

// list appends n numbers to dst.
func (p *Reader) list(dst []float64, t numbers.Type, n float64) ([]float64, error) {
	if !(n >= 0 && n <= maxList && n == math.Trunc(n)) {
		return dst, fmt.Errorf("a list of %g: want 0 to %d", n, maxList)
	}
	if size := int(n) * t.Size(); p.order != nil && size <= p.r.Size() {
		if b, err := p.r.Peek(size); err == nil {
			for ; len(b) > 0; b = b[t.Size():] {
				dst = append(dst, p.decode(b, t))
			}
			p.r.Discard(size) // cannot fail after Peek
			return dst, nil
		}
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
func (p *Reader) number(t numbers.Type) (float64, error) {
	if p.order == nil {
		return p.word(t)
	}
	n := t.Size()
	b, err := p.r.Peek(n)
	if err != nil {
		return 0, err
	}
	v := p.decode(b, t)
	p.r.Discard(n) // cannot fail after Peek
	return v, nil
}

// decode returns the number that b begins with, in a binary file.
func (p *Reader) decode(b []byte, t numbers.Type) float64 {
	if t == numbers.Float32 && p.order == binary.LittleEndian {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	switch t {
	case numbers.Int8:
		return float64(int8(b[0]))
	case numbers.Uint8:
		return float64(b[0])
	case numbers.Int16:
		return float64(int16(p.order.Uint16(b)))
	case numbers.Uint16:
		return float64(p.order.Uint16(b))
	case numbers.Int32:
		return float64(int32(p.order.Uint32(b)))
	case numbers.Uint32:
		return float64(p.order.Uint32(b))
	case numbers.Float32:
		return float64(math.Float32frombits(p.order.Uint32(b)))
	}
	return math.Float64frombits(p.order.Uint64(b))
}

// word returns the next number of a text.
func (p *Reader) word(t numbers.Type) (float64, error) {
	p.buf = p.buf[:0]
	for {
		c, err := p.r.ReadByte()
		if err != nil && (err != io.EOF || len(p.buf) == 0) {
			return 0, err
		}
		switch space := err == io.EOF || c <= ' '; {
		case space && len(p.buf) > 0:
			v, err := strconv.ParseFloat(string(p.buf), 64)
			if err != nil || t < numbers.Float32 && v != math.Trunc(v) {
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
func (p *Reader) end() error {
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
