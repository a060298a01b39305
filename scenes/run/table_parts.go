package run

import (
	"maps"
	"path"
	"slices"
	"strings"

	"breakwater/out/store"
)

// A run of files per frame, such as a task of a farm, writes the rows of its frames to a file of
// its own: a part of the table, in store.RecordFolder. So it reads and writes no rows of other
// frames, however long the film is. It never asks whether a frame that is there has its row: the
// row is written first. Other runs take the rows of all parts into the table. A run of all frames,
// such as the last task, then removes the parts, and makes the rows that are still missing.

// partBase begins the names of the parts of a table.
func partBase(table string) string {
	return strings.ReplaceAll(strings.TrimSuffix(table, path.Ext(table)), "/", "-")
}

// parts are the parts of a table that have been read.
type parts struct {
	frames map[rowKey]string // the part that each row is from, by its range of frames
	whole  map[string]bool   // the ranges of the parts that have all their rows
}

// rangeOf returns the range of frames in the name of a part.
func (t *frameTable) rangeOf(part string) string {
	return strings.TrimPrefix(path.Base(part), partBase(t.of))
}

// table returns the named table with the rows of all its parts, or in a run of files per frame
// the part of this run.
func (r *runner) table(name string, columns []string, key func(cells []string) (frame, mark string)) (*frameTable, error) {
	if r.apart() {
		t, err := openTable(r.dir, store.RangeName(partBase(name), r.first, r.last), columns, key)
		if err == nil {
			t.of = name
		}
		return t, err
	}
	t, err := openTable(r.dir, name, columns, key)
	if err != nil {
		return nil, err
	}
	// Whether rows were lost is for whoever asks for them to see.
	intact := t.intact
	err = t.gather()
	t.intact = intact
	return t, err
}

// frameTable returns a table with one row per frame; see openFrameTable.
func (r *runner) frameTable(name string, columns ...string) (*frameTable, error) {
	return r.table(name, frameColumns(columns), frameKey)
}

// gather takes the rows of all parts that the table lacks, and writes them to its file.
func (t *frameTable) gather() error {
	names, err := t.dir.Ranges(partBase(t.of))
	if err != nil || len(names) == 0 {
		return err
	}
	return t.dir.Alone(t.gatherAlone)
}

func (t *frameTable) gatherAlone() error {
	if err := t.merge(); err != nil {
		return err
	}
	rows, some, err := t.readParts()
	if err != nil || !some {
		return err
	}
	var lines []string
	for _, k := range sortedKeys(rows) {
		lines = append(lines, rows[k]...)
	}
	if len(lines) == 0 && t.intact {
		return nil
	}
	return t.addAlone(lines)
}

// settle completes the table with the rows of its parts, removes the parts, and drops the rows of
// all but the frames with these fingerprints.
func (t *frameTable) settle(fingerprints []string) error {
	return t.dir.Alone(func() error {
		if err := t.gatherAlone(); err != nil {
			return err
		}
		if err := t.prune(fingerprints); err != nil {
			return err
		}
		return t.dir.RemoveRanges(partBase(t.of))
	})
}

// readParts returns the rows of the parts that the table lacks, and whether there are parts.
func (t *frameTable) readParts() (rows map[rowKey][]string, some bool, err error) {
	names, err := t.dir.Ranges(partBase(t.of))
	if err != nil {
		return nil, false, err
	}
	t.taken = parts{map[rowKey]string{}, map[string]bool{}}
	rows = map[rowKey][]string{}
	for _, name := range names {
		part, err := openTable(t.dir, name, strings.Split(t.header, ","), t.key)
		if err != nil {
			return nil, false, err
		}
		at := t.rangeOf(name)
		t.taken.whole[at] = part.intact
		for k, lines := range part.rows {
			t.taken.frames[k] = at
			if t.rows[k] == nil {
				rows[k] = lines
			}
		}
	}
	return rows, len(names) > 0, nil
}

// partRows returns the lines of all parts of tables, by the names of the tables.
func partRows(dir *store.Dir) (lines map[string][]string, err error) {
	names, err := dir.Ranges("")
	if err != nil {
		return nil, err
	}
	lines = map[string][]string{}
	for _, name := range names {
		table := store.RangeBase(name)
		if gauge, ok := strings.CutPrefix(table, gaugeFolder+"-"); ok {
			table = gaugeFolder + "/" + gauge
		}
		text, _, err := dir.Log(name).Read()
		if err != nil {
			return nil, err
		}
		lines[table+".csv"] = slices.AppendSeq(lines[table+".csv"], strings.Lines(string(text)))
	}
	return lines, nil
}

// view returns a table with the rows of all its parts in memory. Its file stays as it is.
func view(dir *store.Dir, name string, columns ...string) (*frameTable, error) {
	t, err := openFrameTable(dir, name, columns...)
	if err != nil {
		return nil, err
	}
	rows, _, err := t.readParts()
	maps.Copy(t.rows, rows)
	return t, err
}
