package raster

import (
	"bytes"
	"image"
	"image/draw"
	"testing"

	"breakwater/raster/optics"
	"breakwater/sim/longtest"
	"breakwater/sim/registry"
)

// TestRegion draws parts of the pictures of every look, which must have the
// bytes that the whole picture has there.
func TestRegion(t *testing.T) {
	longtest.Only(t)
	const width, height = 160, 90
	for _, e := range Looks.Entries() {
		for _, q := range qualities {
			look, err := e.New(registry.None)
			if err != nil {
				t.Fatal(err)
			}
			v := testView(10, width, height, q)
			v.Particles = drops(0.06)
			if q != Draft {
				v.Shutter = 0.04
				stir(v)
			}
			whole, err := look.Draw(v)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range []image.Rectangle{image.Rect(60, 35, 101, 56), image.Rect(0, 0, 9, 5), image.Rect(130, 70, 160, 90)} {
				v.Region = r
				part, err := look.Draw(v)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(cut(part, r), cut(whole, r)) {
					t.Errorf("%s at %s: the part %v differs from the whole picture", e.Name, q, r)
				}
			}
		}
	}
}

// TestRegionIsCheaper checks that pixels outside the region are not drawn.
func TestRegionIsCheaper(t *testing.T) {
	v := testView(10, 640, 360, Good)
	v.Region = image.Rect(300, 170, 310, 180)
	w := newScene(v, optics.Medium{Index: 1.333})
	calls := make([]bool, 640*360)
	w.pixels(func(x, y int) { calls[y*640+x] = true })
	n := 0
	for _, c := range calls {
		if c {
			n++
		}
	}
	if want := (10 + 2*13) * (10 + 2*13); n != want {
		t.Errorf("%d pixels are worked out for 100, want %d", n, want)
	}
}

func cut(img *image.RGBA, r image.Rectangle) []byte {
	dst := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	draw.Draw(dst, dst.Rect, img, r.Min, draw.Src)
	return dst.Pix
}
