package figure

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

func init() {
	Figures.Add("gauges", "readings of a run's gauges over time, one panel each, from its gauges/*.csv", "", func() Figure { return gauges{} })
}

// gauges plots the files of a run's gauges, in the order of their names.
type gauges struct{}

// OfRun implements OfRun.
func (gauges) OfRun() {}

// Plot implements Figure.
func (gauges) Plot(run fs.FS) (*Plot, error) {
	if run == nil {
		return nil, errors.New("figure: gauges shows a run: name the folder that has its gauges")
	}
	files, err := fs.Glob(run, "gauges/*.csv")
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	if len(files) == 0 {
		return nil, &Missing{"the run has no gauges/*.csv: add a [[gauge]] to its scene and run the command sim"}
	}
	p := &Plot{Caption: "Readings of the gauges of a run over time."}
	for _, file := range files {
		panels, err := gaugePanels(run, file)
		if err != nil {
			return nil, fmt.Errorf("figure: %s: %w", file, err)
		}
		p.Panels = append(p.Panels, panels...)
	}
	p.Columns = min(2, len(p.Panels))
	return p, nil
}

// gaugePanels returns the panels of one gauge, one for each quantity that it
// measures: a curve for each of its columns.
func gaugePanels(run fs.FS, file string) ([]Panel, error) {
	f, err := run.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	const before, after = 1, 2 // the time; the frame and its fingerprint
	if len(rows) < 2 || len(rows[0]) <= before+after {
		return nil, errors.New("it has no readings yet")
	}
	head := rows[0][before : len(rows[0])-after]
	name := strings.TrimSuffix(path.Base(file), ".csv")
	var panels []Panel
	var place [][2]int // panel and curve of each column
	for _, column := range head {
		label, unit := measure(column)
		what := label
		for _, part := range [...]string{" x", " y", " z"} { // of a vector
			what = strings.TrimSuffix(what, part)
		}
		axis := fmt.Sprintf("%s: %s (%s)", name, what, unit)
		if n := len(panels); n == 0 || panels[n-1].Y.Label != axis {
			shown := name
			if n > 0 {
				shown = fmt.Sprintf("%s-%s", name, strings.ReplaceAll(what, " ", "-"))
			}
			panels = append(panels, Panel{Name: shown, X: Axis{Label: "time t (s)"}, Y: Axis{Label: axis}})
		}
		panel := &panels[len(panels)-1]
		place = append(place, [2]int{len(panels) - 1, len(panel.Curve)})
		panel.Curve = append(panel.Curve, Curve{Name: label})
	}
	last := -1.
	for i, row := range rows[1:] {
		t, err := strconv.ParseFloat(row[0], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %q is not a time", i+2, row[0])
		}
		if t <= last {
			return nil, fmt.Errorf("line %d: the time %g s follows %g s, from another run; finish the newer run with the command sim", i+2, t, last)
		}
		last = t
		for c := range head {
			v := nan // nothing there to be measured
			if cell := row[before+c]; cell != "" {
				if v, err = strconv.ParseFloat(cell, 64); err != nil {
					return nil, fmt.Errorf("line %d: %s: %q is not a number", i+2, head[c], cell)
				}
			}
			k := &panels[place[c][0]].Curve[place[c][1]]
			k.X, k.Y = append(k.X, t), append(k.Y, v)
		}
	}
	return panels, nil
}

// measure splits the name of a column, such as velocity_x_m_s, into quantity and unit.
func measure(column string) (what, unit string) {
	for _, u := range [][2]string{{"_rad_s", "rad/s"}, {"_n_m", "N m"}, {"_m_s", "m/s"}, {"_m3", "m³"}, {"_pa", "Pa"}, {"_n", "N"}, {"_m", "m"}} {
		if what, ok := strings.CutSuffix(column, u[0]); ok {
			return strings.ReplaceAll(what, "_", " "), u[1]
		}
	}
	return strings.ReplaceAll(column, "_", " "), "1"
}
