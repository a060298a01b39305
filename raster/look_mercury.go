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
	Looks.Add("mercury", "liquid metal: a mirror",
		"Schlick 1994; Inagaki, Arakawa and Williams 1981", func() Look { return &metal{Color: vec.Vec3{X: 0.76, Y: 0.77, Z: 0.78}} })
}

// metal mirrors all around it.
type metal struct {
	Color vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"[0, 1]" doc:"Share of light reflected at normal incidence, linear red, green and blue; at grazing incidence all light is reflected."`
}

func (l *metal) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	reflectance := color.New(l.Color.X, l.Color.Y, l.Color.Z)
	if !(min(reflectance.R, reflectance.G, reflectance.B) >= 0 && reflectance.Max() <= 1) {
		return nil, fmt.Errorf("raster: mercury: color %v is invalid; each part must be 0 to 1", l.Color)
	}
	share := func(cos float64) color.RGB { return schlick(reflectance, cos) }
	return drawLiquid(v, optics.Medium{Index: 1}, true, func(w *scene, b *buffers, i int, r ray) color.RGB {
		s := w.draftSurface(b, i, r)
		return w.background(s.p, s.reflected, 0).Mul(share(s.cosI))
	}, func(t *tracer) {
		t.rounded = true
		t.shadeOpaque(func(r ray, h bvh.Hit) color.RGB {
			s := t.liquidHit(r, h)
			s.reflectance = share(s.cosI).Max()
			return t.reflection(r, h, s).Mul(share(s.cosI))
		})
	})
}

func (l *metal) dropMaterial() dropMaterial {
	return dropMaterial{color: color.New(l.Color.X, l.Color.Y, l.Color.Z), mirror: true}
}
