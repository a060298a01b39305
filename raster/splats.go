package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/grains"
	"breakwater/sim/vec"
)

// grainsView is how the camera looks at grains.
func (w *scene) grainsView(shutter float64) grains.View {
	return grains.View{Eye: w.lens.Eye, Spread: w.lens.PixelAngle(), Shutter: shutter}
}

// frame returns the picture that rays from the eye go through; nil if a lens spreads them.
func (w *scene) frame() *grains.Frame {
	if w.lens.Aperture > 0 {
		return nil
	}
	x, y, ahead := w.lens.Homography()
	return &grains.Frame{X: x, Y: y, Ahead: ahead, Width: int(w.lens.Width), Height: int(w.lens.Height)}
}

// splat draws grains of some kinds nearer than depth metres from the eye in each pixel.
func (w *scene) splat(depth func(x, y int) float64, light func(k grains.Kind, d vec.Vec3) vec.Vec3, kinds ...grains.Kind) *grains.Splats {
	s := &grains.Screen{
		Width: int(w.lens.Width), Height: int(w.lens.Height), Color: light, Project: w.lens.Project,
		Depth: make([]float32, int(w.lens.Width)*int(w.lens.Height)),
	}
	w.pixels(func(x, y int) { s.Depth[y*s.Width+x] = float32(depth(x, y)) })
	return w.view.Grains.Splat(w.grainsView(0), s, kinds...)
}

// over lays splats over the light of pixel i.
func over(s *grains.Splats, i int, c color.RGB) color.RGB {
	if s == nil || s.Cover[i] == 0 {
		return c
	}
	return c.Scale(1 - float64(s.Cover[i])).Add(rgb(s.Light[i]))
}

// draftClouds are the grains of a draft. Nothing shades them.
type draftClouds struct {
	spray, bubbles *grains.Splats // nil for none
	foam           *grains.Layer
}

// draftClouds returns the grains before and in what b shows.
func (w *scene) draftClouds(b *buffers) (c draftClouds) {
	if w.view.Grains == nil {
		return c
	}
	bright := color.New(1, 1, 1)
	open := func(vec.Vec3) color.RGB { return bright }
	air := w.airLight(open)
	glow := air.Glow()
	behind := func(x, y int) float64 {
		return min(float64(b.depth[y*b.w+x]), w.floor.Distance(w.lens.Eye, w.pixelRay(x, y)))
	}
	c.spray = w.splat(behind, func(_ grains.Kind, d vec.Vec3) vec.Vec3 { return glow(d) }, grains.Spray, grains.Mist)
	if w.opaqueLiquid || w.view.Liquid == nil {
		return c
	}
	inner := w.innerLight(open)
	dim := inner.Glow()
	tint := w.water.Transmittance(draftDepth)
	c.bubbles = w.splat(func(x, y int) float64 {
		i := y*b.w + x
		if w.kind(b.tri[i]) != liquid {
			return 0
		}
		return min(b.solid[i].T, w.floor.Distance(w.lens.Eye, w.pixelRay(x, y)))
	}, func(_ grains.Kind, d vec.Vec3) vec.Vec3 { return rgb(dim(d)).Mul(tint).Vec() }, grains.Bubble)
	c.foam = grains.NewLayer(w.view.Grains, w.grainsView(0), w.view.Liquid.Pos, w.view.Liquid.Nrm)
	return c
}

// draftDepth is the way of light to bubbles and from them, in a draft, m.
const draftDepth = 0.3

// draftFoam lays the foam where r meets the liquid at h over its light c.
func (w *scene) draftFoam(layer *grains.Layer, r ray, h bvh.Hit, n vec.Vec3, c color.RGB) color.RGB {
	if layer == nil {
		return c
	}
	t := tracer{scene: w, clouds: clouds{foam: layer}}
	cover, reflectance := t.foamCover(h, r.o.Add(r.d.Mul(h.T)), n, w.footprint(&r, h.T))
	if cover == 0 {
		return c
	}
	above := w.irradiance(n, color.New(1, 1, 1), 1)
	below := w.irradiance(n.Neg(), color.RGB{}, 1).Mul(w.water.Transmittance(foamBelow))
	return c.Lerp(above.Scale(reflectance).Add(below.Scale(1-reflectance)), cover)
}

// The colours of the kinds of grains in pictures that measure, in sRGB.
var kindColors = [...]color.RGB{
	grains.Spray:  color.New(0.55, 0.85, 1.00),
	grains.Foam:   color.New(1.00, 0.93, 0.70),
	grains.Bubble: color.New(0.25, 0.60, 0.95),
	grains.Mist:   color.New(0.70, 0.70, 0.80),
}

// inkGrains draws the grains of v over img in flat colours, before what s shows.
func (s *samples) inkGrains(img *image.RGBA, of func(k grains.Kind) color.RGB, kinds ...grains.Kind) {
	if s.view.Grains == nil {
		return
	}
	middle := s.side / 2
	dots := s.splat(func(x, y int) float64 {
		u, v := x*s.side+middle, y*s.side+middle
		d := s.ray(u, v)
		far := s.floor.Distance(s.lens.Eye, d)
		if tri := s.tri[v*s.w+u]; tri >= 0 {
			far = min(far, s.intersectPlane(s.lens.Eye, d, tri).T)
		}
		return far + float64(1e-3*s.size) // foam lies on the surface
	}, func(k grains.Kind, _ vec.Vec3) vec.Vec3 { return of(k).Vec() }, kinds...)
	s.pixels(func(x, y int) {
		i := y*int(s.lens.Width) + x
		if dots.Cover[i] == 0 {
			return
		}
		p := img.Pix[img.PixOffset(x, y):]
		left := 1 - float64(dots.Cover[i])
		for k, c := range dots.Light[i].Array() {
			p[k] = uint8(math.Min(255, float64(left*float64(p[k]))+float64(255*c)+0.5))
		}
	})
}

// inkKinds draws all grains in the colours of their kinds.
func (s *samples) inkKinds(img *image.RGBA) {
	s.inkGrains(img, func(k grains.Kind) color.RGB { return kindColors[k] }, grains.Bubble, grains.Foam, grains.Spray, grains.Mist)
}

// dropMaterial is how drops of an opaque liquid look.
type dropMaterial struct {
	color, glow color.RGB // share of light that is reflected, and radiance
	flame       color.RGB // radiance of grains that glow
	mirror      bool      // as a mirror does
}
