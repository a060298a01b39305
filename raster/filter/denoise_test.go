package filter

import (
	"breakwater/raster/color"
	"breakwater/sim/num"
	"math"
	"testing"
)

// TestGrainOfSlowLiquid takes noisy samples of the view through liquid that moves by 4
// px, and of a line there that runs across the liquid's motion. The grain must fall to
// less than half in both directions alike, or it would be a hatch along the motion, and
// the line must stay.
func TestGrainOfSlowLiquid(t *testing.T) {
	const w, h, n, line = 96, 96, 16, 48
	sum, seen, looks := make([]color.RGB, w*h), make([]Stats, w*h), make([]int32, w*h)
	streaks, ways := make([]Streak, w*h), make([]Displacement, w*h)
	truth := func(x int) float64 {
		if x == line {
			return 0.02
		}
		return 0.3
	}
	for i := range sum {
		for k := range n {
			g := truth(i%w) * (0.5 + num.Hash(i, k))
			c := color.New(g, g, g)
			sum[i] = sum[i].Add(c.Scale(1.0 / n))
			seen[i].Add(TonesOf(c))
			streaks[i].Add(c)
		}
		streaks[i].Average(n)
		looks[i], ways[i] = n, Displacement{X: 4}
	}
	got := Reconstruct(sum, seen, looks, streaks, ways, w, h)
	off := func(pix []color.RGB, x, y int) float64 { return pix[y*w+x].G - truth(x) }
	before, after, along, across := 0.0, 0.0, 0.0, 0.0
	dark := 0.0
	for y := 8; y < h-8; y++ {
		for x := 8; x < line-4; x++ {
			e := off(got, x, y)
			before, after = before+off(sum, x, y)*off(sum, x, y), after+e*e
			along, across = along+e*off(got, x+1, y), across+e*off(got, x, y+1)
		}
		dark += got[y*w+line].G / (h - 16)
	}
	if after > before/4 {
		t.Errorf("grain of %.4f is left of %.4f", math.Sqrt(after), math.Sqrt(before))
	}
	if along, across := along/after, across/after; math.Abs(along-across) > 0.15 {
		t.Errorf("a pixel's grain goes with the next one's by %.2f along the way and by %.2f across: a hatch", along, across)
	}
	if dark > 0.06 {
		t.Errorf("of a line of %.2f on 0.3 there is left %.2f", truth(line), dark)
	}
}
