package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

func init() {
	Looks.Add("water", "clear liquid: refraction, reflection, colour by depth",
		"Whitted 1980", func() Look { return &water{Index: 1.333, Color: vec.Vec3{X: 0.30, Y: 0.74, Z: 0.87}, Distance: 1} })
}

// water is a clear dielectric that absorbs some colours more than others.
type water struct {
	Index    float64  `toml:"ior" unit:"1" range:"[1, 3]" doc:"Refractive index."`
	Color    vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"(0, 1]" doc:"Share of white light that is left after distance, linear red, green and blue."`
	Distance float64  `toml:"distance" unit:"m" range:"(0, inf)" doc:"Path length in the liquid over which white light takes on the colour. The defaults of oil and honey absorb as in nature: a few centimetres of honey are amber, a metre is black. For a model of something smaller use a larger value, such as a third of the liquid's depth."`
}

func (l *water) medium() optics.Medium {
	c := color.New(l.Color.X, l.Color.Y, l.Color.Z)
	return optics.Medium{Index: l.Index, Sigma: c.Each(func(x float64) float64 { return -math.Log(x) / l.Distance })}
}

// Passed returns the share of luminance that passes through the given depth of liquid,
// in metres, as a look draws it. It is 1 for opaque looks and for looks that do not
// trace light.
func Passed(l Look, way float64) float64 {
	if w, ok := l.(*water); ok {
		m := w.medium()
		return m.Transmittance(way).Luminance()
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
	return drawLiquid(v, l.medium(), false, draftWater, func(t *tracer) { t.liquidLight = t.clear })
}

// clear returns the light from the surface of a clear liquid, as tracer.liquid.
func (t *tracer) clear(r ray, h bvh.Hit) (light color.RGB, on [2]branch) {
	s := t.liquidHit(r, h)
	width := t.footprint(&r, h.T)
	if s.exiting {
		if touching, ok := t.solidInContact(r, s.p); ok {
			return touching.Mul(s.transmittance), on
		}
	}
	light, on = t.clearSurface(r, &s, width)
	if t.foam != nil {
		light = t.underFoam(&r, h, &s, light, &on)
	}
	return light, on
}

// clearSurface returns the light from the surface s, where r is blur wide, without foam.
func (t *tracer) clearSurface(r ray, s *surfaceHit, blur float64) (own color.RGB, on [2]branch) {
	if r.depth >= t.limits.maxDepth || r.depth > 0 && r.weight < t.limits.minWeight {
		return s.transmittance.Mul(t.backdrop(s.p.Add(r.d.Mul(t.epsilon)), r.d)), on
	}
	part := r.weight * s.transmittance.Max()
	mirror := s.reflectance
	if r.depth >= t.limits.splitDepth { // one way on: the brighter
		if mirror = 0; s.reflectance > 0.5 {
			mirror = 1
		}
	}
	next := ray{width: blur, depth: r.depth + 1, time: r.time}
	switch {
	case mirror == 0:
	case part*mirror >= t.limits.minReflection || mirror >= 1:
		next.o, next.d, next.inLiquid, next.weight = s.p.Add(s.ng.Mul(t.epsilon)), s.reflected, s.exiting, part*mirror
		on[0] = branch{next, s.transmittance.Scale(mirror)}
	case s.exiting: // too little to follow: let it leave with the rest
		mirror = 0
	default:
		own = t.backdrop(s.p.Add(s.ng.Mul(t.epsilon)), s.reflected).Scale(mirror).Mul(s.transmittance)
	}
	if mirror < 1 {
		next.o, next.d, next.inLiquid, next.weight = s.p.Sub(s.ng.Mul(t.epsilon)), s.refracted, !s.exiting, part*(1-mirror)
		on[1] = branch{next, s.transmittance.Scale(1 - mirror)}
	}
	return own, on
}

// solidInContact returns the colour of a solid that the liquid touches at p, where
// r comes to from inside. The liquid's surface ends a little before the solid;
// taken for air, that gap would mirror like silver.
func (t *tracer) solidInContact(r ray, p vec.Vec3) (c color.RGB, ok bool) {
	if t.solids == 0 {
		return color.RGB{}, false
	}
	r.o = p
	h, ok := t.touchedSolid(&r)
	if !ok {
		return color.RGB{}, false
	}
	back := p.Sub(r.d.Mul(t.epsilon))
	return t.solidLight(r, h, &back), true
}

// touchedSolid returns where r, which leaves the liquid at its origin, meets a solid that
// the liquid touches there. It moves the origin past the liquid's surface, but by much
// less than epsilon, since the solid may be nearer than that.
func (t *tracer) touchedSolid(r *ray) (h bvh.Hit, ok bool) {
	step := 0.01 * t.epsilon
	for range 4 {
		r.o = r.o.Add(r.d.Mul(step))
		h = t.intersect(*r, contactGap*t.size)
		if t.kind(h.Tri) != liquid || h.T > t.epsilon {
			break
		}
		r.o = r.o.Add(r.d.Mul(h.T))
	}
	return h, t.kind(h.Tri) == solid
}

// contactGap is how wide a gap between liquid and solid counts as none, over the
// size of the scene: a fraction of any particle spacing that can be computed.
const contactGap = 1e-3

// backdrop stands in for the hit of an untraced ray from o along d behind the liquid: a
// solid, the sky, or a floor without joints.
func (t *tracer) backdrop(o, d vec.Vec3) color.RGB {
	if h := t.occluders.cast(o, d, t.floor.Distance(o, d)); h.Tri >= 0 {
		return t.diffuse(ray{o: o, d: d}, h, t.albedo(h, h.T*t.lens.PixelAngle()))
	}
	if d.Y >= 0 {
		return t.sky.Radiance(d)
	}
	light := t.floor.Direct.Add(t.floor.Ambient)
	if m := t.floor.Light; m != nil {
		at := o.Add(d.Mul(t.floor.Distance(o, d)))
		sun, open := m.At(at.X, at.Z)
		light = t.floor.Direct.Mul(sun).Add(t.floor.Ambient.Scale(open))
	}
	return t.sky.Horizon(d).Lerp(light.Mul(t.floor.Paving.Mean()), num.Smoothstep(0, 0.15, -d.Y))
}
