package figure

import (
	"image"
	"image/color"
	"math"
)

// Page is a sheet of paper with the drawn items, in points of 1/72 inch from its upper
// left corner. It can be written as PNG, SVG and PDF.
type Page struct {
	W, H  float64
	marks []mark
	texts []written
	err   error // of a text
}

// mark is a path or a picture.
type mark struct {
	path  Path
	style Style

	img  image.Image
	rect [4]float64 // x, y, w, h
}

// written is a text and the box it takes.
type written struct {
	text           string
	x0, y0, x1, y1 float64
}

// Style is how a path is drawn. A translucent colour draws nothing, since print does not
// support it.
type Style struct {
	Fill, Stroke color.RGBA
	Width        float64   // of the line
	Dash         []float64 // lengths of line and gap in turn
}

// Path is a sequence of lines and curves.
type Path []segment

// segment is a step of a path. 'M' moves to a point and 'L' draws a line to it. 'Q' and
// 'C' draw curves of second and third degree to the last point. 'Z' closes the path.
type segment struct {
	kind byte
	at   [3]Point
}

// Point is a place on a page.
type Point struct{ X, Y float64 }

// MoveTo starts a piece of the path.
func (p *Path) MoveTo(x, y float64) { *p = append(*p, segment{'M', [3]Point{{x, y}}}) }

// LineTo adds a line.
func (p *Path) LineTo(x, y float64) { *p = append(*p, segment{'L', [3]Point{{x, y}}}) }

// QuadTo adds a curve that leaves for and comes from a.
func (p *Path) QuadTo(a, to Point) { *p = append(*p, segment{'Q', [3]Point{a, to}}) }

// CubeTo adds a curve that leaves for a and comes from b.
func (p *Path) CubeTo(a, b, to Point) { *p = append(*p, segment{'C', [3]Point{a, b, to}}) }

// Close goes back to where the piece began.
func (p *Path) Close() { *p = append(*p, segment{kind: 'Z'}) }

// points returns how many of at are used.
func (s segment) points() int {
	switch s.kind {
	case 'M', 'L':
		return 1
	case 'Q':
		return 2
	case 'C':
		return 3
	}
	return 0
}

// Draw draws a path.
func (p *Page) Draw(path Path, s Style) { p.marks = append(p.marks, mark{path: path, style: s}) }

// Line draws a line through points.
func (p *Page) Line(s Style, at ...Point) {
	var path Path
	for i, a := range at {
		if i == 0 {
			path.MoveTo(a.X, a.Y)
		} else {
			path.LineTo(a.X, a.Y)
		}
	}
	p.Draw(path, s)
}

// Polygon draws a closed line.
func (p *Page) Polygon(s Style, at ...Point) {
	var path Path
	for i, a := range at {
		if i == 0 {
			path.MoveTo(a.X, a.Y)
		} else {
			path.LineTo(a.X, a.Y)
		}
	}
	path.Close()
	p.Draw(path, s)
}

// Rect draws a rectangle.
func (p *Page) Rect(s Style, x, y, w, h float64) {
	p.Polygon(s, Point{x, y}, Point{x + w, y}, Point{x + w, y + h}, Point{x, y + h})
}

// Circle draws a circle, in four curves that are off by 0.03 % of its radius.
func (p *Page) Circle(s Style, x, y, r float64) {
	const k = 0.5522847498
	var path Path
	path.MoveTo(x+r, y)
	for q := range 4 {
		sin, cos := math.Sincos(float64(q) * math.Pi / 2)
		at := func(a, b float64) Point {
			return Point{x + float64(r*(float64(a*cos)-float64(b*sin))), y + float64(r*(float64(a*sin)+float64(b*cos)))}
		}
		path.CubeTo(at(1, k), at(k, 1), at(0, 1))
	}
	path.Close()
	p.Draw(path, s)
}

// arrow draws a line with a head at its end.
func (p *Page) arrow(s Style, from, to Point) {
	const long, wide = 5.5, 2
	dx, dy := to.X-from.X, to.Y-from.Y
	l := math.Hypot(dx, dy)
	if l == 0 {
		return
	}
	dx, dy = dx/l, dy/l
	head := min(long, l)
	neck := Point{to.X - float64(dx*head*0.8), to.Y - float64(dy*head*0.8)}
	p.Line(s, from, neck)
	back := Point{to.X - float64(dx*head), to.Y - float64(dy*head)}
	p.Polygon(Style{Fill: s.Stroke}, to, Point{back.X - float64(dy*wide), back.Y + float64(dx*wide)}, neck, Point{back.X + float64(dy*wide), back.Y - float64(dx*wide)})
}

// Image puts a picture into a rectangle.
func (p *Page) Image(img image.Image, x, y, w, h float64) {
	p.marks = append(p.marks, mark{img: img, rect: [4]float64{x, y, w, h}})
}

// overlaps returns a pair of texts that lie on each other or one that is not all
// on the page, for tests.
func (p *Page) overlaps() (a, b string, bad bool) {
	const slack = 0.3
	for i, t := range p.texts {
		if t.x0 < 0 || t.y0 < 0 || t.x1 > p.W || t.y1 > p.H {
			return t.text, "the page's edge", true
		}
		for _, u := range p.texts[:i] {
			if min(t.x1, u.x1)-max(t.x0, u.x0) > slack && min(t.y1, u.y1)-max(t.y0, u.y0) > slack {
				return t.text, u.text, true
			}
		}
	}
	return "", "", false
}
