package particles

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breakwater/out/numbers"
	"breakwater/sim/par"
)

func init() {
	Readers.Add("csv", "text tables whose first line names the columns, separated by commas, semicolons, tabs or blanks", "",
		func() Reader { return csvReader{} })
	Readers.Add("xyz", "lines of x, y, z and further numbers, including the XYZ files of molecules; or bare triples of little-endian float32", "",
		func() Reader { return xyzReader{} })
}

type csvReader struct{}

func (csvReader) Exts() []string { return []string{"csv", "tsv", "txt"} }

func (csvReader) Read(data []byte, want func(string) bool) (*Cloud, error) {
	return readText(bytes.TrimPrefix(data, []byte("\ufeff")), want)
}

type xyzReader struct{}

func (xyzReader) Exts() []string { return []string{"xyz"} }

// Read treats data as binary if its first kilobytes contain a byte that no text has. Of
// three float32 at least one has such a byte, for all but a few coordinates.
func (xyzReader) Read(data []byte, want func(string) bool) (*Cloud, error) {
	head := data[:min(len(data), 1<<12)]
	if !slices.ContainsFunc(head, func(c byte) bool { return c >= 0x7f || c < ' ' && c != '\t' && c != '\n' && c != '\r' }) {
		return readText(moleculeBody(data), want)
	}
	const size = 12
	if len(data)%size != 0 {
		return nil, fmt.Errorf("cut short: %d bytes are not a whole number of triples of float32", len(data))
	}
	t := table{rows: len(data) / size, names: []string{"x", "y", "z"}}
	for k := range 3 {
		t.cols = append(t.cols, numbers.BinaryColumn(data[min(len(data), 4*k):], numbers.Float32, binary.LittleEndian, size))
	}
	return t.particles(want)
}

// moleculeBody returns data without the two lines that files of molecules
// begin with: the number of atoms, and a comment.
func moleculeBody(data []byte) []byte {
	first, rest, _ := bytes.Cut(data, []byte{'\n'})
	first = bytes.TrimSpace(first)
	if len(first) == 0 || len(bytes.TrimLeft(first, "0123456789")) > 0 {
		return data
	}
	second, after, _ := bytes.Cut(rest, []byte{'\n'})
	third, _, _ := bytes.Cut(after, []byte{'\n'})
	if a, b := bytes.Fields(second), bytes.Fields(third); len(a) == len(b) && len(a) > 2 && !slices.ContainsFunc(a[1:], notNumber) {
		return rest // the number of points alone, as other programs write it
	}
	return after
}

func notNumber(word []byte) bool {
	_, ok := numbers.AnyNumber(word)
	return !ok
}

// textTable is a table of text being read.
type textTable struct {
	separator byte  // ' ' for any white space
	width     int   // columns of a row
	kept      []int // columns of numbers
}

// readText reads a table of text. Lines that begin with # or are empty are passed over;
// the first other names the columns if none of it is a number. Without names the first
// three columns of numbers are x, y and z. A missing number is NaN.
func readText(data []byte, want func(string) bool) (*Cloud, error) {
	at := 0
	next := func() (line []byte, from int) {
		for at < len(data) {
			from = at
			line, _, _ = bytes.Cut(data[at:], []byte{'\n'})
			at += len(line) + 1
			if line = bytes.Trim(line, " \r"); len(line) > 0 && line[0] != '#' {
				return line, from
			}
		}
		return nil, len(data)
	}
	first, body := next()
	if first == nil {
		return nil, errors.New("no line with numbers")
	}
	f := textTable{separator: separatorIn(first)}
	words := f.split(nil, first)
	var names []string
	row := words
	if !slices.ContainsFunc(words, func(w []byte) bool { return len(w) > 0 && !notNumber(f.number(w)) }) {
		for _, w := range words {
			names = append(names, strings.Trim(string(w), `"' `))
		}
		var line []byte
		line, body = next()
		row = f.split(nil, line)
		if line == nil { // names, and no particles
			row = words
		}
	}
	f.width = len(row)
	if names != nil && len(names) != f.width {
		return nil, numbers.OnLine(&numbers.TextError{At: 0, Text: fmt.Sprintf("%d columns, but %d column names", f.width, len(names))}, data, body)
	}
	t := &table{}
	for k, w := range row {
		if body < len(data) && len(w) > 0 && notNumber(f.number(w)) {
			continue // text
		}
		f.kept = append(f.kept, k)
		switch n := len(f.kept); {
		case names != nil:
			t.names = append(t.names, names[k])
		case n <= 3:
			t.names = append(t.names, "xyz"[n-1:n])
		default:
			t.names = append(t.names, fmt.Sprintf("column_%d", k+1))
		}
	}
	v, err := f.rows(data[body:])
	if err != nil {
		return nil, numbers.OnLine(err, data, body)
	}
	if len(f.kept) > 0 {
		t.rows = len(v) / len(f.kept)
	}
	for k := range f.kept {
		t.cols = append(t.cols, numbers.TextColumn(v, k, len(f.kept)))
	}
	return t.particles(want)
}

