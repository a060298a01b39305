package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"breakwater/out/store"
	"breakwater/raster/figure"
	_ "breakwater/scenes/article" // its figures
	"breakwater/sim/registry"
)

type figureCommand struct {
	Name   string  `arg:"" help:"A figure (see \"breakwater list\"), or all."`
	Folder string  `arg:"" optional:"" name:"run" help:"Folder of the run that the figure shows, such as renders/dam-break, if it shows a run."`
	Out    string  `short:"o" placeholder:"FILE" help:"The picture, a .png. Next to it come NAME.svg, NAME.pdf, the numbers as NAME_points.csv, and the caption as NAME.txt and NAME.tex. A name with another ending makes that file alone (default: NAME.png; for all, the folder figures)."`
	DPI    float64 `name:"dpi" default:"300" help:"Dots per inch of the .png, from 72 to 1200; all pictures are 174 mm wide."`
}

// Run draws a figure, or all, and writes its numbers and caption next to it.
func (c *figureCommand) Run(con *console) error {
	if !(c.DPI >= 72 && c.DPI <= 1200) {
		return usageError{fmt.Errorf("--dpi %g: expected 72 to 1200", c.DPI)}
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
	if c.Name == "all" {
		return c.all(con, run)
	}
	if c.Out == "" {
		c.Out = c.Name + ".png"
	}
	end := filepath.Ext(c.Out)
	base := strings.TrimSuffix(filepath.Base(c.Out), end)
	if !slices.Contains(figureEnds, end) || base == "" {
		return usageError{fmt.Errorf("--out %s: expected the name of a .png file, or one that ends in %s", c.Out, strings.Join(figureEnds[1:], ", "))}
	}
	f, err := figure.Figures.New(c.Name, registry.None)
	if err != nil {
		return usageError{err}
	}
	if end == ".png" {
		end = ""
	}
	return c.write(con, f, run, filepath.Dir(c.Out), base, end)
}

// all draws all figures. Figures of runs need a run.
func (c *figureCommand) all(con *console, run fs.FS) error {
	if c.Out == "" {
		c.Out = "figures"
	}
	if err := folderName(c.Out, "a folder for all figures"); err != nil {
		return err
	}
	for _, e := range figure.Figures.Entries() {
		f, err := e.New(registry.None)
		if err != nil {
			return err
		}
		if _, ok := f.(figure.OfRun); ok && run == nil {
			continue
		}
		if err := con.ctx.Err(); err != nil {
			return err
		}
		var missing *figure.Missing
		if err := c.write(con, f, run, c.Out, e.Name, ""); err != nil && !errors.As(err, &missing) {
			return err
		}
	}
	return nil
}

// figureEnds are the endings of the files of a figure. The first stands for all of them.
var figureEnds = []string{".png", ".svg", ".pdf", ".csv", ".txt", ".tex"}

// write writes the files of a figure into a folder, or the one that ends in
// only.
func (c *figureCommand) write(con *console, f figure.Figure, run fs.FS, folder, base, only string) error {
	plot, err := f.Plot(run)
	if err != nil {
		return err
	}
	dir, err := store.OpenDir(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	page := plot.Page()
	title := strings.ReplaceAll(base, "-", " ")
	for _, file := range []struct {
		end   string
		write func(w io.Writer) error
	}{
		// Not NAME.csv: in a run's folder, stats.csv is taken.
		{"_points.csv", plot.WriteCSV},
		{".txt", plot.WriteText},
		{".tex", func(w io.Writer) error { return plot.WriteTeX(w, base) }},
		{".svg", func(w io.Writer) error { return page.WriteSVG(w, title) }},
		{".pdf", func(w io.Writer) error { return page.WritePDF(w, title) }},
		{".png", func(w io.Writer) error { return page.WritePNG(w, c.DPI) }},
	} {
		name := base + file.end
		switch {
		case only == "":
		case !strings.HasSuffix(name, only):
			continue
		default:
			name = base + only
		}
		if err := dir.Write(name, file.write); err != nil {
			return err
		}
	}
	if only != "" {
		_, err = fmt.Fprintln(con.stderr, filepath.Join(folder, base+only))
		return err
	}
	_, err = fmt.Fprintf(con.stderr, "%s.png, .svg, .pdf, .txt, .tex and %s_points.csv\n", filepath.Join(folder, base), base)
	return err
}
