package scenes

import (
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/scenes/toml"
	"breakwater/sim/quantity"
	"breakwater/sim/registry"
)

// The attributes of meshes that are of the foam on them: the share of the surface that it
// covers, and the thickness of its air, m.
const (
	FoamCover = "foam"
	FoamDepth = "foam_depth"
)

var foamAttributes = []string{FoamCover, FoamDepth}

// attributes reports faults in the lists of attributes.
func (c *checker) attributes() {
	s := c.scene
	for _, of := range []struct {
		table   string
		list    []string
		formats []string
		always  []string // attributes that are there in any case
		keep    []string // formats that keep attributes
	}{
		{"mesh", s.Mesh.Attributes, s.Mesh.Formats, []string{"velocity"}, keepers()},
		{"particles", s.Points.Attributes, s.Points.Formats, []string{"velocity", "id"}, append(out.PointFormats.Names(), out.Archives.Names()...)},
	} {
		n := s.root.Find(of.table, "attributes")
		if n == nil || n.Broken() {
			continue
		}
		always := false
		for _, x := range n.Items {
			if slices.Contains(of.always, x.Text) {
				c.Report.Value(x, "%q is always written; remove it from the list", x.Text)
				always = true
			}
		}
		if always {
			continue
		}
		known := quantity.Quantities.Names()
		if of.table == "mesh" && s.Whitewater != nil {
			known = append(known, foamAttributes...)
		} else if of.table == "mesh" {
			if i := slices.IndexFunc(n.Items, func(x *toml.Node) bool { return slices.Contains(foamAttributes, x.Text) }); i >= 0 {
				c.Report.Value(n.Items[i], "%q is of whitewater, and the scene has none: add [whitewater]", n.Items[i].Text)
				continue
			}
		}
		c.names("attribute", known, of.table, "attributes")
		if formats := s.root.Find(of.table, "formats"); len(of.list) > 0 && (formats == nil || !formats.Broken()) &&
			!slices.ContainsFunc(of.formats, func(f string) bool { return slices.Contains(of.keep, f) }) {
			c.Report.Value(n, "none of the formats supports attributes: add one of %s to %s.formats", strings.Join(of.keep, ", "), of.table)
		}
		for i, name := range of.list {
			q, err := quantity.Quantities.New(name, registry.None)
			if err != nil || c.solver == nil {
				continue
			}
			if err := q.Suits(c.solver); err != nil {
				c.Report.Value(n.Items[i], "%q is not available: %v, %s", name, err, s.Solver.Kind)
			}
		}
	}
}

// keepers returns the formats of meshes that keep attributes.
func keepers() []string {
	names := slices.Concat(namesOf(&out.Formats, func(f out.PerFrame) bool { return f.Needs()&out.NeedsFields != 0 }),
		namesOf(&out.Archives, func(a out.Archive) bool { return a.Holds()&out.NeedsMesh != 0 }))
	slices.Sort(names)
	return names
}
