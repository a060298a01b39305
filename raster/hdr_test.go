package raster

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// pixelOf returns c as three mantissas and an exponent.
func pixelOf(c rgb) (p [4]byte) {
	m := c.max()
	if m < 1e-32 {
		return p
	}
	_, e := math.Frexp(m)
	f := math.Ldexp(256, -e)
	return [4]byte{byte(c.R * f), byte(c.G * f), byte(c.B * f), byte(e + 128)}
}

// hdrOf writes a picture in a coding: flat, old or new.
func hdrOf(w, h int, coding string, at func(x, y int) rgb) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "#?RADIANCE\n# made by a test\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\n\n-Y %d +X %d\n", h, w)
	for y := range h {
		line := make([][4]byte, w)
		for x := range line {
			line[x] = pixelOf(at(x, y).scale(2))
		}
		switch coding {
		case "flat":
			for _, p := range line {
				b.Write(p[:])
			}
		case "old":
			for x := 0; x < w; {
				b.Write(line[x][:])
				n := 1
				for x+n < w && line[x+n] == line[x] {
					n++
				}
				if n > 1 {
					b.Write([]byte{1, 1, 1, byte((n - 1) & 255)})
					if n-1 > 255 {
						b.Write([]byte{1, 1, 1, byte((n - 1) >> 8)})
					}
				}
				x += n
			}
		case "new":
			b.Write([]byte{2, 2, byte(w >> 8), byte(w)})
			for c := range 4 {
				for x := 0; x < w; {
					n := 1
					for x+n < w && n < 127 && line[x+n][c] == line[x][c] {
						n++
					}
					if n > 2 {
						b.Write([]byte{byte(128 + n), line[x][c]})
					} else {
						n = 1
						b.Write([]byte{1, line[x][c]})
					}
					x += n
				}
			}
		}
	}
	return b.Bytes()
}

// TestReadHDR reads the same picture in the three codings.
func TestReadHDR(t *testing.T) {
	const w, h = 300, 5
	at := func(x, y int) rgb {
		if x < 280 {
			return rgb{0.25, 0.5, float64(y)}
		}
		return rgb{float64(x), 1e-3 * float64(y), 7e4}
	}
	for _, coding := range []string{"flat", "old", "new"} {
		m, err := readHDR(hdrOf(w, h, coding, at))
		if err != nil {
			t.Fatalf("%s: %v", coding, err)
		}
		for y := range h {
			for x := range w {
				got, want := m.pix[y*w+x], at(x, y)
				if d := got.add(want.scale(-1)); max(math.Abs(d.R), math.Abs(d.G), math.Abs(d.B)) > want.max()/128 {
					t.Fatalf("%s: pixel (%d, %d) is %v, want %v", coding, x, y, got, want)
				}
			}
		}
	}
}

// TestReadHDRMakesSmaller checks that reducing a large picture drops pixels, but not
// light.
func TestReadHDRMakesSmaller(t *testing.T) {
	m, err := readHDR(hdrOf(5000, 40, "flat", func(x, y int) rgb { return rgb{float64(x % 7), 1, 0.5} }))
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
	good := string(hdrOf(20, 4, "new", func(x, y int) rgb { return rgb{1, float64(x), 3} }))
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
		f.Add(hdrOf(16, 8, coding, func(x, y int) rgb { return rgb{float64(x), float64(y), 1} }))
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
