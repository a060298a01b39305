package raster

import (
	"math"
	"testing"
)

// TestWaveSeesWhatRaysSee checks that rays followed together, in groups of any size, give
// the results of single rays.
func TestWaveSeesWhatRaysSee(t *testing.T) {
	tr := newTracer(newWorld(testView(40, 48, 27, Good), medium{index: 1.333, sigma: rgb{0.9, 0.3, 0.1}}))
	tr.liquid, tr.split = tr.clear, tr.clearly
	tr.lightFloor()
	whole, wet := &wave{}, 0
	var alone []rgb
	for i := range 48 * 27 {
		r := tr.eyeRay(float64(i%48)+0.5, float64(i/48)+0.5)
		h := tr.tree.Cast(r.o, r.d, math.Inf(1))
		if tr.kind(h.Tri) == liquid {
			wet++
		}
		glass, left := tr.throughTank(r, min(h.T, tr.floor.distance(r.o, r.d)))
		want := glass.add(tr.follow(r, h).mul(left)).each(func(x float64) float64 { return min(x, brightest) })
		one := &wave{}
		one.add(r, h, i)
		tr.eyes(one)
		got := one.sums[0]
		if max(math.Abs(got.R-want.R), math.Abs(got.G-want.G), math.Abs(got.B-want.B)) > 1e-12 {
			t.Fatalf("pixel %d is %v as a wave, and %v by rays one after another", i, got, want)
		}
		alone = append(alone, got)
		whole.add(r, h, i)
	}
	tr.eyes(whole)
	for i, c := range whole.sums {
		if c != alone[i] {
			t.Fatalf("pixel %d is %v among others, and %v alone", i, c, alone[i])
		}
	}
	if wet < 200 {
		t.Errorf("only %d rays meet the water", wet)
	}
}
