package raster

import (
	"image"
	"image/color"
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestProjection sends points of the picture out as rays and back, and
// compares with fauxgl's matrix.
func TestProjection(t *testing.T) {
	c := Camera{Eye: vec.Vec3{X: 3, Y: 2, Z: 4}, Target: vec.Vec3{X: 0.5, Y: 0.3, Z: -1}, Focal: 50}
	l := newLens(c, 640, 360)
	m := l.matrix(0.01, 100)
	for _, q := range [][2]float64{{320, 180}, {0, 0}, {640, 360}, {17.5, 301.25}} {
		p := c.Eye.Add(l.ray(q[0], q[1]).Mul(3.7))
		if x, y, _ := l.project(p); math.Abs(x-q[0]) > 1e-9 || math.Abs(y-q[1]) > 1e-9 {
			t.Errorf("(%g, %g) comes back as (%g, %g)", q[0], q[1], x, y)
		}
		o := m.MulPositionW(vector(p))
		x, y := (o.X/o.W+1)/2*640, (1-o.Y/o.W)/2*360
		if math.Abs(x-q[0]) > 1e-9 || math.Abs(y-q[1]) > 1e-9 {
			t.Errorf("fauxgl sees (%g, %g) at (%g, %g)", q[0], q[1], x, y)
		}
	}
	if x, y, depth := l.project(c.Target); math.Abs(x-320)+math.Abs(y-180) > 1e-9 || math.Abs(depth-c.Target.Sub(c.Eye).Len()) > 1e-9 {
		t.Errorf("the target is at (%g, %g), %g m away", x, y, depth)
	}
	if l.right.Y != 0 {
		t.Errorf("the horizon leans by %g", l.right.Y)
	}
	if want := 2 * math.Atan(18.0/50); math.Abs(2*math.Atan(l.tanX)-want) > 1e-12 {
		t.Errorf("field of view %g rad, want %g", 2*math.Atan(l.tanX), want)
	}
}

// TestRoll turns the camera clockwise: what was upright leans to the left by
// as much, rays go where they are projected from, and fauxgl agrees.
func TestRoll(t *testing.T) {
	c := Camera{Eye: vec.Vec3{Z: 4, Y: 1}, Target: vec.Vec3{Y: 1}, Focal: 36, Roll: 30}
	l := newLens(c, 640, 360)
	x, y, _ := l.project(vec.Vec3{Y: 1.5})
	if got := math.Atan2(320-x, 180-y) * 180 / math.Pi; math.Abs(got-30) > 1e-9 {
		t.Errorf("the upright leans %g° to the left, want 30", got)
	}
	m := l.matrix(0.01, 100)
	p := c.Eye.Add(l.ray(17.5, 301.25).Mul(3.7))
	o := m.MulPositionW(vector(p))
	if x, y := (o.X/o.W+1)/2*640, (1-o.Y/o.W)/2*360; math.Abs(x-17.5)+math.Abs(y-301.25) > 1e-9 {
		t.Errorf("fauxgl sees (17.5, 301.25) at (%g, %g)", x, y)
	}
	if x, y, _ := l.project(p); math.Abs(x-17.5)+math.Abs(y-301.25) > 1e-9 {
		t.Errorf("(17.5, 301.25) comes back as (%g, %g)", x, y)
	}
}

func TestFrameShowsTheTank(t *testing.T) {
	for _, size := range []vec.Vec3{{X: 2, Y: 1, Z: 1}, {X: 0.1, Y: 0.4, Z: 0.1}, {X: 10, Y: 2, Z: 30}, {X: 4, Y: 4, Z: 4}} {
		for _, pic := range [][2]int{{1280, 720}, {720, 1280}, {400, 400}} {
			tank := vec.Box{Min: vec.Vec3{X: -3, Y: 5, Z: 8}}
			tank.Max = tank.Min.Add(size)
			c := Frame(tank, pic[0], pic[1])
			l := newLens(c, pic[0], pic[1])
			x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
			for i := range 8 {
				x, y, depth := l.project(corner(tank, i))
				if depth <= 0 {
					t.Fatalf("%v: a corner lies behind the camera", size)
				}
				x0, x1, y0, y1 = min(x0, x/l.width), max(x1, x/l.width), min(y0, y/l.height), max(y1, y/l.height)
			}
			if min(x0, y0) < 0.05 || max(x1, y1) > 0.95 {
				t.Errorf("%v in %v: spans x %.2f to %.2f, y %.2f to %.2f", size, pic, x0, x1, y0, y1)
			}
			if max(x1-x0, y1-y0) < 0.7 {
				t.Errorf("%v in %v: only %.2f × %.2f of the picture", size, pic, x1-x0, y1-y0)
			}
			if c.Eye.X <= tank.Max.X && c.Eye.Z <= tank.Max.Z || c.Eye.Y <= tank.Min.Y {
				t.Errorf("%v: the eye at %v does not see two sides from above the floor", size, c.Eye)
			}
		}
	}
}

// fromSRGB is the inverse of toSRGB on [0, 1] (IEC 61966-2-1).
func fromSRGB(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

func TestSRGB(t *testing.T) {
	for i := range 256 {
		c := float64(i) / 255
		if got := toSRGB(fromSRGB(c)); math.Abs(got-c) > 1e-9 {
			t.Errorf("%d comes back as %g", i, 255*got)
		}
	}
	if got := fromSRGB(0.5); math.Abs(got-0.21404114) > 1e-8 { // IEC 61966-2-1
		t.Errorf("half grey is %g, want 0.21404114", got)
	}
}

func TestDecay(t *testing.T) {
	for x := 0.0; x < 690; x = 1.01*x + 1e-3 {
		if got, want := decay(x), math.Exp(-x); math.Abs(got-want) > 1e-8*want {
			t.Errorf("decay(%g) = %g, want %g", x, got, want)
		}
	}
	if decay(0) != 1 || decay(1e9) != 0 || decay(math.Inf(1)) != 0 {
		t.Errorf("at 0 and far out: %g, %g, %g", decay(0), decay(1e9), decay(math.Inf(1)))
	}
}

func TestQuantize(t *testing.T) {
	for x := 0.0; x < 1.2; x += 1e-4 {
		if got, want := quantize(x, 0.5), uint8(255*toSRGB(x)+0.5); got != want && math.Abs(math.Mod(255*toSRGB(x)+0.5, 1)) > 1e-3 {
			t.Errorf("%g: got %d, want %d", x, got, want)
		}
	}
}

func TestFilmRises(t *testing.T) {
	last := -1.0
	for x := 0.0; x < 20; x += 0.01 {
		c := film(rgb{x, x, x})
		if c.G < last-1e-12 || c.G > 1 {
			t.Fatalf("film(%g) = %g after %g", x, c.G, last)
		}
		if math.Abs(c.R-c.B) > 1e-12 {
			t.Fatalf("grey %g gets a tint: %v", x, c)
		}
		last = c.G
	}
}

// TestDitherIsFair checks that a shade between two levels comes out right in
// the mean of a small area.
func TestDitherIsFair(t *testing.T) {
	for _, x := range []float64{0.2, 0.21, 0.213} {
		sum := 0.0
		for i := range 32 * 32 {
			sum += float64(quantize(x, dither(i%32, i/32)))
		}
		if got, want := sum/1024, 255*toSRGB(x); math.Abs(got-want) > 0.05 {
			t.Errorf("mean level %g, want %g", got, want)
		}
	}
}

// TestScaleBar goes round the tank: the bar must lie on the floor clear of it, be
// as long as it says across the line of sight, and move on without a jump.
func TestScaleBar(t *testing.T) {
	v := testView(10, 640, 360, Draft)
	middle := testTank.Center()
	var before [2]float64
	for deg := range 361 {
		sin, cos := math.Sincos(float64(deg) * math.Pi / 180)
		v.Camera = Camera{Eye: middle.Add(vec.Vec3{X: 5 * sin, Y: 1.2, Z: 5 * cos}), Target: middle, Focal: 40}
		a, b, err := Overlay{Scale: 0.5}.bar(v)
		if err != nil {
			t.Fatal(err)
		}
		l := newLens(v.Camera, 640, 360)
		if math.Abs(a[1]-b[1]) > 1e-9 || math.Abs(a[0]+b[0]-640) > 1e-6 {
			t.Fatalf("%d°: from %v to %v", deg, a, b)
		}
		d := l.ray(a[0], a[1])
		p := l.eye.Sub(d.Mul(l.eye.Y / d.Y)) // on the floor
		if wide := 2 * p.Sub(middle).Dot(l.right); math.Abs(wide+0.5) > 1e-9 {
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
	v.Camera = Camera{Eye: middle.Add(vec.Vec3{Y: 0.4, Z: 2}), Target: middle, Focal: 60}
	if a, b, err := (Overlay{Scale: 0.5}).bar(v); err != nil || a[1] != b[1] || a[1] < 180 || a[1] > 360-1.9*overlaySize(360) {
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
	v := testView(10, 320, 180, Draft)
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
