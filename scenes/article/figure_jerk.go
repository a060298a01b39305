package article

import (
	"fmt"
	"strings"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/vortex"
)

func init() {
	register("jerk-techniques", "the jerk of vortons over time, by technique", "Gourlay 2012, part 12, figure 9", measured(func() (*figure.Plot, error) {
		return jerkFigure([]approach{directAtVortons, directAtGrid, treeAtGrid, mollified(1), poissonExpanded},
			"Mean jerk of the vortons of a jet ring over time, for five ways to compute their velocities. Direct sums at the vortons are the standard of comparison. Velocities interpolated from a grid make vortons push themselves, and jerk. Cores as large as a cell of the grid (auto-mollification) make that small, and Poisson's equation is the smoothest.")
	}))
	register("jerk-scales", "the jerk of vortons over time, by the length scale of auto-mollification", "Gourlay 2012, part 12, figure 10", measured(func() (*figure.Plot, error) {
		return jerkFigure([]approach{directAtVortons, mollified(1), mollified(2), mollified(5), poissonExpanded},
			"Mean jerk of the vortons of a jet ring over time, for cores of 1, 2 and 5 cells of the grid. With 2 the jerk is about as large as with direct sums at the vortons.")
	}))
}

var (
	directAtVortons = approach{name: "direct at vortons", technique: "direct", at: "vortons"}
	directAtGrid    = approach{name: "direct at grid", technique: "direct", at: "grid"}
	treeAtGrid      = approach{name: "tree at grid", technique: "tree", at: "grid"}
	poissonExpanded = approach{name: "Poisson, expanded", technique: "poisson", at: "grid", set: expand}
)

// mollified is the tree at the points of the grid with auto-mollification.
func mollified(scale float64) approach {
	return approach{name: fmt.Sprintf("tree, scale %g", scale), technique: "tree", at: "grid", mollify: scale}
}

// jerkFigure plots the mean jerk of the jet ring from 1 s to 8 s by some approaches, as
// means over a fifth of a second.
func jerkFigure(by []approach, caption string) (*figure.Plot, error) {
	panel := figure.Panel{Name: "jerk", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "mean jerk (m/s³)"}}
	table := [][]string{{"technique", "mean, 1 to 2 s", "mean, 1 to 8 s", "root mean square, 1 to 8 s"}}
	for i := range by {
		a := &by[i]
		s, err := a.solver()
		if err != nil {
			return nil, err
		}
		f := jetRing(200)
		var meter vortex.JerkMeter
		c := figure.Curve{Name: a.name}
		var early, late, square, sum float64
		var nEarly, nLate, n int
		err = f.Advance(s, plainGas(), 8, func(vortex.StepInfo) error {
			mean, rms, ok := meter.Add(f.Vortons.ID, f.Vortons.V, s.LongestStep)
			if !ok {
				return nil
			}
			if f.Time < 1 {
				return nil
			}
			late, square, nLate = late+mean, square+rms, nLate+1
			if f.Time < 2 {
				early, nEarly = early+mean, nEarly+1
			}
			if sum, n = sum+mean, n+1; n == 6 {
				c.X, c.Y = append(c.X, f.Time-float64(2.5*s.LongestStep)), append(c.Y, sum/6)
				sum, n = 0, 0
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		panel.Curve = append(panel.Curve, c)
		table = append(table, []string{a.name, num.Decimals(early/float64(nEarly), 1), num.Decimals(late/float64(nLate), 1), num.Decimals(square/float64(nLate), 1)})
	}
	var order []string
	for _, row := range table[1:] {
		order = append(order, row[0]+" "+row[2])
	}
	caption += " Means from 1 s to 8 s, in m/s³: " + strings.Join(order, ", ") + ". Single high peaks are steps in which the grid got another number of cells along an axis. Nothing but advection acts."
	return &figure.Plot{Columns: 1, Rows: []float64{0, 110}, Panels: []figure.Panel{panel, {Name: "means", Title: "jerk in m/s³", Table: table}}, Caption: caption}, nil
}
