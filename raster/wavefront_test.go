package raster

import (
	"math"
	"testing"

	"breakwater/raster/color"
	"breakwater/raster/optics"
)

// TestWaveSeesWhatRaysSee checks that rays followed together, in groups of any size, give
// the results of single rays.
func TestWaveSeesWhatRaysSee(t *testing.T) {
	tr := newTracer(newScene(testView(40, 48, 27, Good), optics.Medium{Index: 1.333, Sigma: color.New(0.9, 0.3, 0.1)}))
	tr.liquidLight = tr.clear
	tr.lightFloor()
	whole, wet := &wavefront{}, 0
	var alone []color.RGB
	for i := range 48 * 27 {
		r := tr.cameraRay(float64(i%48)+0.5, float64(i/48)+0.5)
		h := tr.tree.Cast(r.o, r.d, math.Inf(1))
		if tr.kind(h.Tri) == liquid {
			wet++
		}
		glass, left := tr.tankGlass(r, min(h.T, tr.floor.Distance(r.o, r.d)))
		want := glass.Add(tr.light(r, h).Mul(left)).Each(func(x float64) float64 { return min(x, maxSample) })
		one := &wavefront{}
		one.add(r, h, i)
		tr.tracePaths(one)
		got := one.light[0]
		if max(math.Abs(got.R-want.R), math.Abs(got.G-want.G), math.Abs(got.B-want.B)) > 1e-12 {
			t.Fatalf("pixel %d is %v as a wave, and %v by rays one after another", i, got, want)
		}
		alone = append(alone, got)
		whole.add(r, h, i)
	}
	tr.tracePaths(whole)
	for i, c := range whole.light {
		if c != alone[i] {
			t.Fatalf("pixel %d is %v among others, and %v alone", i, c, alone[i])
		}
	}
	if wet < 200 {
		t.Errorf("only %d rays meet the water", wet)
	}
}
