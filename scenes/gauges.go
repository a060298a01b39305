package scenes

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/store"
	"breakwater/scenes/toml"
	"breakwater/sim/gauge"
	"breakwater/sim/registry"
)

// gaugeFolder is the folder of the gauges' files.
const gaugeFolder = "gauges"

// Gauge is one [[gauge]] table.
type Gauge struct {
	What     toml.Variant `toml:",inline"` // a variant of gauge.Gauges: its kind and its keys
	Name     string       `toml:"name" doc:"Name of the file gauges/NAME.csv: letters, digits, - and _. The default is the kind and a number."`
	Interval float64      `toml:"interval" unit:"s" range:"[0, inf)" doc:"Simulated time between rows, independent of the time steps; 0 writes one row per frame."`
}

// gaugeName returns the name of gauge i, from 0.
func (s *Scene) gaugeName(i int) string {
	if g := &s.Gauge[i]; g.Name != "" {
		return g.Name
	}
	return fmt.Sprintf("%s-%d", s.Gauge[i].What.Kind, i+1)
}

// interval returns the time from row to row of gauge i, s.
func (s *Scene) interval(i int) float64 {
	if t := s.Gauge[i].Interval; t > 0 {
		return t
	}
	return s.Time.At(2)
}

// meters returns the meters of s, whose gauges p has.
func (s *Scene) meters(p *parts) (list []*gauge.Meter) {
	for i, g := range p.gauges {
		list = append(list, &gauge.Meter{Gauge: g, Interval: s.interval(i)})
	}
	return list
}

// series is a gauge's table: rows in the order of their times. The last two
// columns are the frame up to which a row was made and the mark of its
// fingerprint. The row of time 0 is of frame 1, though it has pressures that
// the first step finds, on the way to frame 2.
type series struct{ frameTable }

// openSeries reads the file of a gauge, if there is one.
func openSeries(dir *store.Dir, name string, g gauge.Gauge) (*series, error) {
	s := &series{frameTable{
		dir: dir, name: gaugeFolder + "/" + name + ".csv",
		header: strings.Join(slices.Concat([]string{"time_s"}, g.Columns(), []string{"frame", "fingerprint"}), ","),
		key:    func(cells []string) (string, string) { return cells[len(cells)-2], cells[len(cells)-1] },
	}}
	return s, s.open()
}

// lines returns the rows that a meter has made on the way to a frame. The frames
// have these fingerprints.
func (s *series) lines(frame int, fingerprints []string, rows [][]float64) (lines []string) {
	if frame == 1 { // whose row comes with those of the second
		return nil
	}
	for _, row := range rows {
		// A multiple of the interval has few digits.
		cells := []string{strconv.FormatFloat(row[0], 'g', 12, 64)}
		for _, v := range row[1:] {
			if math.IsNaN(v) {
				cells = append(cells, "") // nothing to be measured
			} else {
				cells = append(cells, registry.Number(sixDigits(v)))
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
func (r *runner) openGauges() (list []*series, err error) {
	for i, m := range r.built.Meters {
		s, err := openSeries(r.dir, r.scene.gaugeName(i), m.Gauge)
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
		names = append(names, gaugeFolder+"/"+r.scene.gaugeName(i)+".csv")
	}
	return names
}
