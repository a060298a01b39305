package boundary

import (
	"math"

	"breakwater/sim/vec"
)

// discSides is the number of corners of a disc's outline.
const discSides = 96

// Outlines returns the outlines of the body of a wall of two dimensions: closed polygons in
// the plane z = 0 with the body on the left. A disc has the polygon whose corners are as far
// outside as its sides are inside. An endless wall has none.
func Outlines(b Boundary) [][]vec.Vec3 {
	switch s := b.(type) {
	case *Box:
		return [][]vec.Vec3{{s.Min, vec.New(s.Max.X, s.Min.Y, 0), s.Max, vec.New(s.Min.X, s.Max.Y, 0)}}
	case *Sphere:
		var line []vec.Vec3
		r := s.Radius * 2 / (1 + math.Cos(math.Pi/discSides))
		for i := range discSides {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / discSides)
			line = append(line, s.Center.Add(vec.New(r*cos, r*sin, 0)))
		}
		return [][]vec.Vec3{line}
	case interface{ Outlines() [][]vec.Vec3 }:
		return s.Outlines()
	}
	return nil
}
