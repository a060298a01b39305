package figure

import "image/color"

// Lengths on paper, in points of 1/72 inch. The width is 174 mm: two columns
// of most journals.
const (
	pageWidth  = 493.
	rowHeight  = 205.
	textSize   = 8.
	lineWidth  = 1.4
	dotRadius  = 1.3
	frameWidth = 0.6
	tickLength = 3.5

	left, right, above, below = 50., 12., 28., 34. // of the axes in a panel
)

// Palette is the palette of Okabe and Ito, Color Universal Design, 2008. In this order
// the first colours are also distinct in print. Yellow is left out, since it is pale on
// white.
var Palette = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {230, 159, 0, 255}, {0, 0, 0, 255},
}

// dashes distinguish curves without colour.
var dashes = [][]float64{nil, {6, 2}, {2, 1.5}, {7, 2, 1.5, 2}, {4, 1.5, 1.5, 1.5, 1.5, 1.5}}

var black = color.RGBA{0, 0, 0, 255}

// Gray returns a grey, black at 0 and white at 1.
func Gray(v float64) color.RGBA {
	g := uint8(float64(255*v) + 0.5)
	return color.RGBA{g, g, g, 255}
}

// Pale returns c mixed with white: as much of it as part says.
func Pale(c color.RGBA, part float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(255 - float64(part*(255-float64(v))) + 0.5) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// Pen returns the style of a line.
func Pen(c color.RGBA, width float64, dash ...float64) Style {
	return Style{Stroke: c, Width: width, Dash: dash}
}

// curveStyle returns the colour and the dashes of curve i.
func curveStyle(i int) Style {
	return Style{Stroke: Palette[i%len(Palette)], Width: lineWidth, Dash: dashes[i%len(dashes)]}
}
