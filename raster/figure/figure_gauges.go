package figure

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"breakwater/sim/plug"
)

func init() {
	Figures.Register(plug.Entry[Figure]{
		Name: "gauges", Doc: "what the gauges of a run have measured over time, a panel each, from its gauges/*.csv",
		New: func(d plug.Decode) (Figure, error) { return gauges{}, d(&struct{}{}) },
	})
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
		return nil, errors.New("figure: the run has no gauges/*.csv: add a [[gauge]] to its scene and make it by the command sim")
	}
	p := &Plot{Columns: min(2, len(files)), Caption: "What the gauges of a run have measured over time."}
	for _, file := range files {
		panel, err := gaugePanel(run, file)
		if err != nil {
			return nil, fmt.Errorf("figure: %s: %w", file, err)
		}
		p.Panels = append(p.Panels, *panel)
	}
	return p, nil
}

// gaugePanel returns the panel of one gauge: a curve for each of its columns.
func gaugePanel(run fs.FS, file string) (*Panel, error) {
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
		return nil, errors.New("it has nothing measured yet")
	}
	head := rows[0][before : len(rows[0])-after]
	name := strings.TrimSuffix(path.Base(file), ".csv")
	panel := &Panel{Name: name, X: Axis{Label: "time t (s)"}, Curve: make([]Curve, len(head))}
	for c, column := range head {
		label, unit := measure(column)
		panel.Curve[c].Name = label
		if c == 0 {
			if len(head) > 1 { // of several parts
				label = label[:strings.LastIndex(label, " ")]
			}
			panel.Y.Label = fmt.Sprintf("%s: %s (%s)", name, label, unit)
		}
	}
	last := -1.
	for i, row := range rows[1:] {
		t, err := strconv.ParseFloat(row[0], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %q is no time", i+2, row[0])
		}
		if t <= last {
			return nil, fmt.Errorf("line %d: the time %g s comes after %g s, of two runs; finish the newer one by the command sim", i+2, t, last)
		}
		last = t
		for c := range head {
			v := nan // nothing there to be measured
			if cell := row[before+c]; cell != "" {
				if v, err = strconv.ParseFloat(cell, 64); err != nil {
					return nil, fmt.Errorf("line %d: %s: %q is no number", i+2, head[c], cell)
				}
			}
			k := &panel.Curve[c]
			k.X, k.Y = append(k.X, t), append(k.Y, v)
		}
	}
	return panel, nil
}

// measure splits the name of a column, such as velocity_x_m_s, into what is
// measured and its unit.
func measure(column string) (what, unit string) {
	for _, u := range [][2]string{{"_m_s", "m/s"}, {"_m3", "m³"}, {"_pa", "Pa"}, {"_n", "N"}, {"_m", "m"}} {
		if what, ok := strings.CutSuffix(column, u[0]); ok {
			return strings.ReplaceAll(what, "_", " "), u[1]
		}
	}
	return strings.ReplaceAll(column, "_", " "), "1"
}
