package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("cylinder", "a cylinder that starts at once at Re = 550: its drag and the length of its wake", "own solution in polar coordinates; Koumoutsakos and Leonard 1995", cylinder)
}

// cylinder follows a cylinder of the diameter D = 1 m in a stream that starts at once, at Re = 550, in a slab that
// repeats along the axis, at two spacings. scenes/validate/reference solves for vorticity and stream function in polar
// coordinates. Koumoutsakos and Leonard, High-resolution simulations of the flow around an impulsively started cylinder
// using vortex methods, J. Fluid Mech. 296, 1995, have the same flow. T is time times the speed over the radius.
func cylinder(r *Run) (*Result, error) {
	const first = 0.5 // before T = 0.5 the drag of the start, which has no bound, counts
	end := r.pick(5, 1.5)
	sizes := []float64{32, 64}
	if r.Quick {
		sizes = []float64{24}
	}
	wantDrag, wantWake := published("cylinder_550", 1), published("cylinder_550", 3)
	plot := &figure.Plot{Columns: 2, Panels: []figure.Panel{
		{Name: "drag", X: figure.Axis{Label: "time T = t U/R"}, Y: figure.Axis{Label: "drag coefficient"}},
		{Name: "wake", X: figure.Axis{Label: "time T = t U/R"}, Y: figure.Axis{Label: "length of the wake / D"}},
	}}
	for c, want := range []*series{wantDrag, wantWake} {
		late := want.between(0.2, end)
		plot.Panels[c].Curve = append(plot.Panels[c].Curve, figure.Curve{Name: "polar coordinates", X: late.x, Y: late.y})
	}
	var measures []Measure
	var f *vortex.Flow
	var cell float64
	for k, cells := range sizes {
		cell = 1 / cells
		thick := 8 * cell // of the slab
		gas := idealGas()
		gas.Wind, gas.Viscosity = vec.New(1, 0, 0), 1./550
		f = &vortex.Flow{}
		solid, err := round(0.5)
		if err != nil {
			return nil, err
		}
		body := vortex.NewBody(solid, vec.NoTurn)
		f.Bodies = []*vortex.Body{body}
		const samples = 20 // per second, a tenth of T
		s := mesh(cell)
		s.Turn, s.LongestStep, s.Repeats = 0.2, 1./samples, [3]bool{2: true}
		s.Keep = 3e-5 // with 1e-4, nodes that become empty take 1.2 % of the drag by the vorticity
		s.Period = vec.Box{Max: vec.New(0, 0, thick)}
		at := newNodes(vec.Box{Min: vec.New(-1, -1.25, 0), Max: vec.New(1+float64(end/2), 1.25, thick)}, cell, s.Repeats)
		var axis []vec.Vec3 // behind the cylinder
		for x := 0.5; x < 0.5+float64(end/2); x += float64(cell / 4) {
			axis = append(axis, vec.New(x, 0, thick/2))
		}
		var pushed, turned, wake series // drag by the impulse of the body and of the vorticity
		last := 0.
		err = r.flow(f, s, gas, end/2, int(math.Round(end/2*samples)), func() {
			impulse := 0.
			for i, x := range f.Vortons.X {
				impulse += float64(x.Y * f.Vortons.Strength(i).Z)
			}
			if f.Time > 0 {
				middle := float64(2*f.Time) - 1./samples // T
				scale := samples / (0.5 * thick)
				pushed.add(middle, body.Impulse.X*scale)
				turned.add(middle, (last-impulse)*scale)
				at.set(f)
				long := 0.
				for i, v := range at.velocity(axis) {
					if v.X+1 < 0 {
						long = axis[i].X - 0.5
					}
				}
				wake.add(2*f.Time, long)
			}
			last = impulse
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%g cells per diameter", cells)
		goals := [3]float64{noGoal, noGoal, noGoal}
		if k == len(sizes)-1 {
			goals = [3]float64{r.pick(0.03, 0.5), r.pick(0.03, 0.4), r.pick(0.03, 0.4)}
		}
		for c, x := range []struct {
			name      string
			got, want *series
		}{{"drag by penalisation", &pushed, wantDrag}, {"drag by the impulse of the vorticity", &turned, wantDrag}, {"length of the wake", &wake, wantWake}} {
			late := x.got.between(first-1e-6, end)
			ideal := &series{}
			worst, scale := 0., highest(x.want.between(first, end).y)
			if c < 2 {
				scale = x.want.between(first, end).average()
			}
			for i, t := range late.x {
				ideal.add(t, x.want.at(t))
				worst = max(worst, math.Abs(late.y[i]-x.want.at(t))/scale)
			}
			measures = append(measures,
				curve(fmt.Sprintf("%s: %s, L2", name, x.name), late.rms(ideal, 0), goals[c]),
				curve(fmt.Sprintf("%s: %s, largest error", name, x.name), worst, noGoal))
		}
		for c, got := range []*series{turned.between(0.2, end), &wake} {
			plot.Panels[c].Curve = append(plot.Panels[c].Curve, figure.Curve{Name: name, X: got.x, Y: got.y, Dots: k == len(sizes)-1})
		}
	}
	return r.gasResult(f, cell, plot, measures...), nil
}

// round returns a cylinder along z without ends within reach, with sides so narrow that they are 2e-4 of the radius
// outside of it at the most.
func round(radius float64) (*solids.Solid, error) {
	const sides, half = 160, 100.
	planes := []solids.Plane{{N: vec.New(0, 0, 1), D: half}, {N: vec.New(0, 0, -1), D: half}}
	for k := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
		planes = append(planes, solids.Plane{N: vec.New(cos, sin, 0), D: radius})
	}
	return solids.New(vec.Vec3{}, planes)
}
