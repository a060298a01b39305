package article

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("ring-boundaries", "paths of a vortex ring by Poisson's equation, with tight, expanded and integral boundaries", "Gourlay 2012, part 12, figure 8", measured(ringBoundaries))
}

// ringBoundaries draws the paths of some vortons of a ring that moves to the right, as
// seen from the side, and the grid at the end.
func ringBoundaries() (*figure.Plot, error) {
	plot := &figure.Plot{Columns: 3, Row: 150, Caption: "Paths of vortons in the middle plane of a ring that moves to the right for 4 s, by Poisson's equation on a grid of about as many cells as vortons, seen from the side. With tight boundaries of zero potential the ring is in a box and hardly moves. Boundaries that are half of the size farther out on each side let it move, on a coarser grid. With the potential of free space at tight boundaries it moves on the finer grid. The lower row shows the grid at the end. The cross marks the start of the ring's centre and the dot its end."}
	type panel struct {
		name  string
		paths [][]float64 // x and y in turn
		end   vortex.Grid
		x     float64 // of the centre
	}
	var panels []panel
	window := [4]float64{-1.7, -2.2, 3.5, 2.2}
	lines := figure.Pen(figure.Gray(0.6), 0.3)
	for _, a := range []approach{
		{name: "tight", technique: "poisson", at: "grid"},
		{name: "expanded", technique: "poisson", at: "grid", set: expand},
		{name: "integral", technique: "poisson", at: "grid", set: func(t vortex.Technique) { t.(*vortex.Poisson).Edge = "integral" }},
	} {
		s, err := a.solver()
		if err != nil {
			return nil, err
		}
		s.Stretching = 0.5
		f := &vortex.Flow{}
		f.Fill(&vortex.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Core: 0.25, Circulation: 2}, 0.2, 1, vortex.Blend{})
		var shown []int // next to the middle plane
		for i, x := range f.Vortons.X {
			if math.Abs(x.Z) < 0.15 && i%2 == 0 {
				shown = append(shown, i)
			}
		}
		p := panel{name: a.name, paths: make([][]float64, len(shown))}
		record := func(info vortex.StepInfo) error {
			for k, i := range shown {
				p.paths[k] = append(p.paths[k], f.Vortons.X[i].X, f.Vortons.X[i].Y)
			}
			p.end = info.Grid
			return nil
		}
		if err := record(vortex.StepInfo{}); err != nil {
			return nil, err
		}
		if err := f.Advance(s, plainGas(), 4, record); err != nil {
			return nil, err
		}
		for _, x := range f.Vortons.X {
			p.x += x.X / float64(f.Vortons.Len())
		}
		panels = append(panels, p)
	}
	for _, grid := range []bool{false, true} {
		for _, p := range panels {
			name, title := p.name, p.name
			if grid {
				name, title = p.name+" with grid", ""
			}
			plot.Panels = append(plot.Panels, figure.Panel{Name: name, Title: title, Sketch: func(s *figure.Sketch) {
				s.Window(window[0], window[1], window[2], window[3])
				if grid {
					lo, hi := p.end.Min, p.end.Min.Add(p.end.Size())
					clip := func(x, least, most float64) float64 { return min(max(x, least), most) }
					for i := range p.end.N[0] + 1 {
						if x := lo.X + float64(float64(i)*p.end.Edge.X); x > window[0] && x < window[2] {
							s.Stroke(lines, x, clip(lo.Y, window[1], window[3]), x, clip(hi.Y, window[1], window[3]))
						}
					}
					for j := range p.end.N[1] + 1 {
						if y := lo.Y + float64(float64(j)*p.end.Edge.Y); y > window[1] && y < window[3] {
							s.Stroke(lines, clip(lo.X, window[0], window[2]), y, clip(hi.X, window[0], window[2]), y)
						}
					}
				}
				for _, path := range p.paths {
					s.Stroke(figure.Pen(blue, 0.3), path...)
				}
				s.Stroke(thick, -0.15, 0, 0.15, 0)
				s.Stroke(thick, 0, -0.15, 0, 0.15)
				s.Ball(figure.Style{Fill: red}, p.x, 0, 0.12)
			}})
		}
	}
	return plot, nil
}
