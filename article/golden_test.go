package article

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// TestGolden compares small prints of the drawings with those kept in testdata: by
// no more than half a level in the mean, for other processors may round the ends of
// lines otherwise.
func TestGolden(t *testing.T) {
	plots := figures(t, true)
	for _, name := range []string{"amd-sort", "article-kernels", "distances", "gradients", "interpolation", "shock-viscosity", "stencils"} {
		got, err := plots[name].Draw(60)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".png")
		if *update {
			save(t, path, got)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v; go test ./article -update writes it", err)
		}
		want, err := png.Decode(bytes.NewReader(data))
		if err != nil || want.Bounds() != got.Bounds() {
			t.Fatalf("%s: %v, want a picture of %v", path, err, got.Bounds())
		}
		sum := 0.
		for y := range got.Rect.Dy() {
			for x := range got.Rect.Dx() {
				a, b := got.RGBAAt(x, y), color.RGBAModel.Convert(want.At(x, y)).(color.RGBA)
				sum += math.Abs(float64(a.R)-float64(b.R)) + math.Abs(float64(a.G)-float64(b.G)) + math.Abs(float64(a.B)-float64(b.B))
			}
		}
		if mean := sum / float64(3*got.Rect.Dx()*got.Rect.Dy()); mean > 0.5 {
			now := filepath.Join(os.TempDir(), name+".png")
			save(t, now, got)
			t.Errorf("%s: off by %.2f levels in the mean; got %s", path, mean, now)
		}
	}
}

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
