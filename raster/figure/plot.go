package figure

import (
	"encoding/csv"
	"io"
	"strconv"
)

// Plot is a grid of panels, filled row by row.
type Plot struct {
	Columns int // panels in a row, at least 1
	Panels  []Panel
}

// Panel is a pair of axes with curves.
type Panel struct {
	Name  string // in the CSV: short, lower case
	X, Y  Axis
	Curve []Curve
}

// Curve is a line through points, or the points alone. On a logarithmic axis,
// points that are not above 0 are left out.
type Curve struct {
	Name string // in the legend and the CSV
	X, Y []float64
	Dots bool // the points alone
}

// WriteCSV writes a row for each point of each curve.
func (p *Plot) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"panel", "x_axis", "y_axis", "curve", "x", "y"})
	for _, panel := range p.Panels {
		for _, k := range panel.Curve {
			for i := range k.X {
				c.Write([]string{panel.Name, panel.X.Label, panel.Y.Label, k.Name, digits(k.X[i]), digits(k.Y[i])})
			}
		}
	}
	c.Flush()
	return c.Error() // of Write too
}

// digits writes x to what a plot and a stats file keep of it.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
