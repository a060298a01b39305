package article

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("jerky-paths", "paths of vortons, jerky and smooth", "Gourlay 2012, part 12, figure 1", measured(func() (*figure.Plot, error) {
		return pathFigure([]approach{treeAtGrid, mollified(2)}, 2,
			"Paths of vortons in the upper half of a jet ring over 32 steps, about their mean place. Left: velocities from a tree at the points of a grid. Right: the same with auto-mollification.")
	}))
	register("vorton-paths", "paths of vortons by technique", "Gourlay 2012, part 12, figures 4 to 7", measured(func() (*figure.Plot, error) {
		return pathFigure([]approach{
			directAtGrid, directAtVortons, {name: "tree at vortons", technique: "tree", at: "vortons"},
			{name: "direct, moved to grid", technique: "pic", at: "grid"},
			treeAtGrid, mollified(2), poissonExpanded, {name: "Poisson, tight", technique: "poisson", at: "grid"},
		}, 4, "Paths of vortons in the upper half of a jet ring over 32 steps, about their mean place, by technique.")
	}))
}

// pathFigure draws 32 places of vortons of a jet ring near its middle plane.
func pathFigure(by []approach, columns int, caption string) (*figure.Plot, error) {
	plot := &figure.Plot{Columns: columns, Row: 370 / float64(columns), Caption: caption}
	angles := ""
	for i := range by {
		paths, turn, err := pathsOf(&by[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", by[i].name, err)
		}
		if angles += by[i].name + " " + num.Decimals(turn, 1) + "°"; i < len(by)-1 {
			angles += ", "
		}
		plot.Panels = append(plot.Panels, figure.Panel{Name: by[i].name, Title: by[i].name, Sketch: func(s *figure.Sketch) {
			s.Window(-1.5, -1.15, 1.5, 1.15)
			for _, p := range paths {
				s.Stroke(figure.Pen(blue, 0.4), p...)
			}
		}})
	}
	plot.Caption += " Mean angles by which a path turns in a step: " + angles + "."
	return plot, nil
}

// pathsOf returns the paths of vortons in the upper half of a slow jet ring, as x and y in
// turn from the middle of the window, and the mean angle in degrees between two steps of
// theirs in it.
func pathsOf(a *approach) (paths [][]float64, turn float64, err error) {
	s, err := a.solver()
	if err != nil {
		return nil, 0, err
	}
	const start, end, most = 0.8, 0.8 + 32./30, 1.5 // s, s and m
	f := jetRing(60)
	var shown []int
	for i, x := range f.Vortons.X {
		if math.Abs(x.Z) < 0.3 && x.Y > 0 {
			shown = append(shown, i)
		}
	}
	if err := f.Advance(s, plainGas(), start, nil); err != nil {
		return nil, 0, err
	}
	places := make([][]vec.Vec3, len(shown))
	record := func(vortex.StepInfo) error {
		var mean vec.Vec3
		for _, i := range shown {
			mean = mean.Add(f.Vortons.X[i].Mul(1 / float64(len(shown))))
		}
		for k, i := range shown {
			places[k] = append(places[k], f.Vortons.X[i].Sub(mean))
		}
		return nil
	}
	if err := f.Advance(s, plainGas(), end, record); err != nil {
		return nil, 0, err
	}
	n := 0
	for _, p := range places {
		var xy []float64
		for k, x := range p {
			if max(math.Abs(x.X), math.Abs(x.Y)) > most {
				break
			}
			xy = append(xy, x.X, x.Y)
			if k >= 2 {
				d, e := p[k-1].Sub(p[k-2]), x.Sub(p[k-1])
				turn += math.Atan2(d.Cross(e).Len(), d.Dot(e)) * 180 / math.Pi
				n++
			}
		}
		if len(xy) >= 8 {
			paths = append(paths, xy)
		}
	}
	return paths, turn / float64(max(n, 1)), nil
}
