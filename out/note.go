package out

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"breakwater/out/ply"
	"breakwater/out/store"
)

// Notes are texts in a file about its frame, beside the frame's parts. Each format keeps
// them where it keeps comments, as a key, which starts with notePrefix, and a value.
const (
	notePrefix      = "breakwater-"
	noteFrame       = notePrefix + "frame"
	noteTime        = notePrefix + "time" // s
	noteDt          = notePrefix + "dt"   // s
	noteFingerprint = store.FingerprintKey
	noteUp          = notePrefix + "up"   // of files whose axes are not ours
	noteUnit        = notePrefix + "unit" // likewise, m
	noteRow         = notePrefix + "row"  // a table's name and one of its rows
	noteCarried     = notePrefix + "carried"
)

type note struct{ key, value string }

// notes returns the notes of f, with numbers at full precision.
func (f *Frame) notes() ([]note, error) {
	if err := store.CheckFingerprint(f.Fingerprint); err != nil {
		return nil, err
	}
	if math.IsNaN(f.Time+f.Dt) || math.IsInf(f.Time+f.Dt, 0) {
		return nil, fmt.Errorf("time %g s, step %g s: not finite", f.Time, f.Dt)
	}
	notes := []note{
		{noteFrame, strconv.Itoa(f.Index)},
		{noteTime, strconv.FormatFloat(f.Time, 'g', -1, 64)},
		{noteDt, strconv.FormatFloat(f.Dt, 'g', -1, 64)},
	}
	if a := f.Axes; !a.Ours() {
		if !(a.unit() > 0) || math.IsInf(a.unit(), 0) {
			return nil, fmt.Errorf("a unit of %g m", a.Unit)
		}
		notes = append(notes, note{noteUp, a.up()}, note{noteUnit, strconv.FormatFloat(a.unit(), 'g', -1, 64)})
	}
	if f.Fingerprint != "" {
		notes = append(notes, note{noteFingerprint, f.Fingerprint})
	}
	if len(f.Carried) > 0 {
		var list []string
		for _, x := range f.Carried {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("a state of %g: not finite", x)
			}
			list = append(list, strconv.FormatFloat(x, 'g', -1, 64))
		}
		notes = append(notes, note{noteCarried, strings.Join(list, " ")})
	}
	for _, row := range f.Rows {
		if strings.ContainsAny(row.Table+row.Text, "\n\r") || strings.Contains(row.Table, " ") {
			return nil, fmt.Errorf("a row %q of the table %q", row.Text, row.Table)
		}
		notes = append(notes, note{noteRow, row.Table + " " + row.Text})
	}
	return notes, nil
}

// readNote takes one comment of a file, "key value". Other comments are ignored.
func (f *Frame) readNote(comment string) error {
	key, value, _ := strings.Cut(strings.TrimSpace(comment), " ")
	var err error
	switch key {
	case noteFrame:
		f.Index, err = strconv.Atoi(value)
	case noteTime:
		f.Time, err = parseFinite(value)
	case noteDt:
		f.Dt, err = parseFinite(value)
	case noteUp:
		f.Axes.ZUp = value == "z"
		if value != "z" && value != "y" {
			err = fmt.Errorf("%q: want y or z", value)
		}
	case noteUnit:
		if f.Axes.Unit, err = parseFinite(value); err == nil && !(f.Axes.Unit > 0) {
			err = fmt.Errorf("%s m is not a unit", value)
		}
	case noteRow:
		table, text, _ := strings.Cut(value, " ")
		f.Rows = append(f.Rows, Row{table, text})
	case noteCarried:
		for _, text := range strings.Fields(value) {
			var x float64
			if x, err = parseFinite(text); err != nil {
				break
			}
			f.Carried = append(f.Carried, x)
		}
	case noteFingerprint:
		f.Fingerprint, err = value, store.CheckFingerprint(value)
	}
	if err != nil {
		return fmt.Errorf("comment %s: %w", key, err)
	}
	return nil
}

// ReadNotes reads the notes of a file of particles or of a mesh in the cache, or of a state,
// and leaves its data out.
func ReadNotes(r io.Reader) (*Frame, error) {
	f, b := &Frame{}, bufio.NewReaderSize(r, ply.MaxLine)
	if magic, err := b.Peek(len(stateMagic)); err == nil && string(magic) == stateMagic {
		_, _, err := State{}.head(b, f)
		return f, err
	}
	_, err := ply.ReadHead(b, f.readNote)
	return f, err
}

// parseFinite returns the number in s, which may not be infinite.
func parseFinite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = fmt.Errorf("%s is not finite", s)
	}
	return v, err
}
