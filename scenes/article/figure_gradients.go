package article

import (
	"breakwater/raster/figure"
	"breakwater/sim/classic"
	"breakwater/sim/vec"
)

func init() {
	register("gradients", "three formulas for the gradient inside and at the edge of a drop", "Gourlay 2013, table 2", drawing(gradients))
}

// gradients shows what the forms make of a constant and of a slope over a row of
// particles. Nothing lies beyond the ends of the row, as at the edge of a drop or at a
// wall without particles.
func gradients() (*figure.Plot, error) {
	const n, h = 41, 0.1
	k, err := newKernel("spiky", 1, h)
	if err != nil {
		return nil, err
	}
	plot := &figure.Plot{Columns: 2, Caption: "The canonical gradient Σ f_{j}/n_{j} ∇W, the difference form Σ (f_{j} − f_{i})/n_{i} ∇W and the symmetric form n_{i} Σ (f_{i}/n_{i}^{2} + f_{j}/n_{j}^{2}) ∇W of a constant and of a linear function. The particles lie between x = 0 and 1. The difference form is exact for the constant, also at walls, but is zero at the surface of a drop. The others point inwards there. Only the symmetric form gives the two particles of a pair opposite forces."}
	for _, c := range []struct {
		name, title string
		f           func(x float64) float64
		exact       float64
	}{
		{"constant", "f = 1", func(float64) float64 { return 1 }, 0},
		{"slope", "f = 1 + x", func(x float64) float64 { return 1 + x }, 1},
	} {
		var s classic.Samples
		for i := range n {
			x := float64(i) / (n - 1)
			s.X, s.F = append(s.X, vec.New(x, 0, 0)), append(s.F, c.f(x))
		}
		s.SumWeights(k)
		panel := figure.Panel{Name: c.name, Title: c.title, X: figure.Axis{Label: "place x"}, Y: figure.Axis{Label: "df/dx"}}
		panel.Curve = append(panel.Curve, figure.Curve{Name: "exact", X: []float64{0, 1}, Y: []float64{c.exact, c.exact}})
		for _, form := range classic.Forms {
			curve := figure.Curve{Name: string(form)}
			for i, x := range s.X {
				curve.X, curve.Y = append(curve.X, x.X), append(curve.Y, s.Gradient(k, i, form).X)
			}
			panel.Curve = append(panel.Curve, curve)
		}
		plot.Panels = append(plot.Panels, panel)
	}
	return plot, nil
}
