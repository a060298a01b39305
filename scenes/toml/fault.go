package toml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Fault is one thing that is wrong in a scene.
type Fault struct {
	File string // "" for a flag of the command line
	Line int    // from 1; 0 if the fault has no place
	Col  int    // from 1, in characters
	Key  string // the value's path, such as fluid[1].max, or the flag
	Text string // what was found, what was expected, what to do

	line string // the line of the file
	Mark int    // how many of its characters are meant
	rank int    // of the file: the scene's own first, then what it extends
}

// String returns the fault as file:line:col: key: text, with the line of the
// file and a mark under the place below it.
func (f Fault) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File + ":")
		if f.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", f.Line, f.Col)
		}
		b.WriteByte(' ')
	}
	if f.Key != "" {
		b.WriteString(f.Key + ": ")
	}
	b.WriteString(f.Text)
	if f.Line > 0 && f.File != "" {
		text, col := window(f.line, f.Col-1)
		mark := max(1, min(f.Mark, len(text)-col))
		number := fmt.Sprint(f.Line)
		fmt.Fprintf(&b, "\n  %s | %s\n  %s | %s^%s", number, string(text),
			strings.Repeat(" ", len(number)), strings.Repeat(" ", col), strings.Repeat("~", mark-1))
	}
	return b.String()
}

// window cuts a long line to the part around col, and makes what a terminal
// would not print in one cell a space.
func window(line string, col int) ([]rune, int) {
	const width = 100
	text := []rune(line)
	if len(text) > width {
		from := max(0, min(col-width/2, len(text)-width))
		text, col = text[from:min(len(text), from+width)], col-from
	}
	for i, r := range text {
		if !unicode.IsPrint(r) {
			text[i] = ' '
		}
	}
	return text, min(col, len(text))
}

// Faults is everything found wrong in a scene, in the order of the file. It
// is the error of Read, Load, Override and Build.
type Faults []Fault

// Error returns all faults, one after the other.
func (f Faults) Error() string {
	s := make([]string, len(f))
	for i := range f {
		s[i] = f[i].String()
	}
	return strings.Join(s, "\n")
}

// MaxFaults is how many faults are listed: nobody reads more at once.
const MaxFaults = 500

// Report collects faults.
type Report struct {
	List  Faults
	Files []*Source // in the order in which they were read
	more  int       // faults that are not listed
}

// At adds a fault at a place of src.
func (f *Report) At(src *Source, s Span, key, format string, args ...any) {
	if f.full() {
		return
	}
	x := Fault{Key: key, Text: fmt.Sprintf(format, args...)}
	if src.Flag {
		x.Key = src.Name
	} else {
		x.File = src.Name
		x.Line, x.Col, x.line = src.Place(s.Off)
		x.Mark = len([]rune(src.Data[min(s.Off, len(src.Data)):min(s.End, len(src.Data))]))
		if x.rank = slices.Index(f.Files, src); x.rank < 0 {
			x.rank, f.Files = len(f.Files), append(f.Files, src)
		}
	}
	f.List = append(f.List, x)
}

// full reports whether there are as many faults as are listed, and counts one
// more if so.
func (f *Report) full() bool {
	if len(f.List) < MaxFaults {
		return false
	}
	f.more++
	return true
}

// Value adds a fault of the value n.
func (f *Report) Value(n *Node, format string, args ...any) {
	f.At(n.Src, n.At, n.Path, format, args...)
}

// key adds a fault of the key of n.
func (f *Report) key(n *Node, format string, args ...any) {
	f.At(n.Src, n.name, n.Path, format, args...)
}

// Err returns the collected faults, sorted by place, or nil.
func (f *Report) Err() error {
	if len(f.List) == 0 {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	if f.more > 0 {
		last := f.List[len(f.List)-1]
		f.List = append(f.List, Fault{File: last.File, Line: last.Line, Col: last.Col, line: last.line, rank: last.rank, Text: fmt.Sprintf("%d more faults follow; fix these first", f.more)})
		f.more = 0
	}
	return f.List
}

// nearest returns the name that was probably meant by word, or "".
func nearest(word string, names []string) string {
	if len(word) > 100 {
		return "" // no name is that long
	}
	best, least := "", max(1, len(word)/3)
	for _, n := range names {
		if d := edits(strings.ToLower(word), n); d <= least {
			best, least = n, d-1
		}
	}
	return best
}

// edits returns how many letters must be put in, left out, replaced or
// swapped with their neighbour to make b of a (optimal string alignment).
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range t {
		d[0][j+1] = j + 1
	}
	for i := range s {
		for j := range t {
			c := d[i][j]
			if s[i] != t[j] {
				c++
			}
			c = min(c, d[i][j+1]+1, d[i+1][j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				c = min(c, d[i-1][j-1]+1)
			}
			d[i+1][j+1] = c
		}
	}
	return d[len(s)][len(t)]
}

// Expected returns advice on an unknown word: the likely name, if there is
// one, and all there are.
func Expected(word string, names []string) string {
	all := "expected one of " + strings.Join(names, ", ")
	if n := nearest(word, names); n != "" {
		return fmt.Sprintf("did you mean %q? %s", n, all)
	}
	return all
}
