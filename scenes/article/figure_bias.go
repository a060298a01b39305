package article

import (
	"math/rand/v2"
	"runtime"
	"strings"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/classic"
	"breakwater/sim/num"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	register("amd-bias", "number of neighbour lists that contain a particle, with and without the random order of AMD's search", "Heirich 2010", measured(amdBias))
	register("pairing", "share of clumped particles, by strength of the near pressure", "Gourlay 2013; Clavet et al. 2005", measured(pairing))
}

func amdBias() (*figure.Plot, error) {
	const unit = 0.004 // m
	panel := figure.Panel{Name: "lists", X: figure.Axis{Label: "lists that a particle is in"}, Y: figure.Axis{Label: "particles (%)"}}
	table := [][]string{{"order of the search", "in no list", "standard deviation / mean"}}
	for _, c := range []struct {
		name              string
		random, alternate bool
	}{{"as stored", false, false}, {"random start", true, false}, {"random start, both ways", true, true}} {
		w := sim.New(0.01, 1000)
		rng := rand.New(rand.NewPCG(1, 1))
		const n = 8192
		for i := range n {
			w.Add(vec.New(10*unit*rng.Float64(), 40*unit*rng.Float64(), 10*unit*rng.Float64()), vec.Vec3{}, 1000, uint32(i))
		}
		if err := w.Init(); err != nil {
			return nil, err
		}
		solver, err := solverOf("amd-asis")
		if err != nil {
			return nil, err
		}
		s := solver.(*classic.AMD)
		s.Random, s.Alternate = c.random, c.alternate
		seen := s.Seen(w)
		const wide = 8
		curve := figure.Curve{Name: c.name}
		share := make([]float64, 16)
		for _, k := range seen {
			share[min(k/wide, len(share)-1)] += 100. / n
		}
		for k, y := range share {
			curve.X, curve.Y = append(curve.X, float64(wide*k)+wide/2), append(curve.Y, y)
		}
		panel.Curve = append(panel.Curve, curve)
		unseen, spread := classic.Bias(seen)
		table = append(table, []string{c.name, num.Decimals(100*unseen, 1) + " %", num.Decimals(spread, 2)})
	}
	return &figure.Plot{Columns: 1, Rows: []float64{205, 75}, Panels: []figure.Panel{panel, {Name: "table", Table: table}},
		Caption: "The bias that AMD's random order removes. The plot shows how many of the lists of 32 neighbours contain each of 8192 particles, which start in a tenth of the box, 32 times as dense as the liquid. In stored order, all particles of a voxel list the same first neighbours, and nearly half of the particles appear in no list. From a random start, all appear about equally often. The last point includes all particles in more lists."}, nil
}

func pairing() (*figure.Plot, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	run := func(s sim.Solver) (float64, error) {
		w := sim.New(0.1, 1000)
		w.Gravity = vec.New(0, -10, 0)
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.6, 2, 0.6), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(0.6, 1, 0.6)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			return 0, err
		}
		err := w.Advance(s, 0.6, nil)
		return 100 * classic.Paired(w), err
	}
	near := figure.Curve{Name: "clavet", Both: true}
	for _, k := range []float64{0, 0.25, 0.5, 1, 2.5} {
		s, err := solverOf("clavet")
		if err != nil {
			return nil, err
		}
		s.(*classic.Clavet).Near = k
		part, err := run(s)
		if err != nil {
			return nil, err
		}
		near.X, near.Y = append(near.X, k), append(near.Y, part)
	}
	axis, bars := figure.Axis{Label: "kernel of the pressure, support of 2 spacings"}, figure.Curve{Name: "textbook", Bars: true}
	for k, name := range []string{"poly6", "lucy", "cubic-spline", "wendland-c2", "spiky"} {
		s, err := solverOf("textbook")
		if err != nil {
			return nil, err
		}
		s.(*classic.Textbook).PressureKernel = name
		part, err := run(s)
		if err != nil {
			return nil, err
		}
		axis.Names = append(axis.Names, strings.TrimSuffix(strings.TrimSuffix(name, "-spline"), "-c2"))
		bars.X, bars.Y = append(bars.X, float64(k)), append(bars.Y, part)
	}
	return &figure.Plot{Columns: 2, Panels: []figure.Panel{
		{Name: "near", X: figure.Axis{Label: "near stiffness k^{near}/k"}, Y: figure.Axis{Label: "clumped particles (%)"}, Curve: []figure.Curve{near}},
		{Name: "kernels", X: axis, Y: figure.Axis{Label: "clumped particles (%)"}, Curve: []figure.Curve{bars}},
	}, Caption: "Particles whose nearest neighbour is closer than half their mean distance, in a column of 1 m after 0.6 s. A near pressure keeps particles apart. The best kernels for the pressure are those whose slope does not vanish at the centre."}, nil
}
