package figure

import (
	"encoding/csv"
	"image"
	"io"
	"strconv"
)

// Plot is a grid of panels, filled row by row.
type Plot struct {
	Columns int       // panels in a row, at least 1
	Row     float64   // height of a row in points; 0 for the height of axes
	Wide    bool      // the panels of a last row that is not full share its width
	Rows    []float64 // heights of the first rows where they differ; 0 for Row
	Panels  []Panel

	// Caption describes the figure, in plain words and symbols.
	Caption string
}

// Panel is a pair of axes with curves; or a sketch, a picture or a table in place
// of them.
type Panel struct {
	Name  string // in the CSV: short, lower case
	Title string // above it; "" for none
	X, Y  Axis
	Curve []Curve

	Sketch func(*Sketch)
	Image  image.Image
	Table  [][]string // the first row is the head
}

// Curve is a line through points, or the points alone, or bars. On a logarithmic
// axis, points that are not above 0 are left out.
type Curve struct {
	Name string // in the legend and the CSV
	X, Y []float64
	Dots bool // the points alone
	Bars bool // from the axis up to the points
	Both bool // dots on the line
}

// WriteCSV writes a row for each point of each curve, cell of a table, and named
// place of a sketch.
func (p *Plot) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"panel", "x_axis", "y_axis", "curve", "x", "y"})
	for i := range p.Panels {
		panel := &p.Panels[i]
		for _, k := range panel.Curve {
			for i := range k.X {
				c.Write([]string{panel.Name, panel.X.Label, panel.Y.Label, k.Name, digits(k.X[i]), digits(k.Y[i])})
			}
		}
		if panel.Sketch != nil {
			s := Sketch{Page: &Page{W: pageWidth, H: pageWidth}, W: pageWidth, H: pageWidth}
			panel.Sketch(&s)
			for _, k := range s.named {
				c.Write([]string{panel.Name, "", "", k.name, digits(k.at.X), digits(k.at.Y)})
			}
		}
		for r, row := range panel.Table[min(1, len(panel.Table)):] {
			for i, cell := range row[1:] {
				c.Write([]string{panel.Name, row[0], panel.Table[0][i+1], "row " + strconv.Itoa(r+1), "", cell})
			}
		}
	}
	c.Flush()
	return c.Error() // of Write too
}

// digits writes x with the digits that a plot and a stats file keep.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// WritePNG writes p for print.
func (p *Plot) WritePNG(w io.Writer) error { return p.Page().WritePNG(w, printDPI) }

// Draw returns p at the given number of dots per inch.
func (p *Plot) Draw(dpi float64) (*image.RGBA, error) { return p.Page().Raster(dpi) }
