package out

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"

	"breakwater/sim/registry"
)

func init() {
	ParticleReaders.Register(registry.Entry[ParticleReader]{
		Name: "ply",
		Doc:  "the vertices of text or binary PLY files, with all their properties",
		Cite: "Turk 1994",
		New: func(d registry.Decode) (ParticleReader, error) {
			r := plyReader{}
			return r, d(&r)
		},
	})
}

type plyReader struct{}

func (plyReader) Exts() []string { return []string{"ply"} }

// Read reads files whose vertices come first and have no lists, as all that
// hold particles do, in parallel, and others row by row.
func (plyReader) Read(data []byte, want func(string) bool) (*Particles, error) {
	h, err := readPLYHead(bufio.NewReaderSize(bytes.NewReader(data), plyMaxLine), nil)
	if err != nil {
		return nil, err
	}
	e := h.element("vertex")
	if e == nil {
		return nil, errors.New("no element vertex")
	}
	t := &table{rows: e.rows}
	var kept []int // properties that are numbers
	for k, p := range e.props {
		if !p.list {
			kept, t.names = append(kept, k), append(t.names, p.name)
		}
	}
	body := data[h.size:]
	switch size := e.fixedSize(); {
	case size > 0 && h.order != nil && h.elements[0].name == "vertex":
		if have := len(body) / size; e.rows > have {
			return nil, fmt.Errorf("cut short: %d of %d vertices", have, e.rows)
		}
		at := 0
		for _, p := range e.props {
			t.cols = append(t.cols, binaryColumn(body[min(len(body), at):], p.typ, h.order, size))
			at += p.typ.size()
		}
	case size > 0 && h.order == nil && h.elements[0].name == "vertex":
		width := len(e.props)
		if e.rows > len(body)/width {
			return nil, fmt.Errorf("cut short: %d vertices cannot be in %d bytes", e.rows, len(body))
		}
		v, _, err := textNumbers(body, e.rows*width, true)
		if err != nil {
			return nil, onLine(err, data, int(h.size))
		}
		for k := range e.props {
			t.cols = append(t.cols, textColumn(v, k, width))
		}
	default:
		v, err := plyNumbers(h, e, body, kept)
		if err != nil {
			return nil, err
		}
		for k := range kept {
			t.cols = append(t.cols, textColumn(v, k, len(kept)))
		}
	}
	return t.particles(want)
}

// plyNumbers returns the columns kept of the element e, row by row.
func plyNumbers(h *plyHead, e *plyElement, body []byte, kept []int) (v []float64, err error) {
	rows := newPLYRows(bufio.NewReaderSize(bytes.NewReader(body), 1<<16), h.order)
	for i := range h.elements {
		if &h.elements[i] != e {
			if err := rows.read(&h.elements[i], nil); err != nil {
				return nil, err
			}
			continue
		}
		err = rows.read(e, func(_ int, num []float64, _ [][]float64) error {
			for _, k := range kept {
				v = append(v, num[k])
			}
			return nil
		})
		break
	}
	return v, err
}
