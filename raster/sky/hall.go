package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// hall is a long hall seen from its middle: tall windows in the wall towards the sun,
// dark walls elsewhere, and beams under the ceiling. It gives clear water light and dark
// parts to refract.
type hall struct {
	along, across vec.Vec3 // unit and level: along the hall, and towards the windows
}

// The hall's inner measures from the viewer, in metres.
const (
	hallHalfWidth  = 7.0
	hallHalfLength = 16.0
	hallHeight     = 6.5
	hallSill       = 0.9 // of the windows
	hallLintel     = 5.2
	hallBay        = 3.2 // from window to window
)

var (
	hallWall    = color.New(0.200, 0.188, 0.172)
	hallSkirt   = color.New(0.085, 0.072, 0.062)
	hallCeiling = color.New(0.130, 0.122, 0.114)
	hallBeam    = color.New(0.045, 0.038, 0.032)
	hallWindow  = color.New(2.5, 2.7, 2.95)
)

func newHall(to vec.Vec3) *hall {
	across := vec.Vec3{X: to.X, Z: to.Z}
	if across.Len() < 1e-6 {
		across = vec.Vec3{Z: 1}
	}
	across = across.Unit()
	return &hall{along: vec.Vec3{Y: 1}.Cross(across), across: across}
}

func (h *hall) radiance(d vec.Vec3) color.RGB {
	x, y, z := d.Dot(h.along), d.Y, d.Dot(h.across)
	// The distances to the end wall, the ceiling and the side wall.
	end, top, side := far(hallHalfLength, x), far(hallHeight, y), far(hallHalfWidth, z)
	switch t := min(end, top, side); t {
	case top:
		beam := band(x*t/hallBay+0.5, 0.08, 0.02)
		lit := 0.5 + float64(0.5*num.Smoothstep(-hallHalfWidth, hallHalfWidth, float64(z*t))) // brighter by the windows
		return hallCeiling.Lerp(hallBeam, beam).Scale(0.6 + float64(0.9*lit))
	case side:
		if z < 0 { // lit by the windows across
			return wallAt(float64(y*t), 1.5-float64(0.8*math.Abs(float64(x*t))/hallHalfLength))
		}
		return windowWall(float64(x*t), float64(y*t))
	default:
		return wallAt(float64(y*t), 0.45+float64(0.35*num.Smoothstep(-hallHalfWidth, hallHalfWidth, float64(z*t))))
	}
}

// far returns the distance to a wall at ±half along a component of the direction.
func far(half, c float64) float64 { return half / max(1e-9, math.Abs(c)) }

// wallAt returns the radiance of a bare wall at the height y, lit by light.
func wallAt(y, light float64) color.RGB {
	c := hallSkirt.Lerp(hallWall, num.Smoothstep(0.9, 1.05, y))
	return c.Scale(light * (1 - float64(0.35*num.Smoothstep(2, hallHeight, y))))
}

// windowWall returns the radiance of the wall of the windows: the sky is brightest at
// their tops, and bars divide the panes.
func windowWall(x, y float64) color.RGB {
	const half = 1.05 // of a window's width
	u := (x/hallBay - math.Floor(x/hallBay) - 0.5) * hallBay
	open := num.Smoothstep(half+0.04, half-0.04, math.Abs(u)) *
		num.Smoothstep(hallSill-0.04, hallSill+0.04, y) * num.Smoothstep(hallLintel+0.04, hallLintel-0.04, y)
	bars := max(band(u/(2*half/3)+0.5, 0.035, 0.02), band((y-hallSill)/((hallLintel-hallSill)/4), 0.025, 0.015))
	sky := hallWindow.Scale(0.30 + float64(0.70*num.Smoothstep(hallSill, hallLintel, y)))
	return wallAt(y, 0.5).Lerp(sky, open*(1-float64(0.92*bars)))
}

// band returns 1 where x is within half of an integer and 0 elsewhere, with a soft rim.
func band(x, half, rim float64) float64 {
	return num.Smoothstep(half+rim, half-rim, math.Abs(x-math.Round(x)))
}
