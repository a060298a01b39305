// Package figure draws plots and sketches for articles and reports: curves on clean axes
// in colours that colour-blind readers can distinguish, drawings, tables and pictures,
// as a PNG with its resolution in it, as SVG and PDF, and the same numbers as CSV, with
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

// Figures are the known figures.
var Figures = registry.Set[Figure]{Kind: "figure"}
