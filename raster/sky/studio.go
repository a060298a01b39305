package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// studio is a seamless backdrop, bright behind the scene and dark overhead,
// with softboxes: bright panels that water mirrors as long highlights.
type studio struct {
	panels []panel
}

// panel is a rectangle of light far away.
type panel struct {
	to, right, up vec.Vec3 // unit: to its middle, along its sides
	w, h          float64  // half sides at distance 1
	light         color.RGB
}

var (
	backdropLow  = color.New(0.095, 0.130, 0.170)
	backdropHigh = color.New(0.010, 0.015, 0.024)
)

// newStudio sets up the lights about the azimuth, in radians, of the spotlight.
func newStudio(azimuth float64) *studio {
	at := func(turn, height, w, h float64, light color.RGB) panel {
		a, e := azimuth+turn*math.Pi/180, height*math.Pi/180
		p := panel{w: w, h: h, light: light}
		p.to = vec.Vec3{X: math.Sin(a) * math.Cos(e), Y: math.Sin(e), Z: math.Cos(a) * math.Cos(e)}
		p.right = vec.Vec3{Y: 1}.Cross(p.to).Unit()
		p.up = p.to.Cross(p.right)
		return p
	}
	return &studio{panels: []panel{
		at(-30, 42, 0.55, 0.32, color.New(3.6, 3.7, 3.8)),  // the key, behind the scene
		at(75, 62, 0.30, 0.42, color.New(2.6, 2.7, 2.9)),   // above
		at(165, 35, 0.16, 0.50, color.New(2.6, 2.45, 2.2)), // a warm strip across
		at(-120, 30, 0.14, 0.42, color.New(2.2, 2.4, 2.7)), // and a cool one
	}}
}

func (s *studio) radiance(d vec.Vec3) color.RGB {
	c := backdropHigh.Lerp(backdropLow, num.Decay(3.2*d.Y))
	for i := range s.panels {
		p := &s.panels[i]
		a := d.Dot(p.to)
		if a <= 0 {
			continue
		}
		x, y := math.Abs(d.Dot(p.right))/a/p.w, math.Abs(d.Dot(p.up))/a/p.h
		if x < 1.06 && y < 1.06 { // cloth hangs over the frame: a soft rim, and a little less light there
			w := num.Smoothstep(1.06, 0.94, x) * num.Smoothstep(1.06, 0.94, y) * (1 - 0.25*max(x*x, y*y))
			c = c.Add(p.light.Scale(w))
		}
	}
	return c
}
