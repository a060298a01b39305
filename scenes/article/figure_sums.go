package article

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/scenes/host"
	"breakwater/sim/biot"
	"breakwater/sim/multipole"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/grid"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("vortex-sums", "error of the velocities of vortons against processor time: direct sums, tree, Poisson's equation, multipole", "after Gourlay 2012, part 12", measured(vortexSums))
	register("ring-speed", "speed of a ring of vortons against their number, by kernel", "Saffman 1970", drawing(ringSpeed))
}

// vortexSums measures the techniques of the article and the fast multipole method on the
// vortons of a jet ring.
func vortexSums() (*figure.Plot, error) {
	f := &vortex.Flow{}
	f.Fill(&vorticity.JetRing{Axis: vec.New(1, 0, 0), Radius: 1, Thickness: 1, Circulation: 20}, 4./48, 1, vortex.Blend{})
	v := &f.Vortons
	n := v.Len()
	s := &biot.Sources{X: v.X, Alpha: make([]vec.Vec3, n), Radius: make([]float64, n)}
	for i := range v.X {
		s.Alpha[i], s.Radius[i] = v.Strength(i), 2*v.Radius[i]
	}
	u := make([]vec.Vec3, n)
	const some = 400 // vortons at which errors are taken, in double precision
	var exact [some]vec.Vec3
	var size float64
	for k := range exact {
		for j, y := range v.X {
			exact[k] = exact[k].Add(vortex.Induced(v.X[k*n/some].Sub(y), s.Alpha[j], s.Radius[j]))
		}
		size += exact[k].Dot(exact[k])
	}
	off := func() (sum float64) {
		for k, want := range exact {
			e := u[k*n/some].Sub(want)
			sum += e.Dot(e)
		}
		return math.Sqrt(sum / size)
	}
	panel := figure.Panel{Name: "sums", X: figure.Axis{Label: "processor time (ms)", Log: true}, Y: figure.Axis{Label: "error of the velocities", Log: true}}
	table := [][]string{{"technique", "processor time, ms", "error"}}
	add := func(curve, name string, sum func()) {
		sum() // memory is allocated once
		begun := host.ProcessorTime()
		const times = 3
		for range times {
			sum()
		}
		ms, e := 1e3*(host.ProcessorTime()-begun)/times, off()
		c := &panel.Curve[len(panel.Curve)-1]
		if c.Name != curve {
			panel.Curve = append(panel.Curve, figure.Curve{Name: curve, Both: true})
			c = &panel.Curve[len(panel.Curve)-1]
		}
		c.X, c.Y = append(c.X, ms), append(c.Y, e)
		table = append(table, []string{name, num.Decimals(ms, 1), fmt.Sprintf("%.2g", e)})
	}
	panel.Curve = []figure.Curve{{Name: "direct sums", Both: true}}
	add("direct sums", "direct sums", func() { biot.Velocity(u, v.X, s, biot.Core) })
	for _, asked := range []float64{1e-5, 1e-4, 1e-3, 1e-2} {
		m := &multipole.Field{Kernel: biot.Core, Error: asked}
		add("multipole", fmt.Sprintf("multipole, %g asked", asked), func() { m.Velocity(u, v.X, s) })
	}
	box := f.Bounds()
	grid := grid.FitGrid(box, n)
	nodes, field := make([]vec.Vec3, grid.Points()), make([]vec.Vec3, grid.Points())
	for p := range nodes {
		nodes[p] = grid.Point(p)
	}
	for _, leaves := range []string{"original", "super"} {
		t := &vortex.Tree{Leaves: leaves}
		add("tree at vortons", "tree at vortons, leaves "+leaves, func() { t.Velocities(u, v.X, s, &grid) })
	}
	fetch := func() {
		for i, x := range v.X {
			u[i] = grid.Fetch(field, x)
		}
	}
	for _, t := range []struct {
		curve, name string
		technique   vortex.Technique
	}{
		{"at the grid", "direct at grid", &vortex.Direct{}},
		{"at the grid", "tree at grid", &vortex.Tree{Leaves: "super"}},
		{"Poisson at the grid", "Poisson, integral", &vortex.Poisson{Method: "multigrid", Edge: "integral", Tolerance: 1e-3}},
	} {
		add(t.curve, t.name, func() {
			t.technique.Velocities(field, nodes, s, &grid)
			fetch()
		})
	}
	return &figure.Plot{Columns: 1, Rows: []float64{0, 175}, Panels: []figure.Panel{panel, {Name: "table", Title: "processor time of one sum, and its error at 400 vortons in the L2 norm", Table: table}},
		Caption: fmt.Sprintf("Error of the velocities of %d vortons of a jet ring against processor time, relative to direct sums in double precision. Cores have twice the radius of a vorton. A tree whose cells are never opened but where the point lies has one error, whatever it costs. The fast multipole method reaches each error that is asked for. Interpolation from a grid has the error of the grid. Times depend on the machine.", n)}, nil
}

// ringSpeed draws the speed of rings of N vortons on a circle.
func ringSpeed() (*figure.Plot, error) {
	const sigma = 0.05
	panel := figure.Panel{Name: "speed", X: figure.Axis{Label: "vortons N", Log: true}, Y: figure.Axis{Label: "speed 4πRU/Γ"}}
	for _, k := range biot.Kernels() {
		c := figure.Curve{Name: k.String()}
		for n := 20; n <= 2000; n = n*11/10 + 1 {
			f := &vortex.Flow{}
			f.AddRing(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: 1, Circulation: 1}, n, sigma, 1)
			s := &biot.Sources{X: f.Vortons.X, Radius: f.Vortons.Radius}
			for i := range s.X {
				s.Alpha = append(s.Alpha, f.Vortons.Strength(i))
			}
			u := make([]vec.Vec3, 1)
			biot.Velocity(u, s.X[:1], s, k)
			c.X, c.Y = append(c.X, float64(n)), append(c.Y, 4*math.Pi*u[0].X)
		}
		panel.Curve = append(panel.Curve, c)
	}
	return &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}, Caption: "Speed of N vortons on a circle of radius R, by the kernel of their cores, whose radius is 0.05 R. Smooth cores (algebraic, gauss) move as a continuous ring as soon as they overlap, at about 200 vortons. The article's core of solid rotation (core) wanders with N, because its kernel has a kink."}, nil
}
