// Package ply reads and writes PLY files (Turk 1994, The PLY Polygon File
// Format), whatever their elements mean:
//
//	head.go    the header: elements and their properties
//	rows.go    the rows of the elements, of binary files or text
//	encode.go  binary little-endian files
package ply

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/numbers"
)

// Head is the head of a PLY file (Turk 1994, The PLY Polygon File Format):
// how its elements are laid out.
type Head struct {
	Order    binary.ByteOrder // nil for text
	Elements []Element
	quads    int   // number of faces with four corners, in one of our files
	Size     int64 // bytes up to the first element
}

// Element is a table with a number of rows and columns.
type Element struct {
	Name  string
	Rows  int
	Props []Property
}

// Property is one column: a number per row or, for a list, a count and that many
// numbers.
type Property struct {
	Name  string
	Type  numbers.Type
	List  bool
	count numbers.Type // of the list's count
}

var types = map[string]numbers.Type{
	"char": numbers.Int8, "uchar": numbers.Uint8, "short": numbers.Int16, "ushort": numbers.Uint16,
	"int": numbers.Int32, "uint": numbers.Uint32, "float": numbers.Float32, "double": numbers.Float64,
	"int8": numbers.Int8, "uint8": numbers.Uint8, "int16": numbers.Int16, "uint16": numbers.Uint16,
	"int32": numbers.Int32, "uint32": numbers.Uint32, "float32": numbers.Float32, "float64": numbers.Float64,
}

// QuadsKey is the key of the comment that says how many faces have four corners.
const QuadsKey = "breakwater-quads"

// What a head may have at most. Files in use have a tenth of it, but for those
// whose comments are rows of gauges that are read at each step; more is not a
// PLY file.
const (
	maxHead  = 1 << 24 // bytes
	MaxLine  = 1 << 16 // bytes
	maxProps = 1 << 10
	maxRows  = 1<<31 - 1
)

// ReadHead reads a head up to the line end_header, and calls note, unless it
// is nil, with each comment.
func ReadHead(r *bufio.Reader, note func(comment string) error) (*Head, error) {
	h := &Head{}
	format := false
	for line := 1; ; line++ {
		b, err := r.ReadSlice('\n')
		h.Size += int64(len(b))
		switch {
		case errors.Is(err, bufio.ErrBufferFull) || h.Size > maxHead:
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
			if n, is := strings.CutPrefix(text, "comment "+QuadsKey+" "); is {
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

func (h *Head) readFormat(word []string) error {
	if len(word) != 3 || word[2] != "1.0" {
		return errors.New("want the format's name and version 1.0")
	}
	switch word[1] {
	case "ascii":
		h.Order = nil
	case "binary_little_endian":
		h.Order = binary.LittleEndian
	case "binary_big_endian":
		h.Order = binary.BigEndian
	default:
		return fmt.Errorf("unknown format %.20q", word[1])
	}
	return nil
}

func (h *Head) readElement(word []string) error {
	if len(word) != 3 {
		return errors.New("want the element's name and number")
	}
	n, err := strconv.ParseUint(word[2], 10, 64)
	if err != nil || n > maxRows {
		return fmt.Errorf("%.20s elements: want a number up to %d", word[2], maxRows)
	}
	h.Elements = append(h.Elements, Element{Name: word[1], Rows: int(n)})
	return nil
}

func (h *Head) readProperty(word []string) error {
	if len(h.Elements) == 0 {
		return errors.New("a property before any element")
	}
	e := &h.Elements[len(h.Elements)-1]
	if len(e.Props) == maxProps {
		return fmt.Errorf("more than %d properties", maxProps)
	}
	var p Property
	var ok, ok2 bool
	switch {
	case len(word) == 3:
		p.Name = word[2]
		p.Type, ok = types[word[1]]
		ok2 = true
	case len(word) == 5 && word[1] == "list":
		p.Name, p.List = word[4], true
		p.count, ok = types[word[2]]
		p.Type, ok2 = types[word[3]]
		ok = ok && p.count < numbers.Float32
	}
	if !ok || !ok2 {
		return errors.New("want a property's type and name, or list, two types and a name")
	}
	e.Props = append(e.Props, p)
	return nil
}

// Element returns the named element, or nil.
func (h *Head) Element(name string) *Element {
	for i := range h.Elements {
		if h.Elements[i].Name == name {
			return &h.Elements[i]
		}
	}
	return nil
}

// Number returns the column of the first number with one of the names, or −1.
func (e *Element) Number(names ...string) int { return e.column(false, names) }

// List returns the column of the first list with one of the names, or −1.
func (e *Element) List(names ...string) int { return e.column(true, names) }

func (e *Element) column(list bool, names []string) int {
	return slices.IndexFunc(e.Props, func(p Property) bool { return p.List == list && slices.Contains(names, p.Name) })
}

// FixedSize returns the bytes of a row of a binary file, 0 if they differ from
// row to row.
func (e *Element) FixedSize() int {
	n := 0
	for _, p := range e.Props {
		if p.List {
			return 0
		}
		n += p.Type.Size()
	}
	return n
}

// rowSize returns the bytes of a row in our binary files, where every list has three
// corners of a triangle, or four of a quad.
func (e *Element) rowSize() int {
	n := 0
	for _, p := range e.Props {
		if p.List {
			n += p.count.Size() + 3*p.Type.Size()
		} else {
			n += p.Type.Size()
		}
	}
	return n
}

// Check returns an error unless the file is one of ours, of size bytes, with the
// named elements, and vortons and bodies if there are any.
func (h *Head) Check(size int64, elements ...string) error {
	for _, name := range [...]string{"vorton", "body"} { // which only some frames have
		if n := len(elements); n < len(h.Elements) && h.Elements[n].Name == name {
			elements = append(slices.Clip(elements), name)
		}
	}
	ours := h.Order == binary.LittleEndian && len(h.Elements) == len(elements)
	want := h.Size
	for i := range h.Elements {
		e := &h.Elements[i]
		ours = ours && e.Name == elements[i]
		want += int64(e.Rows) * int64(e.rowSize())
		if k := e.List("vertex_indices"); k >= 0 {
			want += int64(h.quads) * int64(e.Props[k].Type.Size())
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
