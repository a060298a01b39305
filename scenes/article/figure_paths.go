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
		return pathFigure([]approach{treeAtGrid, mollified(2)}, 1, movingRing,
			"Paths of vortons in the upper half of a jet ring over 32 steps, as the ring moves to the right. Above: velocities from a tree at the points of a grid. Below: the same with auto-mollification.")
	}))
	register("vorton-paths", "paths of vortons by technique", "Gourlay 2012, part 12, figures 4 to 7", measured(func() (*figure.Plot, error) {
		return pathFigure([]approach{
			directAtGrid, directAtVortons, {name: "tree at vortons", technique: "tree", at: "vortons"},
			{name: "direct, moved to grid", technique: "pic", at: "grid"},
			treeAtGrid, mollified(2), poissonExpanded, {name: "Poisson, tight", technique: "poisson", at: "grid"},
		}, 4, ringCore, "Paths of vortons in the upper half of a jet ring over 32 steps, about their mean place, by technique.")
	}))
}

// pathView says which part of the paths of vortons is shown.
type pathView struct {
	start     float64 // s
	low, high float64 // along the axis of the ring, from where the middle of the vortons is at the start, m
	half      float64 // height of the window to each side of the middle, m
	moves     bool    // whether the window moves with their middle
}

var (
	movingRing = pathView{start: 2, low: -2.5, high: 6, half: 1.5}
	ringCore   = pathView{start: 0.8, low: -1.5, high: 1.5, half: 1.15, moves: true}
)

// pathFigure draws 32 places of vortons of a jet ring near its middle plane.
func pathFigure(by []approach, columns int, view pathView, caption string) (*figure.Plot, error) {
	plot := &figure.Plot{Columns: columns, Row: 21 + float64(970/float64(columns)*view.half/(view.high-view.low)), Caption: caption}
	for i := range by {
		paths, turn, err := pathsOf(&by[i], view)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", by[i].name, err)
		}
		plot.Panels = append(plot.Panels, figure.Panel{Name: by[i].name, Title: by[i].name + ": " + num.Decimals(turn, 1) + "°", Sketch: func(s *figure.Sketch) {
			s.Window(view.low, -view.half, view.high, view.half)
			for _, p := range paths {
				s.Stroke(figure.Pen(blue, 0.4), p...)
			}
		}})
	}
	plot.Caption += " The titles give the mean angle by which a path turns in a step."
	return plot, nil
}

// pathsOf returns the paths of vortons in the upper half of a slow jet ring, as x and y in
// turn, and the mean angle in degrees between two steps of theirs in the window.
func pathsOf(a *approach, view pathView) (paths [][]float64, turn float64, err error) {
	s, err := a.solver()
	if err != nil {
		return nil, 0, err
	}
	f := jetRing(60)
	var shown []int
	for i, x := range f.Vortons.X {
		if math.Abs(x.Z) < 0.3 && x.Y > 0 {
			shown = append(shown, i)
		}
	}
	if err := f.Advance(s, plainGas(), view.start, nil); err != nil {
		return nil, 0, err
	}
	places := make([][]vec.Vec3, len(shown))
	var middle vec.Vec3
	record := func(vortex.StepInfo) error {
		var mean vec.Vec3
		for _, i := range shown {
			mean = mean.Add(f.Vortons.X[i].Mul(1 / float64(len(shown))))
		}
		if len(places[0]) == 0 || view.moves {
			middle = mean
		}
		for k, i := range shown {
			places[k] = append(places[k], f.Vortons.X[i].Sub(middle))
		}
		return nil
	}
	if err := f.Advance(s, plainGas(), view.start+32./30, record); err != nil {
		return nil, 0, err
	}
	n := 0
	for _, p := range places {
		var xy []float64
		for k, x := range p {
			if x.X < view.low || x.X > view.high || math.Abs(x.Y) > 1.5 {
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
