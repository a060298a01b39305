package out

import (
	"fmt"
	"slices"
	"strings"

	"breakwater/surface/mesh"
)

// usdBody is a solid that moves: an Xform with a sample of its matrix for each
// frame, and a Mesh below it that stays as it is.
type usdBody struct {
	name   string
	mesh   *mesh.Mesh
	parts  []painted
	places [][4][4]float64
}

// place notes where the solids are in frame n, counted from 0.
func (w *usdWriter) place(f *Frame, n int) error {
	var like []string
	for _, b := range w.bodies {
		like = append(like, b.name)
	}
	names, err := w.info.objects(n, f, like)
	if err != nil {
		return err
	}
	for k := range names {
		o := &f.Objects[k]
		if n == 0 {
			kept := *o // beyond the memory of the frame
			kept.Mesh = &mesh.Mesh{Pos: slices.Clone(o.Mesh.Pos), Nrm: slices.Clone(o.Mesh.Nrm), Tri: slices.Clone(o.Mesh.Tri)}
			parts, err := kept.painted()
			if err != nil {
				return fmt.Errorf("object %s: %w", o.Name, err)
			}
			w.bodies = append(w.bodies, usdBody{name: o.Name, mesh: kept.Mesh, parts: parts})
		}
		w.bodies[k].places = append(w.bodies[k].places, o.matrix())
	}
	return nil
}

// usdName returns a name of a prim, which may have no - and begin with no digit,
// that is not taken.
func usdName(name string, taken []string) string {
	name = strings.ReplaceAll(name, "-", "_")
	if '0' <= name[0] && name[0] <= '9' {
		name = "_" + name
	}
	for slices.Contains(taken, name) {
		name += "_"
	}
	return name
}

// writeBodies writes the solids beside the liquid, within its prim.
func (w *usdWriter) writeBodies() error {
	taken := []string{"surface", "materials"}
	for i := range w.bodies {
		b := &w.bodies[i]
		name := usdName(b.name, taken)
		taken = append(taken, name)
		fmt.Fprintf(w, "\n\n    def Xform %q\n    {\n        matrix4d xformOp:transform.timeSamples = {\n", name)
		for k, m := range b.places {
			fmt.Fprintf(w, "            %d: (", w.info.First+k)
			for j, r := range m {
				if j > 0 {
					w.WriteString(", ")
				}
				fmt.Fprintf(w, "(%v, %v, %v, %v)", r[0], r[1], r[2], r[3])
			}
			w.WriteString("),\n")
		}
		w.WriteString("        }\n        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n\n        def Mesh \"surface\"")
		if len(b.parts) == 1 {
			meta, _ := w.bound(b.parts[0].material, "        ")
			w.WriteString(meta)
		}
		w.WriteString("\n        {\n")
		if err := w.constantMesh(b.mesh); err != nil {
			return fmt.Errorf("object %s: %w", b.name, err)
		}
		if err := w.subsets(b.parts, "        "); err != nil {
			return fmt.Errorf("object %s: %w", b.name, err)
		}
		if _, err := w.WriteString("        }\n    }"); err != nil {
			return err
		}
	}
	return nil
}

// constantMesh writes the attributes of a mesh that does not change.
func (w *usdWriter) constantMesh(m *mesh.Mesh) error {
	list := func(decl, meta string, values func() error) error {
		w.WriteString("            " + decl + " = [")
		if err := values(); err != nil {
			return err
		}
		w.WriteString("]")
		if meta != "" {
			fmt.Fprintf(w, " (\n                %s\n            )", meta)
		}
		_, err := w.WriteString("\n")
		return err
	}
	box := m.Bounds()
	lists := []struct {
		decl, meta string
		values     func() error
	}{
		{"point3f[] points", "", func() error { return w.vectors(m.Pos, usdPosition) }},
		{"normal3f[] normals", usdVertex, func() error { return w.vectors(m.Nrm, usdNormal) }},
		{"int[] faceVertexIndices", "", func() error { return w.corners(m.Tri) }},
		{"int[] faceVertexCounts", "", func() error { return w.threes(len(m.Tri)) }},
		{"float3[] extent", "", func() error { return w.extent(box) }},
	}
	for _, l := range lists {
		if strings.HasPrefix(l.decl, "normal") && len(m.Nrm) == 0 {
			continue
		}
		if err := list(l.decl, l.meta, l.values); err != nil {
			return err
		}
	}
	w.WriteString("            uniform token orientation = \"rightHanded\"\n            uniform token subdivisionScheme = \"none\"\n")
	return nil
}
