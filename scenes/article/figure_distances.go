package article

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/num"
)

func init() {
	register("distances", "distances of balls at rest from a polytope, by its planes", "Gourlay 2012, figure 4", drawing(distances))
	register("moving-distance", "the planes that count for a moving ball", "Gourlay 2012, figure 5", drawing(movingDistance))
}

// Half the sides of the rectangle that stands for a polytope.
const halfX, halfY = 1.5, 0.8

// block draws the rectangle and the lines of its faces.
func block(s *figure.Sketch) {
	s.Window(-3.3, -2.1, 3.9, 2.1)
	for _, x := range []float64{-halfX, halfX} {
		s.Stroke(muted, x, -2, x, 2)
	}
	for _, y := range []float64{-halfY, halfY} {
		s.Stroke(muted, -3.5, y, 3.5, y)
	}
	s.Area(figure.Style{Fill: figure.Gray(0.88), Stroke: ink, Width: 1.1}, -halfX, -halfY, halfX, -halfY, halfX, halfY, -halfX, halfY)
}

// ball draws a ball of the article's kind.
func ball(s *figure.Sketch, style figure.Style, x, y, r float64) {
	s.Ball(figure.Style{Fill: figure.Pale(style.Stroke, 0.2), Stroke: style.Stroke, Width: 0.8}, x, y, r)
}

func distances() (*figure.Plot, error) {
	sketch := func(s *figure.Sketch) {
		block(s)
		const r = 0.3
		for _, b := range []struct {
			name  string
			x, y  float64 // its centre
			fx    float64 // on the face it is nearest to
			fy    float64
			style figure.Style
			dx    float64
			dy    float64
		}{
			{"1: D > r, outside", -0.6, 1.5, -0.6, halfY, figure.Pen(green, 1), 21, 0},
			{"2: 0 < D < r, touching", 1.72, -0.2, halfX, -0.2, figure.Pen(blue, 1), 21, 0},
			{"3: D < 0, inside", -0.2, -0.45, -0.2, -halfY, figure.Pen(red, 1), 21, 4},
		} {
			ball(s, b.style, b.x, b.y, r)
			s.Stroke(figure.Pen(b.style.Stroke, 1), b.x, b.y, b.fx, b.fy)
			s.Dot(b.style.Stroke, b.name, b.x, b.y)
			s.Label(b.name, b.x, b.y, b.dx, b.dy, plain)
		}
		// Off an edge the largest of the planes' distances is short of the true one.
		ex, ey := 2.35, 1.45
		ball(s, figure.Pen(figure.Palette[3], 1), ex, ey, r)
		s.Stroke(figure.Pen(figure.Palette[3], 1), ex, ey, halfX, ey)
		s.Stroke(dashed, ex, ey, halfX, halfY)
		s.Dot(figure.Palette[3], "4", ex, ey)
		d := math.Hypot(ex-halfX, ey-halfY)
		s.Label("4: D = "+num.Decimals(ex-halfX, 2)+" by planes,", ex, ey, 21, 2, plain)
		s.Label(num.Decimals(d, 2)+" from the edge", ex, ey, 21, -4, plain)
	}
	return &figure.Plot{Columns: 1, Row: 255, Panels: []figure.Panel{{Name: "distances", Sketch: sketch}},
		Caption: "The distance of a ball's centre from a convex polytope is the largest of its signed distances D from the planes of all faces. Its sign is always right. Beside a face (1, 2, 3) it is exact. Off an edge (4) it is smaller than the true distance (dashed), so a ball near an edge touches a little early."}, nil
}

func movingDistance() (*figure.Plot, error) {
	sketch := func(s *figure.Sketch) {
		block(s)
		const r = 0.3
		x, y := 1.1, 0.45
		// It has come from above, and goes down and to the right.
		vx, vy := 0.75, -1.0
		s.Stroke(dashed, x-float64(1.2*vx), y-float64(1.2*vy), x, y)
		s.Ball(figure.Style{Stroke: figure.Gray(0.6), Width: 0.6, Dash: []float64{2, 2}}, x-float64(1.2*vx), y-float64(1.2*vy), r)
		ball(s, figure.Pen(blue, 1), x, y, r)
		s.Vector(figure.Pen(blue, 1.2), x, y, x+float64(0.8*vx), y+float64(0.8*vy))
		s.Label("v", x+float64(0.8*vx), y+float64(0.8*vy), 6, 0, colored(italic, figure.Pen(blue, 1)))
		s.Dot(blue, "ball", x, y)
		s.Stroke(figure.Pen(green, 1.3), x, y, x, halfY)
		s.Vector(figure.Pen(green, 1), -1.35, halfY, -1.35, halfY+0.55)
		s.Label("n_{1} · v < 0: deeper, counts", -1.35, halfY+0.25, 5, 0, plain)
		s.Stroke(figure.Pen(red, 1.3, 3, 2), x, y, halfX, y)
		s.Vector(figure.Pen(red, 1), halfX, -0.45, halfX+0.55, -0.45)
		s.Label("n_{2} · v > 0: leaving, left out", halfX+0.55, -0.45, 5, 0, plain)
		s.Label("nearer face, but the ball", halfX, -1.25, 8, 0, plain)
		s.Label("did not come that way", halfX, -1.25, 8, -11, plain)
	}
	return &figure.Plot{Columns: 1, Row: 255, Panels: []figure.Panel{{Name: "moving", Sketch: sketch}},
		Caption: "The penetration depth of a moving ball. Only planes into which the ball moves deeper count, n · v ≤ 0. The ball is put back above face 1, through which it came, although face 2 is nearer."}, nil
}
