package validate

import (
	"cmp"
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("still-water", "water at rest with its own viscosity: the speeds that remain", "", stillWater)
}

// stillWater measures how much water at rest moves after 2 s. It has the viscosity of water
// and no damping, and the solver has its default settings. The exact solution does not move.
func stillWater(r *Run) (*Result, error) {
	const depth, end = 0.3, 2.
	layers := [2]float64{r.pick(50, 25), r.pick(100, 50)}
	var d, rms, most [2]float64
	var worlds [2]*sim.World
	var curves []figure.Curve
	var m []Measure
	for k, n := range layers {
		x, err := r.still(depth, depth/n, end)
		if err != nil {
			return nil, err
		}
		d[k], rms[k], most[k], worlds[k] = depth/n, x.rms.last(), x.most.last(), x.world
		name := fmt.Sprintf("H/d = %g", n)
		curves = append(curves,
			figure.Curve{Name: name + ": v_rms", X: x.rms.x, Y: x.rms.y},
			figure.Curve{Name: name + ": v_max", X: x.most.x, Y: x.most.y})
		m = append(m,
			number(name+": v_rms/√(gH)", "", rms[k], 0, 1, 0.002),
			number(name+": v_max/√(gH)", "", most[k], 0, 1, 0.01),
			number(name+": level", "m", depth+float64(2*x.rise), depth, depth, 0.003))
	}
	m = append(m, orderOf("v_rms", d, rms), orderOf("v_max", d, most), lasted(end, worlds[:]...))
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "speeds", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "speed v/√(gH)", Log: true}, Curve: curves,
	}}}
	return r.result(worlds[1], plot, m...), nil
}

// stillRun is a run of water at rest.
type stillRun struct {
	world     *sim.World
	rms, most series  // of the speeds over √(gH), over s
	rise      float64 // of the centre of mass, m
}

// still runs a square tank of water of the given depth, of particles d apart.
func (r *Run) still(depth, d, end float64) (*stillRun, error) {
	return r.rest(tank2D(d, depth, 1.5*depth), &shape.Box{Max: vec.New(depth, depth, 0)}, depth, end)
}

// rest fills w with water at rest of the given depth, and runs it.
func (r *Run) rest(w *sim.World, liquid shape.Shape, depth, end float64) (*stillRun, error) {
	const g = 9.81
	s := r.solver()
	w.FillFor(s)
	w.Fill(liquid, vec.Vec3{})
	if err := cmp.Or(w.Init(), w.Pack()); err != nil {
		return nil, err
	}
	x := &stillRun{world: w}
	scale, start := math.Sqrt(g*depth), w.Stats().Center.Y
	err := r.outlast(w, s, end, 50, func() error {
		if w.Time == 0 {
			return nil
		}
		s := w.Stats()
		x.rms.add(w.Time, math.Sqrt(2*s.Kinetic/(float64(w.Len())*w.Mass()))/scale)
		x.most.add(w.Time, s.MaxSpeed/scale)
		x.rise = s.Center.Y - start
		return nil
	})
	return x, err
}

// tank2D returns an empty two-dimensional tank from the origin, for water.
func tank2D(d, width, height float64) *sim.World {
	w := sim.New2D(d, 1000)
	w.Gravity = vec.New(0, -9.81, 0)
	w.Viscosity = 1e-6
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(width, height, 0), Inside: true}}
	return w
}
