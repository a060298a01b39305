package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/out/particles"
	"breakwater/raster"
	"breakwater/raster/figure"
	"breakwater/scenes"
	"breakwater/scenes/shipped"
	"breakwater/scenes/validate"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/neighbor"
	"breakwater/sim/quantity"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
	"breakwater/sim/whitewater"
	"breakwater/surface"
)

type listCommand struct {
	What string `arg:"" optional:"" help:"One of the headings, such as liquids (default: all)."`
}

// section is one heading of the list with what stands under it.
type section struct {
	name, use string
	print     func(w io.Writer)
}

func (c *listCommand) Run(con *console) error {
	sections := []section{
		{"Scenes", "breakwater render NAME", func(w io.Writer) {
			for _, s := range shipped.Scenes() {
				entry(w, s.Name, s.Doc, s.Cite)
			}
		}},
		{"Liquids", "name of [liquid]", func(w io.Writer) {
			for _, l := range scenes.Liquids {
				entry(w, l.Name, l.Numbers(), l.Source)
			}
		}},
		{"Shapes", "kind of [[fluid]], [[source]] and [[smoke]]", family(&shape.Shapes)},
		{"Vortices", "kind of [[vortex]]", family(&vorticity.Distributions)},
		{"Boundaries", "kind of [[wall]]", family(&boundary.Boundaries)},
		{"Solvers", "kind of [solver]", family(&sim.Solvers)},
		{"Gas solvers", "kind of [solver] with [gas]", family(&vortex.Solvers)},
		{"Techniques", "kind of [technique] with [gas]", family(&vortex.Techniques)},
		{"Forces", "kind of [[force]]", family(&force.Forces)},
		{"Neighbour searches", "kind of [neighbor]", family(&neighbor.Finders)},
		{"Whitewater sources", "sources of [whitewater]", family(&whitewater.Sources)},
		{"Surface methods", "kind of [surface]", family(&surface.Methods)},
		{"Looks", "kind of [look]", family(&raster.Looks)},
		{"File formats", "one file per frame; [mesh] formats", family(&out.Formats)},
		{"Particle file formats", "one file per frame; [particles] formats", family(&out.PointFormats)},
		{"Archives", "one file of all frames; formats of [mesh] and [particles]", family(&out.Archives)},
		{"Attributes", "attributes of [mesh] and [particles]", family(&quantity.Quantities)},
		{"Particle formats", "breakwater mesh FILES", family(&particles.Readers)},
		{"Film formats", "[video] formats", family(&film.Formats)},
		{"Figures", "breakwater figure NAME", family(&figure.Figures)},
		{"Validation", "breakwater validate NAME", family(&validate.Cases)},
	}
	w := tabwriter.NewWriter(con.stdout, 0, 0, 2, ' ', 0)
	var names []string
	for _, s := range sections {
		names = append(names, strings.ToLower(s.name))
		if c.What != "" && !strings.EqualFold(c.What, s.name) {
			continue
		}
		if c.What == "" && len(names) > 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", s.name, s.use)
		s.print(w)
	}
	if c.What != "" && !slices.Contains(names, strings.ToLower(c.What)) {
		return usageError{fmt.Errorf("there is no list of %q; expected one of %s", c.What, strings.Join(names, ", "))}
	}
	return w.Flush()
}

// family prints the variants of a set.
func family[T any](set *registry.Set[T]) func(io.Writer) {
	return func(w io.Writer) {
		for _, e := range set.Entries() {
			entry(w, e.Name, e.Doc, e.Cite)
		}
	}
}

func entry(w io.Writer, name, doc, cite string) {
	if cite != "" {
		cite = " (" + cite + ")"
	}
	fmt.Fprintf(w, "  %s\t%s%s\n", name, doc, cite)
}
