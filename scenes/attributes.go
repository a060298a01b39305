package scenes

import (
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/sim"
	"breakwater/sim/registry"
)

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
		c.names("attribute", sim.Quantities.Names(), of.table, "attributes")
		if formats := s.root.Find(of.table, "formats"); len(of.list) > 0 && (formats == nil || !formats.Broken()) &&
			!slices.ContainsFunc(of.formats, func(f string) bool { return slices.Contains(of.keep, f) }) {
			c.Report.Value(n, "none of the formats supports attributes: add one of %s to %s.formats", strings.Join(of.keep, ", "), of.table)
		}
		for i, name := range of.list {
			q, err := sim.Quantities.New(name, registry.None)
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
	var names []string
	for _, e := range out.Formats.Entries() {
		if x, err := e.New(registry.None); err == nil && x.Needs()&out.NeedsFields != 0 {
			names = append(names, e.Name)
		}
	}
	for _, e := range out.Archives.Entries() {
		if x, err := e.New(registry.None); err == nil && x.Holds()&out.NeedsMesh != 0 {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names
}
