package toml

import (
	"fmt"
	"strings"

	"breakwater/sim/registry"
)

// Column is a column that a table of numbers may have. Its header is NAME_UNIT, such as
// time_s, with Unit or another unit of the same quantity.
type Column struct {
	Name  string
	Unit  string // of the numbers that ReadTable returns
	Least float64
	Most  float64 // Least = Most for any number
}

// header returns the header of c in its own unit.
func (c Column) header() string { return c.Name + "_" + c.Unit }

// maxRows is the most rows of a table of numbers.
const maxRows = 100_000

// field is a part of a source.
type field struct {
	text string
	span Span
}

// fieldsOf returns the cells of a line that begins at off, without blanks around them.
func fieldsOf(off int, line string) (list []field) {
	for cell := range strings.SplitSeq(line, ",") {
		text := strings.TrimSpace(cell)
		at := off + strings.Index(cell, text)
		list = append(list, field{text, Span{at, at + len(text)}})
		off += len(cell) + 1
	}
	return list
}

// ReadTable returns the columns of a file of comma-separated values by their names. The
// first line has the headers, and the numbers of the first of the columns must rise from row
// to row. Blank lines, and lines that begin with #, are left out. Faults have the key. The
// table is nil if there are any.
func ReadTable(src *Source, columns []Column, key string, f *Report) map[string][]float64 {
	before := len(f.List)
	var head []Column // of each cell; without a name where it is not known
	var units []string
	rows, last, rising := 0, "", 0.
	table := map[string][]float64{}
	off := 0
	for line := range strings.Lines(src.Data) {
		start := off
		off += len(line)
		line = strings.TrimRight(line, "\r\n")
		if text := strings.TrimSpace(line); text == "" || text[0] == '#' {
			continue
		}
		cells := fieldsOf(start, line)
		if head == nil {
			if head, units = readHeader(src, Span{start, start + len(line)}, cells, columns, key, f); len(f.List) > before {
				return nil // what the cells are is not known
			}
			continue
		}
		if rows++; rows > maxRows {
			f.At(src, Span{start, start + len(line)}, key, "the table has more than %d rows; leave out some", maxRows)
			return nil
		}
		if len(cells) != len(head) {
			f.At(src, Span{start, start + len(line)}, key, "expected %d cells as in the first line, and found %d; give a number for each column", len(head), len(cells))
			continue
		}
		for k, c := range cells {
			column := head[k]
			x, err := quantity(c.text+" "+units[k], column.Unit)
			switch {
			case c.text == "" || err != nil:
				f.At(src, c.span, key, "%q is not a finite number; expected a number for %s", c.text, column.Name)
			case column.Least < column.Most && !(x >= column.Least && x <= column.Most):
				f.At(src, c.span, key, "%s %s is out of range; expected %s to %s for %s", registry.Number(x), column.Unit, registry.Number(column.Least), registry.Number(column.Most), column.Name)
			case column.Name == columns[0].Name:
				if last != "" && !(x > rising) {
					f.At(src, c.span, key, "%s is not after the row before, at %s; put the rows in order of %s", c.text, last, column.Name)
				}
				last, rising = c.text, x
			}
			table[column.Name] = append(table[column.Name], x)
		}
	}
	switch {
	case len(f.List) > before:
		return nil
	case head == nil:
		f.At(src, Span{}, key, "the table is empty; expected a first line such as %s", headers(columns))
		return nil
	}
	return table
}

// headers returns the first line of a table with all columns.
func headers(columns []Column) string {
	var s []string
	for _, c := range columns {
		s = append(s, c.header())
	}
	return strings.Join(s, ",")
}

// readHeader returns the column and the unit of each cell of the first line.
func readHeader(src *Source, line Span, cells []field, columns []Column, key string, f *Report) (head []Column, units []string) {
	if len(cells) == 1 && strings.ContainsAny(cells[0].text, ";\t") {
		f.At(src, line, key, "the cells are not separated by commas; expected a first line such as %s", headers(columns))
		return nil, nil
	}
	seen := map[string]bool{}
	for _, c := range cells {
		var column Column
		unit := ""
		for _, x := range columns {
			if rest, ok := strings.CutPrefix(c.text, x.Name+"_"); ok || c.text == x.Name {
				column, unit = x, rest
				if !ok {
					unit = ""
				}
			}
		}
		switch {
		case column.Name == "":
			f.At(src, c.span, key, "unknown column %q; %s", c.text, Expected(c.text, strings.Split(headers(columns), ",")))
		case unit == "" || unit != column.Unit && !isUnitLike(unit, column.Unit):
			f.At(src, c.span, key, "%q has no unit of %s; expected %s", c.text, quantityOf(column.Unit), withUnits(column))
		case seen[column.Name]:
			f.At(src, c.span, key, "there are two columns %s; remove one", column.Name)
		}
		seen[column.Name] = true
		head, units = append(head, column), append(units, unit)
	}
	if first := columns[0]; !seen[first.Name] {
		f.At(src, line, key, "there is no column %s; expected a first line such as %s", first.header(), headers(columns))
	}
	return head, units
}

// isUnitLike reports whether both units are of one quantity.
func isUnitLike(name, like string) bool {
	a, ok := unitOf(name)
	b, okb := unitOf(like)
	return ok && okb && a.Quantity == b.Quantity
}

// quantityOf returns what a unit measures.
func quantityOf(name string) string {
	u, _ := unitOf(name)
	return u.Quantity
}

// withUnits names the headers that a column may have.
func withUnits(c Column) string {
	var s []string
	for _, u := range UnitsLike(c.Unit) {
		s = append(s, fmt.Sprintf("%s_%s", c.Name, u))
	}
	return strings.Join(s, ", ")
}
