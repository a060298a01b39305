package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Looks.Register(registry.Entry[Look]{
		Name: "water", Doc: "clear liquid: refraction, reflection, colour by depth", Cite: "Whitted 1980",
		New: func(d registry.Decode) (Look, error) {
			w := &water{Index: 1.333, Color: vec.Vec3{X: 0.30, Y: 0.74, Z: 0.87}, Distance: 1}
			return w, d(w)
		},
	})
}

// water is a clear dielectric that absorbs some colours more than others.
type water struct {
	Index    float64  `toml:"ior" unit:"1" range:"[1, 3]" doc:"Refractive index."`
	Color    vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"(0, 1]" doc:"Share of white light that is left after distance, linear red, green and blue."`
	Distance float64  `toml:"distance" unit:"m" range:"(0, inf)" doc:"Path length in the liquid over which white light takes on the colour. The defaults of oil and honey absorb as in nature: a few centimetres of honey are amber, a metre is black. For a model of something smaller use a larger value, such as a third of the liquid's depth."`
}

func (l *water) medium() medium {
	c := rgb{l.Color.X, l.Color.Y, l.Color.Z}
	return medium{l.Index, c.each(func(x float64) float64 { return -math.Log(x) / l.Distance })}
}

// Passed returns the share of luminance that passes through the given depth of liquid,
// in metres, as a look draws it. It is 1 for opaque looks and for looks that do not
// trace light.
func Passed(l Look, way float64) float64 {
	if w, ok := l.(*water); ok {
		m := w.medium()
		return m.through(way).luminance()
	}
	return 1
}

func (l *water) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	if !(l.Index >= 1 && l.Distance > 0 && min(l.Color.X, l.Color.Y, l.Color.Z) > 0 && max(l.Color.X, l.Color.Y, l.Color.Z) <= 1) {
		return nil, fmt.Errorf("raster: clear liquid: invalid settings: ior %g, color %v, distance %g m", l.Index, l.Color, l.Distance)
	}
	return drawLiquid(v, l.medium(), false, draftWater, func(t *tracer) { t.liquid, t.split = t.clear, t.clearly })
}

// clear returns the light from the surface of the liquid as water shows it.
func (t *tracer) clear(r ray, h bvh.Hit) rgb {
	sum, on := t.clearly(r, h)
	for _, b := range on {
		if b.share != (rgb{}) {
			sum = sum.add(t.trace(b.ray).mul(b.share))
		}
	}
	return sum
}

// clearly splits the result of clear into the part that is known at once and the rays
// that bring the rest.
func (t *tracer) clearly(r ray, h bvh.Hit) (own rgb, on [2]branch) {
	s := t.surface(r, h)
	blur := r.blur + h.T*t.lens.pixel()
	if s.exiting {
		if touching, ok := t.wetSolid(r, s.p); ok {
			return touching.mul(s.loss), on
		}
	}
	if r.depth >= t.effort.depth || r.depth > 0 && r.weight < t.effort.lost {
		return s.loss.mul(t.backdrop(s.p.Add(r.d.Mul(t.near)), r.d)), on
	}
	part := r.weight * s.loss.max()
	mirror := s.mirror
	if r.depth >= t.effort.alone { // one way on: the brighter
		if mirror = 0; s.mirror > 0.5 {
			mirror = 1
		}
	}
	next := ray{blur: blur, depth: r.depth + 1, when: r.when}
	switch {
	case mirror == 0:
	case part*mirror >= t.effort.faint || r.depth == 0 || mirror >= 1:
		next.o, next.d, next.wet, next.weight = s.p.Add(s.flat.Mul(t.near)), s.reflected, s.exiting, part*mirror
		on[0] = branch{next, s.loss.scale(mirror)}
	case s.exiting: // too little to follow: let it leave with the rest
		mirror = 0
	default:
		own = t.backdrop(s.p.Add(s.flat.Mul(t.near)), s.reflected).scale(mirror).mul(s.loss)
	}
	if mirror < 1 {
		next.o, next.d, next.wet, next.weight = s.p.Sub(s.flat.Mul(t.near)), s.refracted, !s.exiting, part*(1-mirror)
		on[1] = branch{next, s.loss.scale(1 - mirror)}
	}
	return own, on
}

// wetSolid returns the colour of a solid that the liquid touches at p, where
// r comes to from inside. The liquid's surface ends a little before the solid;
// taken for air, that gap would mirror like silver.
func (t *tracer) wetSolid(r ray, p vec.Vec3) (c rgb, ok bool) {
	if t.solids == 0 {
		return rgb{}, false
	}
	r.o = p.Add(r.d.Mul(t.near))
	h := t.next(r, contact*t.size)
	if t.kind(h.Tri) != solid {
		return rgb{}, false
	}
	back := p.Sub(r.d.Mul(t.near))
	return t.solid(r, h, &back), true
}

// contact is how wide a gap between liquid and solid counts as none, over the
// size of the scene: a fraction of any particle spacing that can be computed.
const contact = 1e-3

// backdrop stands in for the hit of an untraced ray from o along d behind the liquid: a
// solid, the sky, or a floor without joints.
func (t *tracer) backdrop(o, d vec.Vec3) rgb {
	if h := t.shelter.cast(o, d, t.floor.distance(o, d)); h.Tri >= 0 {
		return t.matte(ray{o: o, d: d}, h, t.albedo(h, h.T*t.lens.pixel()))
	}
	if d.Y >= 0 {
		return t.sky.radiance(d)
	}
	light := t.floor.direct.add(t.floor.ambient)
	if m := t.floor.light; m != nil {
		at := o.Add(d.Mul(t.floor.distance(o, d)))
		sun, open := m.at(at.X, at.Z)
		light = t.floor.direct.mul(sun).add(t.floor.ambient.scale(open))
	}
	return t.sky.horizon(d).lerp(light.mul(t.floor.paving.mean()), num.Smoothstep(0, 0.15, -d.Y))
}
