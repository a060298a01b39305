package raster

import (
	"fmt"
	"math"
	"slices"

	"breakwater/raster/bvh"
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

// skin is the material of a triangle made ready to draw.
type skin struct {
	Substance
	color rgb
	size  float64 // longest side of the solid, m
	// rest places a point for the grain of wood, which moves along with the solid.
	rest []vec.Vec3 // of the solid's vertices
	base int32      // the first of them among all

	paved   bool     // as the floor is
	picture *Texture // nil for none
	places  [][3][2]float64
	first   int32 // triangle of the solid, among all
}

// rings is how many rings of wood there are across a solid's longest side.
const rings = 24

// addSolid appends s with its skins.
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
	plain := skin{
		Substance: m.Substance, color: rgb{m.Color.X, m.Color.Y, m.Color.Z}, size: max(size.X, size.Y, size.Z), rest: rest, base: base, paved: s.Paved,
		places: s.Places, first: first,
	}
	for i := range s.Mesh.Tri {
		k := plain
		if s.Colors != nil {
			c := s.Colors[i]
			k.color = rgb{c.X, c.Y, c.Z}
		}
		if s.Pictures != nil {
			k.picture = s.Pictures[i]
		}
		if n := len(g.skins); n == 0 || !g.skins[n-1].same(&k) {
			g.skins = append(g.skins, k)
		}
		g.skin = append(g.skin, int32(len(g.skins)-1))
	}
}

func (k *skin) same(o *skin) bool {
	return k.Substance == o.Substance && k.color == o.color && k.base == o.base && k.paved == o.paved && k.picture == o.picture
}

// skinOf returns the skin of a triangle of a solid.
func (g *geometry) skinOf(tri int32) *skin { return &g.skins[g.skin[int(tri)-g.liquid]] }

// albedo returns the colour of a solid where h is, to a ray wide metres wide.
func (g *geometry) albedo(h bvh.Hit, wide float64) rgb {
	k := g.skinOf(h.Tri)
	color := k.color
	if k.paved {
		return g.pavedColor(h, wide)
	}
	if k.picture != nil {
		color = color.mul(g.textured(k, h, wide))
	}
	if k.Substance != Wood {
		return color
	}
	t := g.tri[h.Tri]
	a, b, c := k.rest[t[0]-k.base], k.rest[t[1]-k.base], k.rest[t[2]-k.base]
	return color.scale(grain(a.Mul(1-h.U-h.V).Add(b.Mul(h.U)).Add(c.Mul(h.V)), k.size/rings, wide))
}

// pavedColor returns the colour of the floor's paving on a face of a solid. The
// footprint of a ray is as long as one from the eye has it.
func (g *geometry) pavedColor(h bvh.Hit, wide float64) rgb {
	n, _ := g.normals(h.Tri, h.U, h.V)
	a, b, c := g.corners(h.Tri)
	p := a.Mul(1 - h.U - h.V).Add(b.Mul(h.U)).Add(c.Mul(h.V)).Mul(1 / g.floor.slab)
	u := upFor(n).Cross(n).Unit()
	v := n.Cross(u)
	d := p.Mul(g.floor.slab).Sub(g.eye).Unit()
	f := wide / g.floor.slab
	long := f / max(0.02, math.Abs(d.Dot(n)))
	x, y := math.Abs(d.Dot(u)), math.Abs(d.Dot(v))
	across := max(1e-9, math.Hypot(x, y))
	return g.floor.paving.color(p.Dot(u), p.Dot(v), f+(long-f)*x/across, f+(long-f)*y/across)
}

// grain returns the brightness of wood at p: the wavering rings of a slightly tilted
// trunk, with fibres along it. Detail finer than the ray's width fades out.
func grain(p vec.Vec3, ring, wide float64) float64 {
	q := p.Mul(1 / ring)
	u, v, along := q.X+0.13*q.Y+7.3, q.Z-0.09*q.Y+3.1, q.Y
	u, v = u+0.5*math.Sin(0.31*along+0.7*v), v+0.5*math.Cos(0.27*along+0.6*u)
	r := math.Hypot(u, v)
	at := r - math.Floor(r)
	late := num.Smoothstep(0.35, 0.9, at) * num.Smoothstep(1, 0.94, at) // the dark wood of summer ends abruptly
	const lateMean = 0.29
	fibre := math.Sin(13*u+3*math.Sin(5*v)) * math.Sin(11*v+0.4*along)
	seen := func(width float64) float64 { x := 2 * wide / width; return 1 / (1 + x*x*x*x) }
	return 1.12 - 0.42*(lateMean+(late-lateMean)*seen(ring)) + 0.05*fibre*seen(ring/4)
}

