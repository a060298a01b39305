package raster

import (
	"image"
	"math"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// blockView looks straight down on a block of liquid of a height.
func blockView(look Look, height float64) *View {
	m := boxMesh(vec.Box{Min: vec.Vec3{X: -1, Z: -1}, Max: vec.Vec3{X: 1, Y: height, Z: 1}})
	return &View{
		Camera: camera.Camera{Eye: vec.Vec3{Y: 6}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36,
		Quality: Good, Liquid: m, Look: look,
	}
}

// middle draws v and returns a pixel near the middle.
func middle(t *testing.T, v *View) color.RGB {
	t.Helper()
	img, err := v.Look.Draw(v)
	if err != nil {
		t.Fatal(err)
	}
	return at(img, v.Width/2+4, v.Height/2+1) // beside the diagonals of the block's faces
}

func at(img *image.RGBA, x, y int) color.RGB {
	c := img.RGBAAt(x, y)
	return color.New(float64(c.R), float64(c.G), float64(c.B)).Scale(1.0 / 255)
}

func far(a, b color.RGB) float64 { return max(math.Abs(a.R-b.R), math.Abs(a.G-b.G), math.Abs(a.B-b.B)) }

// TestNormalsAreShownAsTheyAre looks at a face that points up, in both spaces:
// the colour must be exact, whatever the light.
func TestNormalsAreShownAsTheyAre(t *testing.T) {
	for space, want := range map[string]color.RGB{"world": color.New(0.5, 1, 0.5), "camera": color.New(0.5, 0.5, 1)} {
		v := blockView(&normals{Space: space}, 0.5)
		v.Light.Exposure = 2
		if got := middle(t, v); far(got, want) > 1.0/255 {
			t.Errorf("%s: got %v, want %v", space, got, want)
		}
	}
}

// TestXrayMeasures compares the shade of a block with the shade of its height on the
// scale.
func TestXrayMeasures(t *testing.T) {
	for _, h := range []float64{0.02, 0.3, 1, 2.5} {
		want := radiograph(h / 2)
		v := blockView(&xray{Thickness: 2}, h)
		v.Width, v.Height = 320, 180 // clear of the scale
		if got := middle(t, v); far(got, want) > 1.0/255+0.001 {
			t.Errorf("%g m: got %v, want %v", h, got, want)
		}
	}
}

// TestToonIsFlat counts the colours within the top of a block.
func TestToonIsFlat(t *testing.T) {
	v := blockView(registrytest.New(t, &Looks, "toon"), 0.5)
	img, err := v.Look.Draw(v)
	if err != nil {
		t.Fatal(err)
	}
	first := at(img, 32, 18)
	for y := 15; y < 21; y++ {
		for x := 28; x < 36; x++ {
			if at(img, x, y) != first {
				t.Errorf("pixel (%d, %d) is %v, the middle %v", x, y, at(img, x, y), first)
			}
		}
	}
}

// TestWireframeIsOnTheEdges follows the diagonal of the block's top, and looks
// beside it.
func TestWireframeIsOnTheEdges(t *testing.T) {
	l := &wireframe{Under: "normals", Color: vec.Vec3{X: 1}, Width: 2}
	v := blockView(l, 0.5)
	v.Width, v.Height = 192, 108
	img, err := l.Draw(v)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for x := 86; x < 106; x++ { // the diagonal runs through the middle, one way or the other
		for _, y := range []int{54 + (x - 96), 54 - (x - 96)} {
			if far(at(img, x, y), color.New(1, 0, 0)) < 0.3 {
				lines++
			}
		}
	}
	if lines < 18 {
		t.Errorf("%d pixels on the diagonal are red, want 18 or more of 20", lines)
	}
	if got := at(img, 96, 66); far(got, color.New(0.5, 1, 0.5)) > 1.0/255 {
		t.Errorf("beside the lines it is %v", got)
	}
}

func TestWireframeUnder(t *testing.T) {
	for under, ok := range map[string]bool{"water": true, "toon": true, "wireframe": false, "particles": false, "wood": false} {
		_, err := Looks.New("wireframe", func(dst any) error { dst.(*wireframe).Under = under; return nil })
		if (err == nil) != ok {
			t.Errorf("under %s: %v", under, err)
		}
	}
}

// TestMapsRiseEvenly checks that lightness rises along the colour maps, so that
// they read in grey.
func TestMapsRiseEvenly(t *testing.T) {
	for name, m := range map[string]func(float64) color.RGB{"viridis": color.Viridis, "radiograph": radiograph} {
		last := -1.0
		for i := range 101 {
			c := m(float64(i) / 100).Each(color.Linear).Luminance()
			if c <= last {
				t.Errorf("%s: darker at %d %%", name, i)
			}
			last = c
		}
	}
	if far(color.Viridis(-1), color.Hex(0x440154)) > 1e-9 || far(color.Viridis(2), color.Hex(0xfde725)) > 1e-9 {
		t.Error("viridis does not end where it should")
	}
}

// TestBlackbody checks the colour of heat against the colours that a smith sees: red, then
// orange, then yellow, ever brighter.
func TestBlackbody(t *testing.T) {
	last := color.RGB{}
	for k := 900.0; k < 3000; k += 100 {
		c := blackbody(k)
		if !(c.R > c.G && c.G > c.B) || c.R <= last.R || c.G/c.R <= last.G/max(last.R, 1e-9) {
			t.Errorf("%g K: %v after %v", k, c, last)
		}
		last = c
	}
	// Planck's law gives the ratio of 550 to 610 nm at 2000 K directly.
	const c2 = 0.014387769
	want := math.Pow(610.0/550, 5) * math.Expm1(c2/(610e-9*2000)) / math.Expm1(c2/(550e-9*2000))
	if c := blackbody(2000); math.Abs(c.G/c.R-want) > 1e-9 {
		t.Errorf("green over red at 2000 K is %g, want %g", c.G/c.R, want)
	}
}

// TestSoftKeepsLight sums the sun's light over a ball in the open: however soft, it
// equals the light with a hard edge.
func TestSoftKeepsLight(t *testing.T) {
	v := testView(4, 16, 9, Draft)
	w := opaqueScene(v)
	sum := func(softness float64) (s float64) {
		const n = 20000
		for i := range n { // a spiral over the sphere
			y := 1 - 2*(float64(i)+0.5)/n
			sin, cos := math.Sincos(2.399963 * float64(i))
			d := vec.Vec3{X: cos * math.Sqrt(1-y*y), Y: y, Z: sin * math.Sqrt(1-y*y)}
			s += w.softIrradiance(d, color.New(1, 1, 1), softness).G - w.sky.Irradiance(d).G
		}
		return s / n
	}
	hard := sum(0)
	for _, x := range []float64{0.25, 0.5, 1} {
		if got := sum(x); math.Abs(got-hard) > 1e-3*hard {
			t.Errorf("softness %g: %g of the light, want %g", x, got, hard)
		}
	}
}

// TestClearLiquidsDiffer checks that each clear liquid has its own medium.
func TestClearLiquidsDiffer(t *testing.T) {
	seen := map[optics.Medium]string{}
	for _, name := range []string{"water", "seawater", "ethanol", "glycerol", "oil", "honey"} {
		l := registrytest.New(t, &Looks, name)
		m := l.(*water).medium()
		if other, ok := seen[m]; ok {
			t.Errorf("%s is %s", name, other)
		}
		seen[m] = name
	}
}

// TestFineWireframe checks that the lines of triangles smaller than a pixel do not cover
// the surface under them.
func TestFineWireframe(t *testing.T) {
	l := &wireframe{Under: "normals", Color: vec.Vec3{}, Width: 0.8}
	v := blockView(l, 0.5)
	v.Liquid = &mesh.Mesh{}
	ball(v.Liquid, v.Camera.Target, 0.3, 200, func(vec.Vec3) float64 { return 1 })
	lined, err := l.Draw(v)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := registrytest.New(t, &Looks, "normals").Draw(v)
	if err != nil {
		t.Fatal(err)
	}
	sum, under := 0., 0.
	for y := v.Height/2 - 3; y < v.Height/2+3; y++ {
		for x := v.Width/2 - 3; x < v.Width/2+3; x++ {
			a, b := at(lined, x, y), at(bare, x, y)
			sum, under = sum+a.R+a.G+a.B, under+b.R+b.G+b.B
		}
	}
	if left := sum / under; left < 0.45 || left > 0.98 {
		t.Errorf("the lines leave %.2f of the light under them", left)
	}
}
