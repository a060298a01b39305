package particles

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/numbers"
	"breakwater/out/store"
)

func init() {
	Readers.Add("numpy", "NumPy arrays of N×3 numbers or of records, and .npz archives of named arrays",
		"Harris et al. 2020", func() Reader { return numpyReader{} })
}

type numpyReader struct{}

func (numpyReader) Exts() []string { return []string{"npy", "npz"} }

func (numpyReader) Read(data []byte, want func(string) bool) (*Cloud, error) {
	if bytes.HasPrefix(data, []byte("PK")) {
		return readNPZ(data, want)
	}
	a, err := readNPY(data)
	if err != nil {
		return nil, err
	}
	if a.records != nil {
		return recordParticles(a, want)
	}
	if len(a.shape) != 2 || a.shape[1] < 3 {
		return nil, fmt.Errorf("an array of shape %v, want a row of 3 numbers or more per particle", a.shape)
	}
	if a.shape[0] <= mostColumns && a.shape[1] > mostColumns {
		return nil, fmt.Errorf("an array of shape %v: it seems to have a column per particle; write its transpose, a row per particle", a.shape)
	}
	t := &table{rows: a.shape[0]}
	for k := range a.shape[1] {
		name := fmt.Sprintf("column_%d", k+1)
		if k < 3 {
			name = "xyz"[k : k+1]
		}
		t.names, t.cols = append(t.names, name), append(t.cols, a.column(k))
	}
	return t.particles(want)
}

// mostColumns is how many columns an array without names may have if it has no
// more rows than that: with more of them, the columns are the particles.
const mostColumns = 16

// npyArray is the array of a .npy file.
type npyArray struct {
	shape   []int
	byCol   bool // Fortran's order
	typ     numbers.Type
	order   binary.ByteOrder
	records []npyField // of a record, nil if the array has numbers
	size    int        // bytes of an item
	data    []byte
}

// npyField is a part of a record: some numbers of a type.
type npyField struct {
	name   string
	typ    numbers.Type
	order  binary.ByteOrder
	at     int // byte in the record
	width  int
	usable bool
}

const npyMagic = "\x93NUMPY"

// readNPY reads a file of version 1 to 3 (NEP 1, A Simple File Format for
// NumPy Arrays).
func readNPY(data []byte) (*npyArray, error) {
	if !bytes.HasPrefix(data, []byte(npyMagic)) {
		return nil, errors.New("not a NumPy file: it does not begin with \\x93NUMPY")
	}
	if len(data) < 10 {
		return nil, errors.New("cut short in the head")
	}
	at, size := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] > 1 {
		if len(data) < 12 {
			return nil, errors.New("cut short in the head")
		}
		at, size = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if size > len(data)-at {
		return nil, errors.New("cut short in the head")
	}
	p := pyParser{text: string(data[at : at+size])}
	head, err := p.value(0)
	dict, ok := head.(map[string]any)
	if err != nil || !ok {
		return nil, fmt.Errorf("the header %.60q is not a dictionary", p.text)
	}
	a := &npyArray{data: data[at+size:]}
	a.byCol, _ = dict["fortran_order"].(bool)
	shape, ok := dict["shape"].([]any)
	items := 1
	for _, n := range shape {
		k, is := n.(int)
		if !is || k < 0 || k > 0 && items > len(data)/k {
			return nil, fmt.Errorf("cut short: shape %v for a file of %d bytes", shape, len(data))
		}
		a.shape = append(a.shape, k)
		items *= k
	}
	if !ok {
		return nil, errors.New("the header has no shape")
	}
	switch descr := dict["descr"].(type) {
	case string:
		if a.typ, a.order, ok = npyType(descr); !ok {
			return nil, fmt.Errorf("numbers of type %.20q are not supported", descr)
		}
		a.size = a.typ.Size()
	case []any:
		if a.records, a.size, err = npyFields(descr); err != nil {
			return nil, err
		}
		if len(a.shape) != 1 {
			return nil, fmt.Errorf("records of shape %v, want one per particle", a.shape)
		}
	default:
		return nil, errors.New("the header has no descr")
	}
	if a.size > 0 && items > len(a.data)/a.size {
		return nil, fmt.Errorf("cut short: %d items in %d bytes", items, len(a.data))
	}
	return a, nil
}

