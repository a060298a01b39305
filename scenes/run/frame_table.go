package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/store"
	"breakwater/sim/num"
	"breakwater/sim/registry"
)

// frameTable is a CSV file with rows about frames. Each row has the number of its frame
// and a mark of the frame's fingerprint, so that rows of an older run are never taken for
// rows of this one. The rows are in the order of the frames. Those of a later frame are
// appended; the file is written anew only for rows that belong between others.
//
// The rows of a frame are written before the frame gets its final name. A run that is
// killed may therefore leave rows without a frame, which the next rows of that frame
// replace. It leaves no frame without rows. Several processes may add rows at the same
// time: each takes the rows of the others before it writes its own. Where the file system
// cannot lock files, rows may be lost; a run of all frames makes them again.
type frameTable struct {
	dir    *store.Dir
	log    *store.Log
	name   string // of the file
	of     string // the table that the rows are of: the file itself, or the one that they go to in the end
	header string
	key    func(cells []string) (frame, mark string) // of a row
	rows   map[rowKey][]string
	last   rowKey // no row has a later key
	intact bool   // no row of the file is lost
	clean  bool   // the file has exactly these rows, in order
	taken  parts  // that have been read for the rows of other runs
}

type rowKey struct {
	frame int
	mark  string
}

func (k rowKey) compare(other rowKey) int {
	return cmp.Or(cmp.Compare(k.frame, other.frame), cmp.Compare(k.mark, other.mark))
}

// foreign reports whether k belongs to none of frames 1 … len(fingerprints)−1 with these
// fingerprints.
func (k rowKey) foreign(fingerprints []string) bool {
	return k.frame < 1 || k.frame >= len(fingerprints) || mark(fingerprints[k.frame]) != k.mark
}

// mark is the part of a fingerprint that a table keeps: 64 bits distinguish the runs in
// one folder.
func mark(fingerprint string) string { return fingerprint[:16] }

// openFrameTable reads the named file, if there is one, as a table with one row per
// frame: its number, the given columns and the mark of its fingerprint.
func openFrameTable(dir *store.Dir, name string, columns ...string) (*frameTable, error) {
	return openTable(dir, name, frameColumns(columns), frameKey)
}

func frameColumns(columns []string) []string {
	return slices.Concat([]string{"frame"}, columns, []string{"fingerprint"})
}

func frameKey(cells []string) (frame, mark string) { return cells[0], cells[len(cells)-1] }

// openTable reads the rows of the file as far as they are recorded. Rows with other
// columns, of another version of the program, are dropped.
func openTable(dir *store.Dir, name string, columns []string, key func(cells []string) (frame, mark string)) (*frameTable, error) {
	t := &frameTable{dir: dir, log: dir.Log(name), name: name, of: name, header: strings.Join(columns, ","), key: key, rows: map[rowKey][]string{}}
	if _, err := dir.Stat(name); err != nil { // do not make a file for a lock
		return t, t.load()
	}
	return t, dir.Alone(t.load)
}

// load takes the rows of the file that the table lacks.
func (t *frameTable) load() error {
	text, whole, err := t.log.Read()
	if err != nil {
		return err
	}
	t.intact = whole
	lines := strings.Split(string(text), "\n")
	if lines[0] == t.header {
		rows := t.byKey(lines[1:])
		maps.DeleteFunc(rows, func(k rowKey, _ []string) bool { return t.rows[k] != nil })
		t.take(rows)
	}
	t.clean = len(t.rows) == 0 && len(text) == 0 || t.log.Extensible() && string(text) == t.text()
	return nil
}

// byKey groups rows by their keys. Lines that are not rows of the table are left out.
func (t *frameTable) byKey(lines []string) map[rowKey][]string {
	rows := map[rowKey][]string{}
	for _, line := range lines {
		cells := strings.Split(line, ",")
		if len(cells) != strings.Count(t.header, ",")+1 {
			continue
		}
		frame, mark := t.key(cells)
		if n, err := strconv.Atoi(frame); err == nil {
			k := rowKey{n, mark}
			rows[k] = append(rows[k], line)
		}
	}
	return rows
}

