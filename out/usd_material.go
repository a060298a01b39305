package out

import (
	"fmt"

	"breakwater/sim/vec"
)

// usdBound is the metadata of a prim that has a material.
const usdBound = " (\n%[1]s    prepend apiSchemas = [\"MaterialBindingAPI\"]\n%[1]s)"

// usdMaterials is the prim that holds the materials.
const usdMaterials = "/liquid/materials/"

// bound returns the metadata of a prim at an indentation, and its binding, for a material
// that it may have.
func (w *usdWriter) bound(m *Material, indent string) (meta, binding string) {
	if m == nil {
		return "", ""
	}
	return fmt.Sprintf(usdBound, indent), fmt.Sprintf("%s    rel material:binding = <%s%s>\n", indent, usdMaterials, w.materialName(m))
}

// materialName returns the name of the prim of a material, and notes that it is used.
func (w *usdWriter) materialName(m *Material) string {
	for _, u := range w.materials {
		if u.Name == m.Name {
			return u.prim
		}
	}
	var taken []string
	for _, u := range w.materials {
		taken = append(taken, u.prim)
	}
	name := usdName(m.Name, taken)
	w.materials = append(w.materials, usdMaterial{*m, name})
	return name
}

// usdMaterial is a material with the name of its prim.
type usdMaterial struct {
	Material
	prim string
}

// writeMaterials writes the materials that are used as UsdPreviewSurface:
//
//	Pixar, UsdPreviewSurface Specification 2.6, 2024
//
// It has no absorption. A clear material is as opaque as its surface takes light away, with
// the colour of what it leaves, and its absorption is an attribute of our own.
func (w *usdWriter) writeMaterials() error {
	if len(w.materials) == 0 {
		return nil
	}
	w.WriteString("\n\n    def Scope \"materials\"\n    {")
	color := func(c vec.Vec3) string { return fmt.Sprintf("(%v, %v, %v)", float32(c.X), float32(c.Y), float32(c.Z)) }
	for i := range w.materials {
		m := &w.materials[i]
		if err := m.check(); err != nil {
			return err
		}
		path := usdMaterials + m.prim
		fmt.Fprintf(w, "\n        def Material %q\n        {\n", m.prim)
		if m.Clear {
			fmt.Fprintf(w, "            custom color3f breakwater:absorption = %s (\n                doc = \"of light on its way, 1/m\"\n            )\n", color(m.Absorption))
		}
		fmt.Fprintf(w, "            token outputs:surface.connect = <%s/surface.outputs:surface>\n\n            def Shader \"surface\"\n            {\n", path)
		metal := 0
		if m.Metal {
			metal = 1
		}
		for _, line := range []string{
			"uniform token info:id = \"UsdPreviewSurface\"",
			"color3f inputs:diffuseColor = " + color(m.Color),
			"color3f inputs:emissiveColor = " + color(m.Glow),
			fmt.Sprintf("float inputs:ior = %v", float32(m.Index)),
			fmt.Sprintf("float inputs:metallic = %d", metal),
			fmt.Sprintf("float inputs:opacity = %v", float32(1-m.clarity())),
			fmt.Sprintf("float inputs:roughness = %v", float32(m.Roughness)),
			"token outputs:surface",
		} {
			fmt.Fprintf(w, "                %s\n", line)
		}
		w.WriteString("            }\n        }")
	}
	_, err := w.WriteString("\n    }")
	return err
}

// subsets writes the triangles of a solid of several materials, or binds its one.
func (w *usdWriter) subsets(parts []painted, indent string) error {
	if len(parts) < 2 {
		for _, p := range parts {
			_, binding := w.bound(p.material, indent)
			w.WriteString(binding)
		}
		return nil
	}
	fmt.Fprintf(w, "%s    uniform token subsetFamily:materialBind:familyType = \"partition\"\n", indent)
	for _, p := range parts {
		meta, binding := w.bound(p.material, indent+"    ")
		fmt.Fprintf(w, "\n%[1]s    def GeomSubset %[2]q%[3]s\n%[1]s    {\n%[1]s        uniform token elementType = \"face\"\n%[1]s        uniform token familyName = \"materialBind\"\n%[1]s        int[] indices = [",
			indent, w.materialName(p.material), meta)
		if err := w.list(len(p.index), func(b []byte, i int) []byte { return fmt.Append(b, p.index[i]) }); err != nil {
			return err
		}
		fmt.Fprintf(w, "]\n%s%s    }\n", binding, indent)
	}
	return nil
}
