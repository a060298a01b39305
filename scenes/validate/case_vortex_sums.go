package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/biot"
	"breakwater/sim/dice"
	"breakwater/sim/multipole"
	"breakwater/sim/vec"
)

func init() {
	register("vortex-sums", "the fast multipole method beside direct sums: its error by the error asked for", "direct sums", vortexSums)
}

// vortexSums compares velocities of the fast multipole method with direct sums, for vortons
// of random strength in a ball, on a ring, on a sheet and in two clusters far apart.
func vortexSums(r *Run) (*Result, error) {
	n := int(r.pick(20000, 6000))
	panel := figure.Panel{Name: "error", X: figure.Axis{Label: "error asked for", Log: true}, Y: figure.Axis{Label: "error of the velocities", Log: true}}
	var m []Measure
	for _, shape := range []string{"ball", "ring", "sheet", "two clusters"} {
		s := scattered(shape, n)
		points := make([]vec.Vec3, 256)
		for k := range points {
			points[k] = s.X[k*n/len(points)]
		}
		want := make([]vec.Vec3, len(points))
		biot.Velocity(want, points, s, biot.Algebraic)
		c := figure.Curve{Name: shape}
		for _, asked := range []float64{1e-2, 1e-3, 1e-4} {
			f := &multipole.Field{Kernel: biot.Algebraic, Error: asked}
			u := make([]vec.Vec3, n)
			f.Velocity(u, s.X, s)
			r.steps++
			var off, size, worst float64
			for k := range points {
				d := u[k*n/len(points)].Sub(want[k])
				off, size, worst = off+d.Dot(d), size+want[k].Dot(want[k]), math.Max(worst, d.Len())
			}
			l2 := math.Sqrt(off / size)
			c.X, c.Y = append(c.X, asked), append(c.Y, l2)
			if asked == 1e-4 {
				m = append(m, curve(fmt.Sprintf("%s, %g asked: L2", shape, asked), l2, asked),
					curve(fmt.Sprintf("%s: largest, of the mean square", shape), worst/math.Sqrt(size/float64(len(points))), 20*asked))
			}
			if err := r.Ctx.Err(); err != nil {
				return nil, err
			}
		}
		panel.Curve = append(panel.Curve, c)
	}
	panel.Curve = append(panel.Curve, figure.Curve{Name: "asked", X: []float64{1e-4, 1e-2}, Y: []float64{1e-4, 1e-2}})
	return &Result{n, r.steps, math.Cbrt(4 * math.Pi / 3 / float64(n)), m, &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}}}, nil
}

// scattered returns n vortons of random strength.
func scattered(shape string, n int) *biot.Sources {
	s := &biot.Sources{}
	radius := math.Cbrt(4 * math.Pi / 3 / float64(n))
	for i := range n {
		d := dice.New(5, uint64(i))
		cube := func(k uint64) vec.Vec3 {
			return vec.New(float64(2*d.Float(k))-1, float64(2*d.Float(k+1))-1, float64(2*d.Float(k+2))-1)
		}
		x := cube(0).Unit().Mul(math.Cbrt(d.Float(3)))
		switch shape {
		case "ring":
			sin, cos := math.Sincos(2 * math.Pi * d.Float(4))
			x = vec.New(cos, sin, 0).Add(x.Mul(0.1))
		case "sheet":
			x = vec.New(float64(2*d.Float(4))-1, float64(2*d.Float(5))-1, 0)
		case "two clusters":
			x = x.Mul(0.5).Add(vec.New(5*float64(i%2), 0, 0))
		}
		s.X, s.Alpha, s.Radius = append(s.X, x), append(s.Alpha, cube(6)), append(s.Radius, radius)
	}
	return s
}
