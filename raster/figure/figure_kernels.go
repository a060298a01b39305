package figure

import (
	"io/fs"

	"breakwater/sim/kernel"
	"breakwater/sim/registry"
)

func init() {
	Figures.Add("kernels", "smoothing kernels and their derivatives, in three dimensions", "", func() Figure { return kernels{} })
}

// kernels plots W and dW/dr of every kernel for h = 1, in which h³W and
// h⁴dW/dr of any h are numbers.
type kernels struct{}

// Plot implements Figure.
func (kernels) Plot(fs.FS) (*Plot, error) {
	const steps = 200
	value := Panel{Name: "kernel", X: Axis{Label: "distance r/h"}, Y: Axis{Label: "kernel h³W"}}
	slope := Panel{Name: "derivative", X: Axis{Label: "distance r/h"}, Y: Axis{Label: "derivative h⁴ dW/dr"}}
	for _, e := range kernel.Kernels.Entries() {
		make, err := e.New(registry.None)
		if err != nil {
			return nil, err
		}
		k := make(3, 1)
		w, dw := Curve{Name: e.Name}, Curve{Name: e.Name}
		for i := range steps + 1 {
			q := float64(i) / steps
			w.X, w.Y = append(w.X, q), append(w.Y, k.W(q))
			dw.X, dw.Y = append(dw.X, q), append(dw.Y, k.DW(q))
		}
		value.Curve, slope.Curve = append(value.Curve, w), append(slope.Curve, dw)
	}
	return &Plot{Columns: 2, Panels: []Panel{value, slope}, Caption: "The smoothing kernels W and their derivatives in three dimensions, for the support radius h."}, nil
}
