package sky

import (
	"math"
	"strings"
	"testing"

	"breakwater/raster/color"
	"breakwater/raster/sky/skytest"
)

// TestReadHDR reads the same picture in the three codings.
func TestReadHDR(t *testing.T) {
	const w, h = 300, 5
	at := func(x, y int) color.RGB {
		if x < 280 {
			return color.New(0.25, 0.5, float64(y))
		}
		return color.New(float64(x), 1e-3*float64(y), 7e4)
	}
	for _, coding := range []string{"flat", "old", "new"} {
		m, err := readHDR(skytest.Picture(w, h, coding, at))
		if err != nil {
			t.Fatalf("%s: %v", coding, err)
		}
		for y := range h {
			for x := range w {
				got, want := m.pix[y*w+x], at(x, y)
				if d := got.Add(want.Scale(-1)); max(math.Abs(d.R), math.Abs(d.G), math.Abs(d.B)) > want.Max()/128 {
					t.Fatalf("%s: pixel (%d, %d) is %v, want %v", coding, x, y, got, want)
				}
			}
		}
	}
}

// TestReadHDRMakesSmaller checks that reducing a large picture drops pixels, but not
// light.
func TestReadHDRMakesSmaller(t *testing.T) {
	m, err := readHDR(skytest.Picture(5000, 40, "flat", func(x, y int) color.RGB { return color.New(float64(x%7), 1, 0.5) }))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, c := range m.pix {
		sum += c.R
	}
	if mean := sum / float64(len(m.pix)); m.w != hdrKeptWidth || m.h != 40 || math.Abs(mean-3) > 0.03 {
		t.Errorf("%d×%d pixels of %g in the mean, want 3", m.w, m.h, mean)
	}
}

func TestReadHDRFaults(t *testing.T) {
	good := string(skytest.Picture(20, 4, "new", func(x, y int) color.RGB { return color.New(1, float64(x), 3) }))
	for _, c := range []struct{ data, want string }{
		{"", "does not begin with #?RADIANCE"},
		{"\x89PNG\r\n", "does not begin with #?RADIANCE"},
		{"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n", "expected 32-bit_rle_rgbe"},
		{"#?RADIANCE\nEXPOSURE=0\n\n", "not an exposure"},
		{"#?RADIANCE\n", "has no end"},
		{strings.Replace(good, "-Y 4 +X 20", "+Y 4 +X 20", 1), "expected -Y height"},
		{strings.Replace(good, "-Y 4 +X 20", "-Y 4 +X 2000000", 1), "each side must be"},
		{strings.Replace(good, "-Y 4 +X 20", "-Y 4 +X 21", 1), "20 pixels, but the lines have 21"},
		{good[:len(good)-9], "line 4 of 4: cut short"},
		{good[:strings.Index(good, "+X 20")+8], "cut short: 2 bytes"},
	} {
		if _, err := readHDR([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: got %v, want ... %s", c.data, err, c.want)
		}
	}
}

func FuzzReadHDR(f *testing.F) {
	for _, coding := range []string{"flat", "old", "new"} {
		f.Add(skytest.Picture(16, 8, coding, func(x, y int) color.RGB { return color.New(float64(x), float64(y), 1) }))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPanorama(data)
		if err != nil {
			return
		}
		dome, toSun := p.turnedTo(1)
		if c := dome.radiance(toSun); !(toSun.Y > 0) || math.IsNaN(c.R+c.G+c.B) {
			t.Errorf("from the sun at %v comes %v", toSun, c)
		}
	})
}
