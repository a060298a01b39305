package particles

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"

	"breakwater/out/numbers"
	"breakwater/out/ply"
)

func init() {
	Readers.Add("ply", "the vertices of text or binary PLY files, with all their properties", "Turk 1994", func() Reader { return plyReader{} })
}

type plyReader struct{}

func (plyReader) Exts() []string { return []string{"ply"} }

// Read reads files whose vertices come first and have no lists, as all that
// hold particles do, in parallel, and others row by row.
func (plyReader) Read(data []byte, want func(string) bool) (*Cloud, error) {
	h, err := ply.ReadHead(bufio.NewReaderSize(bytes.NewReader(data), ply.MaxLine), nil)
	if err != nil {
		return nil, err
	}
	e := h.Element("vertex")
	if e == nil {
		return nil, errors.New("no element vertex")
	}
	t := &table{rows: e.Rows}
	var kept []int // properties that are numbers
	for k, p := range e.Props {
		if !p.List {
			kept, t.names = append(kept, k), append(t.names, p.Name)
		}
	}
	body := data[h.Size:]
	switch size := e.FixedSize(); {
	case size > 0 && h.Order != nil && h.Elements[0].Name == "vertex":
		if have := len(body) / size; e.Rows > have {
			return nil, fmt.Errorf("cut short: %d of %d vertices", have, e.Rows)
		}
		at := 0
		for _, p := range e.Props {
			t.cols = append(t.cols, numbers.BinaryColumn(body[min(len(body), at):], p.Type, h.Order, size))
			at += p.Type.Size()
		}
	case size > 0 && h.Order == nil && h.Elements[0].Name == "vertex":
		width := len(e.Props)
		if e.Rows > len(body)/width {
			return nil, fmt.Errorf("cut short: %d vertices cannot be in %d bytes", e.Rows, len(body))
		}
		v, _, err := numbers.ParseAll(body, e.Rows*width, true)
		if err != nil {
			return nil, numbers.OnLine(err, data, int(h.Size))
		}
		for k := range e.Props {
			t.cols = append(t.cols, numbers.TextColumn(v, k, width))
		}
	default:
		v, err := plyNumbers(h, e, body, kept)
		if err != nil {
			return nil, err
		}
		for k := range kept {
			t.cols = append(t.cols, numbers.TextColumn(v, k, len(kept)))
		}
	}
	return t.particles(want)
}

// plyNumbers returns the columns kept of the element e, row by row.
func plyNumbers(h *ply.Head, e *ply.Element, body []byte, kept []int) (v []float64, err error) {
	rows := ply.NewReader(bufio.NewReaderSize(bytes.NewReader(body), 1<<16), h.Order)
	for i := range h.Elements {
		if &h.Elements[i] != e {
			if err := rows.Read(&h.Elements[i], nil); err != nil {
				return nil, err
			}
			continue
		}
		err = rows.Read(e, func(_ int, num []float64, _ [][]float64) error {
			for _, k := range kept {
				v = append(v, num[k])
			}
			return nil
		})
		break
	}
	return v, err
}
