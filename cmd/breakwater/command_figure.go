package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"breakwater/out"
	"breakwater/raster/figure"
	"breakwater/sim/plug"
)

type figureCommand struct {
	Name   string `arg:"" help:"A figure (see \"breakwater list\")."`
	Folder string `arg:"" optional:"" name:"run" help:"The folder of the run that it shows, as renders/dam-break, if it shows one."`
	Out    string `short:"o" placeholder:"FILE" help:"The picture, a .png; the numbers go beside it as NAME_points.csv (default: NAME.png)."`
}

// Run draws a figure and writes what it shows beside it.
func (c *figureCommand) Run(con *console) error {
	f, err := figure.Figures.New(c.Name, plug.None)
	if err != nil {
		return usageError{err}
	}
	if c.Out == "" {
		c.Out = c.Name + ".png"
	}
	base, ok := strings.CutSuffix(c.Out, ".png")
	if !ok || filepath.Base(base) == "" {
		return usageError{fmt.Errorf("--out %s: expected the name of a .png file", c.Out)}
	}
	var run fs.FS
	if c.Folder != "" {
		root, err := os.OpenRoot(c.Folder)
		if err != nil {
			return usageError{err}
		}
		defer root.Close()
		run = root.FS()
	}
	plot, err := f.Plot(run)
	if err != nil {
		return err
	}
	dir, err := out.OpenDir(filepath.Dir(c.Out))
	if err != nil {
		return err
	}
	defer dir.Close()
	// Not NAME.csv: in a run's folder, stats.csv is taken.
	points := base + "_points.csv"
	if err := dir.Write(filepath.Base(points), plot.WriteCSV); err != nil {
		return err
	}
	if err := dir.Write(filepath.Base(c.Out), plot.WritePNG); err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.stderr, "%s and %s\n", c.Out, points)
	return err
}
