package scenes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/sim"
)

// gaugeFolder is the folder of the gauges' files.
const gaugeFolder = "gauges"

// Gauge is one [[gauge]] table.
type Gauge struct {
	What     Plug    `toml:",inline"` // a variant of sim.Gauges: its kind and its keys
	Name     string  `toml:"name" doc:"Name of the file gauges/NAME.csv: letters, digits, - and _; the kind and a number if nothing is said."`
	Interval float64 `toml:"interval" unit:"s" range:"[0, inf)" doc:"Simulated time from row to row, whatever the steps are; 0 for a row a frame."`
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
func (s *Scene) meters(p *parts) (list []*sim.Meter) {
	for i, g := range p.gauges {
		list = append(list, &sim.Meter{Gauge: g, Interval: s.interval(i)})
	}
	return list
}

// series is a gauge's CSV file: rows in the order of their times. The last two
// columns are the frame up to which a row was made and a mark of its fingerprint,
// as in a ledger. The rows of a frame are written before it gets its final
// name, and replace those that an interrupted run has left of it. The row of time
// 0 is of frame 1, though it has pressures that the first step finds, on the way
// to frame 2.
type series struct {
	dir    *out.Dir
	name   string
	header string
	rows   map[rowKey][]string
}

// openSeries reads the file of a gauge, if there is one. Rows with other
// columns are dropped.
func openSeries(dir *out.Dir, name string, g sim.Gauge) (*series, error) {
	s := &series{
		dir: dir, name: gaugeFolder + "/" + name + ".csv",
		header: strings.Join(slices.Concat([]string{"time_s"}, g.Columns(), []string{"frame", "fingerprint"}), ","),
		rows:   map[rowKey][]string{},
	}
	err := dir.Read(s.name, func(r io.Reader) error {
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		if lines[0] != s.header {
			return nil
		}
		for _, line := range lines[1:] {
			cells := strings.Split(line, ",")
			if len(cells) != strings.Count(s.header, ",")+1 {
				continue
			}
			if n, err := strconv.Atoi(cells[len(cells)-2]); err == nil {
				k := rowKey{n, cells[len(cells)-1]}
				s.rows[k] = append(s.rows[k], line)
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

// add writes the rows that a meter has made on the way to a frame. The frames have
// these fingerprints.
func (s *series) add(frame int, fingerprints []string, rows [][]float64) error {
	if frame == 1 { // whose row comes with those of the second
		return s.write()
	}
	if len(rows) > 0 && rows[0][0] == 0 {
		s.set(1, fingerprints[1], rows[:1])
		rows = rows[1:]
	} else if k := (rowKey{frame, mark(fingerprints[frame])}); len(rows) == 0 && len(s.rows[k]) == 0 {
		return nil
	}
	s.set(frame, fingerprints[frame], rows)
	return s.write()
}

// set replaces the rows of a frame.
func (s *series) set(frame int, fingerprint string, rows [][]float64) {
	k := rowKey{frame, mark(fingerprint)}
	s.rows[k] = nil
	for _, row := range rows {
		// A multiple of the interval has few digits.
		cells := []string{strconv.FormatFloat(row[0], 'g', 12, 64)}
		for _, v := range row[1:] {
			if math.IsNaN(v) {
				cells = append(cells, "") // nothing to be measured
			} else {
				cells = append(cells, number(sixDigits(v)))
			}
		}
		s.rows[k] = append(s.rows[k], strings.Join(append(cells, strconv.Itoa(frame), k.mark), ","))
	}
}

// prune drops the rows of all but frames 1 … len(fingerprints)−1 with these
// fingerprints.
func (s *series) prune(fingerprints []string) error {
	before := len(s.rows)
	maps.DeleteFunc(s.rows, func(k rowKey, _ []string) bool { return k.foreign(fingerprints) })
	if len(s.rows) == before {
		return nil
	}
	return s.write()
}

func (s *series) write() error {
	return s.dir.Write(s.name, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, s.header)
		for _, k := range sortedKeys(s.rows) {
			for _, row := range s.rows[k] {
				if err == nil {
					_, err = fmt.Fprintln(w, row)
				}
			}
		}
		return err
	})
}

// openGauges opens the files of all gauges of the scene.
func (r *runner) openGauges() (list []*series, err error) {
	for i, m := range r.built.World.Meters {
		s, err := openSeries(r.dir, r.scene.gaugeName(i), m.Gauge)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}
