package article

import (
	"runtime"
	"slices"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/classic"
	"breakwater/sim/num"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	register("collapsed-times", "frames per second of the one-pass and three-pass algorithms, next to table 6.3", "van Kooten 2010, table 6.3", measured(collapsedTimes))
	register("collapsed-accuracy", "deviation of the particles from the three-pass result, against speed", "van Kooten 2010", measured(collapsedAccuracy))
	register("overcompression", "compression of a column at rest, by stiffness", "van Kooten 2010, figure 6.5", measured(overcompression))
}

// glass is a liquid of about n particles at rest in a box as wide as deep.
func glass(n int) (*sim.World, error) {
	side := 1
	for side*side*side < n {
		side++
	}
	d := 1 / float64(side)
	w := sim.New(d, 1000)
	w.Gravity = vec.New(0, -10, 0)
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1, 4, 1), Inside: true}}
	w.Fill(&shape.Box{Max: vec.New(1, 1, 1)}, vec.Vec3{})
	return w, w.Init()
}

func collapsedTimes() (*figure.Plot, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	rows := []struct {
		algorithm, name string
		book            float64 // frames per second
	}{
		{"three-pass", "three passes", 19}, {"list", "with a list", 26}, {"collapsed", "collapsed", 30},
		{"cell-hash", "+ cell hash", 36}, {"homogeneous", "+ homogeneous", 37},
	}
	book, ours := figure.Curve{Name: "book, Xeon W3520: frames per second", Bars: true}, figure.Curve{Name: "here: steps per second", Bars: true}
	table := [][]string{{"algorithm", "book, 1/s", "to its first", "here, 1/s", "to the first"}}
	axis := figure.Axis{}
	for k, r := range rows {
		w, err := glass(8000)
		if err != nil {
			return nil, err
		}
		s, err := collapsedBy(r.algorithm)
		if err != nil {
			return nil, err
		}
		dt := s.MaxDt(w)
		t, err := clock(12, func() error {
			_, err := s.Step(w, dt)
			w.Time += dt
			return err
		})
		if err != nil {
			return nil, err
		}
		axis.Names = append(axis.Names, r.name)
		book.X, book.Y = append(book.X, float64(k)), append(book.Y, r.book)
		ours.X, ours.Y = append(ours.X, float64(k)), append(ours.Y, 1/t)
		table = append(table, []string{r.name, num.Decimals(r.book, 0), num.Decimals(r.book/19, 2), num.Decimals(1/t, 1), num.Decimals(1/t/ours.Y[0], 2)})
	}
	return &figure.Plot{Columns: 1, Rows: []float64{210, 105}, Panels: []figure.Panel{
		{Name: "speed", X: axis, Y: figure.Axis{Label: "1/s"}, Curve: []figure.Curve{book, ours}},
		{Name: "table 6.3", Table: table},
	}, Caption: "Speed of the algorithms with 8000 particles at rest in a glass, on one core, as printed in table 6.3 of the book and as measured here. A frame in the book is one step."}, nil
}

func collapsedAccuracy() (*figure.Plot, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const until = 0.06
	single := []string{"naive", "updated", "rehash", "collapsed"}
	run := func(algorithm string, steps int) (map[uint32]vec.Vec3, float64, error) {
		w := sim.New(0.1, 1000)
		w.Gravity = vec.New(0, -10, 0)
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1.2, 2, 0.5), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(0.5, 0.8, 0.5)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			return nil, 0, err
		}
		s, err := collapsedBy(algorithm)
		if err != nil {
			return nil, 0, err
		}
		dt := until / float64(steps)
		t, err := clock(steps, func() error {
			_, err := s.Step(w, dt)
			w.Time += dt
			return err
		})
		x := map[uint32]vec.Vec3{}
		for i, id := range w.ID {
			x[id] = w.X[i]
		}
		return x, t, err
	}
	apart := figure.Panel{Name: "error", X: figure.Axis{Label: "steps of 0.06 s", Log: true}, Y: figure.Axis{Label: "mean distance (spacings)", Log: true}}
	table := [][]string{{"algorithm", "μs per step", "distance, 120 steps"}}
	for _, algorithm := range classic.Algorithms {
		c := figure.Curve{Name: algorithm, Both: true}
		for _, steps := range []int{60, 120, 240} {
			exact, _, err := run("three-pass", steps)
			if err != nil {
				return nil, err
			}
			x, t, err := run(algorithm, steps)
			if err != nil {
				return nil, err
			}
			off := 0.
			for id := range uint32(len(exact)) {
				off += exact[id].Sub(x[id]).Len() / 0.1 / float64(len(exact))
			}
			c.X, c.Y = append(c.X, float64(steps)), append(c.Y, off)
			if steps == 120 {
				table = append(table, []string{algorithm, num.Decimals(1e6*t, 0), num.Decimals(off, 5)})
			}
		}
		if slices.Contains(single, algorithm) {
			apart.Curve = append(apart.Curve, c)
		}
	}
	return &figure.Plot{Columns: 2, Panels: []figure.Panel{apart, {Name: "speed", Title: "speed on one core, 200 particles, and distance in spacings", Table: table}},
		Caption: "Distance between the results of the one-pass algorithms and of three passes, in a column that falls for 0.06 s. It is plotted over the number of steps and over the time per step. The error is proportional to the step. Algorithm 3, whose densities lag one step, has the smallest error."}, nil
}

func overcompression() (*figure.Plot, error) {
	depth := figure.Curve{Name: "depth of a column of 1 m", Both: true}
	for _, c := range []float64{3, 4, 6, 10, 16} {
		w := sim.New(1./12, 1000)
		w.Gravity = vec.New(0, -10, 0)
		w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.5, 3, 0.5), Inside: true}}
		w.Fill(&shape.Box{Max: vec.New(0.5, 1, 0.5)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			return nil, err
		}
		s, err := collapsedBy("collapsed")
		if err != nil {
			return nil, err
		}
		s.SoundSpeed = c
		if err := w.Advance(s, 2, nil); err != nil {
			return nil, err
		}
		mean := 0.
		for _, x := range w.X {
			mean += x.Y / float64(w.Len())
		}
		depth.X, depth.Y = append(depth.X, c*c), append(depth.Y, 2*mean)
	}
	return &figure.Plot{Columns: 1, Panels: []figure.Panel{{Name: "depth", X: figure.Axis{Label: "stiffness k = c^{2} (m^{2}/s^{2})", Log: true}, Y: figure.Axis{Label: "depth (m)"}, Curve: []figure.Curve{depth}}},
		Caption: "A column 1 m deep after 2 s, for the stiffness k of p = k (ρ − ρ_{0}). A softer liquid is compressed more by its own weight. A stiffer one needs shorter steps. Walls have no particles, so the liquid beside them is always denser."}, nil
}
