// Package golden compares pictures with golden pictures in testdata, next to the test
// that draws them.
package golden

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// A Tolerance is how far a picture may be from the golden one. Other processors may fuse
// multiplications with additions, which moves a ray or the end of a line here and there.
// The difference of a pixel is the difference of its worst channel.
type Tolerance struct {
	Mean float64 // levels of 255, over all pixels
	Far  float64 // the part of the pixels that may be off by more than 24 levels
}

// Compare fails the test where got is not testdata/NAME.png within the tolerance,
// and leaves got and the difference, eight times as bright, for a look. With
// -update it writes the file instead.
func Compare(t *testing.T, name string, got *image.RGBA, o Tolerance) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		save(t, path, got)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%s: got %v, want %v", path, got.Bounds(), want.Bounds())
	}
	diff := image.NewGray(got.Rect)
	sum, far := 0, 0
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			a, b := got.RGBAAt(x, y), color.RGBAModel.Convert(want.At(x, y)).(color.RGBA)
			d := max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B))
			sum += d
			if d > 24 {
				far++
			}
			diff.SetGray(x, y, color.Gray{Y: uint8(min(255, 8*d))})
		}
	}
	n := float64(got.Rect.Dx() * got.Rect.Dy())
	if mean, part := float64(sum)/n, float64(far)/n; mean > o.Mean || part > o.Far {
		dir, err := os.MkdirTemp("", "golden")
		if err != nil {
			t.Fatal(err)
		}
		save(t, filepath.Join(dir, "got.png"), got)
		save(t, filepath.Join(dir, "difference.png"), diff)
		t.Errorf("%s: differs by %.2f levels on average, and by more than 24 in %.2g of the pixels; see got.png and difference.png in %s", path, mean, part, dir)
	}
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func save(t *testing.T, path string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
