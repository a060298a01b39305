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
	Looks.Add("clay", "matte, for inspecting the mesh", "", func() Look { return &clay{Color: vec.Vec3{X: 0.48, Y: 0.36, Z: 0.28}} })
}

// clay shows the liquid as a matte solid.
type clay struct {
	Color vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"[0, 1]" doc:"Share of light that the surface reflects, linear red, green and blue."`
}

func (l *clay) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	albedo := color.New(l.Color.X, l.Color.Y, l.Color.Z)
	if !(min(albedo.R, albedo.G, albedo.B) >= 0 && albedo.Max() <= 1) {
		return nil, fmt.Errorf("raster: clay: color %v is invalid; each part must be 0 to 1", l.Color)
	}
	return drawLiquid(v, optics.Medium{Index: 1}, true, func(w *scene, b *buffers, i int, _ ray) color.RGB {
		return w.irradiance(unpack(b.normal[i]), color.New(1, 1, 1), 1).Mul(albedo)
	}, func(t *tracer) {
		t.shadeOpaque(func(r ray, h bvh.Hit) color.RGB { return t.diffuse(r, h, albedo) })
	})
}

func (l *clay) dropMaterial() dropMaterial {
	return dropMaterial{color: color.New(l.Color.X, l.Color.Y, l.Color.Z)}
}
