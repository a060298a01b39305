package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("taylor-green-3d", "large eddies that break up into small ones in a box that repeats, at Re = 100: energy and dissipation", "own pseudo-spectral solution; Taylor and Green 1937", taylorGreen3D)
}

// taylorGreen3D follows the vortex
//
//	u = (sin x cos y cos z, −cos x sin y cos z, 0),  ν = 1/100
//
// in a box of (2π)³ (Taylor and Green, Mechanism of the production of small eddies from large ones, Proc. R. Soc. A 158,
// 1937), at two spacings. scenes/validate/reference has the pseudo-spectral solution.
func taylorGreen3D(r *Run) (*Result, error) {
	const nu = 0.01
	end := r.pick(8, 2)
	energy, dissipation := published("taylor_green_3d", 1), published("taylor_green_3d", 2)
	plot := &figure.Plot{Columns: 2, Panels: []figure.Panel{
		{Name: "energy", X: figure.Axis{Label: "time t U/L"}, Y: figure.Axis{Label: "energy"}, Curve: []figure.Curve{{Name: "spectral", X: energy.x, Y: energy.y}}},
		{Name: "dissipation", X: figure.Axis{Label: "time t U/L"}, Y: figure.Axis{Label: "dissipation"}, Curve: []figure.Curve{{Name: "spectral", X: dissipation.x, Y: dissipation.y}}},
	}}
	var measures []Measure
	var f *vortex.Flow
	var cell float64
	sizes := []int{32, 64}
	if r.Quick {
		sizes = sizes[:1]
	}
	for k, n := range sizes {
		cell = 2 * math.Pi / float64(n)
		gas := idealGas()
		gas.Viscosity = nu
		f = &vortex.Flow{}
		for p := range n * n * n {
			x := vec.New(float64(p%n-n/2), float64(p/n%n-n/2), float64(p/(n*n)-n/2)).Mul(cell)
			sx, cx := math.Sincos(x.X)
			sy, cy := math.Sincos(x.Y)
			sz, cz := math.Sincos(x.Z)
			f.AddVorton(x, vec.New(-cx*sy*sz, -sx*cy*sz, 2*sx*sy*cz), vortex.BallRadius(cell*cell*cell), gas.Density, vortex.Blend{})
		}
		s := mesh(cell)
		s.Keep = 1e-5
		s.Repeats = [3]bool{true, true, true}
		s.Period = vec.Box{Min: vec.New(-math.Pi, -math.Pi, -math.Pi), Max: vec.New(math.Pi, math.Pi, math.Pi)}
		at := newNodes(s.Period, cell, s.Repeats)
		got := [2]series{}
		err := r.flow(f, s, gas, end, int(math.Round(10*end)), func() {
			at.set(f)
			got[0].add(f.Time, at.square(&at.u)/2)
			got[1].add(f.Time, float64(nu*at.square(&at.w)))
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%d³ cells", n)
		goals := [2]float64{noGoal, noGoal}
		if k == len(sizes)-1 {
			goals = [2]float64{r.pick(0.005, 0.01), r.pick(0.02, 0.03)}
		}
		for c, want := range []*series{energy, dissipation} {
			worst := 0.
			for i, t := range got[c].x {
				worst = max(worst, math.Abs(got[c].y[i]/want.at(t)-1))
			}
			measures = append(measures, curve(fmt.Sprintf("%s: %s, largest error over time", name, plot.Panels[c].Name), worst, goals[c]))
			plot.Panels[c].Curve = append(plot.Panels[c].Curve, figure.Curve{Name: name, X: got[c].x, Y: got[c].y, Dots: k == len(sizes)-1})
		}
	}
	return r.gasResult(f, cell, plot, measures...), nil
}
