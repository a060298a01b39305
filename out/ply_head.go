package out

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// plyHead is the head of a PLY file (Turk 1994, The PLY Polygon File Format):
// how its elements are laid out.
type plyHead struct {
	order    binary.ByteOrder // nil for text
	elements []plyElement
	quads    int   // number of faces with four corners, in one of our files
	size     int64 // bytes up to the first element
}

// plyElement is a table with a number of rows and columns.
type plyElement struct {
	name  string
	rows  int
	props []plyProp
}

// plyProp is one column: a number per row or, for a list, a count and that many numbers.
type plyProp struct {
	name  string
	typ   numType
	list  bool
	count numType // of the list's count
}

var plyTypes = map[string]numType{
	"char": int8Type, "uchar": uint8Type, "short": int16Type, "ushort": uint16Type,
	"int": int32Type, "uint": uint32Type, "float": float32Type, "double": float64Type,
	"int8": int8Type, "uint8": uint8Type, "int16": int16Type, "uint16": uint16Type,
	"int32": int32Type, "uint32": uint32Type, "float32": float32Type, "float64": float64Type,
}

// plyQuads is the key of the comment that says how many faces have four corners.
const plyQuads = "breakwater-quads"

// What a head may have at most. Files in use have a tenth of it, but for those
// whose comments are rows of gauges that are read at each step; more is not a
// PLY file.
const (
	plyMaxHead  = 1 << 24 // bytes
	plyMaxLine  = 1 << 16 // bytes
	plyMaxProps = 1 << 10
	plyMaxRows  = 1<<31 - 1
)

// readPLYHead reads a head up to the line end_header, and calls note, unless it
// is nil, with each comment.
func readPLYHead(r *bufio.Reader, note func(comment string) error) (*plyHead, error) {
	h := &plyHead{}
	format := false
	for line := 1; ; line++ {
		b, err := r.ReadSlice('\n')
		h.size += int64(len(b))
		switch {
		case errors.Is(err, bufio.ErrBufferFull) || h.size > plyMaxHead:
			return nil, fmt.Errorf("line %d: the header has no end", line)
		case err == io.EOF:
			return nil, fmt.Errorf("line %d: cut short in the header", line)
		case err != nil:
			return nil, err
		}
		text := strings.TrimRight(string(b), "\r\n")
		word := strings.Fields(text)
		switch {
		case line == 1:
			if text != "ply" {
				return nil, errors.New("not a PLY file: its first line is not ply")
			}
		case len(word) == 0:
		case word[0] == "end_header":
			if !format {
				return nil, fmt.Errorf("line %d: the header has no format", line)
			}
			return h, nil
		case word[0] == "format":
			format, err = true, h.readFormat(word)
		case word[0] == "comment":
			if n, is := strings.CutPrefix(text, "comment "+plyQuads+" "); is {
				h.quads, err = strconv.Atoi(n)
				break
			}
			if note != nil {
				err = note(strings.TrimPrefix(text, "comment"))
			}
		case word[0] == "obj_info":
		case word[0] == "element":
			err = h.readElement(word)
		case word[0] == "property":
			err = h.readProperty(word)
		default:
			err = fmt.Errorf("unknown word %.20q", word[0])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

func (h *plyHead) readFormat(word []string) error {
	if len(word) != 3 || word[2] != "1.0" {
		return errors.New("want the format's name and version 1.0")
	}
	switch word[1] {
	case "ascii":
		h.order = nil
	case "binary_little_endian":
		h.order = binary.LittleEndian
	case "binary_big_endian":
		h.order = binary.BigEndian
	default:
		return fmt.Errorf("unknown format %.20q", word[1])
	}
	return nil
}

func (h *plyHead) readElement(word []string) error {
	if len(word) != 3 {
		return errors.New("want the element's name and number")
	}
	n, err := strconv.ParseUint(word[2], 10, 64)
	if err != nil || n > plyMaxRows {
		return fmt.Errorf("%.20s elements: want a number up to %d", word[2], plyMaxRows)
	}
	h.elements = append(h.elements, plyElement{name: word[1], rows: int(n)})
	return nil
}

func (h *plyHead) readProperty(word []string) error {
	if len(h.elements) == 0 {
		return errors.New("a property before any element")
	}
	e := &h.elements[len(h.elements)-1]
	if len(e.props) == plyMaxProps {
		return fmt.Errorf("more than %d properties", plyMaxProps)
	}
	var p plyProp
	var ok, ok2 bool
	switch {
	case len(word) == 3:
		p.name = word[2]
		p.typ, ok = plyTypes[word[1]]
		ok2 = true
	case len(word) == 5 && word[1] == "list":
		p.name, p.list = word[4], true
		p.count, ok = plyTypes[word[2]]
		p.typ, ok2 = plyTypes[word[3]]
		ok = ok && p.count < float32Type
	}
	if !ok || !ok2 {
		return errors.New("want a property's type and name, or list, two types and a name")
	}
	e.props = append(e.props, p)
	return nil
}

// element returns the named element, or nil.
func (h *plyHead) element(name string) *plyElement {
	for i := range h.elements {
		if h.elements[i].name == name {
			return &h.elements[i]
		}
	}
	return nil
}

// number returns the column of the first number with one of the names, or −1.
func (e *plyElement) number(names ...string) int { return e.column(false, names) }

// list returns the column of the first list with one of the names, or −1.
func (e *plyElement) list(names ...string) int { return e.column(true, names) }

func (e *plyElement) column(list bool, names []string) int {
	return slices.IndexFunc(e.props, func(p plyProp) bool { return p.list == list && slices.Contains(names, p.name) })
}

// fixedSize returns the bytes of a row of a binary file, 0 if they differ from
// row to row.
func (e *plyElement) fixedSize() int {
	n := 0
	for _, p := range e.props {
		if p.list {
			return 0
		}
		n += p.typ.size()
	}
	return n
}

// rowSize returns the bytes of a row in our binary files, where every list
// has three corners of a triangle, but for those of quads.
func (e *plyElement) rowSize() int {
	n := 0
	for _, p := range e.props {
		if p.list {
			n += p.count.size() + 3*p.typ.size()
		} else {
			n += p.typ.size()
		}
	}
	return n
}

// check returns an error unless the file is one of ours, of size bytes, with the
// named elements, and bodies if there are any.
func (h *plyHead) check(size int64, elements ...string) error {
	if n := len(h.elements); n > 0 && h.elements[n-1].name == "body" {
		elements = append(slices.Clip(elements), "body")
	}
	ours := h.order == binary.LittleEndian && len(h.elements) == len(elements)
	want := h.size
	for i := range h.elements {
		e := &h.elements[i]
		ours = ours && e.name == elements[i]
		want += int64(e.rows) * int64(e.rowSize())
		if k := e.list("vertex_indices"); k >= 0 {
			want += int64(h.quads) * int64(e.props[k].typ.size())
		}
	}
	switch {
	case !ours:
		return errors.New("not a file written by this program")
	case size < want:
		return fmt.Errorf("cut short at byte %d of %d", size, want)
	case size > want:
		return fmt.Errorf("%d bytes after its end", size-want)
	}
	return nil
}
