package article

import (
	"strings"

	"breakwater/raster/figure"
)

// Colours and lines of all sketches.
var (
	blue, red, green = figure.Palette[0], figure.Palette[1], figure.Palette[2]
	ink              = figure.Gray(0)

	thin   = figure.Pen(ink, 0.6)
	thick  = figure.Pen(ink, 1.2)
	dashed = figure.Pen(figure.Gray(0.4), 0.6, 3, 2)
	muted  = figure.Pen(figure.Gray(0.6), 0.5)
	water  = figure.Style{Fill: figure.Pale(blue, 0.18)}

	italic = figure.Type{Face: figure.Italic}
	bold   = figure.Type{Face: figure.Bold}
	plain  = figure.Type{}
)

// colored returns t in another colour.
func colored(t figure.Type, style figure.Style) figure.Type {
	t.Color = style.Stroke
	return t
}

// listing returns a sketch of lines of text, from the upper left corner down,
// indented by their blanks.
func listing(face figure.Face, size float64, lines ...string) func(s *figure.Sketch) {
	return func(s *figure.Sketch) {
		t := figure.Type{Face: face, Size: size}
		for i, line := range lines {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			s.Text(strings.TrimLeft(line, " "), s.X+float64(float64(indent)*size*0.6), s.Y+float64(size*1.5*float64(i+1)), 0, 0, t)
		}
	}
}

// box draws a rectangle with lines of text in its middle, by its centre and size.
func box(s *figure.Sketch, style figure.Style, x, y, w, h float64, lines ...string) {
	s.Area(style, x-float64(w/2), y-float64(h/2), x+float64(w/2), y-float64(h/2), x+float64(w/2), y+float64(h/2), x-float64(w/2), y+float64(h/2))
	for i, line := range lines {
		t := plain
		if i == 0 && len(lines) > 1 {
			t = bold
		}
		at := s.At(x, y)
		s.Text(line, at.X, at.Y+float64(10*(float64(i)-float64(float64(len(lines)-1)/2))), 0.5, 0.5, t)
	}
}
