package article

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"breakwater/raster/figure"
	"breakwater/sim/num"
)

func init() {
	const cite = "Heirich 2010"
	register("amd-equations", "the sums of SPH and the four equations of AMD's slides", cite+", slides 12 and 14", drawing(amdEquations))
	register("amd-scale", "AMD's box, in metres and in the units of the simulation", cite+", slide 7", drawing(amdScale))
	register("amd-voxels", "all pairs, compared with the 2×2×2 voxels nearest to a particle", cite, drawing(amdVoxels))
	register("amd-pipeline", "the stages of AMD's pipeline and the data between them", cite, drawing(amdPipeline))
	register("amd-sort", "hash, sort and index of a few particles by voxel", cite, drawing(amdSort))
	register("amd-neighbors", "the scan of a voxel: from a random particle, forwards and backwards", cite, drawing(amdNeighbors))
}

func amdEquations() (*figure.Plot, error) {
	lines := listing(figure.Regular, 9.5,
		"A quantity A at x, from the particles around:",
		"",
		"    A(x) = Σ_{j} m_{j}/ρ_{j} A_{j} W(x − x_{j}, h)      ∇A = Σ_{j} m_{j}/ρ_{j} A_{j} ∇W      ∇^{2}A = Σ_{j} m_{j}/ρ_{j} A_{j} ∇^{2}W",
		"",
		"and with it the motion of an incompressible liquid, particle by particle:",
		"",
		"    (1)   dv_{i}/dt = g − ∇p_{i}/ρ_{i} + (μ/ρ_{i}) ∇^{2}v_{i}",
		"    (2)   ρ_{i} = Σ_{j} m_{j} 315/(64πh^{9}) (h^{2} − r^{2})^{3}",
		"    (3)   ∇p_{i}/ρ_{i} = Σ_{j} m_{j} (p_{i}/ρ_{i}^{2} + p_{j}/ρ_{j}^{2}) (−45/(πh^{6})) (h − r)^{2} r_{ij}/r",
		"    (4)   (μ/ρ_{i}) ∇^{2}v_{i} = (μ/ρ_{i}) Σ_{j} m_{j} (v_{j} − v_{i})/ρ_{j} 45/(πh^{6}) (h − r)",
		"    p = k (ρ − ρ_{0})",
	)
	return &figure.Plot{Columns: 1, Row: 185, Panels: []figure.Panel{{Name: "equations", Sketch: lines}},
		Caption: "From the Navier-Stokes equations to SPH, as on the slides. The sums run over the neighbours j of particle i within the distance h. The density uses the kernel poly6, the pressure the spiky kernel, and the viscosity the viscosity kernel."}, nil
}

func amdScale() (*figure.Plot, error) {
	sketch := func(s *figure.Sketch) {
		s.Window(-14, -8, 130, 58)
		const shift = 14. // of the back, for depth
		frame := figure.Pen(ink, 0.9)
		back := figure.Pen(figure.Gray(0.6), 0.6)
		s.Area(water, 0, 0, 10, 0, 10, 40, 0, 40)
		s.Stroke(back, shift, shift, 100+shift, shift)
		s.Stroke(back, shift, shift, shift, 40+shift)
		s.Stroke(back, 0, 0, shift, shift)
		s.Stroke(frame, 0, 0, 100, 0, 100, 40, 0, 40, 0, 0)
		s.Stroke(frame, 0, 40, shift, 40+shift, 100+shift, 40+shift, 100, 40)
		s.Stroke(frame, 100, 0, 100+shift, shift, 100+shift, 40+shift)
		s.Label("100 units = 0.4 m", 50, 0, 0, -7, plain)
		s.Label("40 units", 0, 20, -5, 6, plain)
		s.Label("= 0.16 m", 0, 20, -5, -5, plain)
		s.Label("40 units deep", 107, 7, 8, -3, plain)
		s.Label("liquid at the start", 14, 33, 6, 0, colored(plain, figure.Pen(blue, 1)))
		const h = 3.34
		s.Ball(figure.Style{Fill: figure.Pale(red, 0.2), Stroke: red, Width: 0.8}, 60, 20, h)
		s.Dot(red, "particle", 60, 20)
		s.Label("h = 3.34 units = 13.4 mm", 60+h, 20, 6, 0, plain)
		s.Area(figure.Style{Stroke: ink, Width: 0.6, Dash: []float64{3, 2}}, 60-h, 20-h, 60+h, 20-h, 60+h, 20+h, 60-h, 20+h)
		s.Label("voxel: 2h", 60, 20+h, 0, 6, plain)
	}
	return &figure.Plot{Columns: 1, Row: 270, Panels: []figure.Panel{{Name: "scale", Sketch: sketch}},
		Caption: "The simulation scale: positions are in units of 0.004 m, velocities in m/s. The 32,768 particles of 1 g start in a tenth of the box. At the density of water, this space holds only one thirty-second of them."}, nil
}

