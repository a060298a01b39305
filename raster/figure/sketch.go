package figure

import (
	"image/color"
	"slices"
)

// Sketch is a drawing in coordinates of its own, y up, that fill a part of a page.
type Sketch struct {
	*Page
	X, Y, W, H float64 // where it is, in points

	x0, y0, scale float64 // see Window
	named         []named
}

// named is a place with a name, for the data beside the picture.
type named struct {
	name string
	at   Point
}

// Window makes the coordinates x0 to x1 and y0 to y1 visible, as large as there is
// room for and in the middle of it.
func (s *Sketch) Window(x0, y0, x1, y1 float64) {
	s.scale = min(s.W/(x1-x0), s.H/(y1-y0))
	s.x0 = x0 - float64((s.W/s.scale-(x1-x0))/2)
	s.y0 = y0 - float64((s.H/s.scale-(y1-y0))/2)
}

// At returns where (x, y) is on the page.
func (s *Sketch) At(x, y float64) Point {
	return Point{s.X + float64((x-s.x0)*s.scale), s.Y + s.H - float64((y-s.y0)*s.scale)}
}

// all returns where the points are, given as x and y in turn.
func (s *Sketch) all(xy []float64) (at []Point) {
	for i := 0; i+1 < len(xy); i += 2 {
		at = append(at, s.At(xy[i], xy[i+1]))
	}
	return at
}

// Stroke draws a line through points, given as x and y in turn.
func (s *Sketch) Stroke(style Style, xy ...float64) { s.Line(style, s.all(xy)...) }

// Area draws a polygon.
func (s *Sketch) Area(style Style, xy ...float64) { s.Polygon(style, s.all(xy)...) }

// Vector draws an arrow, and names its ends.
func (s *Sketch) Vector(style Style, x0, y0, x1, y1 float64) {
	s.arrow(style, s.At(x0, y0), s.At(x1, y1))
}

// Ball draws a circle of radius r in the sketch's coordinates.
func (s *Sketch) Ball(style Style, x, y, r float64) {
	at := s.At(x, y)
	s.Circle(style, at.X, at.Y, r*s.scale)
}

// Dot draws a point of the given name.
func (s *Sketch) Dot(c color.RGBA, name string, x, y float64) {
	at := s.At(x, y)
	s.Circle(Style{Fill: c}, at.X, at.Y, 2.2)
	s.note(name, x, y)
}

// Label writes text at dx points to the right of (x, y) and dy points above it. The text
// starts there if dx is positive, ends there if it is negative, and is centred if it is
// 0. The same holds for dy.
func (s *Sketch) Label(text string, x, y, dx, dy float64, t Type) {
	at := s.At(x, y)
	anchor := func(d float64) float64 {
		switch {
		case d > 0:
			return 0
		case d < 0:
			return 1
		}
		return 0.5
	}
	s.Text(text, at.X+dx, at.Y-dy, anchor(dx), anchor(dy), t)
	s.note(text, x, y)
}

// note keeps a place for the data beside the picture, once.
func (s *Sketch) note(name string, x, y float64) {
	if n := (named{name, Point{x, y}}); !slices.Contains(s.named, n) {
		s.named = append(s.named, n)
	}
}
