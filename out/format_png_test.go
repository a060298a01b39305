package out

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/pngfile"
)

// Pictures of every kind come back pixel by pixel, and any reader reads them.
func TestPNGPixels(t *testing.T) {
	rgba := outtest.Picture(3, 37, 21)
	nrgba := image.NewNRGBA(rgba.Rect)
	for i, c := range rgba.Pix {
		nrgba.Pix[i] = c ^ byte(i*40)
	}
	deep := image.NewNRGBA64(image.Rect(5, 6, 20, 20))
	for y := 6; y < 20; y++ {
		for x := 5; x < 20; x++ {
			deep.SetNRGBA64(x, y, color.NRGBA64{uint16(x * 3000), uint16(y * 3000), 0x8000, 0xffff})
		}
	}
	for _, level := range []string{"fast", "default", "best"} {
		for _, img := range []image.Image{rgba, nrgba, deep, rgba.SubImage(image.Rect(3, 4, 30, 20))} {
			file := encode(t, &pngFormat{Compression: level}, &Frame{Image: img, Fingerprint: "ab"})
			got, err := png.Decode(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			b := img.Bounds()
			for y := range b.Dy() {
				for x := range b.Dx() {
					want := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y))
					if c := color.NRGBAModel.Convert(got.At(x, y)); c != want {
						t.Fatalf("%T, %s: pixel %d,%d is %v, want %v", img, level, x, y, c, want)
					}
				}
			}
			for _, chunk := range []string{"sRGB", "gAMA", "tEXtSoftware\x00breakwater", "tEXtbreakwater-fingerprint\x00ab"} {
				if i := bytes.Index(file, []byte(chunk)); i < pngfile.HeadSize || i > bytes.Index(file, []byte("IDAT")) {
					t.Errorf("chunk %q is at %d", chunk, i)
				}
			}
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	frame := &Frame{Image: outtest.Picture(1, 1280, 720)}
	for _, level := range []string{"fast", "default"} {
		f := &pngFormat{Compression: level}
		benchmarkFormat(b, fmt.Sprintf("%s/1280x720", level), f, frame, 1280*720/1e6, "Mpixel/s")
	}
}