func amdVoxels() (*figure.Plot, error) {
	rng := rand.New(rand.NewPCG(7, 7))
	pos := make([][2]float64, 70)
	for i := range pos {
		pos[i] = [2]float64{4 * rng.Float64(), 4 * rng.Float64()}
	}
	const x, y, h = 2.35, 1.72, 0.5 // voxels of edge 1
	draw := func(voxels bool) func(s *figure.Sketch) {
		return func(s *figure.Sketch) {
			s.Window(-0.2, -0.2, 4.2, 4.2)
			if voxels {
				s.Area(figure.Style{Fill: figure.Pale(blue, 0.15)}, 2, 1, 3, 1, 3, 2, 2, 2)
				s.Area(figure.Style{Fill: figure.Pale(blue, 0.15)}, 1, 1, 2, 1, 2, 3, 1, 3)
				s.Area(figure.Style{Fill: figure.Pale(blue, 0.15)}, 2, 2, 3, 2, 3, 3, 2, 3)
			}
			for k := range 5 {
				v := float64(k)
				s.Stroke(muted, v, 0, v, 4)
				s.Stroke(muted, 0, v, 4, v)
			}
			looked := 0
			for _, p := range pos {
				look := !voxels || p[0] >= 1 && p[0] < 3 && p[1] >= 1 && p[1] < 3
				if look {
					looked++
					s.Stroke(figure.Pen(figure.Gray(0.75), 0.4), x, y, p[0], p[1])
				}
			}
			s.Ball(figure.Style{Stroke: red, Width: 0.9}, x, y, h)
			for _, p := range pos {
				c := figure.Gray(0.55)
				if float64((p[0]-x)*(p[0]-x))+float64((p[1]-y)*(p[1]-y)) < h*h {
					c = red
				}
				s.Circle(figure.Style{Fill: c}, s.At(p[0], p[1]).X, s.At(p[0], p[1]).Y, 1.6)
			}
			s.Dot(ink, fmt.Sprintf("looks at %d of %d", looked, len(pos)), x, y)
		}
	}
	looked := 0
	for _, p := range pos {
		if p[0] >= 1 && p[0] < 3 && p[1] >= 1 && p[1] < 3 {
			looked++
		}
	}
	return &figure.Plot{Columns: 2, Row: 245, Panels: []figure.Panel{
		{Name: "naive", Title: fmt.Sprintf("all pairs: %d distances per particle", len(pos)), Sketch: draw(false)},
		{Name: "voxels", Title: fmt.Sprintf("voxels of 2h on its side: %d", looked), Sketch: draw(true)},
	}, Caption: "Neighbours within the distance h (red), in two dimensions. Left: all particles are tested. The result is right, since W = 0 beyond h, but the cost is O(N^{2}). Right: with voxels of edge 2h, a particle needs its own voxel and the nearest ones beside it, 2×2 here and 2×2×2 in three dimensions."}, nil
}

func amdPipeline() (*figure.Plot, error) {
	stages := [][3]string{
		{"hashParticles", "position", "voxel of each"}, {"sort (radix)", "voxel, number", "in order of voxels"},
		{"sortPostPass", "order", "positions, velocities"}, {"index", "voxels in order", "first of each voxel"},
		{"indexPostPass", "first, or −1", "no voxel without"}, {"findNeighbors", "first, positions", "map of at most 32"},
		{"computeDensityPressure", "map, distances", "ρ, p"}, {"computeAcceleration", "map, ρ, p, v", "dv/dt"}, {"integrate", "dv/dt", "x, v"},
	}
	sketch := func(s *figure.Sketch) {
		s.Window(0, 0, 30, 14)
		at := func(k int) (x, y float64) { return 5 + float64(10*float64(k%3)), 11.6 - float64(4.6*float64(k/3)) }
		for k, stage := range stages {
			x, y := at(k)
			box(s, figure.Style{Fill: figure.Pale(blue, 0.13), Stroke: ink, Width: 0.7}, x, y, 8, 2.9, stage[0], "from "+stage[1], "to "+stage[2])
			if k%3 < 2 {
				s.Vector(thin, x+4, y, x+6, y)
			} else if k+1 < len(stages) {
				nx, ny := at(k + 1)
				s.Stroke(thin, x, y-1.45, x, y-2.3, nx, y-2.3)
				s.Vector(thin, nx, y-2.3, nx, ny+1.45)
			}
		}
	}
	return &figure.Plot{Columns: 1, Row: 245, Panels: []figure.Panel{{Name: "pipeline", Sketch: sketch}},
		Caption: "The pipeline of a step. Each stage is a loop over particles, or over voxels for the index, in any order. After sortPostPass, a particle's number is its position in the order of the voxels."}, nil
}

