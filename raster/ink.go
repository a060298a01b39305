package raster

import (
	"image"

	"breakwater/raster/bvh"
	"breakwater/sim/vec"
)

// samples are the nearest triangles that the eye sees, side × side a pixel.
type samples struct {
	*world
	side, w, h int
	tri        []int32 // -1 for none
}

// samples looks at the world finely enough for the edges of flat colours.
func (w *world) samples(q Quality) *samples {
	s := &samples{world: w, side: 3}
	if q == Draft {
		s.side = 1
	}
	p := w.camera(s.side)
	s.w, s.h = p.width, p.height
	s.tri = make([]int32, s.w*s.h)
	for i := range s.tri {
		s.tri[i] = -1
	}
	p.draw(w.geometry, func(tri int32, _ bool, x, y int) { s.tri[y*s.w+x] = tri })
	return s
}

// ray returns the direction of sample (x, y).
func (s *samples) ray(x, y int) vec.Vec3 {
	n := float64(s.side)
	return s.lens.ray((float64(x)+0.5)/n, (float64(y)+0.5)/n)
}

// wet returns where sample (x, y) meets the liquid, along d, if the liquid is the first
// hit.
func (s *samples) wet(x, y int) (h bvh.Hit, d vec.Vec3, ok bool) {
	tri := s.tri[y*s.w+x]
	if s.kind(tri) != liquid {
		return h, d, false
	}
	d = s.ray(x, y)
	h = s.meet(s.lens.eye, d, tri)
	return h, d, s.floor.distance(s.lens.eye, d) > h.T-s.near
}

// paint lays ink over img. shade returns the displayed colour of a sample, in sRGB from
// 0 to 1 without tone mapping, and its opacity.
func (s *samples) paint(img *image.RGBA, shade func(x, y int) (c rgb, cover float64)) {
	n := s.side
	s.pixels(func(px, py int) {
		sum, covered := rgb{}, 0.0
		for y := py * n; y < (py+1)*n; y++ {
			for x := px * n; x < (px+1)*n; x++ {
				if c, a := shade(x, y); a > 0 {
					sum, covered = sum.add(c.scale(a)), covered+a
				}
			}
		}
		if covered == 0 {
			return
		}
		share := 1 / float64(n*n)
		p := img.Pix[img.PixOffset(px, py):]
		for i, c := range [3]float64{sum.R, sum.G, sum.B} {
			p[i] = uint8(min(255, (1-covered*share)*float64(p[i])+255*c*share+0.5))
		}
	})
}

// around draws the surroundings of the liquid, on a floor that the liquid shades.
func (w *world) around(v *View) *image.RGBA {
	m := w.newLight()
	w.shadow(m)
	w.occlude(m)
	bare := *v
	bare.Liquid = nil
	bare.Shutter, bare.Camera.Aperture = 0, 0 // ink is sharp, and so is its background
	t := newTracer(newWorld(&bare, w.water))
	t.floor = w.floor
	t.floor.light = m
	return develop(t.expose(), v)
}

// opaqueWorld returns a world of v whose liquid lets no light through.
func opaqueWorld(v *View) *world {
	w := newWorld(v, medium{index: 1})
	w.opaque = true
	return w
}
