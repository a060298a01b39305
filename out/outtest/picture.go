package outtest

import (
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"testing"
)

// PNG returns the picture at path.
func PNG(t testing.TB, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Picture returns picture i of a film: a disc that moves over a gradient, with
// grain.
func Picture(i, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	cx, r := width/4+i, height/4
	rng := rand.New(rand.NewPCG(uint64(i), 1))
	for y := range height {
		for x := range width {
			c := color.RGBA{uint8(40 + 100*x/width), uint8(90 + 100*y/height), 160, 255}
			if dx, dy := x-cx, y-height/2; dx*dx+dy*dy < r*r {
				c = color.RGBA{22, 81, 146, 255}
			}
			grain := uint8(rng.IntN(6))
			c.R, c.G, c.B = c.R+grain, c.G+grain, c.B+grain
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

// Noise returns a picture that no encoder makes small.
func Noise(seed uint32, width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		seed = seed*1664525 + 1013904223
		m.Pix[i] = byte(seed >> 24)
	}
	return m
}
