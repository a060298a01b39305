package article

import "breakwater/raster/figure"

func init() {
	register("convexity", "a convex and a concave body, distinguished by the lines between their points", "Gourlay 2012, figure 3", drawing(convexity))
}

func convexity() (*figure.Plot, error) {
	body := figure.Style{Fill: figure.Gray(0.88), Stroke: ink, Width: 1}
	convex := func(s *figure.Sketch) {
		s.Window(-2.2, -1.8, 2.2, 1.8)
		s.Area(body, -1.6, -0.6, -0.7, -1.4, 1.0, -1.2, 1.7, 0.3, 0.6, 1.4, -1.1, 1.1)
		s.Stroke(figure.Pen(green, 1.3), -1.0, 0.7, 1.1, -0.6)
		s.Dot(green, "a", -1.0, 0.7)
		s.Dot(green, "b", 1.1, -0.6)
		s.Label("a", -1.0, 0.7, 5, 4, italic)
		s.Label("b", 1.1, -0.6, -5, -4, italic)
		s.Label("all of it is inside", 0, -1.65, 0, 0, plain)
	}
	concave := func(s *figure.Sketch) {
		s.Window(-2.2, -1.8, 2.2, 1.8)
		s.Area(body, -1.7, -1.3, 1.7, -1.3, 1.7, 1.3, 0.5, 1.3, 0.2, -0.3, -0.3, -0.3, -0.6, 1.3, -1.7, 1.3)
		s.Stroke(figure.Pen(green, 1.3), -1.1, 0.7, -0.49, 0.7)
		s.Stroke(figure.Pen(red, 1.3, 3, 2), -0.49, 0.7, 0.39, 0.7)
		s.Stroke(figure.Pen(green, 1.3), 0.39, 0.7, 1.1, 0.7)
		s.Dot(green, "a", -1.1, 0.7)
		s.Dot(green, "b", 1.1, 0.7)
		s.Label("a", -1.1, 0.7, -5, 4, italic)
		s.Label("b", 1.1, 0.7, 5, 4, italic)
		s.Label("a part is outside", 0, -1.65, 0, 0, plain)
	}
	return &figure.Plot{Columns: 2, Row: 190, Panels: []figure.Panel{
		{Name: "convex", Title: "convex", Sketch: convex}, {Name: "concave", Title: "not convex", Sketch: concave},
	}, Caption: "A body is convex if the line between any two of its points lies inside it. It is then the intersection of the half-spaces behind its faces. A point is inside if it is behind all of them."}, nil
}
