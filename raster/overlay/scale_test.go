package overlay

import (
	"image"
	"testing"

	"breakwater/raster/color"
)

// TestScaleLeavesTheCorner checks that the scale writes nothing where an overlay
// writes the time, and that in all but tiny pictures its bar is there.
func TestScaleLeavesTheCorner(t *testing.T) {
	v := testFrame(16, 16)
	for _, height := range []int{72, 90, 120, 180, 360, 720} {
		r := image.Rect(0, 0, 16*height/9, height)
		scaled, timed := image.NewRGBA(r), image.NewRGBA(r)
		s := Scale{Title: "pressure", Unit: "Pa", Max: 4000, Color: color.Viridis}
		if err := s.Draw(scaled, v); err != nil {
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

// TestScaleBesideTheTank checks that in a picture that is higher than wide the
// scale is not drawn over the tank, and is still all in the picture.
func TestScaleBesideTheTank(t *testing.T) {
	for _, size := range [][2]int{{270, 480}, {360, 640}, {240, 240}, {640, 360}} {
		v := testFrame(size[0], size[1])
		img := image.NewRGBA(image.Rect(0, 0, size[0], size[1]))
		s := Scale{Title: "thickness", Unit: "m", Max: 2, Color: color.Viridis}
		if err := s.Draw(img, v); err != nil {
			t.Fatal(err)
		}
		x0, y0, x1, y1 := v.subject()
		over, marked, edge := 0, 0, 0
		for y := range size[1] {
			for x := range size[0] {
				if img.RGBAAt(x, y).A == 0 {
					continue
				}
				marked++
				if fx, fy := float64(x), float64(y); fx > x0 && fx < x1-1 && fy > y0 && fy < y1 {
					over++
				}
				if x == 0 || y == 0 || x == size[0]-1 || y == size[1]-1 {
					edge++
				}
			}
		}
		if over > 0 && size[1] > size[0] || edge > 0 || marked == 0 {
			t.Errorf("%v: of %d pixels %d lie over the tank and %d on the edge", size, marked, over, edge)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {0, 7.7}, {-0.02, 0.02}, {0, 33000}, {950, 1050}} {
		list := ticks(c[0], c[1])
		if len(list) < 3 || len(list) > 9 {
			t.Errorf("%v has the ticks %v", c, list)
		}
		for _, x := range list {
			if x < c[0]-1e-9 || x > c[1]*(1+1e-9) {
				t.Errorf("%v: the tick %g is outside", c, x)
			}
		}
	}
}
