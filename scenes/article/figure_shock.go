package article

import (
	"math"

	"breakwater/raster/figure"
)

func init() {
	register("shock-viscosity", "the effect of shock viscosity on two approaching particles", "Gourlay 2013, figure 4", drawing(shockViscosity))
}

func shockViscosity() (*figure.Plot, error) {
	pair := func(after bool) func(s *figure.Sketch) {
		return func(s *figure.Sketch) {
			s.Window(-2.2, -1.75, 2.2, 1.1)
			// A and B at rest on x; velocities in the same units.
			ax, ay, bx, by := 1.3, 0., -1.3, 0.
			va, vb := [2]float64{-1.1, 0.7}, [2]float64{0.7, 0.5}
			const gain = 0.8 // of the whole way to the common velocity
			if after {
				mean := (va[0] + vb[0]) / 2
				c := gain * (mean - va[0])
				va[0], vb[0] = va[0]+c, vb[0]-c
			}
			s.Stroke(dashed, -2.1, 0, 2.1, 0)
			for _, p := range []struct {
				x, y  float64
				v     [2]float64
				name  string
				style figure.Style
				side  float64
			}{{ax, ay, va, "A", figure.Pen(blue, 1.2), 1}, {bx, by, vb, "B", figure.Pen(red, 1.2), -1}} {
				s.Ball(figure.Style{Fill: figure.Pale(p.style.Stroke, 0.25), Stroke: p.style.Stroke, Width: 0.8}, p.x, p.y, 0.28)
				if math.Abs(p.v[0]) > 0.2 {
					s.Stroke(dashed, p.x+p.v[0], p.y, p.x+p.v[0], p.y+p.v[1])
					s.Vector(figure.Pen(ink, 0.9), p.x, p.y, p.x+p.v[0], p.y)
				}
				s.Vector(p.style, p.x, p.y, p.x+p.v[0], p.y+p.v[1])
				s.Label(p.name, p.x, p.y, 0, -26, bold)
				s.Label("v_{"+p.name+"}", p.x+p.v[0], p.y+p.v[1], 0.5*p.side, 5, colored(italic, p.style))
			}
			if after {
				s.Label("along s nearly alike, across s as before", 0, -1.65, 0, 0, plain)
			} else {
				s.Vector(thin, bx, -1.15, ax, -1.15)
				s.Label("s, from B to A", 0, -1.15, 0, -5, plain)
				s.Label("(v_{A} − v_{B}) · s < 0: they approach", 0, -1.65, 0, 0, plain)
			}
		}
	}
	return &figure.Plot{Columns: 2, Row: 190, Panels: []figure.Panel{
		{Name: "before", Title: "before", Sketch: pair(false)}, {Name: "after", Title: "after", Sketch: pair(true)},
	}, Caption: "Shock viscosity. The velocities of two particles are split into components along the line s between them and across it. If they approach, both components along s move towards their mean, by opposite amounts and at most onto it. The components across s, which are shear, do not change."}, nil
}
