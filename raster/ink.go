package raster

import (
	"image"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

// samples are the visible triangles, side × side per pixel.
type samples struct {
	*scene
	side, w, h int
	tri        []int32 // -1 for none
}

// samples looks at the scene finely enough for the edges of flat colours.
func (w *scene) samples(q Quality) *samples {
	s := &samples{scene: w, side: 3}
	if q == Draft {
		s.side = 1
	}
	p := w.cameraPass(s.side)
	s.w, s.h = p.Width, p.Height
	s.tri = make([]int32, s.w*s.h)
	for i := range s.tri {
		s.tri[i] = -1
	}
	p.Draw(len(w.tri), w.corners, func(tri int32, _ bool, x, y int) { s.tri[y*s.w+x] = tri })
	return s
}

// ray returns the direction of sample (x, y).
func (s *samples) ray(x, y int) vec.Vec3 {
	n := float64(s.side)
	return s.lens.Ray((float64(x)+0.5)/n, (float64(y)+0.5)/n)
}

// liquidHit returns where sample (x, y) meets the liquid, along d, if the liquid is the first
// hit.
func (s *samples) liquidHit(x, y int) (h bvh.Hit, d vec.Vec3, ok bool) {
	tri := s.tri[y*s.w+x]
	if s.kind(tri) != liquid {
		return h, d, false
	}
	d = s.ray(x, y)
	h = s.intersectPlane(s.lens.Eye, d, tri)
	return h, d, s.floor.Distance(s.lens.Eye, d) > h.T-s.epsilon
}

// paint lays ink over img. shade returns the displayed colour of a sample, in sRGB from
// 0 to 1 without tone mapping, and its opacity.
func (s *samples) paint(img *image.RGBA, shade func(x, y int) (c color.RGB, cover float64)) {
	n := s.side
	s.pixels(func(px, py int) {
		sum, covered := color.RGB{}, 0.0
		for y := py * n; y < (py+1)*n; y++ {
			for x := px * n; x < (px+1)*n; x++ {
				if c, a := shade(x, y); a > 0 {
					sum, covered = sum.Add(c.Scale(a)), covered+a
				}
			}
		}
		if covered == 0 {
			return
		}
		share := 1 / float64(n*n)
		p := img.Pix[img.PixOffset(px, py):]
		for i, c := range [3]float64{sum.R, sum.G, sum.B} {
			p[i] = uint8(min(255, float64((1-float64(covered*share))*float64(p[i]))+float64(255*c*share)+0.5))
		}
	})
}

// drawSurroundings draws the surroundings of the liquid, on a floor that the liquid shades.
func (w *scene) drawSurroundings(v *View) *image.RGBA {
	m := w.newFloorMap()
	w.draftShadow(m)
	w.addOcclusion(m)
	bare := *v
	bare.Liquid = nil
	bare.Shutter, bare.Camera.Aperture = 0, 0 // ink is sharp, and so is its background
	t := newTracer(newScene(&bare, w.water))
	t.floor = w.floor
	t.floor.Light = m
	return color.Develop(t.render(), v.Width, v.Light.Gain())
}

// opaqueScene returns the scene of v whose liquid lets no light through.
func opaqueScene(v *View) *scene {
	w := newScene(v, optics.Medium{Index: 1})
	w.opaqueLiquid = true
	return w
}
