// Package vtk reads the arrays of VTK's XML formats, such as .vtu and .vtp.
package vtk

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"breakwater/out/numbers"
	"breakwater/out/store"
	"breakwater/sim/par"
)

// File is a file of VTK's XML formats (Kitware, VTK File Formats): a list of pieces,
// each with arrays of numbers. They are text or binary, within the document or appended
// to it.
type File struct {
	Kind     string // UnstructuredGrid, PolyData, …
	order    binary.ByteOrder
	word     int // bytes of a number in heads of arrays
	zipped   bool
	Pieces   []Piece
	appended []byte // after its "_"
	encoded  bool   // appended as base64
	whole    bool   // the document is closed
}

// Piece is a part of the data set.
type Piece struct {
	Points, Polys, Verts int
	Arrays               []Array
}

// Array is an array that is not read yet.
type Array struct {
	Section string // PointData, Points, Polys, …
	Name    string
	Type    numbers.Type
	Known   bool // typ is one
	Width   int
	format  string
	Offset  int    // in the appended data
	text    []byte // within the document
	at      int    // byte of the document where text begins
}

var types = map[string]numbers.Type{
	"Int8": numbers.Int8, "UInt8": numbers.Uint8, "Int16": numbers.Int16, "UInt16": numbers.Uint16, "Int32": numbers.Int32, "UInt32": numbers.Uint32,
	"Int64": numbers.Int64, "UInt64": numbers.Uint64, "Float32": numbers.Float32, "Float64": numbers.Float64,
}

// Read reads a document up to the arrays themselves, and calls note,
// unless it is nil, with each comment.
func Read(data []byte, note func(comment string) error) (*File, error) {
	v := &File{order: binary.LittleEndian, word: 4}
	section := ""
	open := false
	for at := 0; ; {
		k := bytes.IndexByte(data[at:], '<')
		if k < 0 {
			break
		}
		at += k
		if bytes.HasPrefix(data[at:], []byte("<!--")) {
			at += len("<!--")
			n := bytes.Index(data[at:], []byte("-->"))
			if n < 0 {
				break
			}
			if note != nil {
				if err := note(string(data[at : at+n])); err != nil {
					return nil, err
				}
			}
			at += n + len("-->")
			continue
		}
		tag, n := xmlTag(data[at:])
		if n == 0 {
			break
		}
		at += n
		switch tag.name {
		case "VTKFile":
			open = true
			if err := v.readHead(tag); err != nil {
				return nil, err
			}
		case "/VTKFile":
			v.whole = true
		case "Piece":
			if _, err := strconv.ParseUint(strings.TrimSpace(tag.attr["NumberOfPoints"]), 10, 40); err != nil {
				return nil, fmt.Errorf("a Piece with NumberOfPoints %.30q", tag.attr["NumberOfPoints"])
			}
			v.Pieces = append(v.Pieces, Piece{Points: tag.count("NumberOfPoints"), Polys: tag.count("NumberOfPolys"), Verts: tag.count("NumberOfVerts")})
			section = ""
		case "Points", "PointData", "CellData", "Cells", "Verts", "Lines", "Strips", "Polys", "FieldData":
			if section = tag.name; tag.closed {
				section = ""
			}
		case "/Points", "/PointData", "/CellData", "/Cells", "/Verts", "/Lines", "/Strips", "/Polys", "/FieldData":
			section = ""
		case "DataArray":
			if len(v.Pieces) == 0 { // of the whole data set
				continue
			}
			a := Array{Section: section, Name: tag.attr["Name"], Width: max(1, tag.count("NumberOfComponents")), format: tag.attr["format"], Offset: tag.count("offset"), at: at}
			a.Type, a.Known = types[tag.attr["type"]]
			if !tag.closed {
				n := bytes.IndexByte(data[at:], '<')
				if n < 0 {
					return nil, errors.New("cut short in a DataArray")
				}
				a.text = data[at : at+n]
			}
			p := &v.Pieces[len(v.Pieces)-1]
			p.Arrays = append(p.Arrays, a)
		case "AppendedData":
			n := bytes.IndexByte(data[at:], '_')
			if n < 0 {
				return nil, errors.New("cut short before the appended data")
			}
			v.appended, v.encoded = data[at+n+1:], tag.attr["encoding"] == "base64"
			// The document goes on after the data, which may look like it.
			end := []byte("</AppendedData>")
			tail := data[max(at+n, len(data)-64):]
			v.whole = bytes.Contains(tail, end) && bytes.Contains(tail, []byte("</VTKFile>"))
			return v, v.check(open)
		}
	}
	return v, v.check(open)
}

