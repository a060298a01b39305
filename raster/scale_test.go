package raster

import (
	"image"
	"testing"
)

// TestScaleLeavesTheCorner holds that the scale writes nothing where an overlay
// writes the time, and that in all but tiny pictures its bar is there.
func TestScaleLeavesTheCorner(t *testing.T) {
	v := testView(4, 16, 16, Draft)
	for _, height := range []int{72, 90, 120, 180, 360, 720} {
		r := image.Rect(0, 0, 16*height/9, height)
		scaled, timed := image.NewRGBA(r), image.NewRGBA(r)
		s := scale{Title: "pressure", Unit: "Pa", Max: 4000, Color: mapped}
		if err := s.draw(scaled); err != nil {
			t.Fatal(err)
		}
		if err := (Overlay{Time: true}).Draw(timed, v, 0.25); err != nil {
			t.Fatal(err)
		}
		both, marked := 0, 0
		for i := 3; i < len(scaled.Pix); i += 4 {
			if scaled.Pix[i] > 0 {
				marked++
				if timed.Pix[i] > 0 {
					both++
				}
			}
		}
		if both > 0 || marked == 0 {
			t.Errorf("%d pixels high: the scale marks %d pixels, %d of them under the time", height, marked, both)
		}
	}
}
