package run

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/store"
)

// frameTable is a CSV file with rows about frames. Each row has the number of its frame
// and a mark of the frame's fingerprint, so that rows of an older run are never taken for
// rows of this one.
//
// The rows of a frame are written before the frame gets its final name: a run
// that is killed may leave rows without a frame, which the next rows of that
// frame replace, but no frame without rows. Rows that other processes add in
// the meantime are kept.
type frameTable struct {
	dir    *store.Dir
	name   string
	header string
	key    func(cells []string) (frame, mark string) // of a row
	rows   map[rowKey][]string
	intact bool        // the file was there as it was written
	seen   fs.FileInfo // the file as it was read or written last
}

type rowKey struct {
	frame int
	mark  string
}

// foreign reports whether k belongs to none of frames 1 … len(fingerprints)−1 with these
// fingerprints.
func (k rowKey) foreign(fingerprints []string) bool {
	return k.frame < 1 || k.frame >= len(fingerprints) || mark(fingerprints[k.frame]) != k.mark
}

// mark is the part of a fingerprint that a table keeps: 64 bits distinguish the runs in
// one folder.
func mark(fingerprint string) string { return fingerprint[:16] }

// open reads the rows of the file, if it is there as it was written. Rows with
// other columns, of another version of the program, are dropped, and so are all
// rows of a file that was changed.
func (t *frameTable) open() error {
	t.rows = map[rowKey][]string{}
	rows, intact, err := t.load()
	if err == nil && intact {
		t.rows, t.intact = rows, true
	}
	return err
}

// load reads the file.
func (t *frameTable) load() (rows map[rowKey][]string, intact bool, err error) {
	rows = map[rowKey][]string{}
	if t.seen, err = t.dir.Stat(t.name); errors.Is(err, fs.ErrNotExist) {
		return rows, false, nil
	}
	recorded := t.dir.Recorded(t.name)
	err = t.dir.Read(t.name, func(r io.Reader) error {
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		if lines[0] != t.header {
			return nil
		}
		for _, line := range lines[1:] {
			if k, ok := t.keyOf(line); ok {
				rows[k] = append(rows[k], line)
			}
		}
		return nil
	})
	var damaged *store.Damaged
	if errors.As(err, &damaged) {
		return rows, false, nil
	}
	return rows, recorded, err
}

// has reports whether there are rows of a frame.
func (t *frameTable) has(frame int, fingerprint string) bool {
	return t.rows[rowKey{frame, mark(fingerprint)}] != nil
}

// take replaces the rows of the frames that rows are of.
func (t *frameTable) take(rows []string) {
	taken := map[rowKey][]string{}
	for _, row := range rows {
		if k, ok := t.keyOf(row); ok {
			taken[k] = append(taken[k], row)
		}
	}
	maps.Copy(t.rows, taken)
}

// add replaces the rows of the frames that rows are of, and writes the file.
func (t *frameTable) add(rows ...string) error {
	t.take(rows)
	return t.write()
}

// keyOf returns the frame of a row; ok is false if it is not a row of the table.
func (t *frameTable) keyOf(row string) (k rowKey, ok bool) {
	cells := strings.Split(row, ",")
	if len(cells) != strings.Count(t.header, ",")+1 {
		return k, false
	}
	frame, mark := t.key(cells)
	n, err := strconv.Atoi(frame)
	return rowKey{n, mark}, err == nil
}

// prune drops the rows of all but frames 1 … len(fingerprints)−1 with these
// fingerprints.
func (t *frameTable) prune(fingerprints []string) error {
	if err := t.merge(); err != nil {
		return err
	}
	before := len(t.rows)
	maps.DeleteFunc(t.rows, func(k rowKey, _ []string) bool { return k.foreign(fingerprints) })
	if len(t.rows) == before {
		return nil
	}
	return t.store()
}

// write writes the file anew, with the rows that another process has added.
func (t *frameTable) write() error {
	if err := t.merge(); err != nil {
		return err
	}
	return t.store()
}

// merge takes the rows that another process has added to the file.
func (t *frameTable) merge() error {
	info, err := t.dir.Stat(t.name)
	if err != nil || t.seen != nil && os.SameFile(info, t.seen) && info.ModTime().Equal(t.seen.ModTime()) {
		return nil // nothing is there, or nothing new
	}
	rows, intact, err := t.load()
	if err != nil || !intact {
		return err
	}
	for k, lines := range rows {
		if t.rows[k] == nil {
			t.rows[k] = lines
		}
	}
	return nil
}

// store writes the file anew, with the rows in the order of their frames.
func (t *frameTable) store() error {
	err := t.dir.Write(t.name, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, t.header)
		for _, k := range sortedKeys(t.rows) {
			for _, row := range t.rows[k] {
				if err == nil {
					_, err = fmt.Fprintln(w, row)
				}
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	t.intact = true
	t.seen, err = t.dir.Stat(t.name)
	return err
}

// sortedKeys returns the keys of rows in the order of their frames.
func sortedKeys[T any](rows map[rowKey]T) []rowKey {
	return slices.SortedFunc(maps.Keys(rows), func(a, b rowKey) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.mark, b.mark))
	})
}
