package article

import (
	"breakwater/raster/figure"
	"breakwater/sim/neighbor"
)

func init() {
	register("stencils", "the half stencil: cells visited from a cell so that each pair is found once", "Gourlay 2013, figure 5", drawing(stencils))
}

// stencils draws the three layers of cells around one, as neighbor.Stencil has them.
func stencils() (*figure.Plot, error) {
	label := map[[3]int]string{{}: "0"}
	for _, o := range neighbor.Stencil {
		if label[o] = "F"; o[2] > 0 {
			label[o] = "S"
		}
		if back := ([3]int{-o[0], -o[1], -o[2]}); o[2] == 0 {
			label[back] = "B"
		} else {
			label[back] = "S′"
		}
	}
	layer := func(z int) func(s *figure.Sketch) {
		return func(s *figure.Sketch) {
			s.Window(-2, -2.1, 2, 1.7)
			for y := -1; y <= 1; y++ {
				for x := -1; x <= 1; x++ {
					name := label[[3]int{x, y, z}]
					style := figure.Style{Stroke: ink, Width: 0.7}
					t := figure.Type{Size: 12, Face: figure.Bold}
					switch name {
					case "0":
						style.Fill = figure.Pale(red, 0.35)
					case "F", "S":
						style.Fill = figure.Pale(blue, 0.3)
					default:
						t.Color = figure.Gray(0.45)
					}
					cx, cy := float64(x), float64(y)
					s.Area(style, cx-0.5, cy-0.5, cx+0.5, cy-0.5, cx+0.5, cy+0.5, cx-0.5, cy+0.5)
					s.Label(name, cx, cy, 0, 0, t)
				}
			}
			s.Vector(thin, -1.5, -1.75, -0.7, -1.75)
			s.Label("x", -0.7, -1.75, 4, 0, italic)
			s.Vector(thin, -1.75, -1.5, -1.75, -0.7)
			s.Label("y", -1.75, -0.7, 0, 4, italic)
		}
	}
	return &figure.Plot{Columns: 3, Row: 175, Panels: []figure.Panel{
		{Name: "before", Title: "slice before, z − 1", Sketch: layer(-1)}, {Name: "own", Title: "own slice, z", Sketch: layer(0)}, {Name: "next", Title: "next slice, z + 1", Sketch: layer(1)},
	}, Caption: "The half stencil. Cell 0 visits its own pairs once, and the pairs with the 13 cells after it: F in the same slice, and S in the next. The cells before it, B and S′, visit it. A slice writes only to itself and to the next one. All even slices can therefore run at once, and then all odd ones."}, nil
}