func (v *File) check(open bool) error {
	switch {
	case !open:
		return errors.New("not a file of VTK's XML formats: it has no VTKFile")
	case !v.whole:
		return errors.New("cut short: its end is missing")
	}
	return nil
}

// readHead reads the description of the file in its first tag.
func (v *File) readHead(t tag) error {
	v.Kind = t.attr["type"]
	if t.attr["byte_order"] == "BigEndian" {
		v.order = binary.BigEndian
	}
	if t.attr["header_type"] == "UInt64" {
		v.word = 8
	}
	switch c := t.attr["compressor"]; c {
	case "":
	case "vtkZLibDataCompressor":
		v.zipped = true
	default:
		return fmt.Errorf("compressed by %.30s, which is not supported; use vtkZLibDataCompressor or no compression", c)
	}
	return nil
}

// tag is a tag of a document.
type tag struct {
	name   string // with / if it ends an element
	attr   map[string]string
	closed bool
}

// count returns the number of an attribute, 0 if it has none.
func (t *tag) count(name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(t.attr[name]))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// longestTag is the greatest length of a tag.
const longestTag = 1 << 14

// xmlTag reads the tag that b begins with, of n bytes; n is 0 if it does not
// end.
func xmlTag(b []byte) (t tag, n int) {
	b = b[:min(len(b), longestTag)]
	var quote byte
	end := -1
	for i := 1; i < len(b) && end < 0; i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			end = i
		}
	}
	if end < 0 {
		return t, 0
	}
	s := string(b[1:end])
	s, t.closed = strings.CutSuffix(s, "/")
	k := strings.IndexAny(s, " \t\r\n")
	if k < 0 {
		t.name = s
		return t, end + 1
	}
	t.name, s = s[:k], s[k:]
	t.attr = map[string]string{}
	for {
		name, rest, ok := strings.Cut(s, "=")
		rest = strings.TrimLeft(rest, " \t\r\n")
		if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			return t, end + 1
		}
		value, after, ok := strings.Cut(rest[1:], rest[:1])
		if !ok {
			return t, end + 1
		}
		t.attr[strings.TrimSpace(name)] = xmlText.Replace(value)
		s = after
	}
}

// xmlText replaces character references by characters.
var xmlText = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// array returns the columns of an array with the given number of rows.
func (v *File) Array(a *Array, rows int) ([]numbers.Column, error) {
	cols, err := v.columns(a, rows)
	if err != nil {
		return nil, fmt.Errorf("array %.40q: %w", a.Name, err)
	}
	return cols, nil
}

func (v *File) columns(a *Array, rows int) ([]numbers.Column, error) {
	if !a.Known {
		return nil, errors.New("its type is unknown")
	}
	if a.Width > 1<<10 || rows > 1<<40 {
		return nil, fmt.Errorf("%d rows of %d numbers", rows, a.Width)
	}
	n := rows * a.Width
	var cols []numbers.Column
	if a.format == "ascii" {
		num, _, err := numbers.ParseAll(a.text, n, true)
		if err != nil {
			return nil, err
		}
		for k := range a.Width {
			cols = append(cols, numbers.TextColumn(num, k, a.Width))
		}
		return cols, nil
	}
	src, encoded := bytes.TrimSpace(a.text), true
	if a.format == "appended" {
		if a.Offset > len(v.appended) {
			return nil, errors.New("cut short: it begins after the end")
		}
		if src, encoded = v.appended[a.Offset:], v.encoded; encoded {
			if k := bytes.IndexAny(src, "< \n"); k >= 0 {
				src = src[:k]
			}
		}
	} else if bytes.ContainsAny(src, " \r\n\t") {
		src = bytes.Join(bytes.Fields(src), nil)
	}
	data, err := v.bytes(src, encoded, n*a.Type.Size())
	if err != nil {
		return nil, err
	}
	for k := range a.Width {
		cols = append(cols, numbers.BinaryColumn(data[min(len(data), k*a.Type.Size()):], a.Type, v.order, a.Width*a.Type.Size()))
	}
	return cols, nil
}

