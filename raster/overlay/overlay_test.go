package overlay

import (
	"image"
	"image/color"
	"math"
	"testing"

	"breakwater/raster/camera"
	"breakwater/sim/vec"
)

var testTank = vec.Box{Max: vec.Vec3{X: 2, Y: 1, Z: 1}}

// testFrame returns a frame that shows testTank.
func testFrame(width, height int) Frame {
	return Frame{Camera: camera.FrameRound(testTank, camera.Viewpoints[""], 40, 0, camera.Azimuth, width, height), Width: width, Height: height, Subject: &testTank}
}

// TestShortenedScaleBar checks that a scale bar never leaves the picture: one that
// is too long is drawn as the longest round one that fits.
func TestShortenedScaleBar(t *testing.T) {
	v := testFrame(640, 360)
	for _, c := range []struct{ want, scale float64 }{{0.5, 0.5}, {1, 1}, {2, 5}, {2, 10}, {2, 1e9}, {2, 1e300}, {1e-4, 1e-4}} {
		o := Overlay{Scale: c.scale}
		if o.Scale = o.shortened(v); o.Scale != c.want {
			t.Errorf("a bar of %g m is drawn as %g, want %g", c.scale, o.Scale, c.want)
		}
		a, b, err := o.bar(v)
		if err != nil || a[0] < 0 || b[0] > 640 {
			t.Errorf("%g m: from %v to %v, %v", c.scale, a, b, err)
		}
	}
}

// TestUnwritten looks for characters that the font lacks.
func TestUnwritten(t *testing.T) {
	for text, want := range map[string]string{
		"Dam break, ρ = 1000 kg/m³ – é Ж": "", "水 and 水 🌊": "水🌊", "two\nlines": "\n",
	} {
		if got := string(Missing(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestScaleBar moves the camera around the tank. The bar must lie on the floor outside
// the tank, have its length across the line of sight, and move without a jump.
func TestScaleBar(t *testing.T) {
	v := testFrame(640, 360)
	middle := testTank.Center()
	var before [2]float64
	for deg := range 361 {
		sin, cos := math.Sincos(float64(deg) * math.Pi / 180)
		v.Camera = camera.Camera{Eye: middle.Add(vec.Vec3{X: 5 * sin, Y: 1.2, Z: 5 * cos}), Target: middle, Focal: 40}
		a, b, err := Overlay{Scale: 0.5}.bar(v)
		if err != nil {
			t.Fatal(err)
		}
		l := camera.NewLens(v.Camera, 640, 360)
		if math.Abs(a[1]-b[1]) > 1e-9 || math.Abs(a[0]+b[0]-640) > 1e-6 {
			t.Fatalf("%d°: from %v to %v", deg, a, b)
		}
		d := l.Ray(a[0], a[1])
		p := l.Eye.Sub(d.Mul(l.Eye.Y / d.Y)) // on the floor
		if wide := 2 * p.Sub(middle).Dot(l.Right); math.Abs(wide+0.5) > 1e-9 {
			t.Errorf("%d°: %g m long, want 0.5", deg, -wide)
		}
		if testTank.Grow(0.08).Contains(vec.Vec3{X: p.X, Y: 0.5, Z: p.Z}) {
			t.Errorf("%d°: an end at %v, in the tank", deg, p)
		}
		if deg > 0 && math.Hypot(a[0]-before[0], a[1]-before[1]) > 3 {
			t.Errorf("%d°: jumps from %v to %v", deg, before, a)
		}
		before = a
	}
	// All of the tank's floor is below the picture: the bar is behind it.
	v.Camera = camera.Camera{Eye: middle.Add(vec.Vec3{Y: 0.4, Z: 2}), Target: middle, Focal: 60}
	if a, b, err := (Overlay{Scale: 0.5}).bar(v); err != nil || a[1] != b[1] || a[1] < 180 || a[1] > 360-1.9*letterSize(360) {
		t.Errorf("from within a picture of the air: from %v to %v, %v", a, b, err)
	}
	v.Camera.Eye = middle.Add(vec.Vec3{Y: 0.1, Z: 0.3})
	if _, _, err := (Overlay{Scale: 0.5}).bar(v); err == nil {
		t.Error("a bar behind the camera is drawn")
	}
}

// TestOverlayReads checks that the letters stand out on white and on black,
// and that an overlay with nothing in it changes nothing.
func TestOverlayReads(t *testing.T) {
	v := testFrame(320, 180)
	for _, ground := range []uint8{0, 128, 255} {
		img := image.NewRGBA(image.Rect(0, 0, 320, 180))
		for i := range img.Pix {
			img.Pix[i] = ground
			if i%4 == 3 {
				img.Pix[i] = 255
			}
		}
		if err := (Overlay{}).Draw(img, v, 1); err != nil {
			t.Fatal(err)
		}
		lo, hi := levels(img)
		if lo != ground || hi != ground {
			t.Errorf("an empty overlay draws")
		}
		if err := (Overlay{Title: "Wave"}).Draw(img, v, 1); err != nil {
			t.Fatal(err)
		}
		if lo, hi := levels(img); int(hi)-int(lo) < 60 {
			t.Errorf("on %d the letters span %d to %d", ground, lo, hi)
		}
	}
}

func levels(img *image.RGBA) (lo, hi uint8) {
	lo = 255
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			g := color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y
			lo, hi = min(lo, g), max(hi, g)
		}
	}
	return lo, hi
}
