package inflow

import (
	"math"
)

func init() {
	Openings.Add("rectangle", "rectangular opening: a slot, a channel", "", func() Opening { return &Rectangle{Width: 0.1, Height: 0.1} })
}

// Rectangle is a rectangular opening.
type Rectangle struct {
	Width  float64 `toml:"width" unit:"m" range:"(0, inf)" doc:"Horizontal side of the opening; for a vertical flow, the side along x."`
	Height float64 `toml:"height" unit:"m" range:"(0, inf)" doc:"The other side."`
}

// Area implements Opening.
func (o *Rectangle) Area() float64 { return o.Width * o.Height }

// Across implements Opening.
func (o *Rectangle) Across() float64 { return min(o.Width, o.Height) }

// Outline implements Opening.
func (o *Rectangle) Outline() [][2]float64 {
	a, b := o.Width/2, o.Height/2
	return [][2]float64{{-a, -b}, {a, -b}, {a, b}, {-a, b}}
}

// Parabola implements Opening: a parabola along each side, which is within a
// few percent of the flow in a square duct.
func (o *Rectangle) Parabola(a, b float64) float64 {
	across := func(x, side float64) float64 { return max(0, 1-4*x*x/(side*side)) }
	return across(a, o.Width) * across(b, o.Height)
}

// Dist implements Opening.
func (o *Rectangle) Dist(a, b float64) (d, na, nb float64) {
	x, y := math.Abs(a)-float64(o.Width/2), math.Abs(b)-float64(o.Height/2)
	switch {
	case x > 0 && y > 0:
		d = math.Hypot(x, y)
		return d, math.Copysign(x/d, a), math.Copysign(y/d, b)
	case x > y:
		return x, math.Copysign(1, a), 0
	}
	return y, 0, math.Copysign(1, b)
}
