package article

import (
	"fmt"
	"math"
	"slices"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	register("column", "a column falls, sloshes and breaks, as published and calibrated, at six times", "Gourlay 2013, figure 1", measured(columnSequence))
	register("rotating", "sloshing in a rotating box, at six times", "Gourlay 2013, figure 6", measured(rotatingSequence))
}

// sideView draws the particles of w as seen along z, faster ones darker. It also draws
// the outline of the box that has turned by an angle, open above if it has no depth.
// Particles in front are drawn last, and particles not wholly in the window are left
// out.
func sideView(w *sim.World, box vec.Vec3, angle float64, window [4]float64) func(s *figure.Sketch) {
	type dot struct{ x, y, z, v float64 }
	var dots []dot
	for i, x := range w.X {
		if r := float64(w.Spacing / 2); x.X-r > window[0] && x.Y-r > window[1] && x.X+r < window[2] && x.Y+r < window[3] {
			dots = append(dots, dot{x.X, x.Y, x.Z, w.V[i].Len()})
		}
	}
	slices.SortStableFunc(dots, func(a, b dot) int {
		if a.z < b.z {
			return -1
		}
		return 1
	})
	r := float64(w.Spacing / 2)
	return func(s *figure.Sketch) {
		s.Window(window[0], window[1], window[2], window[3])
		for _, d := range dots {
			// Up to 6 m/s, the speed of the fall.
			s.Ball(figure.Style{Fill: figure.Pale(blue, 0.25+float64(0.75*min(1, d.v/6))), Stroke: figure.Gray(1), Width: 0.2}, d.x, d.y, r)
		}
		cx, cy := float64(box.X/2), float64(box.Y/2)
		sin, cos := math.Sincos(angle)
		var xy []float64
		for _, c := range [][2]float64{{0, box.Y}, {0, 0}, {box.X, 0}, {box.X, box.Y}} {
			dx, dy := c[0]-cx, c[1]-cy
			xy = append(xy, cx+float64(cos*dx)-float64(sin*dy), cy+float64(sin*dx)+float64(cos*dy))
		}
		if box.Z > 0 { // closed
			xy = append(xy, xy[0], xy[1])
		}
		s.Stroke(thick, xy...)
	}
}

func columnSequence() (*figure.Plot, error) {
	const d = 0.1136
	plot := &figure.Plot{Columns: 3, Row: 118, Caption: "A column of 1024 particles falls, runs to the left and sloshes back. Top: the law as published compresses the liquid to a third of its volume. Bottom: the same law, with rest number and stiffness from the spacing and the depth, pressures that are never negative, and mirror images of the liquid in the walls. White particles are at rest, and darker ones are faster, up to 6 m/s. Drops above 2.5 m are not shown."}
	for _, name := range []string{"gourlay-default", "gourlay-calibrated"} {
		w, err := column(0)
		if err != nil {
			return nil, err
		}
		s, err := solverOf(name)
		if err != nil {
			return nil, err
		}
		for _, t := range []float64{0, 0.5, 0.8, 1.4, 1.9, 2.6} {
			if err := w.Advance(s, t, nil); err != nil {
				return nil, err
			}
			plot.Panels = append(plot.Panels, figure.Panel{
				Name: fmt.Sprintf("%s %g s", name, t), Title: fmt.Sprintf("%s, t = %.1f s", name, t),
				Sketch: sideView(w, vec.New(32*d, 2.4, 0), 0, [4]float64{-0.05, -0.05, 32*d + 0.05, 2.5}),
			})
		}
	}
	return plot, nil
}

func rotatingSequence() (*figure.Plot, error) {
	const d, turn = 0.1136, 2.
	plot := &figure.Plot{Columns: 3, Row: 160, Caption: "Liquid of 1024 particles in a box that turns at 2 rad/s, with the calibrated law. White particles are at rest, and darker ones are faster, up to 6 m/s."}
	w, err := column(turn)
	if err != nil {
		return nil, err
	}
	s, err := solverOf("gourlay-calibrated")
	if err != nil {
		return nil, err
	}
	for _, t := range []float64{0, 0.5, 1, 1.6, 2.4, 3.2} {
		if err := w.Advance(s, t, nil); err != nil {
			return nil, err
		}
		plot.Panels = append(plot.Panels, figure.Panel{
			Name: fmt.Sprintf("%g s", t), Title: fmt.Sprintf("t = %.1f s", t),
			Sketch: sideView(w, vec.New(32*d, 18*d, 4*d), turn*t, [4]float64{-0.35, -1.1, 32*d + 0.35, 18*d + 1.1}),
		})
	}
	return plot, nil
}
