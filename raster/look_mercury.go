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
		Name: "mercury", Doc: "liquid metal: a mirror", Cite: "Schlick 1994; Inagaki, Arakawa and Williams 1981",
		New: func(d registry.Decode) (Look, error) {
			m := &metal{Color: vec.Vec3{X: 0.76, Y: 0.77, Z: 0.78}}
			return m, d(m)
		},
	})
}

// metal mirrors all around it.
type metal struct {
	Color vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"[0, 1]" doc:"Share of light reflected at normal incidence, linear red, green and blue; at grazing incidence all light is reflected."`
}

func (l *metal) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	color := rgb{l.Color.X, l.Color.Y, l.Color.Z}
	if !(min(color.R, color.G, color.B) >= 0 && color.max() <= 1) {
		return nil, fmt.Errorf("raster: mercury: color %v is invalid; each part must be 0 to 1", l.Color)
	}
	share := func(cos float64) rgb { return schlick(color, cos) }
	return drawLiquid(v, medium{index: 1}, true, func(w *world, b *buffers, i int, r ray) rgb {
		s := w.front(b, i, r)
		return w.open(s.p, s.reflected, 0).mul(share(s.cosI))
	}, func(t *tracer) {
		t.liquid = func(r ray, h bvh.Hit) rgb {
			s := t.surface(r, h)
			s.mirror = share(s.cosI).max()
			return t.mirrored(r, h, s).mul(share(s.cosI))
		}
	})
}
