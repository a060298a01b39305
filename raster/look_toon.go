package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/grains"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

func init() {
	Looks.Add("toon", "flat bands of colour with an outline, as in a cartoon",
		"Lake, Marshall, Harris and Blackstein 2000", func() Look { return &toon{Color: vec.Vec3{X: 0.16, Y: 0.60, Z: 0.86}, Bands: 3, Outline: 2} })
}

// toon shows the liquid as a draughtsman would.
type toon struct {
	Color   vec.Vec3 `toml:"color" color:"srgb" unit:"1" range:"[0, 1]" doc:"Colour of the middle tone in the picture, red, green and blue in sRGB."`
	Bands   int      `toml:"bands" range:"[2, 8]" doc:"Number of tones between shade and light."`
	Outline float64  `toml:"outline" unit:"1" range:"[0, 10]" doc:"Width of the outlines in thousandths of the picture's height; 0 draws none."`
}

func (*toon) sharp() {}

func (l *toon) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	if l.Bands < 2 {
		return nil, fmt.Errorf("raster: toon: %d bands; expected 2 or more", l.Bands)
	}
	w := opaqueScene(v)
	img := w.drawSurroundings(v)
	s := w.samples(v.Quality)
	edge := s.outlines(l.Outline / 1000 * float64(s.h))
	tones := l.tones()
	half := s.sky.ToSun
	s.paint(img, func(x, y int) (color.RGB, float64) {
		if edge[y*s.w+x] {
			return tones[0].Scale(0.25), 1
		}
		h, d, ok := s.liquidHit(x, y)
		if !ok {
			return color.RGB{}, 0
		}
		_, n := s.normals(h.Tri, h.U, h.V)
		if n.Dot(half.Sub(d).Unit()) > 0.985 { // the sun's glint (Blinn 1977)
			return color.New(1, 1, 1), 1
		}
		light := float64((0.5+float64(0.5*n.Dot(s.sky.ToSun)))*0.75) + float64(0.25*max(0, n.Y))
		return tones[min(l.Bands-1, max(0, int(light*float64(l.Bands))))], 1
	})
	brightest := tones[len(tones)-1]
	s.inkGrains(img, func(grains.Kind) color.RGB { return brightest.Lerp(color.New(1, 1, 1), 0.5) }, grains.Spray, grains.Foam)
	return img, nil
}

// tones returns the colours of the bands, from shade to light.
func (l *toon) tones() []color.RGB {
	mid := color.New(l.Color.X, l.Color.Y, l.Color.Z)
	var list []color.RGB
	for i := range l.Bands {
		switch t := 2*float64(i)/float64(l.Bands-1) - 1; {
		case t < 0:
			list = append(list, mid.Scale(1+float64(0.5*t)))
		default:
			list = append(list, mid.Lerp(color.New(1, 1, 1), 0.55*t))
		}
	}
	return list
}

// outlines marks the liquid's samples within width samples of other surfaces, or of
// liquid far behind.
func (s *samples) outlines(width float64) []bool {
	marked := make([]bool, s.w*s.h)
	if width <= 0 {
		return marked
	}
	depth := make([]float32, s.w*s.h) // m along the ray, +Inf where no liquid is seen
	par.Each(s.h, func(y int) {
		for x := range s.w {
			depth[y*s.w+x] = float32(math.Inf(1))
			if h, _, ok := s.liquidHit(x, y); ok {
				depth[y*s.w+x] = float32(h.T)
			}
		}
	})
	r := max(1, width)
	var around [12][2]int
	for i := range around {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(around)))
		around[i] = [2]int{int(math.Round(r * cos)), int(math.Round(r * sin))}
	}
	step := r * s.lens.PixelAngle() / float64(s.side) // rad between a sample and those around it
	par.Each(s.h, func(y int) {
		for x := range s.w {
			t := depth[y*s.w+x]
			if math.IsInf(float64(t), 1) {
				continue
			}
			var flat vec.Vec3
			var known bool
			for _, o := range around {
				i, j := x+o[0], y+o[1]
				if i < 0 || j < 0 || i >= s.w || j >= s.h {
					continue
				}
				u := depth[j*s.w+i]
				if float64(u-t) < 3*step*float64(t) {
					continue
				}
				if math.IsInf(float64(u), 1) {
					if k := s.kind(s.tri[j*s.w+i]); k == bar || k == solid && !s.behind(i, j, float64(t)) {
						continue // the outline here belongs to the object before the liquid
					}
					marked[y*s.w+x] = true
					break
				}
				// Behind, or only farther along the same slope?
				if !known {
					var h bvh.Hit
					h, _, known = s.liquidHit(x, y)
					flat, _ = s.normals(h.Tri, h.U, h.V)
				}
				p := s.lens.Eye.Add(s.ray(x, y).Mul(float64(t)))
				q := s.lens.Eye.Add(s.ray(i, j).Mul(float64(u)))
				if -q.Sub(p).Dot(flat) > 3*step*float64(t) {
					marked[y*s.w+x] = true
					break
				}
			}
		}
	})
	return marked
}

// behind reports whether the first hit of sample (x, y) is farther than t metres.
func (s *samples) behind(x, y int, t float64) bool {
	return s.intersectPlane(s.lens.Eye, s.ray(x, y), s.tri[y*s.w+x]).T > t
}
