package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/raster/figure"
	"breakwater/scenes"
	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/plug"
	"breakwater/surface"
	"breakwater/validate"
)

type listCommand struct{}

func (listCommand) Run(con *console) error {
	w := tabwriter.NewWriter(con.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "Scenes: breakwater render NAME")
	for _, s := range scenes.Shipped() {
		entry(w, s.Name, s.Doc, s.Cite)
	}
	family(w, "Shapes: kind of [[fluid]]", &sim.Shapes)
	family(w, "Boundaries: kind of [[wall]]", &sim.Boundaries)
	family(w, "Solvers: kind of [solver]", &sim.Solvers)
	family(w, "Forces: kind of [[force]]", &sim.Forces)
	family(w, "Neighbour searches: kind of [neighbor]", &neighbor.Finders)
	family(w, "Surface methods: kind of [surface]", &surface.Methods)
	family(w, "Looks: kind of [look]", &raster.Looks)
	family(w, "File formats: one file a frame", &out.Formats)
	family(w, "Film formats: [video] formats", &out.Movies)
	family(w, "Figures: breakwater figure NAME", &figure.Figures)
	family(w, "Validation: breakwater validate NAME", &validate.Cases)
	return w.Flush()
}

// family lists the variants of a set under a title.
func family[T any](w io.Writer, title string, set *plug.Set[T]) {
	fmt.Fprintf(w, "\n%s\n", title)
	for _, e := range set.Entries() {
		entry(w, e.Name, e.Doc, e.Cite)
	}
}

func entry(w io.Writer, name, doc, cite string) {
	if cite != "" {
		cite = " (" + cite + ")"
	}
	fmt.Fprintf(w, "  %s\t%s%s\n", name, doc, cite)
}
