package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("vorton-ring", "a ring of vortons on a circle: its speed by technique", "Saffman 1992", vortonRing)
}

// vortonRing compares the way of a ring of vortons with its speed in closed form. Each
// arc of the circle induces a velocity along the axis. With a core of solid rotation of
// radius σ and d = 2R sin(θ/2),
//
//	U = Γ/(4π) ∫ d²/(2 max(d, σ)³) dθ,
//
// which is Γ/(4πR) (ln(8R/σ) − ln 2 + 1/3) for σ ≪ R, a form of Saffman, Vortex Dynamics,
// 1992, section 10.2. Sums over the vortons must give it. A grid has an error of its own,
// which is reported for information.
func vortonRing(r *Run) (*Result, error) {
	const radius, sigma, circulation, way = 1., 0.2, 1., 1.
	n := int(r.pick(400, 100))
	var speed float64
	const parts = 200_000
	for k := range parts {
		d := 2 * radius * math.Sin(math.Pi*(float64(k)+0.5)/parts)
		l := max(d, sigma)
		speed += circulation / (4 * math.Pi) * d * d / (2 * l * l * l) * 2 * math.Pi / parts
	}
	end := way / speed
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "way", X: figure.Axis{Label: "time t U/R"}, Y: figure.Axis{Label: "way x/R"},
	}}}
	var measures []Measure
	var last *vortex.Flow
	for _, c := range []struct {
		name string
		s    *vortex.Gourlay
		goal float64
	}{
		{"direct sums", &vortex.Gourlay{Technique: &vortex.Direct{}, At: "vortons"}, 1e-3},
		{"tree, original leaves", &vortex.Gourlay{Technique: &vortex.Tree{Leaves: "original"}, At: "vortons"}, noGoal},
		{"tree at grid, mollified", &vortex.Gourlay{Technique: &vortex.Tree{Leaves: "super"}, At: "grid", Mollify: 2}, noGoal},
		{"Poisson, integral", &vortex.Gourlay{Technique: &vortex.Poisson{Method: "multigrid", Edge: "integral", Tolerance: 1e-4}, At: "grid"}, noGoal},
		{"Poisson, expanded", &vortex.Gourlay{Technique: &vortex.Poisson{Method: "multigrid", Edge: "zero", Border: 0.5, Tolerance: 1e-4}, At: "grid"}, noGoal},
	} {
		s := gourlay(c.s.Technique)
		s.At, s.Mollify, s.Stretching, s.LongestStep = c.s.At, c.s.Mollify, 0, r.pick(1./60, 1./15)
		gas := &vortex.Gas{Density: 1, Temperature: 293, HeatCapacity: 1}
		f := &vortex.Flow{}
		f.AddRing(&vorticity.Ring{Axis: vec.New(1, 0, 0), Radius: radius, Circulation: circulation}, n, sigma, gas.Density)
		var got series
		err := r.flow(f, s, gas, end, 20, func() {
			var x float64
			for i := range f.Vortons.X {
				x += f.Vortons.X[i].X / float64(n)
			}
			got.add(f.Time/end, x)
		})
		if err != nil {
			return nil, err
		}
		measures = append(measures, number(c.name+": speed", "m/s", got.last()/end, speed, speed, c.goal))
		plot.Panels[0].Curve = append(plot.Panels[0].Curve, figure.Curve{Name: c.name, X: got.x, Y: got.y})
		last = f
	}
	plot.Panels[0].Curve = append(plot.Panels[0].Curve, figure.Curve{Name: "exact", X: []float64{0, 0.25, 0.5, 0.75, 1}, Y: []float64{0, 0.25, 0.5, 0.75, 1}, Dots: true})
	return r.gasResult(last, 2*math.Pi*radius/float64(n), plot, measures...), nil
}