// npyType returns NumPy's name of a type: <f4.
func npyType(s string) (t numbers.Type, order binary.ByteOrder, ok bool) {
	if len(s) < 2 {
		return 0, nil, false
	}
	order = binary.LittleEndian
	switch s[0] {
	case '>':
		order, s = binary.BigEndian, s[1:]
	case '<', '=', '|':
		s = s[1:]
	}
	t, ok = map[string]numbers.Type{
		"i1": numbers.Int8, "u1": numbers.Uint8, "b1": numbers.Uint8, "i2": numbers.Int16, "u2": numbers.Uint16, "i4": numbers.Int32, "u4": numbers.Uint32,
		"i8": numbers.Int64, "u8": numbers.Uint64, "f2": numbers.Float16, "f4": numbers.Float32, "f8": numbers.Float64,
	}[s]
	return t, order, ok
}

// npyFields returns the parts of records: tuples of a name, a type, and an optional
// count. Parts that are not numbers are skipped.
func npyFields(descr []any) (list []npyField, size int, err error) {
	for _, d := range descr {
		part, _ := d.([]any)
		if len(part) < 2 {
			return nil, 0, fmt.Errorf("%v is not a part of a record", d)
		}
		f := npyField{at: size, width: 1}
		f.name, _ = part[0].(string)
		name, isName := part[1].(string)
		if !isName {
			return nil, 0, fmt.Errorf("part %.20q of the records is itself a record, which is not supported", f.name)
		}
		if len(part) > 2 {
			dims, _ := part[2].([]any)
			if n, is := part[2].(int); is {
				dims = []any{n}
			}
			for _, n := range dims {
				k, is := n.(int)
				if !is || k < 0 || k > 1<<10 || f.width > 1<<10 {
					return nil, 0, fmt.Errorf("part %.20q of the records has shape %v", f.name, part[2])
				}
				f.width *= k
			}
		}
		bytes := 0
		if f.typ, f.order, f.usable = npyType(name); f.usable {
			bytes = f.typ.Size()
		} else if n, e := strconv.Atoi(strings.TrimLeft(name, "<>|=fSVUc")); e == nil && n >= 0 && n < 1<<16 {
			if bytes = n; strings.Contains(name, "U") {
				bytes = 4 * n
			}
		} else {
			return nil, 0, fmt.Errorf("part %.20q of the records has the unknown type %.20q", f.name, name)
		}
		f.usable = f.usable && (f.width == 1 || f.width == 3)
		size += bytes * f.width
		list = append(list, f)
	}
	return list, size, nil
}

// column returns column k of an array of two dimensions or less.
func (a *npyArray) column(k int) numbers.Column {
	width := 1
	if len(a.shape) > 1 {
		width = a.shape[1]
	}
	at, stride := k*a.size, width*a.size
	if a.byCol {
		at, stride = k*a.shape[0]*a.size, a.size
	}
	return numbers.BinaryColumn(a.data[min(at, len(a.data)):], a.typ, a.order, stride)
}

// recordParticles returns the particles of an array of records.
func recordParticles(a *npyArray, want func(string) bool) (*Cloud, error) {
	var list []namedColumns
	for _, f := range a.records {
		if !f.usable {
			continue
		}
		c := namedColumns{name: f.name}
		for k := range f.width {
			c.cols = append(c.cols, numbers.BinaryColumn(a.data[min(len(a.data), f.at+k*f.typ.Size()):], f.typ, f.order, a.size))
		}
		list = append(list, c)
	}
	return namedParticles(list, a.shape[0], want)
}

// namedColumns are one column or three, with a name.
type namedColumns struct {
	name string
	cols []numbers.Column
}

// namedParticles returns the particles that columns make: a vector is the
// position by its name, or else the columns x, y and z are.
func namedParticles(list []namedColumns, rows int, want func(string) bool) (*Cloud, error) {
	position := slices.IndexFunc(list, func(c namedColumns) bool {
		return len(c.cols) == 3 && (positionStem(c.name) || slices.Contains([]string{"x", "xyz", "r", "arr_0"}, strings.ToLower(c.name)))
	})
	t := &table{rows: rows}
	if position >= 0 {
		for k, c := range list[position].cols {
			t.names, t.cols = append(t.names, "xyz"[k:k+1]), append(t.cols, c)
		}
	}
	for i, c := range list {
		switch {
		case i == position:
		case len(c.cols) == 1:
			t.names, t.cols = append(t.names, c.name), append(t.cols, c.cols[0])
		default:
			for k, part := range c.cols {
				t.names, t.cols = append(t.names, c.name+"_"+"xyz"[k:k+1]), append(t.cols, part)
			}
		}
	}
	return t.particles(want)
}

