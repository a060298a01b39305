package figure

import (
	"fmt"
	"image"
	"image/color"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
)

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

// palette is that of Okabe and Ito, Color Universal Design, 2008, in the
// order that keeps the first ones apart in print too; yellow is left out, for
// it is pale on white.
var palette = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {230, 159, 0, 255}, {0, 0, 0, 255},
}

// dashes tell curves apart without colour.
var dashes = [][]float64{nil, {6, 2}, {2, 1.5}, {7, 2, 1.5, 2}, {4, 1.5, 1.5, 1.5, 1.5, 1.5}}

// pen draws in points.
type pen struct {
	*gg.Context
	unit float64 // pixels a point
}

// Draw returns p at the given number of dots per inch.
func (p *Plot) Draw(dpi float64) (*image.RGBA, error) {
	f, err := truetype.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("figure: font: %w", err)
	}
	unit := dpi / 72
	face := truetype.NewFace(f, &truetype.Options{Size: textSize, DPI: dpi, Hinting: font.HintingNone})
	rows := (len(p.Panels) + p.Columns - 1) / p.Columns
	width := pageWidth / float64(p.Columns)
	// A long legend needs more room above all axes.
	ruler := pen{gg.NewContext(1, 1), unit}
	ruler.SetFontFace(face)
	legend := 0
	for i := range p.Panels {
		lines, _ := p.Panels[i].legendRows(ruler, width-left-right)
		legend = max(legend, len(lines))
	}
	more := legendLine * float64(max(0, legend-2))
	dc := pen{gg.NewContext(int(pageWidth*unit), int(float64(rows)*(rowHeight+more)*unit)), unit}
	dc.SetFontFace(face)
	dc.SetRGB(1, 1, 1)
	dc.Clear()
	for i, panel := range p.Panels {
		x, y := float64(i%p.Columns)*width, float64(i/p.Columns)*(rowHeight+more)
		panel.draw(dc, x+left, y+above+more, width-left-right, rowHeight-above-below)
	}
	return dc.Image().(*image.RGBA), nil
}

// draw draws the axes with the upper left corner (x, y), and what is in and
// around them.
func (p *Panel) draw(dc pen, x, y, w, h float64) {
	sx := p.X.newSpan(p.values(func(c Curve) []float64 { return c.X }), 5, false)
	sy := p.Y.newSpan(p.values(func(c Curve) []float64 { return c.Y }), 5, true)
	at := func(a, b float64) (float64, float64) {
		return x + w*(a-sx.lo)/(sx.hi-sx.lo), y + h - h*(b-sy.lo)/(sy.hi-sy.lo)
	}

	dc.SetDash()
	dc.SetRGB(0.9, 0.9, 0.9)
	dc.width(frameWidth)
	for _, t := range sy.ticks {
		if _, py := at(0, t.at); t.text != "" {
			dc.line(x, py, x+w, py)
		}
	}
	dc.SetRGB(0, 0, 0)
	for _, t := range sx.ticks {
		px, _ := at(t.at, 0)
		dc.line(px, y+h, px, y+h-t.length())
		dc.text(t.text, px, y+h+3, 0.5, 1)
	}
	for _, t := range sy.ticks {
		_, py := at(0, t.at)
		dc.line(x, py, x+t.length(), py)
		dc.text(t.text, x-4, py, 1, 0.35)
	}
	dc.line(x, y, x, y+h)
	dc.line(x, y+h, x+w, y+h)
	dc.text(p.X.Label, x+w/2, y+h+15, 0.5, 1)
	dc.Push()
	dc.RotateAbout(gg.Radians(-90), (x-36)*dc.unit, (y+h/2)*dc.unit)
	dc.text(p.Y.Label, x-36, y+h/2, 0.5, 0.5)
	dc.Pop()

	for i, c := range p.Curve {
		dc.style(i)
		open := false
		for k := range c.X {
			a, okX := sx.scale(c.X[k])
			b, okY := sy.scale(c.Y[k])
			if !okX || !okY {
				open = false
				continue
			}
			px, py := at(a, b)
			if c.Dots {
				dc.dot(px, py)
				continue
			}
			if open {
				dc.LineTo(px*dc.unit, py*dc.unit)
			} else {
				dc.MoveTo(px*dc.unit, py*dc.unit)
			}
			open = true
		}
		dc.Stroke()
	}
	p.legend(dc, x, y, w)
}

// values goes through one coordinate of all points.
func (p *Panel) values(of func(Curve) []float64) func(yield func(float64) bool) {
	return func(yield func(float64) bool) {
		for _, c := range p.Curve {
			for _, v := range of(c) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// Of a legend's entry: the piece of its line, the gap to the name, that to the
// next entry, and the height, in points.
const legendKey, legendGap, legendApart, legendLine = 20., 4., 10., 11.

// legendRows returns the curves of each line of the legend, and how far from the
// left each has its entry.
func (p *Panel) legendRows(dc pen, w float64) (rows [][]int, px []float64) {
	rows, px = [][]int{nil}, make([]float64, len(p.Curve))
	end := 0.
	for i, c := range p.Curve {
		text, _ := dc.MeasureString(c.Name)
		wide := legendKey + legendGap + text/dc.unit
		if end > 0 && end+wide > w {
			rows, end = append(rows, nil), 0
		}
		px[i], end = end, end+wide+legendApart
		rows[len(rows)-1] = append(rows[len(rows)-1], i)
	}
	return rows, px
}

// legend names the curves above the axes, in rows that fill up from below.
func (p *Panel) legend(dc pen, x, y, w float64) {
	rows, px := p.legendRows(dc, w)
	for r, row := range rows {
		py := y - legendLine*(float64(len(rows)-r)-0.25)
		for _, i := range row {
			dc.style(i)
			if p.Curve[i].Dots {
				dc.dot(x+px[i]+legendKey/2, py)
			} else {
				dc.line(x+px[i], py, x+px[i]+legendKey, py)
			}
			dc.SetRGB(0, 0, 0)
			dc.text(p.Curve[i].Name, x+px[i]+legendKey+legendGap, py, 0, 0.35)
		}
	}
}

// style takes the colour and the dashes of curve i.
func (dc pen) style(i int) {
	dc.width(lineWidth)
	dc.SetColor(palette[i%len(palette)])
	var dash []float64
	for _, d := range dashes[i%len(dashes)] {
		dash = append(dash, d*dc.unit)
	}
	dc.SetDash(dash...)
	dc.SetLineCapButt()
}

func (dc pen) width(points float64) { dc.SetLineWidth(points * dc.unit) }

func (dc pen) line(x1, y1, x2, y2 float64) {
	dc.DrawLine(x1*dc.unit, y1*dc.unit, x2*dc.unit, y2*dc.unit)
	dc.Stroke()
}

// dot draws a point of a curve.
func (dc pen) dot(x, y float64) {
	dc.DrawCircle(x*dc.unit, y*dc.unit, dotRadius*dc.unit)
	dc.Fill()
}

// text writes s so that the point (ax, ay) of its box comes to (x, y).
func (dc pen) text(s string, x, y, ax, ay float64) {
	dc.DrawStringAnchored(s, x*dc.unit, y*dc.unit, ax, ay)
}

// length returns how long t is drawn, in points.
func (t tick) length() float64 {
	if t.text == "" {
		return tickLength / 2
	}
	return tickLength
}
