package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("dam-energy", "energy balance of a dam break that hits the far wall", "", damEnergy)
}

// damEnergy follows the energy of a column of water, 1 m wide and 2 m high, that collapses in a
// tank 4 m long. Up to the impact on the far wall the flow is smooth and the walls have no
// friction, so viscosity alone takes energy, and the exact loss is negligible. Later waves break.
// Energy from no known source is an error at all times.
func damEnergy(r *Run) (*Result, error) {
	const a, length, end = 1., 4., 1.5
	parts := [2]float64{r.pick(50, 24), r.pick(100, 40)}
	var d, off, lost [2]float64
	var worlds [2]*sim.World
	var curves []figure.Curve
	var m []Measure
	for k, n := range parts {
		w := tank2D(a/n, length, length)
		w.Fill(&shape.Box{Max: vec.New(a, 2*a, 0)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			return nil, err
		}
		s := r.solver()
		b := newBudget(w, s)
		var front series // over s
		err := r.outlast(w, s, end, 150, func() error {
			b.add(w)
			front.add(w.Time, farthest(w))
			return nil
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("a/d = %g", n)
		impact := front.first(length - 0.1)
		before := b.total.at(impact)
		d[k], off[k], lost[k], worlds[k] = a/n, math.Abs(before), b.lost(), w
		curves = append(curves, figure.Curve{Name: name, X: b.total.x, Y: percent(b.total.y)})
		m = append(m,
			number(name+": energy before the impact", "", 1+before, 1, 1, r.pick(0.01, 0.03)),
			number(name+": largest gain", "", max(0, highest(b.total.y)), 0, 1, r.pick(0.002, 0.004)),
			b.surplusOf(name, r.pick(0.002, 0.012)),
			note(name+": energy at the end", "", 1+b.total.last()),
			note(name+": lost to numerics", "", lost[k]),
			note(name+": lost to impacts", "", b.known(0-b.impacts)))
	}
	m = append(m, orderOf("energy before the impact", d, off), lasted(end, worlds[:]...))
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "energy", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "change of energy (%)"}, Curve: curves,
	}}}
	return r.result(worlds[1], plot, m...), nil
}

// farthest returns the highest x of a particle of w, m.
func farthest(w *sim.World) (x float64) {
	for _, p := range w.X {
		x = max(x, p.X)
	}
	return x
}
