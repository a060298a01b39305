package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/march"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

// Volume is a gas in voxels. The channels of its fields are the shares of the space that
// smoke, flames and the zone of reaction fill, and the share of the first two times their
// temperature in K.
type Volume struct {
	Edge   float64  // of a voxel, m
	Origin vec.Vec3 // the middle of the voxel 0, 0, 0
	Fields []march.Field

	Ambient float64 // temperature of the gas around, K; 0 for 293
}

// GasShares returns the channels of a Volume where smoke, flames and fuel fill the given
// shares of the space, and the first two have a temperature in K.
func GasShares(smoke, flame, fuel, kelvin float64) (of [march.Channels]float32) {
	if smoke+flame == 0 {
		return of
	}
	all := smoke + flame + fuel
	soot := flame * (smoke + flame) / all // it has not formed where fuel begins to burn
	of[smokeShare], of[flameShare] = float32(smoke), float32(soot)
	of[reactionShare], of[heatShare] = float32(4*fuel*flame/all), float32((smoke+soot)*kelvin)
	return of
}

// media is a gas in a picture, and the light that it gives.
type media struct {
	smoke *march.Cloud // nil for none
	step  float64      // of rays, in voxels
	lamps []march.Lamp
}

// smokeLight is how a medium scatters light.
type smokeLight struct {
	albedo     vec.Vec3
	anisotropy float64
}

// Steps along rays in voxels, by quality. The values between voxels are linear, so a
// shorter step than half a voxel shows nothing more.
var smokeSteps = map[Quality]float64{Draft: 1.5, Good: 1, Final: 0.5}

// smokeEfforts are the work for light that is scattered many times.
var smokeEfforts = map[Quality]march.Effort{Draft: march.Least, Good: march.Usual, Final: march.Most}

// drawSmoke draws v with a medium of leaves. Their voxels have the given edge in m, and the middle
// of the voxel 0, 0, 0 is at the origin.
func drawSmoke(v *View, leaves []march.Leaf, edge float64, origin vec.Vec3, s smokeLight) (*image.RGBA, error) {
	cloud, err := march.New(leaves, edge)
	if err != nil {
		return nil, fmt.Errorf("raster: %w", err)
	}
	cloud.MoveTo(origin)
	w := newScene(v, optics.Medium{Index: 1})
	w.opaqueLiquid = true
	if v.Quality == Draft {
		w.illuminate(cloud, s, nil)
		return color.Develop(w.draft(func(*scene, *buffers, int, ray) color.RGB { return color.RGB{} }), v.Width, v.Light.Gain()), nil
	}
	t := newTracer(w)
	t.shadeOpaque(func(ray, bvh.Hit) color.RGB { return color.RGB{} })
	var shade func(p vec.Vec3) float64
	if len(w.tri) > 0 {
		shade = func(p vec.Vec3) float64 { return t.sunTransmittance(p, 0.5).Luminance() }
	}
	w.illuminate(cloud, s, shade)
	return color.Develop(t.draw(), v.Width, v.Light.Gain()), nil
}

// illuminate lights a medium and puts it into the scene.
func (w *scene) illuminate(c *march.Cloud, s smokeLight, shade func(p vec.Vec3) float64) {
	q := w.view.Quality
	below := w.floor.Direct.Add(w.floor.Ambient).Mul(w.floor.Paving.Mean()).Vec()
	c.Illuminate(march.Light{
		ToSun: w.sky.ToSun,
		Sun:   w.sky.Sun().Scale(math.Pi).Vec(),
		Shade: shade,
		Around: func(d vec.Vec3) vec.Vec3 {
			if d.Y < 0 {
				return below
			}
			return w.sky.WithoutSun(d).Vec()
		},
		Albedo: s.albedo, Anisotropy: s.anisotropy, Effort: smokeEfforts[q],
	})
	if c.Empty() {
		return
	}
	w.smoke, w.step = c, smokeSteps[q]
	w.lamps = c.Lamps(smokeLamps[q], emberShare*w.size)
}

// overSmoke adds the medium before the distance end along r to the light behind it, and
// returns the share of that which comes through.
func (m *media) overSmoke(r *ray, end float64, behind color.RGB) (c color.RGB, left float64) {
	if m.smoke == nil {
		return behind, 1
	}
	light, left := m.smoke.Gather(r.o, r.d, 0, end, m.step)
	return behind.Scale(left).Add(rgb(light)), left
}

// smokeTransmittance returns the share of light that comes through the medium along a ray.
func (m *media) smokeTransmittance(o, d vec.Vec3, far float64) float64 {
	if m.smoke == nil {
		return 1
	}
	return m.smoke.Through(o, d, 0, far)
}
