// Package figure draws figures for articles and reports: plots, sketches, tables and
// pictures. Colour-blind readers can distinguish the colours of curves. Figures are
// written as PNG with their resolution, as SVG and as PDF, with their numbers as CSV and
// a caption.
//
// A figure is one file that registers itself and returns the contents (Plot). draw.go
// lays it out on a Page, a list of paths and pictures, which page_png.go, page_svg.go
// and page_pdf.go write.
package figure

import (
	"io/fs"

	"breakwater/sim/registry"
)

// Figure is one kind of plot.
type Figure interface {
	// Plot returns what the figure shows of a run, whose folder run is. A
	// figure that shows no run ignores it; one that does fails if it is nil.
	Plot(run fs.FS) (*Plot, error)
}

// OfRun is a figure that shows a run.
type OfRun interface{ OfRun() }

// Missing is the error of a figure of a part that the run does not have.
type Missing struct{ Text string }

// Error implements error.
func (m *Missing) Error() string { return "figure: " + m.Text }

// Figures are the known figures.
var Figures = registry.Set[Figure]{Kind: "figure"}
