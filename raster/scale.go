package raster

import (
	"fmt"
	"image"
	"math"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
)

// scale is a bar of colours with the numbers that they stand for.
type scale struct {
	Title, Unit string
	Min, Max    float64
	Color       func(x float64) rgb // sRGB, of x from 0 to 1
}

// draw writes the scale into the right edge of img, in a size that suits it.
func (s *scale) draw(img *image.RGBA) error {
	f, err := truetype.Parse(gomedium.TTF)
	if err != nil {
		return fmt.Errorf("raster: font of the scale: %w", err)
	}
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	size := max(9, 0.026*h)
	dc := gg.NewContextForRGBA(img)
	dc.SetFontFace(truetype.NewFace(f, &truetype.Options{Size: size, DPI: 72, Hinting: font.HintingNone}))
	ticks := ticks(s.Min, s.Max)
	texts, widest := make([]string, len(ticks)), 0.0
	for i, t := range ticks {
		texts[i] = fmt.Sprintf("%.4g", t)
		tw, _ := dc.MeasureString(texts[i])
		widest = max(widest, tw)
	}
	title := s.Title
	if s.Unit != "" {
		title += ", " + s.Unit
	}
	wide := 0.8 * size
	x, y0, y1 := w-1.3*size-widest-0.5*size-wide, 0.30*h, 0.74*h
	// In a small picture the letters do not shrink with it: room for the title
	// under what an overlay writes into the corner.
	const line = 1.35 // height of a line of text, over its size
	if under := overlayMargin*overlaySize(h) + line*overlaySize(h) + (0.9+line)*size; under > y0 && under+3*size < h {
		y0, y1 = under, max(y1, min(h-size, under+4*size))
	}
	dc.SetRGBA(0, 0, 0, 0.45)
	dc.DrawRectangle(x-0.1*size, y0-0.1*size, wide+0.2*size, y1-y0+0.2*size)
	dc.Fill()
	for y := int(y0); y < int(y1); y++ {
		c := s.Color((y1 - float64(y) - 0.5) / (y1 - y0))
		dc.SetRGB(c.R, c.G, c.B)
		dc.DrawRectangle(x, float64(y), wide, 1)
		dc.Fill()
	}
	each := 1 // so many of them are written that none is over another
	if len(ticks) > 1 {
		each = int(math.Ceil(1.1 * size / ((y1 - y0) * (ticks[1] - ticks[0]) / (s.Max - s.Min))))
	}
	for i := 0; i < len(ticks); i += each {
		t := ticks[i]
		y := y1 - (t-s.Min)/(s.Max-s.Min)*(y1-y0)
		label(dc, size, texts[i], x+wide+0.5*size, y, 0, 0.35)
	}
	tw, _ := dc.MeasureString(title)
	label(dc, size, title, min(x+wide/2, w-1.3*size-tw/2), y0-0.9*size, 0.5, 0)
	return nil
}

// ticks returns round numbers from a to b, three to seven of them.
func ticks(a, b float64) (list []float64) {
	step := math.Pow(10, math.Floor(math.Log10((b-a)/2)))
	for _, m := range [...]float64{5, 2, 1} {
		if m*step <= (b-a)/2 {
			step *= m
			break
		}
	}
	if (b-a)/step < 4 {
		step /= 2
	}
	for i := math.Ceil(a/step - 1e-9); i*step <= b+1e-9*(b-a); i++ {
		list = append(list, i*step+0) // never −0
	}
	return list
}
