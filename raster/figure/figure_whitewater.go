package figure

import (
	"errors"
	"fmt"
	"io/fs"
)

func init() {
	Figures.Add("whitewater", "air and drops over time, of a run or of all runs in a folder, from their whitewater.csv", "",
		func() Figure { return whitewater{} })
}

// whitewater plots the volumes of whitewater in each frame. Several runs, as of one scene at
// several spacings, have a curve each.
type whitewater struct{}

// whitewaterTable is the table of a run.
const whitewaterTable = "whitewater.csv"

// OfRun implements OfRun.
func (whitewater) OfRun() {}

// Plot implements Figure.
func (whitewater) Plot(run fs.FS) (*Plot, error) {
	if run == nil {
		return nil, errors.New("figure: whitewater shows runs: name the folder that has a whitewater.csv, or one that has such folders")
	}
	names, err := whitewaterRuns(run)
	if err != nil {
		return nil, err
	}
	x := Axis{Label: "time t (s)"}
	panels := []Panel{
		{Name: "air entrained", Title: "(a)", X: x, Y: Axis{Label: "air entrained (L)"}},
		{Name: "air held", Title: "(b)", X: x, Y: Axis{Label: "air in bubbles and foam (L)"}},
		{Name: "sprayed", Title: "(c)", X: x, Y: Axis{Label: "liquid sprayed (L)"}},
		{Name: "drops", Title: "(d)", X: x, Y: Axis{Label: "drops in the air (L)"}},
	}
	const litres = 1000
	for _, name := range names {
		of := run
		if name != "." {
			if of, err = fs.Sub(run, name); err != nil {
				return nil, err
			}
		}
		t, err := readTable(of, whitewaterTable, "whitewater")
		if err != nil {
			return nil, fmt.Errorf("%w (run %s)", err, name)
		}
		time := t.column("time_s", 1)
		values := [][]float64{
			t.column("air_entrained_m3", litres), sum(t.column("bubbles_m3", litres), t.column("foam_m3", litres)),
			t.column("sprayed_m3", litres), sum(t.column("spray_m3", litres), t.column("mist_m3", litres)),
		}
		if t.err != nil {
			return nil, fmt.Errorf("%w (run %s)", t.err, name)
		}
		if name == "." {
			name = "run"
		}
		for i := range panels {
			panels[i].Curve = append(panels[i].Curve, Curve{Name: name, X: time, Y: values[i]})
		}
	}
	return &Plot{Columns: 2, Panels: panels, Caption: "Whitewater over time: (a) air entrained since the start, (b) air in bubbles and in foam, (c) liquid sprayed since the start, (d) liquid in drops and in mist."}, nil
}

// whitewaterRuns returns the folders in run that have a table, in the order of their names,
// or "." if run has one itself.
func whitewaterRuns(run fs.FS) (names []string, err error) {
	if _, err := fs.Stat(run, whitewaterTable); err == nil {
		return []string{"."}, nil
	}
	list, err := fs.ReadDir(run, ".")
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		if _, err := fs.Stat(run, x.Name()+"/"+whitewaterTable); err == nil {
			names = append(names, x.Name())
		}
	}
	if len(names) == 0 {
		return nil, &Missing{"neither the folder nor one in it has a whitewater.csv; make it with the command whitewater, of a scene with [whitewater]"}
	}
	const most = 6 // curves that a reader can tell apart
	if len(names) > most {
		return nil, fmt.Errorf("figure: %d runs have a whitewater.csv; expected at most %d: put those to compare into a folder of their own", len(names), most)
	}
	return names, nil
}

// sum returns a + b, item by item.
func sum(a, b []float64) []float64 {
	s := make([]float64, len(a))
	for i := range s {
		s[i] = a[i] + b[i]
	}
	return s
}
