package article

import (
	"breakwater/raster/figure"
	"breakwater/sim/num"
)

func init() {
	register("article-kernels", "the four kernels of the article's table 1 and their derivatives", "Gourlay 2013, figure 3 and table 1", drawing(articleKernels))
}

func articleKernels() (*figure.Plot, error) {
	value := figure.Panel{Name: "kernel", X: figure.Axis{Label: "distance q = r/h"}, Y: figure.Axis{Label: "kernel h^{3} W"}}
	slope := figure.Panel{Name: "derivative", X: figure.Axis{Label: "distance q = r/h"}, Y: figure.Axis{Label: "derivative h^{3} dW/dq"}}
	for _, name := range []string{"gaussian", "lucy", "spiky", "poly6"} {
		k, err := newKernel(name, 3, 1)
		if err != nil {
			return nil, err
		}
		w, dw := figure.Curve{Name: name}, figure.Curve{Name: name}
		for i := range 201 {
			q := float64(i) / 200
			w.X, w.Y = append(w.X, q), append(w.Y, k.W(q))
			dw.X, dw.Y = append(dw.X, q), append(dw.Y, k.DW(q))
		}
		value.Curve, slope.Curve = append(value.Curve, w), append(slope.Curve, dw)
	}
	table := [][]string{{"kernel", "w(q)", "σ, 1D", "2D", "3D"}}
	for _, k := range []struct{ name, w string }{
		{"gaussian", "exp(−9q^{2})"}, {"lucy", "(1+3q)(1−q)^{3}"}, {"spiky", "(1−q)^{3}"}, {"poly6", "(1−q^{2})^{3}"},
	} {
		row := []string{k.name, k.w}
		for dim := 1; dim <= 3; dim++ {
			w, err := newKernel(k.name, dim, 1)
			if err != nil {
				return nil, err
			}
			row = append(row, num.Decimals(w.W(0), 5)) // for w(0) = 1
		}
		table = append(table, row)
	}
	return &figure.Plot{Columns: 2, Wide: true, Rows: []float64{0, 80}, Panels: []figure.Panel{value, slope, {Name: "normalisation", Table: table}}, Caption: "Kernels W = σ/h^{d} w(q) of unit integral in d dimensions, here for d = 3, with their derivatives and their factors σ. The slopes vanish at q = 0, except the slope of the spiky kernel. Two close particles are then not pushed apart, and clump."}, nil
}
