package run

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/store"
	"breakwater/sim/num"
	"breakwater/sim/registry"
)

// ledger is a table with one row per frame. The first column is the frame's
// number, the last the mark of its fingerprint.
type ledger struct {
	frameTable
	columns []string
}

// openLedger reads the rows of the named file, if there is one.
func openLedger(dir *store.Dir, name string, columns ...string) (*ledger, error) {
	all := slices.Concat([]string{"frame"}, columns, []string{"fingerprint"})
	l := &ledger{frameTable{
		dir: dir, name: name, header: strings.Join(all, ","),
		key: func(cells []string) (string, string) { return cells[0], cells[len(cells)-1] },
	}, all}
	return l, l.open()
}

// row returns the row of a frame: the values of the columns.
func (l *ledger) row(frame int, fingerprint string, values ...any) string {
	row := []string{strconv.Itoa(frame)}
	for _, v := range values {
		if x, ok := v.(float64); ok {
			v = registry.Number(num.Rounded(x, 6))
		}
		row = append(row, fmt.Sprint(v))
	}
	row = append(row, mark(fingerprint))
	if len(row) != len(l.columns) {
		panic(fmt.Sprintf("scenes: %d values for the %d columns of %s", len(row), len(l.columns), l.name))
	}
	return strings.Join(row, ",")
}

// value returns the entry of a column for a frame; ok is false without such a row.
func (l *ledger) value(frame int, fingerprint, column string) (x float64, ok bool) {
	rows := l.rows[rowKey{frame, mark(fingerprint)}]
	if len(rows) == 0 {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.Split(rows[0], ",")[slices.Index(l.columns, column)], 64)
	return x, err == nil
}
