package particles

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"breakwater/out/numbers"
)

func init() {
	Readers.Add("vtk", "VTK's legacy files, text or binary, with points in a POLYDATA or an UNSTRUCTURED_GRID",
		"Kitware, VTK File Formats, 1993–2023", func() Reader { return vtkReader{} })
}

// vtkReader reads versions 1 to 5 of the format: lines that begin with a keyword.
// Numbers follow some of them, as text or as big-endian binary right after the end of
// the line.
type vtkReader struct{}

func (vtkReader) Exts() []string { return []string{"vtk"} }

func (vtkReader) Read(data []byte, want func(string) bool) (*Cloud, error) {
	f := &vtkFile{data: data, want: want, p: &Cloud{}}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f.p, nil
}

// vtkFile is a file being read.
type vtkFile struct {
	data   []byte
	at     int
	text   bool
	want   func(string) bool
	p      *Cloud
	points int  // −1 before POINTS
	inside bool // of POINT_DATA
	rows   int  // of POINT_DATA or CELL_DATA
}

var vtkTypes = map[string]numbers.Type{
	"char": numbers.Int8, "signed_char": numbers.Int8, "unsigned_char": numbers.Uint8, "short": numbers.Int16, "unsigned_short": numbers.Uint16,
	"int": numbers.Int32, "unsigned_int": numbers.Uint32, "long": numbers.Int64, "unsigned_long": numbers.Uint64,
	"long_long": numbers.Int64, "unsigned_long_long": numbers.Uint64, "vtktypeint64": numbers.Int64, "vtktypeuint64": numbers.Uint64,
	"vtkidtype": numbers.Int32, "float": numbers.Float32, "double": numbers.Float64, // an id is written as an int
}

func (f *vtkFile) read() error {
	first, _ := f.line()
	if !bytes.HasPrefix(first, []byte("# vtk DataFile Version ")) {
		return errors.New("not a VTK file: its first line is not # vtk DataFile Version")
	}
	f.line() // the title
	switch form, _ := f.words(); {
	case len(form) == 1 && strings.EqualFold(form[0], "ASCII"):
		f.text = true
	case len(form) == 1 && strings.EqualFold(form[0], "BINARY"):
	default:
		return f.fail("expected ASCII or BINARY")
	}
	f.points, f.rows = -1, -1
	for {
		w, more := f.words()
		if !more {
			break
		}
		if len(w) == 0 {
			continue
		}
		if err := f.keyword(w); err != nil {
			return err
		}
	}
	if f.points < 0 {
		return errors.New("no POINTS: is it cut short, or a grid without points?")
	}
	return nil
}

// line returns the next line without its end; more is false at the file's end.
func (f *vtkFile) line() (line []byte, more bool) {
	if f.at >= len(f.data) {
		return nil, false
	}
	rest := f.data[f.at:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		f.at = len(f.data)
		return rest, true
	}
	f.at += n + 1
	return bytes.TrimSuffix(rest[:n], []byte{'\r'}), true
}

// longestLine is the greatest length of a line with a keyword.
const longestLine = 1 << 10

func (f *vtkFile) words() (words []string, more bool) {
	line, more := f.line()
	return strings.Fields(string(line[:min(len(line), longestLine)])), more
}

// fail returns an error on the line before f.at.
func (f *vtkFile) fail(format string, args ...any) error {
	return numbers.OnLine(&numbers.TextError{At: -1, Text: fmt.Sprintf(format, args...)}, f.data, f.at)
}

// count returns the number in a word.
func (f *vtkFile) count(w []string, k int) (int, error) {
	if k >= len(w) {
		return 0, f.fail("%.20s has no number", w[0])
	}
	n, err := strconv.Atoi(w[k])
	if err != nil || n < 0 {
		return 0, f.fail("%.20s: %.20q is not a count", w[0], w[k])
	}
	return n, nil
}

