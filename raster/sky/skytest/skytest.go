// Package skytest makes environment pictures for tests.
package skytest

import (
	"bytes"
	"fmt"
	"math"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// Direction returns the direction of the middle of pixel (x, y) of a picture of w × h
// pixels.
func Direction(x, y, w, h int) vec.Vec3 {
	sin, cos := math.Sincos((float64(y) + 0.5) / float64(h) * math.Pi)
	s, c := math.Sincos((float64(x) + 0.5) / float64(w) * 2 * math.Pi)
	return vec.Vec3{X: -sin * s, Y: cos, Z: sin * c}
}

// Outdoors returns a Radiance picture of an even blue sky over dark ground. In the
// direction toSun is a disc of the given radius, which gives as much light as the sky.
func Outdoors(degrees float64) (data []byte, toSun vec.Vec3) {
	toSun = vec.Vec3{X: 0.3, Y: 0.6, Z: -0.5}.Unit()
	edge := math.Cos(degrees * math.Pi / 180)
	bright := 1 / (2 * math.Pi * (1 - edge) * toSun.Y / math.Pi)
	return Picture(1024, 512, "new", func(x, y int) color.RGB {
		switch d := Direction(x, y, 1024, 512); {
		case d.Dot(toSun) > edge:
			return color.New(bright, bright, 0.9*bright)
		case d.Y > 0:
			return color.New(0.8, 1, 1.3)
		}
		return color.New(0.05, 0.04, 0.03)
	}), toSun
}

// pixelOf returns c as three mantissas and an exponent.
func pixelOf(c color.RGB) (p [4]byte) {
	m := c.Max()
	if m < 1e-32 {
		return p
	}
	_, e := math.Frexp(m)
	f := math.Ldexp(256, -e)
	return [4]byte{byte(c.R * f), byte(c.G * f), byte(c.B * f), byte(e + 128)}
}

// Picture writes a Radiance picture in a coding: flat, old or new.
func Picture(w, h int, coding string, at func(x, y int) color.RGB) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "#?RADIANCE\n# made by a test\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\n\n-Y %d +X %d\n", h, w)
	for y := range h {
		line := make([][4]byte, w)
		for x := range line {
			line[x] = pixelOf(at(x, y).Scale(2))
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
