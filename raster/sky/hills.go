package sky

import (
	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// hills is a clear sky over three ranges of hills, the farther the more veiled by air.
type hills struct {
	sky    *preetham
	ranges [3]ridge // the farthest first
	air    *colorsAround
	tops   [3][aroundSteps + 1]float32 // of the ranges, by the level direction
	top    float64                     // above all of them
}

func newHills(to vec.Vec3, turbidity float64) *hills {
	h := &hills{sky: newPreetham(to, turbidity), ranges: [3]ridge{
		{low: 0.055, high: 0.075, period: 0.12, seed: 3},
		{low: 0.030, high: 0.060, period: 0.08, seed: 29},
		{low: 0.008, high: 0.040, period: 0.05, seed: 71},
	}}
	h.air = newColorsAround(func(d vec.Vec3) color.RGB {
		d.Y = 0.1
		return h.sky.radiance(d.Unit())
	})
	for k := range h.ranges {
		for i := range h.tops[k] {
			top := h.ranges[k].top(aroundAt(i))
			h.tops[k][i] = float32(top)
			h.top = max(h.top, top+ridgeRim)
		}
	}
	return h
}

// hillColor is the radiance of wooded slopes, relative to the sky above them.
var hillColor = color.New(0.10, 0.13, 0.11)

// veil is the share of a range's light that comes from the air before it. Light of the
// horizon is added by single scattering along the path (Koschmieder 1924).
var veil = [3]float64{0.74, 0.48, 0.20}

func (h *hills) radiance(d vec.Vec3) color.RGB {
	if d.Y > h.top {
		return h.sky.radiance(d)
	}
	x := around(d.X, d.Z)
	i := min(aroundSteps-1, int(x))
	f := float32(x - float64(i))
	var cover [3]float64
	open := true // to the sky
	for k := range h.tops {
		t := &h.tops[k]
		cover[k] = ridgeCover(float64(t[i]+float32(f*(t[i+1]-t[i]))), d.Y)
		open = open && cover[k] < 1
	}
	var c color.RGB
	if open {
		c = h.sky.radiance(d)
	}
	air := h.air[i].Lerp(h.air[i+1], float64(f))
	for k := range h.ranges {
		slope := hillColor.Mul(air).Lerp(air, veil[k])
		c = c.Lerp(slope, cover[k])
	}
	return c
}
