package raster

import (
	"fmt"
	"math"
	"slices"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/raster/texture"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Substance is the material of a solid.
type Substance string

const (
	Matte Substance = "matte" // fired clay, stone, paint
	Metal Substance = "metal" // polished
	Glass Substance = "glass" // clear all through
	Wood  Substance = "wood"  // varnished, with the rings of a trunk
)

// substances are all that there are.
var substances = [...]Substance{Matte, Metal, Glass, Wood}

// Material is the appearance of a solid.
type Material struct {
	Substance Substance // matte if empty
	Color     vec.Vec3  // linear red, green and blue, 0 to 1
}

// Material returns the material of that substance in its usual colour: clay, steel,
// clear glass, oak.
func (s Substance) Material() Material {
	switch s {
	case Metal:
		return Material{s, vec.Vec3{X: 0.62, Y: 0.60, Z: 0.57}}
	case Glass:
		return Material{s, vec.Vec3{X: 0.92, Y: 0.97, Z: 0.95}}
	case Wood:
		return Material{s, vec.Vec3{X: 0.46, Y: 0.27, Z: 0.13}}
	}
	return Material{Matte, vec.Vec3{X: 0.42, Y: 0.19, Z: 0.10}} // warm beside the water, darker than the floor
}

func (m Material) check() error {
	if m.Substance != "" && !slices.Contains(substances[:], m.Substance) {
		return fmt.Errorf("unknown material %q; expected one of %v", m.Substance, substances)
	}
	if c := m.Color; !(min(c.X, c.Y, c.Z) >= 0 && max(c.X, c.Y, c.Z) <= 1) {
		return fmt.Errorf("invalid colour %v; each part must be 0 to 1", c)
	}
	return nil
}

// shadingMaterial is the material of a triangle made ready to draw.
type shadingMaterial struct {
	Substance
	color color.RGB
	size  float64 // longest side of the solid, m
	// rest places a point for the grain of wood, which moves along with the solid.
	rest []vec.Vec3 // of the solid's vertices
	base int32      // the first of them among all

	paved   bool           // as the floor is
	picture *texture.Image // nil for none
	places  [][3][2]float64
	first   int32 // triangle of the solid, among all
}

// rings is how many rings of wood there are across a solid's longest side.
const rings = 24

// addSolid appends s with its materials.
func (g *geometry) addSolid(s *Solid) {
	base, first := int32(len(g.pos)), int32(len(g.tri))
	g.add(s.Mesh)
	m := s.Material
	if m == (Material{}) {
		m = Matte.Material()
	}
	rest := s.Rest
	if rest == nil {
		rest = s.Mesh.Pos
	}
	box := vec.Empty()
	for _, p := range rest {
		box = box.Include(p)
	}
	size := box.Size()
	plain := shadingMaterial{
		Substance: m.Substance, color: color.New(m.Color.X, m.Color.Y, m.Color.Z), size: max(size.X, size.Y, size.Z), rest: rest, base: base, paved: s.Paved,
		places: s.Places, first: first,
	}
	for i := range s.Mesh.Tri {
		k := plain
		if s.Colors != nil {
			c := s.Colors[i]
			k.color = color.New(c.X, c.Y, c.Z)
		}
		if s.Pictures != nil {
			k.picture = s.Pictures[i]
		}
		if n := len(g.materials); n == 0 || !g.materials[n-1].same(&k) {
			g.materials = append(g.materials, k)
		}
		g.materialIndex = append(g.materialIndex, int32(len(g.materials)-1))
	}
}

func (k *shadingMaterial) same(o *shadingMaterial) bool {
	return k.Substance == o.Substance && k.color == o.color && k.base == o.base && k.paved == o.paved && k.picture == o.picture
}

// material returns the material of a triangle of a solid.
func (g *geometry) material(tri int32) *shadingMaterial {
	return &g.materials[g.materialIndex[int(tri)-g.liquid]]
}

// albedo returns the colour of a solid where h is, to a ray wide metres wide.
func (g *geometry) albedo(h bvh.Hit, wide float64) color.RGB {
	k := g.material(h.Tri)
	tint := k.color
	if k.paved {
		return g.pavedColor(h, wide)
	}
	if k.picture != nil {
		tint = tint.Mul(g.textured(k, h, wide))
	}
	if k.Substance != Wood {
		return tint
	}
	t := g.tri[h.Tri]
	a, b, c := k.rest[t[0]-k.base], k.rest[t[1]-k.base], k.rest[t[2]-k.base]
	return tint.Scale(texture.Wood(a.Mul(1-h.U-h.V).Add(b.Mul(h.U)).Add(c.Mul(h.V)), k.size/rings, wide))
}

// pavedColor returns the colour of the floor's paving on a face of a solid. The footprint
// is taken from a ray from the camera.
func (g *geometry) pavedColor(h bvh.Hit, wide float64) color.RGB {
	n, _ := g.normals(h.Tri, h.U, h.V)
	a, b, c := g.corners(h.Tri)
	p := a.Mul(1 - h.U - h.V).Add(b.Mul(h.U)).Add(c.Mul(h.V)).Mul(1 / g.floor.Slab)
	u := camera.Up(n).Cross(n).Unit()
	v := n.Cross(u)
	d := p.Mul(g.floor.Slab).Sub(g.eye).Unit()
	f := wide / g.floor.Slab
	long := f / max(0.02, math.Abs(d.Dot(n)))
	x, y := math.Abs(d.Dot(u)), math.Abs(d.Dot(v))
	across := max(1e-9, math.Hypot(x, y))
	return g.floor.Paving.Color(p.Dot(u), p.Dot(v), f+(long-f)*x/across, f+(long-f)*y/across)
}

// textured returns the colour of the picture of k at h, for a ray that is wide metres
// wide.
func (g *geometry) textured(k *shadingMaterial, h bvh.Hit, wide float64) color.RGB {
	at := &k.places[h.Tri-k.first]
	w := 1 - h.U - h.V
	place := func(c int) float64 { return float64(w*at[0][c]) + float64(h.U*at[1][c]) + float64(h.V*at[2][c]) }
	// The picture's area over the triangle's gives its scale.
	a, b, c := g.corners(h.Tri)
	area := b.Sub(a).Cross(c.Sub(a)).Len()
	shown := math.Abs(float64((at[1][0]-at[0][0])*(at[2][1]-at[0][1])) - float64((at[2][0]-at[0][0])*(at[1][1]-at[0][1])))
	scale := 0.0
	if area > 0 {
		scale = math.Sqrt(shown / area)
	}
	return k.picture.At(place(0), place(1), wide*scale)
}

// schlick returns the light that a metal of a colour reflects (Schlick 1994).
func schlick(normal color.RGB, cos float64) color.RGB {
	x := 1 - min(1, max(0, cos))
	return normal.Lerp(color.New(1, 1, 1), x*x*x*x*x)
}

// solidLight returns the light from a solid that r meets at h. Where the liquid touches the
// solid, r is in the liquid, and reflections start at back, in the liquid.
func (t *tracer) solidLight(r ray, h bvh.Hit, back *vec.Vec3) color.RGB {
	k := t.material(h.Tri)
	switch k.Substance {
	case Glass:
		return t.glassLight(r, h, back)
	case Metal:
		s := t.solidHit(r, h, back)
		share := schlick(t.albedo(h, t.footprint(&r, h.T)), s.cosI)
		s.reflectance = share.Max()
		return t.solidReflection(r, h, s).Mul(share)
	case Wood:
		s := t.solidHit(r, h, back)
		varnish, _ := optics.Fresnel(s.cosI, t.outsideIndex(r)/optics.GlassIndex)
		s.reflectance = varnish
		return t.diffuse(r, h, t.albedo(h, t.footprint(&r, h.T))).Lerp(t.solidReflection(r, h, s), varnish)
	}
	return t.diffuse(r, h, t.albedo(h, t.footprint(&r, h.T)))
}

// outsideIndex returns the refractive index of the medium of r.
func (t *tracer) outsideIndex(r ray) float64 {
	if r.inLiquid {
		return t.water.Index
	}
	return 1
}

// solidHit returns where r meets the outside of a solid, and how it is reflected.
func (t *tracer) solidHit(r ray, h bvh.Hit, back *vec.Vec3) surfaceHit {
	s := surfaceHit{eta: 1, transmittance: color.New(1, 1, 1)}
	s.ng, s.n = t.normals(h.Tri, h.U, h.V)
	if s.ng.Dot(r.d) > 0 {
		s.ng, s.n = s.ng.Neg(), s.n.Neg()
	}
	s.scatter(r.d)
	s.p = r.o.Add(r.d.Mul(h.T)).Add(s.ng.Mul(t.epsilon))
	if back != nil {
		s.p = *back
	}
	return s
}

// solidReflection returns the light of the reflection of r at s, which stays in the
// medium of r.
func (t *tracer) solidReflection(r ray, h bvh.Hit, s surfaceHit) color.RGB {
	weight := r.weight * s.reflectance
	if r.depth >= t.limits.splitDepth+2 || weight < t.limits.minReflection {
		return t.backdrop(s.p, s.reflected)
	}
	return t.trace(ray{o: s.p, d: s.reflected, inLiquid: r.inLiquid, weight: weight, width: t.footprint(&r, h.T), depth: r.depth + 1, time: r.time})
}

// draftSolid returns the colour of a solid in the draft, which mirrors only
// floor and sky and shows through glass only those.
func (w *scene) draftSolid(r ray, h bvh.Hit, n vec.Vec3) color.RGB {
	k := w.material(h.Tri)
	p := r.o.Add(r.d.Mul(h.T))
	s := surfaceHit{p: p, n: n, ng: n, eta: 1 / optics.GlassIndex}
	s.scatter(r.d)
	width := h.T * w.lens.PixelAngle()
	switch k.Substance {
	case Metal:
		return w.background(p, s.reflected, width).Mul(schlick(w.albedo(h, width), s.cosI))
	case Glass:
		// At grazing angles light takes a long path through the glass and bends, which
		// makes the outline.
		outline := color.New(1, 1, 1).Lerp(barTint.Mul(barTint), num.Smoothstep(0.4, 1, 1-s.cosI))
		return w.background(p, r.d, width).Mul(k.color).Mul(outline).Lerp(w.background(p, s.reflected, width), s.reflectance)
	case Wood:
		return w.irradiance(n, color.New(1, 1, 1), 1).Mul(w.albedo(h, width)).Lerp(w.background(p, s.reflected, width), s.reflectance)
	}
	return w.irradiance(n, color.New(1, 1, 1), 1).Mul(w.albedo(h, width))
}
