package article

import "breakwater/raster/figure"

func init() {
	register("half-spaces", "a plane, its normal, and the two half-spaces it makes", "Gourlay 2012, figure 2", drawing(halfSpaces))
}

func halfSpaces() (*figure.Plot, error) {
	sketch := func(s *figure.Sketch) {
		s.Window(-3.5, -1.6, 3.5, 1.7)
		// The plane through P along (2, −1)/√5, its normal (1, 2)/√5.
		const nx, ny = 0.4472, 0.8944
		px, py := 0.45*nx, 0.45*ny
		ax, ay, bx, by := px-(1.7-py)*ny/nx, 1.7, 3.5, py-(3.5-px)*nx/ny
		// The part of the window behind it.
		const left, right, bottom, top = -3.5, 3.5, -1.6, 1.7
		onLeft, onRight := py-(left-px)*nx/ny, py-(right-px)*nx/ny
		s.Area(water, left, bottom, left, min(top, onLeft), px-(top-py)*ny/nx, top, right, onRight, right, bottom)
		s.Stroke(thick, ax, ay, bx, by)
		s.Dot(ink, "origin", -0.5, -0.9)
		s.Label("origin", -0.5, -0.9, 6, -2, plain)
		s.Vector(figure.Pen(blue, 1.2), px, py, px+0.8*nx, py+0.8*ny)
		s.Label("n", px+0.8*nx, py+0.8*ny, 6, 0, colored(italic, figure.Pen(blue, 1)))
		for _, q := range []struct {
			name, text string
			along, off float64
			style      figure.Style
		}{{"in front", "D(q) = n · q − d > 0", -1.0, 0.7, figure.Pen(green, 1)}, {"behind", "D(q) < 0: penetration depth", 1.3, -0.6, figure.Pen(red, 1)}} {
			fx, fy := px+float64(q.along*ny), py-float64(q.along*nx)
			x, y := fx+float64(q.off*nx), fy+float64(q.off*ny)
			s.Stroke(figure.Pen(q.style.Stroke, 0.9, 3, 2), fx, fy, x, y)
			s.Dot(q.style.Stroke, q.name, x, y)
			if q.off > 0 {
				s.Label(q.text, x, y, 0, 8, plain)
			} else {
				s.Label(q.text, x, y, 0, -9, plain)
			}
		}
		s.Label("in front of the plane: D > 0", 2.0, 1.25, 0, 0, bold)
		s.Label("behind the plane: D < 0", -2.2, 0.15, 0, 0, bold)
	}
	return &figure.Plot{Columns: 1, Row: 215, Panels: []figure.Panel{{Name: "plane", Sketch: sketch}},
		Caption: "A plane with unit normal n at distance d from the origin divides space in two. The signed distance of a point q is D(q) = n · q − d. It is positive in front of the plane and negative behind it."}, nil
}
