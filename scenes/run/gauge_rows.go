package run

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"breakwater/sim/gauge"
	"breakwater/sim/num"
	"breakwater/sim/registry"
)

// gaugeFolder is the folder of the gauges' files.
const gaugeFolder = "gauges"

// gaugeTable reads the file of a gauge, if there is one: rows in the order of their
// times. The last two columns are the frame up to which a row was made and the mark of its
// fingerprint. The row of time 0 belongs to frame 1, although the first step, on the way
// to frame 2, finds its pressures.
func (r *runner) gaugeTable(name string, columns []string) (*frameTable, error) {
	return r.table(gaugeFolder+"/"+name+".csv", slices.Concat([]string{"time_s"}, columns, []string{"frame", "fingerprint"}),
		func(cells []string) (string, string) { return cells[len(cells)-2], cells[len(cells)-1] })
}

// gaugeLines returns the rows that a meter has made on the way to a frame. The frames
// have these fingerprints.
func gaugeLines(frame int, fingerprints []string, rows [][]float64) (lines []string) {
	if frame == 1 { // whose row is written with the rows of the second frame
		return nil
	}
	for _, row := range rows {
		// A multiple of the interval has few digits.
		cells := []string{strconv.FormatFloat(row[0], 'g', 12, 64)}
		for _, v := range row[1:] {
			if math.IsNaN(v) {
				cells = append(cells, "") // nothing to be measured
			} else {
				cells = append(cells, registry.Number(num.Rounded(v, 6)))
			}
		}
		of := frame
		if row[0] == 0 {
			of = 1
		}
		lines = append(lines, strings.Join(append(cells, strconv.Itoa(of), mark(fingerprints[of])), ","))
	}
	return lines
}

// openGauges opens the files of all gauges of the scene.
func (r *runner) openGauges() (list []*frameTable, err error) {
	for i, m := range r.built.Meters {
		columns := m.Gauge.Columns()
		if g, ok := m.Gauge.(gauge.OfGas); ok && r.scene.Gas != nil {
			columns = g.GasColumns()
		}
		s, err := r.gaugeTable(r.scene.GaugeName(i), columns)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// gaugeFiles names the files of all gauges.
func (r *runner) gaugeFiles() (names []string) {
	for i := range r.scene.Gauge {
		names = append(names, gaugeFolder+"/"+r.scene.GaugeName(i)+".csv")
	}
	return names
}