// readNPZ reads an archive of arrays: those with a row a particle that are one
// or three numbers wide.
func readNPZ(data []byte, want func(string) bool) (*Cloud, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var arrays []*npyArray
	var names []string
	// Entries may share their bytes, so that it is the sum that counts.
	left := min(store.MaxDeflated*int64(len(data)), store.MaxUnpacked())
	for _, f := range z.File {
		name, is := strings.CutSuffix(f.Name, ".npy")
		if !is {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%.40q: %w", f.Name, err)
		}
		array, err := store.ReadUnpacked(r, left)
		left -= int64(len(array))
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("%.40q: %w", f.Name, err)
		}
		a, err := readNPY(array)
		if err != nil {
			return nil, fmt.Errorf("%.40q: %w", f.Name, err)
		}
		if len(a.shape) == 0 { // a number by itself, such as the time
			continue
		}
		if a.records != nil && len(z.File) == 1 {
			return recordParticles(a, want)
		}
		switch {
		case a.records != nil:
		case len(a.shape) == 1 || len(a.shape) == 2 && (a.shape[1] == 1 || a.shape[1] == 3):
			arrays, names = append(arrays, a), append(names, name)
		case VelocityName(name) && want(name):
			return nil, fmt.Errorf("%q has the shape %v; expected a row of 3 for each particle", name, a.shape)
		}
	}
	// The particles are as many as there are positions, or rows of the
	// longest array.
	rows := 0
	for i, a := range arrays {
		if len(a.shape) == 2 && a.shape[1] == 3 && (positionStem(names[i]) || names[i] == "arr_0") {
			rows = a.shape[0]
			break
		}
		rows = max(rows, a.shape[0])
	}
	var list []namedColumns
	for i, a := range arrays {
		if a.shape[0] != rows {
			width := 1
			if len(a.shape) == 2 {
				width = a.shape[1]
			}
			if err := misfit(names[i], a.shape[0], width, rows, want); err != nil {
				return nil, err
			}
			continue
		}
		c := namedColumns{name: names[i], cols: []numbers.Column{a.column(0)}}
		if len(a.shape) == 2 && a.shape[1] == 3 {
			c.cols = append(c.cols, a.column(1), a.column(2))
		}
		list = append(list, c)
	}
	return namedParticles(list, rows, want)
}

// pyParser reads the Python literals that heads of NumPy files are made of.
type pyParser struct {
	text string
	at   int
}

var errPython = errors.New("not a Python literal")

func (p *pyParser) skip() byte {
	for p.at < len(p.text) && (p.text[p.at] <= ' ' || p.text[p.at] == ',') {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// value reads a dictionary, a list or tuple, a string, a whole number, True or
// False.
func (p *pyParser) value(depth int) (any, error) {
	if depth > 8 {
		return nil, errPython
	}
	switch c := p.skip(); c {
	case '{':
		p.at++
		dict := map[string]any{}
		for p.skip() != '}' {
			key, err := p.value(depth + 1)
			name, ok := key.(string)
			if err != nil || !ok || p.skip() != ':' {
				return nil, errPython
			}
			p.at++
			if dict[name], err = p.value(depth + 1); err != nil {
				return nil, err
			}
		}
		p.at++
		return dict, nil
	case '(', '[':
		end := map[byte]byte{'(': ')', '[': ']'}[c]
		p.at++
		list := []any{}
		for p.skip() != end {
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		p.at++
		return list, nil
	case '\'', '"':
		p.at++
		n := strings.IndexByte(p.text[p.at:], c)
		if n < 0 {
			return nil, errPython
		}
		s := p.text[p.at : p.at+n]
		p.at += n + 1
		return s, nil
	}
	n := strings.IndexAny(p.text[p.at:], " ,:)]}\n")
	if n <= 0 {
		return nil, errPython
	}
	word := p.text[p.at : p.at+n]
	p.at += n
	switch word {
	case "True":
		return true, nil
	case "False":
		return false, nil
	}
	i, err := strconv.Atoi(strings.TrimSuffix(word, "L"))
	return i, err
}
