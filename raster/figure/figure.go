// Package figure draws plots for articles and reports: curves on clean axes
// in colours that colour-blind readers tell apart, as a PNG with its
// resolution in it, and the same numbers as CSV.
//
// A figure is one file that registers itself: it says what is plotted
// (Plot), and plot.go, axis.go and draw.go do the rest.
package figure

import (
	"io/fs"

	"breakwater/sim/plug"
)

// Figure is one kind of plot.
type Figure interface {
	// Plot returns what the figure shows of a run, whose folder run is. A
	// figure that shows no run ignores it; one that does fails if it is nil.
	Plot(run fs.FS) (*Plot, error)
}

// Figures are the known figures.
var Figures = plug.Set[Figure]{Kind: "figure"}
