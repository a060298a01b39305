package wedge

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"breakwater/out/store"
	"breakwater/scenes/run"
)

// table has the rows of all variants.
type table struct {
	columns []string // besides the variant
	rows    [][]string
}

// tables writes variants.csv with the values of the variants, and for each table of their
// runs (stats.csv, gauges/NAME.csv and so on) one of the same name with the rows of all,
// which begin with the number of the variant. It writes variants.csv last.
func (m *Summary) tables(out string) error {
	index := table{columns: append([]string{"folder"}, m.Keys...)}
	merged := map[string]*table{}
	var names []string
	for i, v := range m.Variants {
		number := strconv.Itoa(i + 1)
		index.rows = append(index.rows, append([]string{number, v.Folder}, v.Labels...))
		found, err := run.Tables(filepath.Join(out, v.Folder))
		if err != nil {
			return err
		}
		for _, name := range found {
			if merged[name] == nil {
				merged[name] = &table{}
				names = append(names, name)
			}
			if err := merged[name].read(filepath.Join(out, v.Folder, name), number); err != nil {
				return err
			}
		}
	}
	dir, err := store.OpenDir(out)
	if err != nil {
		return err
	}
	defer dir.Close()
	write := func(name string, t *table) error {
		return dir.Write(filepath.ToSlash(name), func(w io.Writer) error {
			c := csv.NewWriter(w)
			if err := c.Write(append([]string{"variant"}, t.columns...)); err != nil {
				return err
			}
			for _, row := range t.rows { // columns that a variant lacks are empty
				if err := c.Write(append(row, make([]string, 1+len(t.columns)-len(row))...)); err != nil {
					return err
				}
			}
			c.Flush()
			return c.Error()
		})
	}
	for _, name := range names {
		if err := write(name, merged[name]); err != nil {
			return err
		}
	}
	return write(indexFile, &index)
}

// read adds the rows of the file at path.
func (t *table) read(path, variant string) error {
	file, _, err := store.OpenRegular(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil
	}
	var at []int
	for _, name := range rows[0] {
		if name == "fingerprint" { // of files of one run
			at = append(at, -1)
			continue
		}
		k := slices.Index(t.columns, name)
		if k < 0 {
			k = len(t.columns)
			t.columns = append(t.columns, name)
		}
		at = append(at, k)
	}
	for _, row := range rows[1:] {
		all := make([]string, 1+len(t.columns))
		all[0] = variant
		for i, x := range row {
			if at[i] >= 0 {
				all[1+at[i]] = x
			}
		}
		t.rows = append(t.rows, all)
	}
	return nil
}
