package article

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"time"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

func init() {
	register("body-times", "run times of collisions with bodies by number of threads, next to the article's table 2", "Gourlay 2012, table 2 and figure 9", measured(bodyTimes))
}

// theirBodies is the article's table 2: threads, and the time to solve the boundary
// conditions in ms per frame. The scene has 49,000 tracers, 981 vortons, 2 balls and a
// box, with 8939 hits, on an i7-2600.
var theirBodies = [][2]float64{{1, 2.42}, {2, 1.606}, {3, 1.134}, {4, 1.142}, {6, 0.804}, {8, 0.784}, {12, 0.69}, {16, 0.718}}

// smoke returns 50,000 tracers that pass two balls and a box, which some 9000 of
// them hit, and the three.
func smoke() (*solids.Tracers, []*solids.Solid) {
	r := rand.New(rand.NewPCG(13, 2))
	t := &solids.Tracers{Radius: 0.02, Mass: 1e-3}
	for range 50_000 {
		t.X = append(t.X, vec.New(-0.7+float64(1.5*r.Float64()), -0.6+float64(1.2*r.Float64()), 0.3+float64(2.2*r.Float64())))
		t.V = append(t.V, vec.New(float64(r.Float64())-0.5, float64(r.Float64())-0.5, float64(r.Float64())+0.5))
	}
	box := solids.NewBox(vec.New(0, 0, 1), vec.New(0.5, 0.25, 0.05))
	box.Spin = vec.New(0.01, 0.02, 0)
	return t, []*solids.Solid{solids.NewBall(vec.New(0, 0, 0.5), 0.2), solids.NewBall(vec.New(0.2, 0, 2), 0.5), box}
}

func bodyTimes() (*figure.Plot, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	t, bodies := smoke()
	x, v := slices.Clone(t.X), slices.Clone(t.V)
	hits := 0
	// ms returns the time of a frame.
	ms := func(collide func([]*solids.Solid) []solids.Push) float64 {
		const frames = 60
		var times []float64
		for range frames {
			copy(t.X, x)
			copy(t.V, v)
			start := time.Now()
			sums := collide(bodies)
			times = append(times, time.Since(start).Seconds())
			hits = 0
			for _, p := range sums {
				hits += p.Hits
			}
		}
		return 1000 * tenthPercentile(times)
	}
	curves := []figure.Curve{{Name: "article", Both: true}, {Name: "here: tree of sums", Both: true}, {Name: "here: as it comes", Both: true}}
	table := [][]string{{"threads", "article", "here: tree of sums", "as it comes"}}
	for _, row := range theirBodies {
		runtime.GOMAXPROCS(int(row[0]))
		ours := [3]float64{row[1], ms(t.Collide), ms(t.CollideAsItComes)}
		cells := []string{strconv.Itoa(int(row[0]))}
		for k, y := range ours {
			curves[k].X, curves[k].Y = append(curves[k].X, row[0]), append(curves[k].Y, y)
			cells = append(cells, num.Decimals(y, 3))
		}
		table = append(table, cells)
	}
	return &figure.Plot{Columns: 1, Rows: []float64{210, 150}, Panels: []figure.Panel{
		{Name: "times", X: figure.Axis{Label: "threads"}, Y: figure.Axis{Label: "ms per frame", Log: true}, Curve: curves},
		{Name: "table 2", Title: "ms per frame: the article, with 8939 hits per frame, and here with " + strconv.Itoa(hits), Table: table},
	}, Caption: "Run times of the collisions of 50,000 particles with two balls and a box, over the number of threads. They are from table 2 of the article (49,000 tracers and 981 vortons, i7-2600), and measured here on " + strconv.Itoa(runtime.NumCPU()) + " cores. Impulses are added in a tree, with the same bits on any number of threads, or as they come, with bits that differ from run to run. " + strconv.Itoa(hits) + " particles hit a body."}, nil
}
