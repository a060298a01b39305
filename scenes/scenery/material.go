package scenery

import (
	"fmt"
	"math"
	"slices"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/sim/vec"
)

// polish is the roughness of all that mirrors, as other programs have it: a little, so that
// highlights of the sun have a size.
const polish = 0.03

// materialOf returns the material that files have of an appearance.
func materialOf(name string, a raster.Appearance) out.Material {
	m := out.Material{Name: name, Color: a.Color, Index: a.Index, Roughness: polish, Glow: a.Glow}
	switch a.Kind {
	case "clear":
		each := func(f func(share float64) float64) vec.Vec3 {
			return vec.New(f(a.Color.X), f(a.Color.Y), f(a.Color.Z))
		}
		const least = 1e-6 // or the absorption would be infinite
		m.Clear, m.Roughness = true, 0
		m.Absorption = each(func(x float64) float64 { return -math.Log(min(1, max(x, least))) / a.Distance })
		m.Color = each(math.Sqrt) // of two surfaces, one on the way in and one on the way out
	case "metal":
		m.Metal = true
	case "matte", "glow":
		m.Roughness = 1
	}
	return m
}

// Liquid returns the material of a liquid that looks like l, as files of meshes
// have it. Looks that measure or draw lines say nothing of it: then it is water's.
func Liquid(l raster.Look) out.Material {
	if !raster.HasAppearance(l) {
		return out.Water()
	}
	return materialOf("liquid", raster.AppearanceOf(l))
}

// Materials gives o the materials of the solid that is drawn for it, each with a name that
// is not taken, and returns the taken names with these.
func (x *Piece) Materials(o *out.Object, taken []string) []string {
	size := x.Mesh.Bounds().Size()
	add := func(color *vec.Vec3) int32 {
		of := x.Solid.Material
		if color != nil {
			of.Color = *color
		}
		name := o.Name
		if n := len(o.Materials); n > 0 {
			name = fmt.Sprintf("%s_%d", o.Name, n+1)
		}
		for slices.Contains(taken, name) {
			name += "_"
		}
		taken = append(taken, name)
		o.Materials = append(o.Materials, materialOf(name, of.Appearance(max(size.X, size.Y, size.Z))))
		return int32(len(o.Materials) - 1)
	}
	if x.Solid.Colors == nil {
		add(nil)
		return taken
	}
	of := map[vec.Vec3]int32{}
	for _, c := range x.Solid.Colors {
		k, ok := of[c]
		if !ok {
			k = add(&c)
			of[c] = k
		}
		o.Of = append(o.Of, k)
	}
	return taken
}
