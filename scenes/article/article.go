// Package article redraws the figures and tables of the source articles from the
// program's own kernels, searches and solvers, with one file per figure.
//
// The articles are named by a letter. A is Gourlay, Fluid Simulation for Video Games
// 15, 2013. B and C are parts 13 and 12 of the same, 2012. D is Heirich, Smoothed Particle
// Hydrodynamics, AMD 2010. E is van Kooten, Optimized SPH, in: Game Physics Pearls,
// 2010.
package article

import (
	"io/fs"

	"breakwater/raster/figure"
)

// drawing is a figure that needs no run.
type drawing func() (*figure.Plot, error)

// Plot implements figure.Figure.
func (d drawing) Plot(fs.FS) (*figure.Plot, error) { return d() }

// measured is a drawing that simulates or takes times: it may take a while, and
// times depend on the machine.
type measured func() (*figure.Plot, error)

// Plot implements figure.Figure.
func (m measured) Plot(fs.FS) (*figure.Plot, error) { return m() }

// register adds a figure.
func register(name, doc, cite string, f figure.Figure) {
	figure.Figures.Add(name, doc, cite, func() figure.Figure { return f })
}
