package overlay

import (
	"fmt"
	"image"
	"math"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"

	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/sim/num"
)

// Scale is a bar of colours with the numbers that they stand for.
type Scale struct {
	Title, Unit string
	Min, Max    float64
	Color       func(x float64) color.RGB // sRGB, of x from 0 to 1
}

// Draw draws the scale over img, the picture of v. It lies along the right edge. In a
// picture that is higher than wide, and whose subject reaches the right edge, it lies
// along the upper or lower edge.
func (s *Scale) Draw(img *image.RGBA, v Frame) error {
	f, err := truetype.Parse(gomedium.TTF)
	if err != nil {
		return fmt.Errorf("raster: font of the scale: %w", err)
	}
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	p := pen{size: max(9, 0.026*min(w, h)), w: w, h: h, ticks: ticks(s.Min, s.Max)}
	p.Context = gg.NewContextForRGBA(img)
	p.SetFontFace(truetype.NewFace(f, &truetype.Options{Size: p.size, DPI: 72, Hinting: font.HintingNone}))
	for _, t := range p.ticks {
		p.texts = append(p.texts, fmt.Sprintf("%.4g", t))
		tw, _ := p.MeasureString(p.texts[len(p.texts)-1])
		p.widest = max(p.widest, tw)
	}
	p.title = s.Title
	if s.Unit != "" {
		p.title += ", " + s.Unit
	}
	left := w - float64(1.3*p.size) - p.widest - float64(0.5*p.size) - float64(0.8*p.size)
	if _, top, right, bottom := v.subject(); h <= w || right < left {
		s.drawVertical(&p, left)
	} else if under := p.headerHeight(); h-bottom > top-under {
		s.drawHorizontal(&p, h-float64(3.2*p.size)-float64(marginFactor*letterSize(h)))
	} else {
		s.drawHorizontal(&p, under)
	}
	return nil
}

// pen is the style of a scale.
type pen struct {
	*gg.Context
	size, w, h float64 // of the letters and the picture, px
	ticks      []float64
	texts      []string // of ticks
	widest     float64  // of the numbers, px
	title      string
}

// headerHeight returns how far down the text of an overlay in the upper corners reaches, px.
func (p *pen) headerHeight() float64 {
	return float64(marginFactor*letterSize(p.h)) + float64(lineHeight*letterSize(p.h))
}

// lineHeight is the height of a line of text, over the size of its letters.
const lineHeight = 1.35

// ticksPerLabel returns the number of ticks per label, so that labels of the given size do not
// overlap on the given length in pixels.
func (s *Scale) ticksPerLabel(p *pen, size, pixels float64) int {
	if len(p.ticks) < 2 {
		return 1
	}
	return int(math.Ceil(size / (pixels * (p.ticks[1] - p.ticks[0]) / (s.Max - s.Min))))
}

// background draws the background of the bar.
func (p *pen) background(x, y, w, h float64) {
	p.SetRGBA(0, 0, 0, 0.45)
	p.DrawRectangle(x-float64(0.1*p.size), y-float64(0.1*p.size), w+float64(0.2*p.size), h+float64(0.2*p.size))
	p.Fill()
}

// fill fills a rectangle with a colour of the bar.
func (p *pen) fill(c color.RGB, x, y, w, h float64) {
	p.SetRGB(c.R, c.G, c.B)
	p.DrawRectangle(x, y, w, h)
	p.Fill()
}

// drawVertical draws the bar from bottom to top, x pixels from the left.
func (s *Scale) drawVertical(p *pen, x float64) {
	wide := float64(0.8 * p.size)
	y0, y1 := float64(0.30*p.h), float64(0.74*p.h)
	// In a small picture the letters do not shrink with it: leave room for the title
	// under the text of an overlay in the corner.
	if under := p.headerHeight() + float64((0.9+lineHeight)*p.size); under > y0 && under+float64(3*p.size) < p.h {
		y0, y1 = under, max(y1, min(p.h-p.size, under+float64(4*p.size)))
	}
	p.background(x, y0, wide, y1-y0)
	for y := int(y0); y < int(y1); y++ {
		p.fill(s.Color((y1-float64(y)-0.5)/(y1-y0)), x, float64(y), wide, 1)
	}
	for i := 0; i < len(p.ticks); i += s.ticksPerLabel(p, float64(1.1*p.size), y1-y0) {
		y := y1 - float64((p.ticks[i]-s.Min)/(s.Max-s.Min)*(y1-y0))
		label(p.Context, p.size, p.texts[i], x+wide+float64(0.5*p.size), y, 0, 0.35)
	}
	tw, _ := p.MeasureString(p.title)
	label(p.Context, p.size, p.title, min(x+float64(wide/2), p.w-float64(1.3*p.size)-float64(tw/2)), y0-float64(0.9*p.size), 0.5, 0)
}

// drawHorizontal draws the bar from left to right, from y pixels down on.
func (s *Scale) drawHorizontal(p *pen, y float64) {
	x0, x1 := float64(0.15*p.w), float64(0.85*p.w)
	y += float64(lineHeight * p.size)
	high := float64(0.8 * p.size)
	p.background(x0, y, x1-x0, high)
	for x := int(x0); x < int(x1); x++ {
		p.fill(s.Color((float64(x)+0.5-x0)/(x1-x0)), float64(x), y, 1, high)
	}
	for i := 0; i < len(p.ticks); i += s.ticksPerLabel(p, p.widest+float64(0.6*p.size), x1-x0) {
		x := x0 + float64((p.ticks[i]-s.Min)/(s.Max-s.Min)*(x1-x0))
		label(p.Context, p.size, p.texts[i], x, y+high+float64(0.3*p.size), 0.5, 1)
	}
	label(p.Context, p.size, p.title, x0, y-float64(0.5*p.size), 0, 0)
}

// subject returns the bounds of the subject in the picture, px; zeros without a subject.
func (v Frame) subject() (x0, y0, x1, y1 float64) {
	if v.Subject == nil {
		return 0, 0, 0, 0
	}
	l := camera.NewLens(v.Camera, v.Width, v.Height)
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range v.Subject.Corners() {
		x, y, depth := l.Project(p)
		if depth <= 0 {
			return 0, 0, l.Width, l.Height
		}
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	return x0, y0, x1, y1
}

// ticks returns round numbers from a to b, three to seven of them.
func ticks(a, b float64) (list []float64) {
	step := num.Pow(10, math.Floor(math.Log10((b-a)/2)))
	for _, m := range [...]float64{5, 2, 1} {
		if m*step <= (b-a)/2 {
			step *= m
			break
		}
	}
	if (b-a)/step < 4 {
		step /= 2
	}
	for i := math.Ceil(a/step - 1e-9); i*step <= b+float64(1e-9*(b-a)); i++ {
		list = append(list, float64(i*step)+0) // never −0
	}
	return list
}
