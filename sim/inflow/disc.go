package inflow

import (
	"math"
)

func init() {
	Openings.Add("disc", "round opening: a nozzle, a tap", "", func() Opening { return &Disc{Radius: 0.05} })
}

// Disc is a round opening.
type Disc struct {
	Radius float64 `toml:"radius" unit:"m" range:"(0, inf)" doc:"Radius of the opening."`
}

// Area implements Opening.
func (o *Disc) Area() float64 { return math.Pi * o.Radius * o.Radius }

// Across implements Opening.
func (o *Disc) Across() float64 { return 2 * o.Radius }

// Outline implements Opening: a circle's outline off by 1/800 of its radius.
func (o *Disc) Outline() (line [][2]float64) {
	const corners = 64
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		line = append(line, [2]float64{o.Radius * cos, o.Radius * sin})
	}
	return line
}

// Parabola implements Opening: the flow of Hagen and Poiseuille.
func (o *Disc) Parabola(a, b float64) float64 {
	return max(0, 1-(float64(a*a)+float64(b*b))/(o.Radius*o.Radius))
}

// Dist implements Opening.
func (o *Disc) Dist(a, b float64) (d, na, nb float64) {
	r := math.Sqrt(float64(a*a) + float64(b*b))
	if r == 0 {
		return -o.Radius, 1, 0
	}
	return r - o.Radius, a / r, b / r
}
