package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/num"
)

func init() {
	Looks.Add("lava", "glows with its own heat, hotter where it is thicker",
		"Planck 1901", func() Look { return &lava{Core: 1400, Skin: 950, Depth: 0.2, Brightness: 0.7} })
}

// lava is glowing rock. Thin parts have cooled.
type lava struct {
	Core       float64 `toml:"core" unit:"K" range:"[800, 6000]" doc:"Temperature of thick parts."`
	Skin       float64 `toml:"skin" unit:"K" range:"[800, 6000]" doc:"Temperature of thin parts: threads, drops and edges."`
	Depth      float64 `toml:"depth" unit:"m" range:"(0, inf)" doc:"Thickness over which the temperature rises from skin to core."`
	Brightness float64 `toml:"brightness" unit:"1" range:"[0, 100]" doc:"Strength of the glow."`
}

func (l *lava) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	if !(l.Core > 0 && l.Skin > 0 && l.Depth > 0 && l.Brightness >= 0) {
		return nil, fmt.Errorf("raster: lava: invalid settings: core %g K, skin %g K, depth %g m", l.Core, l.Skin, l.Depth)
	}
	return drawLiquid(v, optics.Medium{Index: 1.6}, true, func(w *scene, b *buffers, i int, r ray) color.RGB {
		s := w.draftSurface(b, i, r)
		return l.glow(float64(b.thickness[i])).Add(w.irradiance(s.n, color.New(1, 1, 1), 1).Mul(basalt))
	}, func(t *tracer) {
		t.shadeOpaque(func(r ray, h bvh.Hit) color.RGB {
			s := t.liquidHit(r, h)
			if s.exiting {
				return l.glow(0)
			}
			// The thickness under the surface is the mean of some paths inward. A path
			// may end elsewhere than its neighbour's without a visible line.
			const paths = 12
			into := s.ng.Neg()
			across := camera.Up(into).Cross(into).Unit()
			thick := 0.0
			for k := range paths {
				sin, cos := math.Sincos(2.399963 * float64(k)) // evenly over a disc, by the golden angle
				aside := 1.1 * math.Sqrt((float64(k)+0.5)/paths)
				d := into.Add(across.Mul(aside * cos)).Add(into.Cross(across).Mul(aside * sin)).Unit()
				path := t.intersect(ray{o: s.p.Add(d.Mul(t.epsilon)), d: d, time: r.time}, 4*l.Depth)
				thick += min(path.T, 4*l.Depth) / paths
			}
			return l.glow(thick).Add(t.diffuse(r, h, basalt))
		})
	})
}

// basalt is the colour of the rock where it does not glow.
var basalt = color.New(0.030, 0.027, 0.025)

// glow returns the radiance of lava of a thickness.
func (l *lava) glow(thick float64) color.RGB {
	return blackbody(l.Skin + float64((l.Core-l.Skin)*(1-num.Decay(max(0, thick)/l.Depth)))).Scale(l.Brightness)
}

// blackbody returns the radiance of a black body of t kelvin by Planck's law at one
// wavelength for each primary, 1 at 1300 K in the red. Eyes and cameras adapt to dim
// light: the square root of the brightness is taken, and the colour is kept.
func blackbody(t float64) color.RGB {
	planck := func(nm float64) float64 {
		const c2 = 0.014387769 // second radiation constant, m·K
		l := nm * 1e-9
		return num.Pow(l/610e-9, -5) / math.Expm1(c2/(l*t))
	}
	c := color.New(planck(610), planck(550), planck(465))
	c = c.Scale(1 / planck(610))
	bright := planck(610) / (1 / math.Expm1(0.014387769/(610e-9*1300)))
	return c.Scale(num.Pow(bright, 0.5))
}

// dropMaterial returns the material of drops, which are cold but for a glow.
func (l *lava) dropMaterial() dropMaterial {
	return dropMaterial{color: basalt, glow: l.glow(l.Depth / 4)}
}
