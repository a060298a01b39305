package raster

import (
	"fmt"
	"image"

	"breakwater/raster/bvh"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Looks.Register(registry.Entry[Look]{
		Name: "milk", Doc: "opaque and soft: light that enters leaves again nearby", Cite: "Jensen, Marschner, Levoy and Hanrahan 2001",
		New: func(d registry.Decode) (Look, error) {
			m := &milk{Index: 1.35, Color: vec.Vec3{X: 0.91, Y: 0.88, Z: 0.77}, Softness: 0.5}
			return m, d(m)
		},
	})
	Looks.Register(registry.Entry[Look]{
		Name: "blood", Doc: "opaque dark red with a gloss",
		New: func(d registry.Decode) (Look, error) {
			m := &milk{Index: 1.38, Color: vec.Vec3{X: 0.17, Y: 0.005, Z: 0.004}, Softness: 0.25}
			return m, d(m)
		},
	})
}

// milk scatters light so strongly that none gets through, under a surface as
// smooth as water's.
type milk struct {
	Index    float64  `toml:"ior" unit:"1" range:"[1, 3]" doc:"Refractive index, which sets the gloss."`
	Color    vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"[0, 1]" doc:"Share of light that leaves the liquid again, linear red, green and blue."`
	Softness float64  `toml:"softness" unit:"1" range:"[0, 1]" doc:"How far light spreads inside the liquid into shaded parts."`
}

func (l *milk) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	albedo := rgb{l.Color.X, l.Color.Y, l.Color.Z}
	if !(l.Index >= 1 && l.Softness >= 0 && l.Softness <= 1 && min(albedo.R, albedo.G, albedo.B) >= 0 && albedo.max() <= 1) {
		return nil, fmt.Errorf("raster: milk: invalid settings: ior %g, color %v, softness %g", l.Index, l.Color, l.Softness)
	}
	return drawLiquid(v, medium{index: l.Index}, true, func(w *world, b *buffers, i int, r ray) rgb {
		s := w.front(b, i, r)
		return w.soft(s.n, rgb{1, 1, 1}, l.Softness).mul(albedo).lerp(w.open(s.p, s.reflected, 0), s.mirror)
	}, func(t *tracer) {
		t.liquid = func(r ray, h bvh.Hit) rgb {
			s := t.surface(r, h)
			if s.exiting { // from between the liquid and a solid
				return t.soft(s.n, rgb{}, l.Softness).mul(albedo)
			}
			sun := rgb{}
			if s.n.Dot(t.sky.toSun) > 0 {
				sun = t.sunlight(s.p.Add(s.flat.Mul(t.near)), r.when)
			}
			return t.soft(s.n, sun, l.Softness).mul(albedo).lerp(t.mirrored(r, h, s), s.mirror)
		}
	})
}

// soft returns the radiance of a white surface as lit does, but with the edge
// between light and shade drawn out by softness, with no more light in all
// (wrap lighting, Green 2004). The light that has crept there is in no shadow.
func (w *world) soft(n vec.Vec3, sun rgb, softness float64) rgb {
	c, wide := n.Dot(w.sky.toSun), 1+softness
	straight := max(0, c) / wide
	crept := max(0, (c+softness)/wide)/wide - straight
	direct := w.sky.direct()
	return w.sky.ambient(n).add(direct.mul(sun).scale(straight)).add(direct.scale(crept))
}

// front returns the surface that a pixel of the draft shows.
func (w *world) front(b *buffers, i int, r ray) surface {
	s := surface{p: r.o.Add(r.d.Mul(float64(b.depth[i]))), n: unpack(b.normal[i]), eta: 1 / w.water.index}
	s.flat = s.n
	s.optics(r.d)
	return s
}

// mirrored returns the light that the surface s, where r meets h, reflects.
func (t *tracer) mirrored(r ray, h bvh.Hit, s surface) rgb {
	blur := r.blur + h.T*t.lens.pixel()
	weight := r.weight * s.mirror
	if r.depth >= t.effort.alone || weight < t.effort.faint {
		return t.backdrop(s.p.Add(s.flat.Mul(t.near)), s.reflected)
	}
	return t.trace(ray{o: s.p.Add(s.flat.Mul(t.near)), d: s.reflected, weight: weight, blur: blur, depth: r.depth + 1, when: r.when})
}