// schlick returns the light that a metal of a colour reflects (Schlick 1994).
func schlick(color rgb, cos float64) rgb {
	x := 1 - min(1, max(0, cos))
	return color.lerp(rgb{1, 1, 1}, x*x*x*x*x)
}

// solid returns the light from a solid that r meets at h. Where the liquid touches the
// solid, r is wet, and reflections start at back, in the liquid.
func (t *tracer) solid(r ray, h bvh.Hit, back *vec.Vec3) rgb {
	k := t.skinOf(h.Tri)
	switch k.Substance {
	case Glass:
		return t.solidGlass(r, h, back)
	case Metal:
		s := t.shell(r, h, back)
		share := schlick(t.albedo(h, r.blur+h.T*t.lens.pixel()), s.cosI)
		s.mirror = share.max()
		return t.bounced(r, h, s).mul(share)
	case Wood:
		s := t.shell(r, h, back)
		varnish, _ := fresnel(s.cosI, t.indexAbout(r)/glassIndex)
		s.mirror = varnish
		return t.matte(r, h, t.albedo(h, r.blur+h.T*t.lens.pixel())).lerp(t.bounced(r, h, s), varnish)
	}
	return t.matte(r, h, t.albedo(h, r.blur+h.T*t.lens.pixel()))
}

// indexAbout returns the refractive index of the medium of r.
func (t *tracer) indexAbout(r ray) float64 {
	if r.wet {
		return t.water.index
	}
	return 1
}

// shell returns where r meets the outside of a solid, and how it is reflected.
func (t *tracer) shell(r ray, h bvh.Hit, back *vec.Vec3) surface {
	s := surface{eta: 1, loss: rgb{1, 1, 1}}
	s.flat, s.n = t.normals(h.Tri, h.U, h.V)
	if s.flat.Dot(r.d) > 0 {
		s.flat, s.n = s.flat.Neg(), s.n.Neg()
	}
	s.optics(r.d)
	s.p = r.o.Add(r.d.Mul(h.T)).Add(s.flat.Mul(t.near))
	if back != nil {
		s.p = *back
	}
	return s
}

// bounced returns the light by way of the reflection of r at s, which keeps to the medium
// that r is in.
func (t *tracer) bounced(r ray, h bvh.Hit, s surface) rgb {
	weight := r.weight * s.mirror
	if r.depth >= t.effort.alone+2 || weight < t.effort.faint {
		return t.backdrop(s.p, s.reflected)
	}
	return t.trace(ray{o: s.p, d: s.reflected, wet: r.wet, weight: weight, blur: r.blur + h.T*t.lens.pixel(), depth: r.depth + 1, when: r.when})
}

// draftSolid returns the colour of a solid in the draft, which mirrors only
// floor and sky and shows through glass only those.
func (w *world) draftSolid(r ray, h bvh.Hit, n vec.Vec3) rgb {
	k := w.skinOf(h.Tri)
	p := r.o.Add(r.d.Mul(h.T))
	s := surface{p: p, n: n, flat: n, eta: 1 / glassIndex}
	s.optics(r.d)
	blur := h.T * w.lens.pixel()
	switch k.Substance {
	case Metal:
		return w.open(p, s.reflected, blur).mul(schlick(w.albedo(h, blur), s.cosI))
	case Glass:
		// Where it is seen edge on light goes a long way through it, and bends:
		// the outline.
		outline := rgb{1, 1, 1}.lerp(barTint.mul(barTint), num.Smoothstep(0.4, 1, 1-s.cosI))
		return w.open(p, r.d, blur).mul(k.color).mul(outline).lerp(w.open(p, s.reflected, blur), s.mirror)
	case Wood:
		return w.lit(n, rgb{1, 1, 1}, 1).mul(w.albedo(h, blur)).lerp(w.open(p, s.reflected, blur), s.mirror)
	}
	return w.lit(n, rgb{1, 1, 1}, 1).mul(w.albedo(h, blur))
}