// take replaces the rows of the keys of rows.
func (t *frameTable) take(rows map[rowKey][]string) {
	maps.Copy(t.rows, rows)
	for k := range rows {
		if k.compare(t.last) > 0 {
			t.last = k
		}
	}
}

// has reports whether there are rows of a frame.
func (t *frameTable) has(frame int, fingerprint string) bool {
	return t.rows[rowKey{frame, mark(fingerprint)}] != nil
}

// row returns the row of a frame with the given values.
func (t *frameTable) row(frame int, fingerprint string, values ...any) string {
	row := []string{strconv.Itoa(frame)}
	for _, v := range values {
		if x, ok := v.(float64); ok {
			v = registry.Number(num.Rounded(x, 6))
		}
		row = append(row, fmt.Sprint(v))
	}
	return strings.Join(append(row, mark(fingerprint)), ",")
}

// value returns the entry of a column for a frame; ok is false without such a row.
func (t *frameTable) value(frame int, fingerprint, column string) (x float64, ok bool) {
	rows := t.rows[rowKey{frame, mark(fingerprint)}]
	if len(rows) == 0 {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.Split(rows[0], ",")[slices.Index(strings.Split(t.header, ","), column)], 64)
	return x, err == nil
}

// add replaces the rows of the frames that lines are of, in memory and in the file.
func (t *frameTable) add(lines ...string) error {
	return t.dir.Alone(func() error { return t.addAlone(lines) })
}

func (t *frameTable) addAlone(lines []string) error {
	if err := t.merge(); err != nil {
		return err
	}
	rows := t.byKey(lines)
	keys := sortedKeys(rows)
	known := len(keys) > 0 && !slices.ContainsFunc(keys, func(k rowKey) bool { return !slices.Equal(t.rows[k], rows[k]) })
	if t.clean && known {
		return nil
	}
	follow := len(keys) > 0 && keys[0].compare(t.last) > 0
	t.take(rows)
	if t.clean && follow {
		var text strings.Builder
		writeRows(&text, keys, rows)
		if ok, err := t.log.Append([]byte(text.String())); ok || err != nil {
			t.clean = ok
			return err
		}
	}
	return t.write()
}

// prune drops the rows of all but frames 1 … len(fingerprints)−1 with these
// fingerprints.
func (t *frameTable) prune(fingerprints []string) error {
	return t.dir.Alone(func() error {
		if err := t.merge(); err != nil {
			return err
		}
		before := len(t.rows)
		maps.DeleteFunc(t.rows, func(k rowKey, _ []string) bool { return k.foreign(fingerprints) })
		if len(t.rows) == before && t.clean {
			return nil
		}
		return t.write()
	})
}

// merge takes the rows that another process has added to the file.
func (t *frameTable) merge() error {
	if !t.log.Changed() {
		return nil
	}
	return t.load()
}

// write writes the file anew.
func (t *frameTable) write() error {
	err := t.log.Write([]byte(t.text()))
	t.clean = err == nil
	t.intact = t.intact || t.clean
	return err
}

// text returns the contents of the file.
func (t *frameTable) text() string {
	var b strings.Builder
	b.WriteString(t.header + "\n")
	writeRows(&b, sortedKeys(t.rows), t.rows)
	return b.String()
}

func writeRows(b *strings.Builder, keys []rowKey, rows map[rowKey][]string) {
	for _, k := range keys {
		for _, row := range rows[k] {
			b.WriteString(row + "\n")
		}
	}
}

// sortedKeys returns the keys of rows in the order of their frames.
func sortedKeys(rows map[rowKey][]string) []rowKey {
	return slices.SortedFunc(maps.Keys(rows), rowKey.compare)
}