func amdSort() (*figure.Plot, error) {
	voxel := []int{5, 2, 5, 0, 2, 2, 7, 0}
	order := make([]int, len(voxel))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return voxel[a] - voxel[b] })
	first := make([]int, 9)
	for c := range first {
		first[c] = -1
		for k, i := range order {
			if voxel[i] == c {
				first[c] = k
				break
			}
		}
	}
	first[8] = len(voxel)
	filled := slices.Clone(first)
	for c := 7; c >= 0; c-- {
		if filled[c] < 0 {
			filled[c] = filled[c+1]
		}
	}
	sketch := func(s *figure.Sketch) {
		s.Window(-5, -0.4, 9.6, 6.6)
		row := func(y float64, name string, values []int, mark func(k int) bool) {
			s.Label(name, -0.2, y+0.45, -4, 0, plain)
			for k, v := range values {
				style := figure.Style{Stroke: ink, Width: 0.6}
				if mark(k) {
					style.Fill = figure.Pale(red, 0.25)
				}
				x := float64(k)
				s.Area(style, x, y, x+1, y, x+1, y+0.9, x, y+0.9)
				s.Label(num.Decimals(float64(v), 0), x+0.5, y+0.45, 0, 0, plain)
			}
		}
		no := func(int) bool { return false }
		sorted, serial := []int{}, []int{}
		for _, i := range order {
			sorted, serial = append(sorted, voxel[i]), append(serial, i)
		}
		row(5.6, "hashParticles: voxel of particle 0 … 7", voxel, no)
		row(4.2, "sort: voxels in order", sorted, no)
		row(3.2, "and whose they are", serial, no)
		row(1.6, "index: first of voxel 0 … 7, and how many", first, func(k int) bool { return first[k] < 0 })
		row(0.2, "indexPostPass: none without a start", filled, func(k int) bool { return first[k] < 0 })
	}
	return &figure.Plot{Columns: 1, Row: 225, Panels: []figure.Panel{{Name: "sort", Sketch: sketch}},
		Caption: "Eight particles are hashed to voxels, sorted by voxel and indexed. The sort is stable, so the order depends on nothing else. An empty voxel (red) has no first particle. It is given the start of the next voxel, so each voxel ends where the next begins."}, nil
}

func amdNeighbors() (*figure.Plot, error) {
	sketch := func(s *figure.Sketch) {
		s.Window(-3.4, -0.9, 12.2, 4.1)
		row := func(y float64, name string, start, step int) {
			s.Label(name, -0.1, y+0.5, -4, 0, plain)
			for k := range 12 {
				x := float64(k)
				style := figure.Style{Stroke: ink, Width: 0.6}
				if k == start {
					style.Fill = figure.Pale(blue, 0.35)
				}
				s.Area(style, x, y, x+1, y, x+1, y+1, x, y+1)
				turn := ((k-start)*step%12 + 12) % 12
				s.Label(num.Decimals(float64(turn+1), 0), x+0.5, y+0.5, 0, 0, plain)
			}
		}
		row(2.8, "particle 17 (odd)", 7, 1)
		row(1.2, "particle 18 (even)", 3, -1)
		row(-0.4, "without: all particles", 0, 1)
	}
	return &figure.Plot{Columns: 1, Row: 190, Panels: []figure.Panel{{Name: "order", Sketch: sketch}},
		Caption: "The order in which two particles visit the twelve particles of a voxel. Each starts at a random position (blue). It goes forwards if its number is odd and backwards if it is even, and wraps around at the ends. Otherwise, all particles would list the same first neighbours when their lists of 32 are full."}, nil
}