// separatorIn returns what divides the columns of a line, outside quotes.
func separatorIn(line []byte) byte {
	if bytes.Count(line, quote)%2 == 0 {
		var outside []byte
		for i, part := range bytes.Split(line, quote) {
			if i%2 == 0 {
				outside = append(outside, part...)
			}
		}
		line = outside
	}
	for _, c := range []byte{';', '\t', ','} {
		if bytes.IndexByte(line, c) >= 0 {
			return c
		}
	}
	return ' '
}

var quote = []byte{'"'}

// split appends the columns of a line to dst. What stands in quotes is one
// column, whatever is in it.
func (f *textTable) split(dst [][]byte, line []byte) [][]byte {
	if bytes.IndexByte(line, '"') >= 0 {
		return f.splitQuoted(dst, line)
	}
	if f.separator == ' ' {
		for {
			word, rest := numbers.CutWord(line)
			if len(word) == 0 {
				return dst
			}
			dst, line = append(dst, word), rest
		}
	}
	for {
		k := bytes.IndexByte(line, f.separator)
		if k < 0 {
			return append(dst, bytes.TrimSpace(line))
		}
		dst, line = append(dst, bytes.TrimSpace(line[:k])), line[k+1:]
	}
}

// splitQuoted is split for lines with quotes (RFC 4180): within them, two stand
// for one. A column whose quote is not closed is taken as it is.
func (f *textTable) splitQuoted(dst [][]byte, line []byte) [][]byte {
	for {
		line = bytes.TrimLeft(line, " ")
		if f.separator == ' ' {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				return dst
			}
		}
		end := 0 // of the quoted text, quotes included
		if bytes.HasPrefix(line, quote) {
			for end = 1; end < len(line); end++ {
				if line[end] != '"' {
					continue
				}
				if end++; end == len(line) || line[end] != '"' {
					break
				}
			}
			if line[end-1] != '"' || end == 1 {
				end = 0
			}
		}
		k := bytes.IndexByte(line[end:], f.separator)
		if f.separator == ' ' {
			k = bytes.IndexAny(line[end:], " \t")
		}
		word := line
		if k >= 0 {
			word = line[:end+k]
		}
		if word = bytes.TrimSpace(word); end > 0 && end == len(word) {
			word = bytes.ReplaceAll(word[1:end-1], []byte(`""`), quote)
		}
		dst = append(dst, word)
		if k < 0 {
			return dst
		}
		line = line[end+k+1:]
	}
}

// number returns a word as numbers are written elsewhere: without quotes, and
// with a decimal point for a comma that does not divide columns.
func (f *textTable) number(w []byte) []byte {
	w = bytes.Trim(w, `"'`)
	if f.separator != ',' && bytes.IndexByte(w, ',') >= 0 {
		w = bytes.Replace(w, []byte{','}, []byte{'.'}, 1)
	}
	return w
}

// rows reads the lines of text and returns the columns kept of each.
func (f *textTable) rows(text []byte) ([]float64, error) {
	type chunk struct {
		at, end int
		v       []float64
		err     error
	}
	var chunks []chunk
	for at := 0; at < len(text); {
		end := min(len(text), at+numbers.TextChunk)
		if k := bytes.IndexByte(text[end-1:], '\n'); k >= 0 {
			end += k
		} else {
			end = len(text)
		}
		chunks = append(chunks, chunk{at: at, end: end})
		at = end
	}
	par.Each(len(chunks), func(i int) {
		c := &chunks[i]
		c.v, c.err = f.lines(text, c.at, c.end)
	})
	n := 0
	for i := range chunks {
		if chunks[i].err != nil {
			return nil, chunks[i].err
		}
		n += len(chunks[i].v)
	}
	v := make([]float64, 0, n)
	for i := range chunks {
		v = append(v, chunks[i].v...)
	}
	return v, nil
}

// lines reads the lines in text[at:end].
func (f *textTable) lines(text []byte, at, end int) (v []float64, err error) {
	var words [][]byte
	for at < end {
		from := at
		line := text[at:end]
		if k := bytes.IndexByte(line, '\n'); k >= 0 {
			line = line[:k]
		}
		at += len(line) + 1
		if line = bytes.Trim(line, " \r"); len(line) == 0 || line[0] == '#' {
			continue
		}
		if words = f.split(words[:0], line); len(words) != f.width {
			return nil, &numbers.TextError{At: from, Text: fmt.Sprintf("%d columns, but the first line has %d", len(words), f.width)}
		}
		if v == nil {
			v = make([]float64, 0, (end-from)/(len(line)+1)*len(f.kept)+1)
		}
		for _, k := range f.kept {
			x, err := numbers.Parse(words[k])
			if err != nil && len(words[k]) == 0 {
				x = math.NaN()
			} else if err != nil {
				var ok bool
				if x, ok = numbers.AnyNumber(f.number(words[k])); !ok {
					return nil, &numbers.TextError{At: from, Text: fmt.Sprintf("%.30q is not a number", words[k])}
				}
			}
			v = append(v, x)
		}
	}
	return v, nil
}
