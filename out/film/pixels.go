package film

import (
	"image"
	"image/color"
	"image/draw"
)

// opaque returns img, over black if one can see through it.
func opaque(img image.Image) image.Image {
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		return img
	}
	b := image.NewRGBA(img.Bounds())
	draw.Draw(b, b.Rect, image.NewUniform(color.Black), image.Point{}, draw.Src)
	draw.Draw(b, b.Rect, img, b.Rect.Min, draw.Over)
	return b
}

// rgba returns img, opaque, from (0, 0) on; it may share its pixels.
func rgba(img image.Image) *image.RGBA {
	img = opaque(img)
	switch m := img.(type) {
	case *image.RGBA:
		if m.Rect.Min == (image.Point{}) {
			return m
		}
	case *image.NRGBA: // opaque, so the same bytes
		if m.Rect.Min == (image.Point{}) {
			return &image.RGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect}
		}
	}
	b := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(b, b.Rect, img, img.Bounds().Min, draw.Src)
	return b
}

// rgb24 returns the pixels of img row by row, 3 bytes each, over black where
// one can see through it.
func rgb24(img image.Image) []byte {
	img = opaque(img)
	b := img.Bounds()
	var pix []byte
	var stride int
	switch m := img.(type) {
	case *image.RGBA:
		pix, stride = m.Pix, m.Stride
	case *image.NRGBA:
		pix, stride = m.Pix, m.Stride
	default:
		m2 := image.NewRGBA(b)
		draw.Draw(m2, b, img, b.Min, draw.Src)
		pix, stride = m2.Pix, m2.Stride
	}
	rgb := make([]byte, 0, 3*b.Dx()*b.Dy())
	for y := range b.Dy() {
		row := pix[y*stride:][:4*b.Dx()]
		for x := 0; x < len(row); x += 4 {
			rgb = append(rgb, row[x], row[x+1], row[x+2])
		}
	}
	return rgb
}
