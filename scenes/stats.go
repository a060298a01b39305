package scenes

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"breakwater/out"
)

// ledger is a CSV file with a row a frame. The first column is the frame's
// number, the last a mark of the fingerprint of the frame it tells of, so that
// rows of an older run are never taken for those of this one.
//
// The row of a frame is written before the frame gets its final name: a run
// that is killed may leave a row without a frame, which the next row of that
// frame replaces, but no frame without a row.
type ledger struct {
	dir    *out.Dir
	name   string
	header []string
	rows   map[rowKey][]string
}

type rowKey struct {
	frame int
	mark  string
}

// foreign reports whether k is of none of frames 1 … len(fingerprints)−1 with
// these fingerprints.
func (k rowKey) foreign(fingerprints []string) bool {
	return k.frame < 1 || k.frame >= len(fingerprints) || mark(fingerprints[k.frame]) != k.mark
}

// sortedKeys returns the keys of rows in the order of their frames.
func sortedKeys[T any](rows map[rowKey]T) []rowKey {
	return slices.SortedFunc(maps.Keys(rows), func(a, b rowKey) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.mark, b.mark))
	})
}

// mark is the part of a fingerprint that a ledger keeps: 64 bits tell the
// runs in one folder apart.
func mark(fingerprint string) string { return fingerprint[:16] }

// openLedger reads the rows of the named file, if there is one. Rows with
// other columns, of another version of the program, are dropped.
func openLedger(dir *out.Dir, name string, columns ...string) (*ledger, error) {
	header := slices.Concat([]string{"frame"}, columns, []string{"fingerprint"})
	l := &ledger{dir, name, header, map[rowKey][]string{}}
	err := dir.Read(name, func(r io.Reader) error {
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		if lines[0] != strings.Join(header, ",") {
			return nil
		}
		for _, line := range lines[1:] {
			row := strings.Split(line, ",")
			if n, err := strconv.Atoi(row[0]); err == nil && len(row) == len(header) {
				l.rows[rowKey{n, row[len(row)-1]}] = row
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return l, nil
}

// add writes the row of a frame: the values of the columns.
func (l *ledger) add(frame int, fingerprint string, values ...any) error {
	row := []string{strconv.Itoa(frame)}
	for _, v := range values {
		if x, ok := v.(float64); ok {
			v = number(sixDigits(x))
		}
		row = append(row, fmt.Sprint(v))
	}
	row = append(row, mark(fingerprint))
	if len(row) != len(l.header) {
		panic(fmt.Sprintf("scenes: %d values for the %d columns of %s", len(row), len(l.header), l.name))
	}
	l.rows[rowKey{frame, mark(fingerprint)}] = row
	return l.write()
}

// value returns what a column says of a frame; ok is false if there is no
// such row.
func (l *ledger) value(frame int, fingerprint, column string) (x float64, ok bool) {
	row := l.rows[rowKey{frame, mark(fingerprint)}]
	if row == nil {
		return 0, false
	}
	x, err := strconv.ParseFloat(row[slices.Index(l.header, column)], 64)
	return x, err == nil
}

// prune drops the rows of all but frames 1 … len(fingerprints)−1 with these
// fingerprints.
func (l *ledger) prune(fingerprints []string) error {
	before := len(l.rows)
	maps.DeleteFunc(l.rows, func(k rowKey, _ []string) bool { return k.foreign(fingerprints) })
	if len(l.rows) == before {
		return nil
	}
	return l.write()
}

// write writes the file anew, with the rows in the order of their frames.
func (l *ledger) write() error {
	return l.dir.Write(l.name, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, strings.Join(l.header, ","))
		for _, k := range sortedKeys(l.rows) {
			if err == nil {
				_, err = fmt.Fprintln(w, strings.Join(l.rows[k], ","))
			}
		}
		return err
	})
}

// sixDigits rounds x to what a ledger keeps of it.
func sixDigits(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return x
}
