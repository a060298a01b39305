package raster

import (
	"fmt"
	"image"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

func init() {
	Looks.Add("milk", "opaque and soft: light that enters leaves again nearby",
		"Jensen, Marschner, Levoy and Hanrahan 2001", func() Look { return &milk{Index: 1.35, Color: vec.Vec3{X: 0.91, Y: 0.88, Z: 0.77}, Softness: 0.5} })
	Looks.Add("blood", "opaque dark red with a gloss", "",
		func() Look { return &milk{Index: 1.38, Color: vec.Vec3{X: 0.17, Y: 0.005, Z: 0.004}, Softness: 0.25} })
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
	albedo := color.New(l.Color.X, l.Color.Y, l.Color.Z)
	if !(l.Index >= 1 && l.Softness >= 0 && l.Softness <= 1 && min(albedo.R, albedo.G, albedo.B) >= 0 && albedo.Max() <= 1) {
		return nil, fmt.Errorf("raster: milk: invalid settings: ior %g, color %v, softness %g", l.Index, l.Color, l.Softness)
	}
	return drawLiquid(v, optics.Medium{Index: l.Index}, true, func(w *scene, b *buffers, i int, r ray) color.RGB {
		s := w.draftSurface(b, i, r)
		return w.softIrradiance(s.n, color.New(1, 1, 1), l.Softness).Mul(albedo).Lerp(w.background(s.p, s.reflected, 0), s.reflectance)
	}, func(t *tracer) {
		t.shadeOpaque(func(r ray, h bvh.Hit) color.RGB {
			s := t.liquidHit(r, h)
			if s.exiting { // from between the liquid and a solid
				return t.softIrradiance(s.n, color.RGB{}, l.Softness).Mul(albedo)
			}
			sun := color.RGB{}
			if s.n.Dot(t.sky.ToSun) > 0 {
				sun = t.sunTransmittance(s.p.Add(s.ng.Mul(t.epsilon)), r.time)
			}
			return t.softIrradiance(s.n, sun, l.Softness).Mul(albedo).Lerp(t.reflection(r, h, s), s.reflectance)
		})
	})
}

// softIrradiance returns irradiance with the edge between light and shade widened by
// softness (wrap lighting, Green 2004). The total light stays the same. The light that
// has crept there is in no shadow.
func (w *scene) softIrradiance(n vec.Vec3, sun color.RGB, softness float64) color.RGB {
	c, wide := n.Dot(w.sky.ToSun), 1+softness
	straight := max(0, c) / wide
	crept := max(0, (c+softness)/wide)/wide - straight
	direct := w.sky.Sun()
	return w.sky.Irradiance(n).Add(direct.Mul(sun).Scale(straight)).Add(direct.Scale(crept))
}

// draftSurface returns the surface that a pixel of the draft shows.
func (w *scene) draftSurface(b *buffers, i int, r ray) surfaceHit {
	s := surfaceHit{p: r.o.Add(r.d.Mul(float64(b.depth[i]))), n: unpack(b.normal[i]), eta: 1 / w.water.Index}
	s.ng = s.n
	s.scatter(r.d)
	return s
}

// reflection returns the light that the surface s, where r meets h, reflects.
func (t *tracer) reflection(r ray, h bvh.Hit, s surfaceHit) color.RGB {
	width := t.footprint(&r, h.T)
	weight := r.weight * s.reflectance
	if r.depth >= t.limits.splitDepth || weight < t.limits.minReflection {
		return t.backdrop(s.p.Add(s.ng.Mul(t.epsilon)), s.reflected)
	}
	return t.trace(ray{o: s.p.Add(s.ng.Mul(t.epsilon)), d: s.reflected, weight: weight, width: width, depth: r.depth + 1, time: r.time})
}

func (l *milk) dropMaterial() dropMaterial {
	return dropMaterial{color: color.New(l.Color.X, l.Color.Y, l.Color.Z)}
}
