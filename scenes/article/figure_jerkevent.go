package article

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/biot"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/grid"
)

func init() {
	register("jerk-event", "a vorton that loops around a point of the grid", "Gourlay 2012, part 12, figure 2", drawing(jerkEvent))
}

// jerkLoop moves one vorton, which should drift with the wind, by velocities at the points
// of a grid until it has turned once. It returns its places, the velocities at the point
// next to it, and the length of a step in s.
func jerkLoop() (path, at []vec.Vec3, dt float64) {
	const wind, strength, radius = 0.5, 4., 0.15
	dt = 0.001
	g := &grid.Grid{Min: vec.New(-2, -2, -2), Edge: vec.New(1, 1, 1), N: [3]int{4, 4, 4}}
	nodes, u := make([]vec.Vec3, g.Points()), make([]vec.Vec3, g.Points())
	middle := 0
	for p := range nodes {
		if nodes[p] = g.Point(p); nodes[p] == (vec.Vec3{}) {
			middle = p
		}
	}
	x, last, turned := vec.New(0, 0.2, 0), vec.Vec3{}, 0.
	for len(path) < 5000 && math.Abs(turned) < 2*math.Pi {
		src := &biot.Sources{X: []vec.Vec3{x}, Alpha: []vec.Vec3{{Z: strength}}, Radius: []float64{radius}}
		(&vortex.Direct{}).Velocities(u, nodes, src, g)
		for p := range u {
			u[p].X += wind
		}
		v := g.Fetch(u, x)
		if len(path) > 0 {
			turned += math.Atan2(last.Cross(v).Z, last.Dot(v))
		}
		last = v
		path, at = append(path, x), append(at, u[middle])
		x = x.Add(v.Mul(dt))
	}
	return path, at, dt
}

// jerkEvent draws the loop in six frames.
func jerkEvent() (*figure.Plot, error) {
	path, at, dt := jerkLoop()
	const frames, window = 6, 0.72
	p := &figure.Plot{Columns: 3, Row: 150, Caption: fmt.Sprintf("A vorton (large dot) that a wind of 0.5 m/s to the right should carry along, in six frames of %.2g s each. Its velocity is interpolated from the points of a grid, and it induces one there itself. Next to a point (black), that velocity (arrow, a twentieth of it in m) is larger than the wind and turns as the vorton passes. So the vorton loops around the point (blue: its path) while the gas moves on (rows of dots, one of them dark). The direct sum at the vorton has no such part, because a vorton induces none at its own centre.", dt*float64(len(path)-1)/(frames-1))}
	for k := range frames {
		i := k * (len(path) - 1) / (frames - 1)
		p.Panels = append(p.Panels, figure.Panel{Name: fmt.Sprintf("frame %d", k+1), Title: fmt.Sprintf("%.2f s", dt*float64(i)), Sketch: func(s *figure.Sketch) {
			s.Window(-window, -window, window, window)
			s.Stroke(muted, -window, 0, window, 0)
			s.Stroke(muted, 0, -window, 0, window)
			for row := range 2 {
				for c := range 7 {
					x := math.Mod(float64(float64(c)*0.2)+float64(0.5*dt*float64(i))+0.04, 1.4) - 0.7
					shade := figure.Gray(0.7)
					if c == 2 {
						shade = ink
					}
					s.Ball(figure.Style{Fill: shade}, x, 0.6-float64(1.2*float64(row)), 0.014)
				}
			}
			var xy []float64
			for _, q := range path[:i+1] {
				xy = append(xy, q.X, q.Y)
			}
			if i > 0 {
				s.Stroke(figure.Pen(blue, 0.9), xy...)
			}
			s.Stroke(dashed, 0, 0, path[i].X, path[i].Y)
			s.Vector(thick, 0, 0, at[i].X/20, at[i].Y/20)
			s.Ball(figure.Style{Fill: ink}, 0, 0, 0.025)
			s.Ball(figure.Style{Fill: red}, path[i].X, path[i].Y, 0.045)
			s.Dot(red, fmt.Sprintf("vorton %d", k+1), path[i].X, path[i].Y)
		}})
	}
	return p, nil
}
