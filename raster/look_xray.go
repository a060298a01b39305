package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/raster/overlay"
	"breakwater/sim/num"
	"breakwater/sim/par"
)

func init() {
	Looks.Add("xray", "thickness of the liquid along each line of sight, with a scale", "", func() Look { return &xray{} })
}

// xray shows the thickness of the liquid along straight rays.
type xray struct {
	Thickness float64 `toml:"thickness" unit:"m" range:"[0, inf)" doc:"Thickness that is drawn white; 0 uses about one and a half times the shorter side of the tank, rounded."`
}

func (*xray) sharp() {}

func (l *xray) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	full := l.Thickness
	if !(full >= 0) || math.IsInf(full, 1) {
		return nil, fmt.Errorf("raster: xray: thickness %g m is invalid", full)
	}
	w := newScene(v, optics.Medium{Index: 1})
	if full == 0 {
		size := w.size
		if v.Tank != nil {
			s := v.Tank.Size()
			size = float64(1.5 * min(s.X, s.Z))
		}
		full = num.Nice(size)
	}
	side := 2
	if v.Quality == Draft {
		side = 1
	}
	thick := w.thickness(side)
	img := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	par.Each(v.Height, func(y int) {
		for x := range v.Width {
			sum := color.RGB{}
			for j := range side {
				for i := range side {
					sum = sum.Add(radiograph(thick[(y*side+j)*v.Width*side+x*side+i] / full))
				}
			}
			sum = sum.Scale(255 / float64(side*side))
			d := color.Dither(x, y)
			p := img.Pix[img.PixOffset(x, y):]
			p[0], p[1], p[2], p[3] = uint8(min(255, sum.R+d)), uint8(min(255, sum.G+d)), uint8(min(255, sum.B+d)), 255
		}
	})
	if v.Grains != nil { // which no liquid hides
		bare := *v
		bare.Liquid = nil
		newScene(&bare, w.water).samples(v.Quality).inkKinds(img)
	}
	s := overlay.Scale{Title: "thickness", Unit: "m", Max: full, Color: radiograph}
	return img, s.Draw(img, v.Frame())
}

// radiograph returns the sRGB colour of a thickness, from 0 to 1: from a
// bluish black to white. Thin sheets and drops get more than their share of
// the shades, or they would not be seen beside the bulk.
func radiograph(x float64) color.RGB {
	x = num.Pow(min(1, max(0, x)), 0.55)
	return color.New(0.035+float64(0.965*x), 0.045+float64(0.955*num.Pow(x, 0.92)), 0.065+float64(0.935*num.Pow(x, 0.80)))
}

// thickness returns the metres of liquid along each ray, side × side per pixel, whatever
// is before it. Solids and the tank's bars count as many times their thickness.
func (w *scene) thickness(side int) []float64 {
	p := w.cameraPass(side)
	p.Layers = true
	sum := make([]float64, p.Width*p.Height)
	p.Draw(len(w.tri), w.corners, func(tri int32, front bool, x, y int) {
		n := float64(side)
		t := w.intersectPlane(w.lens.Eye, w.lens.Ray((float64(x)+0.5)/n, (float64(y)+0.5)/n), tri).T
		if w.kind(tri) != liquid {
			t *= glassDensity
		}
		if front {
			t = -t
		}
		sum[y*p.Width+x] += t
	})
	return sum
}

// glassDensity is how much more of X-rays lead glass takes than water does.
const glassDensity = 10
