package out

import (
	"errors"
	"fmt"
	"slices"

	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Material is how a liquid or a solid takes light, in the terms that formats share.
type Material struct {
	Name string // [A-Za-z0-9_-]+, unique within a frame
	// Color is linear: the share of light that an opaque material reflects, or that each
	// surface of a clear one passes in programs that do not absorb light on its way.
	Color      vec.Vec3
	Clear      bool     // light passes through it
	Index      float64  // of refraction, at least 1; 1 for a material that mirrors nothing
	Absorption vec.Vec3 // of a clear material, 1/m; red, green and blue
	Roughness  float64  // of the surface: from 0, a mirror, to 1, matte
	Metal      bool
	Glow       vec.Vec3 // radiance, linear
}

// Water returns the material of a liquid that nothing is known of.
func Water() Material {
	a := vec.New(1.204, 0.3011, 0.1393) // what the look "water" absorbs
	return Material{
		Name: "liquid", Clear: true, Index: 1.333, Absorption: a,
		Color: vec.New(num.Exp(-a.X/2), num.Exp(-a.Y/2), num.Exp(-a.Z/2)),
	}
}

// normal is the share of light that a surface mirrors straight on (Fresnel 1823).
func (m *Material) normal() float64 {
	r := (m.Index - 1) / (m.Index + 1)
	return r * r
}

// clarity is the part of the luminance (ITU-R BT.709) that each surface of a clear
// material passes; 0 for an opaque one.
func (m *Material) clarity() float64 {
	if !m.Clear {
		return 0
	}
	return m.Color.Dot(vec.New(0.2126, 0.7152, 0.0722))
}

// faded is the optical depth of the colour that a material absorbs most, over the distance
// of fade. It is small, since Blender takes (1 − left) / distance for the absorption.
const faded = 0.1

// fade returns a distance in metres and the rest of each colour after it (Beer 1852). It
// is infinite if the material absorbs nothing.
func (m *Material) fade() (distance float64, left vec.Vec3) {
	a := m.Absorption
	most := max(a.X, a.Y, a.Z)
	part := func(a float64) float64 { return num.Exp(-faded * a / most) }
	return faded / most, vec.New(part(a.X), part(a.Y), part(a.Z))
}

func (m *Material) check() error {
	unit := func(x float64) bool { return x >= 0 && x <= 1 }
	amount := func(v vec.Vec3) bool { return v.Round().Finite() && min(v.X, v.Y, v.Z) >= 0 }
	var err error
	switch c := m.Color; {
	case !validObject(m.Name):
		err = errors.New("expected a name of letters, digits, - and _")
	case !unit(c.X) || !unit(c.Y) || !unit(c.Z):
		err = fmt.Errorf("color %v: want parts from 0 to 1", c)
	case !(m.Index >= 1 && m.Index <= 10):
		err = fmt.Errorf("index of refraction %g: want 1 to 10", m.Index)
	case !unit(m.Roughness):
		err = fmt.Errorf("roughness %g: want 0 to 1", m.Roughness)
	case !amount(m.Absorption):
		err = fmt.Errorf("absorption %v per metre: want at least 0", m.Absorption)
	case !amount(m.Glow):
		err = fmt.Errorf("radiance %v: want at least 0", m.Glow)
	}
	if err != nil {
		return fmt.Errorf("material %q: %w", m.Name, err)
	}
	return nil
}

// checkMaterials returns an error if a material cannot be written, or two have one name.
func checkMaterials(list []Material) error {
	for i := range list {
		if err := list[i].check(); err != nil {
			return err
		}
		if slices.ContainsFunc(list[:i], func(m Material) bool { return m.Name == list[i].Name }) {
			return fmt.Errorf("two materials are called %q", list[i].Name)
		}
	}
	return nil
}

// Materials lists all of the frame, the liquid's first.
func (f *Frame) Materials() (list []Material) {
	if f.Material != nil {
		list = append(list, *f.Material)
	}
	for i := range f.Objects {
		list = append(list, f.Objects[i].Materials...)
	}
	return list
}

// painted is triangles of a solid that have one material.
type painted struct {
	material *Material // nil for none
	tri      [][3]int32
	index    []int // of tri among the triangles of the solid; nil for all
}

// painted returns the triangles of o by their materials, in the order of these. Materials
// of no triangle are left out.
func (o *Object) painted() ([]painted, error) {
	if len(o.Materials) == 0 {
		return []painted{{tri: o.Mesh.Tri}}, nil
	}
	if o.Of == nil {
		return []painted{{material: &o.Materials[0], tri: o.Mesh.Tri}}, nil
	}
	if len(o.Of) != len(o.Mesh.Tri) {
		return nil, fmt.Errorf("materials of %d triangles for %d", len(o.Of), len(o.Mesh.Tri))
	}
	list := make([]painted, len(o.Materials))
	for i, k := range o.Of {
		if k < 0 || int(k) >= len(list) {
			return nil, fmt.Errorf("triangle %d has material %d of %d", i, k, len(list))
		}
		p := &list[k]
		p.material, p.tri, p.index = &o.Materials[k], append(p.tri, o.Mesh.Tri[i]), append(p.index, i)
	}
	return slices.DeleteFunc(list, func(p painted) bool { return len(p.tri) == 0 }), nil
}