// keyword reads the part of the file whose first line has the words w.
func (f *vtkFile) keyword(w []string) error {
	switch key := strings.ToUpper(w[0]); key {
	case "DATASET":
		if len(w) == 2 && strings.EqualFold(w[1], "STRUCTURED_POINTS") {
			return f.fail("STRUCTURED_POINTS are a grid of values, not particles")
		}
		return nil
	case "DIMENSIONS":
		return nil
	case "METADATA":
		for line, more := f.line(); more && len(bytes.TrimSpace(line)) > 0; line, more = f.line() {
		}
		return nil
	case "POINTS":
		n, err := f.count(w, 1)
		if err != nil {
			return err
		}
		if f.points >= 0 {
			return f.fail("POINTS a second time")
		}
		return f.array(w, 2, n, 3, func(a vtkArray) {
			f.points, f.p.X = n, numbers.Vectors(a.vector(), n)
		})
	case "VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS", "CELLS":
		return f.cells(w)
	case "CELL_TYPES":
		n, err := f.count(w, 1)
		if err != nil {
			return err
		}
		return f.skip(n, 1, numbers.Int32)
	case "POINT_DATA", "CELL_DATA":
		n, err := f.count(w, 1)
		f.inside, f.rows = key == "POINT_DATA", n
		if err == nil && f.inside && n != f.points {
			return f.fail("POINT_DATA of %d for %d points", n, max(0, f.points))
		}
		return err
	case "FIELD":
		return f.fields(w)
	case "SCALARS":
		return f.attribute(w, 1)
	case "VECTORS", "NORMALS":
		return f.attribute(w, 3)
	case "TENSORS":
		return f.attribute(w, 9)
	case "TENSORS6":
		return f.attribute(w, 6)
	case "GLOBAL_IDS", "PEDIGREE_IDS", "EDGE_FLAGS":
		return f.attribute(w, 1)
	case "TEXTURE_COORDINATES":
		n, err := f.count(w, 2)
		if err != nil {
			return err
		}
		return f.array(w, 3, max(0, f.rows), n, nil)
	case "COLOR_SCALARS":
		n, err := f.count(w, 2)
		if err != nil {
			return err
		}
		return f.skip(max(0, f.rows), n, numbers.Uint8)
	case "LOOKUP_TABLE":
		n, err := f.count(w, 2)
		if err != nil {
			return err
		}
		return f.skip(n, 4, numbers.Uint8)
	}
	return f.fail("unknown keyword %.20q", w[0])
}

// cells passes over lists of cells: since version 5 as two arrays.
func (f *vtkFile) cells(w []string) error {
	n, err := f.count(w, 1)
	if err != nil {
		return err
	}
	size := 0
	if len(w) > 2 { // VERTICES of some old files have one number
		if size, err = f.count(w, 2); err != nil {
			return err
		}
	}
	if !bytes.HasPrefix(f.data[f.at:], []byte("OFFSETS ")) {
		return f.skip(size, 1, numbers.Int32)
	}
	for _, n := range []int{n, size} {
		w, _ := f.words()
		if len(w) != 2 || w[0] != "OFFSETS" && w[0] != "CONNECTIVITY" {
			return f.fail("expected OFFSETS or CONNECTIVITY and a type")
		}
		if err := f.array(w, 1, n, 1, nil); err != nil {
			return err
		}
		f.blank()
	}
	return nil
}

// blank passes over empty lines.
func (f *vtkFile) blank() {
	for f.at < len(f.data) && (f.data[f.at] == '\n' || f.data[f.at] == '\r' || f.text && f.data[f.at] == ' ') {
		f.at++
	}
}

// attribute reads an array with a row a point or cell: KEYWORD name type, and
// for SCALARS perhaps the numbers in a row, with LOOKUP_TABLE on the next line.
func (f *vtkFile) attribute(w []string, width int) error {
	if f.rows < 0 || len(w) < 3 {
		return f.fail("%.20s: expected a name and a type, after POINT_DATA", w[0])
	}
	if strings.EqualFold(w[0], "SCALARS") {
		if len(w) > 3 {
			n, err := f.count(w, 3)
			if err != nil {
				return err
			}
			width = n
		}
		if bytes.HasPrefix(f.data[f.at:], []byte("LOOKUP_TABLE")) {
			f.line()
		}
	}
	return f.array(w, 2, f.rows, width, f.field(w[1], f.rows, width))
}

