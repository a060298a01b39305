package raster

import (
	"image"
	"testing"

	"breakwater/raster/color"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestGoodIsFine compares pictures of a splash at good with the means of 64 samples of every
// pixel: at rest, moving, moving among whitewater, and a ball under water of another hue and
// the same brightness. At most 1 % of the pixels with liquid may be off by more than 20
// levels of 255. With the ball, at most 0.7 % may be off by more than 12.
func TestGoodIsFine(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 64 samples per pixel, for which the race detector needs minutes")
	}
	for _, c := range []struct {
		name    string
		shutter float64
		parcels int
		levels  int
		most    float64
	}{{"at rest", 0, 0, 20, 0.01}, {"moving", 0.01, 0, 20, 0.01}, {"with whitewater", 0.01, 3000, 20, 0.01}, {"hues", 0, 0, 12, 0.007}} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "moving" || c.name == "with whitewater" { // some seconds each
				longtest.Only(t)
			}
			v := testView(60, 240, 135, Good)
			v.Shutter = c.shutter
			v.Region = image.Rect(140, 40, 220, 100)
			stir(v)
			if c.parcels > 0 {
				v.Grains = whitewater(c.parcels)
			}
			if c.name == "hues" {
				v.Liquid = pool(testTank, 40, func(x, z float64) float64 { return 0.7 })
				m := new(mesh.Mesh)
				ball(m, vec.New(1.5, 0.32, 0.6), 0.3, 60, func(vec.Vec3) float64 { return 1 })
				v.Solids = []Solid{{Mesh: m, Material: Material{Color: vec.New(0.5, 0.28, 0.2)}}}
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
				if max(off(a.R, b.R), off(a.G, b.G), off(a.B, b.B)) > c.levels {
					far++
				}
			})
			share := float64(far) / float64(n)
			t.Logf("%d of %d pixels are off: %.4f", far, n, share)
			if n < 1500 || share > c.most {
				t.Errorf("%.4f of %d pixels are off by more than %d levels of 255", share, n, c.levels)
			}
		})
	}
}
