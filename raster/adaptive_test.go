package raster

import (
	"image"
	"testing"

	"breakwater/raster/color"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
)

// TestGoodIsFine compares pictures of a splash at good with the means of 64 samples of every
// pixel: at rest, moving, and moving among whitewater. At most 1 % of the pixels with liquid
// may be off by more than 20 levels of 255.
func TestGoodIsFine(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 64 samples per pixel, for which the race detector needs minutes")
	}
	for _, c := range []struct {
		name    string
		shutter float64
		parcels int
	}{{"at rest", 0, 0}, {"moving", 0.01, 0}, {"with whitewater", 0.01, 3000}} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "moving" { // the water among whitewater moves as well
				longtest.Only(t)
			}
			v := testView(60, 240, 135, Good)
			v.Shutter = c.shutter
			v.Region = image.Rect(140, 40, 220, 100)
			stir(v)
			if c.parcels > 0 {
				v.Grains = whitewater(c.parcels)
			}
			draw := func(samples int) (*tracer, *image.RGBA) {
				tr := newTracer(newScene(v, registrytest.New(t, &Looks, "water").(*water).medium()))
				tr.liquidLight = tr.clear
				tr.lightClouds()
				tr.lightFloor()
				pix := []color.RGB(nil)
				if samples == 0 {
					pix = tr.render()
				} else {
					tr.limits.maxSamples, tr.limits.maxError, tr.limits.timeSlabs = samples, -1, timeSlabs
					e := tr.newExposure()
					e.passed, e.displacements, e.streaks = nil, nil, nil // each sample on its own, and no smoothing
					for i := range e.unsure {
						e.unsure[i] = true
					}
					e.refine()
					pix = e.picture()
				}
				return tr, color.Develop(pix, v.Width, v.Light.Gain())
			}
			_, got := draw(0)
			tr, want := draw(64)
			if tr.motion != nil {
				tr.moveTo(0)
			}
			w := newScene(v, tr.water)
			seen := visible(w, w.cameraPass(1))
			far, n := 0, 0
			points(v.Region, func(x, y int) {
				if w.kind(seen[y*v.Width+x]) != liquid {
					return
				}
				n++
				a, b := got.RGBAAt(x, y), want.RGBAAt(x, y)
				off := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
				if max(off(a.R, b.R), off(a.G, b.G), off(a.B, b.B)) > 20 {
					far++
				}
			})
			share := float64(far) / float64(n)
			t.Logf("%d of %d pixels are off: %.4f", far, n, share)
			if n < 1500 || share > 0.01 {
				t.Errorf("%.4f of %d pixels are off by more than 20 levels of 255", share, n)
			}
		})
	}
}