var errArrayShort = errors.New("cut short")

// number returns number k of a head.
func (v *File) number(b []byte, k int) int {
	n := uint64(0)
	if v.word == 8 {
		n = v.order.Uint64(b[8*k:])
	} else {
		n = uint64(v.order.Uint32(b[4*k:]))
	}
	return int(min(n, 1<<48))
}

// bytes returns the n bytes of an array, which src begins with.
func (v *File) bytes(src []byte, encoded bool, n int) ([]byte, error) {
	// take returns the first k bytes, and what comes after them if they were
	// encoded by themselves.
	take := func(src []byte, k int) (b, rest []byte, err error) {
		size := k
		if encoded {
			size = (k + 2) / 3 * 4
		}
		if size > len(src) || k < 0 {
			return nil, nil, errArrayShort
		}
		if !encoded {
			return src[:k], src[k:], nil
		}
		b, err = decode64(src[:size])
		if err == nil && len(b) < k {
			err = errArrayShort
		}
		return b[:min(len(b), k)], src[size:], err
	}
	if !v.zipped {
		head, rest, err := take(src, v.word)
		if err != nil {
			return nil, err
		}
		if have := v.number(head, 0); have < n {
			return nil, fmt.Errorf("it has %d bytes, want %d", have, n)
		}
		alone := map[int]string{4: "==", 8: "="}[v.word] // ends a head that is encoded by itself
		if encoded && !bytes.HasSuffix(src[:len(src)-len(rest)], []byte(alone)) {
			b, _, err := take(src, v.word+n)
			return b[min(len(b), v.word):], err
		}
		b, _, err := take(rest, n)
		return b, err
	}
	head, _, err := take(src, 3*v.word)
	if err != nil {
		return nil, err
	}
	blocks, size, last := v.number(head, 0), v.number(head, 1), v.number(head, 2)
	if blocks == 0 {
		if n > 0 {
			return nil, fmt.Errorf("it has 0 bytes, want %d", n)
		}
		return nil, nil
	}
	if last == 0 {
		last = size
	}
	if blocks > len(src)/v.word {
		return nil, errArrayShort
	}
	head, rest, err := take(src, (3+blocks)*v.word)
	if err != nil {
		return nil, err
	}
	starts := make([]int, blocks+1)
	for k := range blocks {
		if starts[k+1] = starts[k] + v.number(head, 3+k); starts[k+1] > len(src) {
			return nil, errArrayShort
		}
	}
	packed, _, err := take(rest, starts[blocks])
	if err != nil {
		return nil, err
	}
	total := 0
	if size <= store.MaxDeflated*len(packed) && last <= size { // or the product may not fit an int
		total = (blocks-1)*size + last
	}
	if total < n || total == 0 || total/store.MaxDeflated > len(packed) {
		return nil, fmt.Errorf("it has %d blocks of %d bytes, want %d bytes", blocks, size, n)
	}
	out := make([]byte, total)
	errs := make([]error, blocks)
	par.Each(blocks, func(k int) {
		z, err := zlib.NewReader(bytes.NewReader(packed[starts[k]:starts[k+1]]))
		if err == nil {
			_, err = io.ReadFull(z, out[k*size:min(total, (k+1)*size)])
		}
		errs[k] = err
	})
	for k, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", k, err)
		}
	}
	return out, nil
}

// decode64 decodes base64, block by block in parallel.
func decode64(src []byte) ([]byte, error) {
	const chunk = 1 << 16 // a multiple of 4
	out := make([]byte, base64.StdEncoding.DecodedLen(len(src)))
	n := (len(src) + chunk - 1) / chunk
	sizes := make([]int, n)
	errs := make([]error, n)
	par.Each(n, func(k int) {
		// Decode writes more than it decodes, where there is room.
		lo, hi := k*chunk, min(len(src), (k+1)*chunk)
		sizes[k], errs[k] = base64.StdEncoding.Decode(out[lo/4*3:min(len(out), hi/4*3)], src[lo:hi])
	})
	for k, err := range errs {
		if err != nil || k < n-1 && sizes[k] != chunk/4*3 {
			return nil, errors.New("its base64 is damaged")
		}
	}
	if n == 0 {
		return nil, nil
	}
	return out[:(n-1)*chunk/4*3+sizes[n-1]], nil
}
