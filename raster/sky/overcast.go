package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// overcast is the sky of a dull day, three times as bright overhead as at the horizon
// (Moon and Spencer 1942; the CIE's standard overcast sky), over a line of trees.
type overcast struct {
	trees ridge
}

func newOvercast() *overcast {
	return &overcast{ridge{low: 0.035, high: 0.05, period: 0.09, seed: 11}}
}

var (
	cloudColor = color.New(1.05, 1.09, 1.15) // at the zenith
	treeColor  = color.New(0.030, 0.036, 0.034)
	mistColor  = color.New(0.22, 0.235, 0.25) // between the viewer and the trees
)

func (o *overcast) radiance(d vec.Vec3) color.RGB {
	c := cloudColor.Scale((1 + float64(2*d.Y)) / 3)
	return c.Lerp(mistColor.Lerp(treeColor, 0.6), o.trees.cover(d))
}

// ridge is a line of hills or trees at the horizon.
type ridge struct {
	low, high float64 // sines of the elevation of its lowest parts, and what the highest have more
	period    float64 // of its largest shapes, as a share of the full circle
	seed      int
}

// ridgeRim is half the width of a ridge's rim, a tenth of a degree.
const ridgeRim = 0.0015

// cover returns 1 below the ridge's line and 0 above it.
func (r *ridge) cover(d vec.Vec3) float64 {
	if d.Y > r.low+r.high+0.01 {
		return 0
	}
	return ridgeCover(r.top(d), d.Y)
}

// ridgeCover returns the cover at the sine y of an elevation, where the line is at top.
func ridgeCover(top, y float64) float64 { return num.Smoothstep(top+ridgeRim, top-ridgeRim, y) }

// top returns the sine of the elevation of the line in the direction of d.
func (r *ridge) top(d vec.Vec3) float64 {
	return r.low + float64(r.high*r.height(math.Atan2(d.X, d.Z)/(2*math.Pi)+0.5))
}

// height returns the height of the line in [0, 1] at a share of the full circle. It is
// the same at 0 and 1.
func (r *ridge) height(turn float64) float64 {
	sum, weight := 0.0, 0.0
	n, w := int(math.Round(1/r.period)), 1.0
	for k := range 6 {
		x := float64(turn * float64(n))
		i := int(math.Floor(x))
		a, b := num.Hash((i%n+n)%n, r.seed+k), num.Hash(((i+1)%n+n)%n, r.seed+k)
		sum += float64(w * (a + float64((b-a)*num.Smoothstep(0, 1, x-math.Floor(x)))))
		weight += w
		n, w = 2*n+1, float64(w*0.5)
	}
	return sum / weight
}
