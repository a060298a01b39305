package article

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/grid"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("ring-boundaries", "paths of a vortex ring by Poisson's equation, with tight, expanded and integral boundaries and in free space", "Gourlay 2012, part 12, figure 8", measured(ringBoundaries))
}

// ringPath is how a ring of vortons moves.
type ringPath struct {
	name  string
	paths [][]float64 // of some particles, x and y in turn
	end   grid.Grid
	way   float64 // of the centre, m
}

// ringWays are the ways to bound the flow about a ring, and direct sums.
var ringWays = []approach{
	{name: "tight", technique: "poisson", at: "grid"},
	{name: "expanded", technique: "poisson", at: "grid", set: expand},
	{name: "integral", technique: "poisson", at: "grid", set: func(t vortex.Technique) { t.(*vortex.Poisson).Edge = "integral" }},
	{name: "free"},
	{name: "direct", technique: "direct", at: "vortons"},
}

// ringPathOf moves a ring to the right for 4 s. The solver mesh stands for an approach
// without a technique. Its vortons are new in each step, so tracers show where they go. The
// package's tests check the paths that the figure draws.
var ringPathOf = runRing

func runRing(a *approach) (p ringPath, err error) {
	const cell = 0.2
	f := &vortex.Flow{}
	f.Fill(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Core: 0.25, Circulation: 2}, cell, 1, vortex.Blend{})
	var s vortex.Solver
	at := func() []vec.Vec3 { return f.Vortons.X }
	if a.technique == "" {
		if s, err = vortex.Solvers.New("mesh", registry.None); err != nil {
			return p, err
		}
		s.(*vortex.Mesh).Cell = cell
		for _, x := range f.Vortons.X {
			f.AddTracer(x, 300, vortex.Blend{})
		}
		at = func() []vec.Vec3 { return f.Tracers.X }
	} else {
		g, err := a.solver()
		if err != nil {
			return p, err
		}
		g.Stretching = 0.5
		s = g
	}
	var shown []int // next to the middle plane
	for i, x := range at() {
		if math.Abs(x.Z) < 0.15 && i%2 == 0 {
			shown = append(shown, i)
		}
	}
	p = ringPath{name: a.name, paths: make([][]float64, len(shown))}
	record := func(info vortex.StepInfo) error {
		for k, i := range shown {
			p.paths[k] = append(p.paths[k], at()[i].X, at()[i].Y)
		}
		p.end = info.Grid
		return nil
	}
	if err := record(vortex.StepInfo{}); err != nil {
		return p, err
	}
	if err := f.Advance(s, plainGas(), 4, record); err != nil {
		return p, err
	}
	if box := f.Bounds(); p.end.N == [3]int{} { // of the nodes that carry vorticity
		n := func(l float64) int { return int(math.Round(l / cell)) }
		size := box.Size()
		p.end = grid.Grid{Min: box.Min, Edge: vec.New(cell, cell, cell), N: [3]int{n(size.X), n(size.Y), n(size.Z)}}
	}
	// The impulse of a ring along its axis is at its centre, wherever single vortons are.
	var all float64
	for i, x := range f.Vortons.X {
		w := x.Cross(f.Vortons.Strength(i)).X
		p.way, all = p.way+float64(w*x.X), all+w
	}
	p.way /= all
	return p, nil
}

// ringBoundaries draws the paths of some vortons of a ring that moves to the right, as
// seen from the side, and the grid at the end.
func ringBoundaries() (*figure.Plot, error) {
	plot := &figure.Plot{Columns: 4, Row: 125}
	var panels []ringPath
	for i := range ringWays {
		p, err := ringPathOf(&ringWays[i])
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	direct := panels[len(panels)-1]
	panels = panels[:len(panels)-1]
	plot.Caption = "Paths of vortons in the middle plane of a ring that moves to the right for 4 s, seen from the side. With tight boundaries of zero potential the ring is in a box and hardly moves. Boundaries that are half of the size farther out on each side let it move, on a coarser grid. With the potential of free space at tight boundaries (integral) it moves on the finer grid. These three solve Poisson's equation on a grid of about as many cells as vortons. The solver mesh (free) solves it in free space, by Fourier transforms. The lower row shows the grid at the end. The cross marks the start of the ring's centre and the dot its end, and the titles give its way. With direct sums, whose vortons have wide cores, it is " + num.Decimals(direct.way, 2) + " m."
	window := [4]float64{-1.6, -2.2, 3.1, 2.2}
	lines := figure.Pen(figure.Gray(0.6), 0.3)
	for _, grid := range []bool{false, true} {
		for _, p := range panels {
			name, title := p.name, p.name+": "+num.Decimals(p.way, 2)+" m"
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
				s.Ball(figure.Style{Fill: red}, p.way, 0, 0.12)
			}})
		}
	}
	return plot, nil
}