// fields reads the arrays of FIELD name n: each has a line with its name, the
// numbers in a row, the rows and the type.
func (f *vtkFile) fields(w []string) error {
	n, err := f.count(w, 2)
	if err != nil {
		return err
	}
	for range n {
		w, more := f.words()
		for more && (len(w) == 0 || w[0] == "METADATA") {
			if len(w) > 0 {
				f.keyword(w) // cannot fail
			}
			w, more = f.words()
		}
		if !more {
			return f.fail("cut short: FIELD promises %d arrays", n)
		}
		if len(w) != 4 {
			return f.fail("expected an array's name, width, rows and type")
		}
		width, err := f.count(w, 1)
		if err != nil {
			return err
		}
		rows, err := f.count(w, 2)
		if err != nil {
			return err
		}
		if f.inside && (rows != f.points || width != 1 && width != 3) {
			if err := misfit(w[0], rows, width, f.points, f.want); err != nil {
				return f.fail("%v", err)
			}
		}
		if err := f.array(w, 3, rows, width, f.field(w[0], rows, width)); err != nil {
			return err
		}
	}
	return nil
}

// field returns what takes an array as a field of the particles, nil if it is
// not one or not wanted.
func (f *vtkFile) field(name string, rows, width int) func(vtkArray) {
	if !f.inside || rows != f.points || width != 1 && width != 3 {
		return nil
	}
	if s, err := url.PathUnescape(name); err == nil { // spaces are written %20
		name = s
	}
	var take func(vtkArray)
	f.p.add(name, f.want, func() Field {
		k := len(f.p.Fields)
		take = func(a vtkArray) {
			if width == 3 {
				f.p.Fields[k].Vector = numbers.Vectors(a.vector(), rows)
			} else {
				f.p.Fields[k].Scalar = a.column(0).Scalars(rows)
			}
		}
		return Field{}
	})
	return take
}

// vtkArray is an array of rows of numbers.
type vtkArray struct {
	text   []float64 // nil if the file is binary
	binary []byte
	typ    numbers.Type
	width  int
}

func (a vtkArray) column(k int) numbers.Column {
	if a.text != nil {
		return numbers.TextColumn(a.text, k, a.width)
	}
	return numbers.BinaryColumn(a.binary[min(len(a.binary), k*a.typ.Size()):], a.typ, binary.BigEndian, a.width*a.typ.Size())
}

func (a vtkArray) vector() [3]numbers.Column {
	return [3]numbers.Column{a.column(0), a.column(1), a.column(2)}
}

// array reads rows of width numbers of the type that word k says, for take,
// or passes over them if that is nil.
func (f *vtkFile) array(w []string, k, rows, width int, take func(vtkArray)) error {
	if k >= len(w) {
		return f.fail("%.20s has no type", w[0])
	}
	name := strings.ToLower(w[k])
	if name == "bit" && !f.text {
		if take != nil && rows > 0 {
			return f.fail("%.20s: bits are not supported", w[0])
		}
		return f.skip((rows*width+7)/8, 1, numbers.Uint8)
	}
	t, ok := vtkTypes[name]
	if name == "bit" {
		t, ok = numbers.Uint8, true
	}
	if !ok {
		return f.fail("%.20s: unknown type %.20q", w[0], w[k])
	}
	if take == nil {
		return f.skip(rows, width, t)
	}
	n, err := f.numbers(w[0], rows, width, t)
	if err != nil {
		return err
	}
	a := vtkArray{typ: t, width: width}
	if f.text {
		v, rest, err := numbers.ParseAll(f.data[f.at:], n, true)
		if err != nil {
			return numbers.OnLine(err, f.data, f.at)
		}
		a.text, f.at = v, len(f.data)-len(rest)
	} else {
		a.binary = f.data[f.at : f.at+n*t.Size()]
		f.at += n * t.Size()
	}
	take(a)
	return nil
}

// skip passes over rows of numbers.
func (f *vtkFile) skip(rows, width int, t numbers.Type) error {
	n, err := f.numbers("an array", rows, width, t)
	if err != nil {
		return err
	}
	if !f.text {
		f.at += n * t.Size()
		return nil
	}
	_, rest, err := numbers.ParseAll(f.data[f.at:], n, false)
	if err != nil {
		return numbers.OnLine(err, f.data, f.at)
	}
	f.at = len(f.data) - len(rest)
	return nil
}

// numbers returns how many numbers the given rows have, if the file has as many.
func (f *vtkFile) numbers(what string, rows, width int, t numbers.Type) (int, error) {
	size := t.Size()
	if f.text {
		size = 1
	}
	if left := (len(f.data) - f.at) / size; width > left || width > 0 && rows > left/width {
		return 0, f.fail("cut short: %.20s promises %d rows of %d numbers, and %d bytes are left", what, rows, width, len(f.data)-f.at)
	}
	return rows * width, nil
}
