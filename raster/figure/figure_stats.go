package figure

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
)

func init() {
	Figures.Add("stats", "a run over time: energy, density error, iterations and steps, from its stats.csv", "", func() Figure { return stats{} })
}

// stats plots the simulation's statistics of each frame.
type stats struct{}

// OfRun implements OfRun.
func (stats) OfRun() {}

// nan marks a missing number; it is not drawn.
var nan = math.NaN()

// Plot implements Figure.
func (stats) Plot(run fs.FS) (*Plot, error) {
	if run == nil {
		return nil, errors.New("figure: stats shows a run: name the folder that has its stats.csv")
	}
	t, err := readTable(run, "stats.csv", "sim")
	if err != nil {
		return nil, err
	}
	time := t.column("time_s", 1)
	kinetic, potential := t.column("kinetic_energy_j", 1), t.column("potential_energy_j", 1)
	total := make([]float64, len(time))
	for i := range total {
		total[i] = kinetic[i] + potential[i]
	}
	substeps := t.column("substeps", 1)
	x := Axis{Label: "time t (s)"}
	energy := Panel{Name: "energy", X: x, Y: Axis{Label: "energy (J)"}, Curve: []Curve{
		{Name: "kinetic", X: time, Y: kinetic}, {Name: "potential", X: time, Y: potential}, {Name: "total", X: time, Y: total},
	}}
	density := Panel{Name: "density error", X: x, Y: Axis{Label: "density error (%)", Log: true}, Curve: []Curve{
		{Name: "mean, at frames", X: time, Y: t.column("density_error_mean", 100)},
		{Name: "mean, worst step", X: time, Y: t.column("step_error_max", 100)},
		{Name: "worst particle", X: time, Y: t.column("density_error_max", 100)},
	}}
	iterations := Panel{Name: "iterations", X: x, Y: Axis{Label: "iterations per step"}, Curve: []Curve{
		{Name: "density", X: time, Y: ratio(t.column("density_iterations", 1), substeps)},
		{Name: "divergence", X: time, Y: ratio(t.column("divergence_iterations", 1), substeps)},
	}}
	steps := Panel{Name: "steps", X: x, Y: Axis{Label: "time step Δt (ms)"}, Curve: []Curve{
		{Name: "longest", X: time, Y: t.column("dt_max_s", 1000)},
		{Name: "mean", X: time, Y: t.column("dt_mean_s", 1000)},
		{Name: "shortest", X: time, Y: t.column("dt_min_s", 1000)},
	}}
	if t.err != nil {
		return nil, t.err
	}
	for i, n := range substeps { // the first frame has no steps, and so no value
		if n == 0 {
			for _, c := range steps.Curve {
				c.Y[i] = nan
			}
		}
	}
	return &Plot{Columns: 2, Panels: []Panel{energy, density, iterations, steps}, Caption: "A run over time: energies, deviation of the density from rest, iterations of the solver, and length of the steps."}, nil
}

// ratio returns a/b, item by item, not a number where b is 0.
func ratio(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i := range r {
		r[i] = nan
		if b[i] > 0 {
			r[i] = a[i] / b[i]
		}
	}
	return r
}

// table is a CSV file with a header and a row a frame.
type table struct {
	name   string
	header []string
	rows   [][]string
	err    error // the first of column's
}

// readTable reads the named file, which a command makes and in which every frame may have one
// row.
func readTable(run fs.FS, name, command string) (*table, error) {
	f, err := run.Open(name)
	if err != nil {
		return nil, fmt.Errorf("figure: %w; make it with the command %s", err, command)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("figure: %s: %w", name, err)
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("figure: %s: it has no frames yet", name)
	}
	t := &table{name: name, header: rows[0], rows: rows[1:]}
	for i := 1; i < len(t.rows); i++ {
		if t.rows[i][0] == t.rows[i-1][0] {
			return nil, fmt.Errorf("figure: %s: line %d: frame %s appears twice, from two runs; finish the newer run with the command %s",
				name, i+2, t.rows[i][0], command)
		}
	}
	return t, nil
}

// column returns the numbers of a column times factor. It sets t.err if the column is
// missing or has an entry that is not a number.
func (t *table) column(name string, factor float64) []float64 {
	values := make([]float64, len(t.rows))
	c := slices.Index(t.header, name)
	if c < 0 {
		t.fail("it has no column %s; was it made by another version?", name)
		return values
	}
	for i, row := range t.rows {
		x, err := strconv.ParseFloat(row[c], 64)
		if err != nil {
			t.fail("line %d: %s: %q is not a number", i+2, name, row[c])
		}
		values[i] = factor * x
	}
	return values
}

func (t *table) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("figure: %s: %s", t.name, fmt.Sprintf(format, args...))
	}
}
