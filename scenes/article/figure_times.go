package article

import (
	"runtime"
	"strconv"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/phase"
)

func init() {
	register("article-times", "run times of the falling column by number of threads, next to the article's table 3", "Gourlay 2013, table 3", measured(articleTimes))
}

// theirs is the article's table 3: threads, density, pressure, diffusion, total in ms per
// step, 1016 particles on an i7-2600.
var theirs = [][5]float64{
	{1, 1.60, 3.18, 1.44, 6.41}, {2, 1.49, 2.96, 1.36, 6.02}, {3, 1.28, 2.45, 1.14, 5.09},
	{4, 1.18, 2.30, 1.07, 4.76}, {6, 1.17, 2.29, 1.06, 4.73}, {8, 1.14, 2.25, 1.03, 4.61},
}

func articleTimes() (*figure.Plot, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	parts := []string{"density", "pressure", "diffusion", "total"}
	var curves []figure.Curve
	for _, whose := range []string{"article: ", "here: "} {
		for _, part := range parts {
			curves = append(curves, figure.Curve{Name: whose + part, Both: true})
		}
	}
	table := [][]string{{"threads", "density", "pressure", "diffusion", "total", "here: search", "density", "pressure", "diffusion", "total"}}
	for _, row := range theirs {
		threads := row[0]
		runtime.GOMAXPROCS(int(threads))
		ours, err := columnTimes()
		if err != nil {
			return nil, err
		}
		cells := []string{strconv.Itoa(int(threads))}
		for k := range parts {
			curves[k].X, curves[k].Y = append(curves[k].X, threads), append(curves[k].Y, row[1+k])
			cells = append(cells, num.Decimals(row[1+k], 2))
		}
		cells = append(cells, num.Decimals(ours[0], 3))
		for k := range parts {
			curves[4+k].X, curves[4+k].Y = append(curves[4+k].X, threads), append(curves[4+k].Y, ours[1+k])
			cells = append(cells, num.Decimals(ours[1+k], 3))
		}
		table = append(table, cells)
	}
	return &figure.Plot{Columns: 1, Rows: []float64{230, 120}, Panels: []figure.Panel{
		{Name: "times", X: figure.Axis{Label: "threads"}, Y: figure.Axis{Label: "ms per step", Log: true}, Curve: curves},
		{Name: "table 3", Title: "ms per step: the article, with 1016 particles, and here with 1024", Table: table},
	}, Caption: "Run times of a step of the falling column over the number of threads. They are from table 3 of the article (i7-2600, 1016 particles), and measured here with the same law and 1024 particles on " + strconv.Itoa(runtime.NumCPU()) + " cores. Here the search for pairs is done once, and in the article it is part of each time."}, nil
}

// columnTimes returns the times of a step's parts in ms: search, density, pressure,
// diffusion, and in all, in the middle of the fall.
func columnTimes() (ms [5]float64, err error) {
	const before, steps = 15, 300
	w, err := column(0)
	if err != nil {
		return ms, err
	}
	s, err := solverOf("gourlay-default")
	if err != nil {
		return ms, err
	}
	var times [5][]float64
	for k := range before + steps {
		dt := 1. / 30
		info, err := s.Step(w, dt)
		if err != nil {
			return ms, err
		}
		if w.Time += dt; k < before {
			continue
		}
		total := 0.
		for _, t := range info.Seconds {
			total += t
		}
		for i, t := range []float64{info.Seconds[phase.Sorting], info.Seconds[phase.Pairing], info.Seconds[phase.Density], info.Seconds[phase.Forcing], total} {
			times[i] = append(times[i], t)
		}
	}
	for i := range times {
		ms[i] = 1000 * tenthPercentile(times[i])
	}
	return ms, nil
}
