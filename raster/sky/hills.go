package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// hills is a clear sky over three ranges of hills, the farther the more veiled by air.
type hills struct {
	sky    *preetham
	ranges [3]ridge // the farthest first
}

func newHills(to vec.Vec3, turbidity float64) *hills {
	return &hills{newPreetham(to, turbidity), [3]ridge{
		{low: 0.055, high: 0.075, period: 0.12, seed: 3},
		{low: 0.030, high: 0.060, period: 0.08, seed: 29},
		{low: 0.008, high: 0.040, period: 0.05, seed: 71},
	}}
}

// hillColor is the radiance of wooded slopes, relative to the sky above them.
var hillColor = color.New(0.10, 0.13, 0.11)

// veil is the share of a range's light that comes from the air before it. Light of the
// horizon is added by single scattering along the path (Koschmieder 1924).
var veil = [3]float64{0.74, 0.48, 0.20}

func (h *hills) radiance(d vec.Vec3) color.RGB {
	c := h.sky.radiance(d)
	if d.Y > h.ranges[0].low+h.ranges[0].high+0.01 {
		return c
	}
	level := math.Sqrt(max(1e-12, 1-d.Y*d.Y))
	air := h.sky.radiance(vec.Vec3{X: d.X / level, Y: 0.1, Z: d.Z / level}.Unit())
	for i := range h.ranges {
		slope := hillColor.Mul(air).Lerp(air, veil[i])
		c = c.Lerp(slope, h.ranges[i].cover(d))
	}
	return c
}
