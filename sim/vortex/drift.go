package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// corner is what the gas has at a point of the grid: its velocity in m/s and its excess of
// density in kg/m³.
type corner [4]float64

// drift gives the tracers the velocity of the gas and its temperature, and moves them with
// it and the wind for dt (Euler). The bits are those of Grid.Fetch, assign and advect, which
// this does in one pass: the cell of a tracer and its weights serve all four numbers.
func (s *Gourlay) drift(t *Tracers, gas *Gas, dt float64) {
	g := &s.grid
	s.corner = par.Resize(s.corner, g.Points())
	for p, u := range s.field[:min(len(s.field), len(s.corner))] {
		s.corner[p] = corner{u.X, u.Y, u.Z, s.density[p]}
	}
	row, slice := g.strides()
	par.For(len(t.X), func(lo, hi int) {
		all, v, temperature := t.X[lo:hi], t.V[lo:hi], t.Temperature[lo:hi]
		for n := range all {
			x := &all[n]
			i, fx := nearest((x.X-g.Min.X)/g.Edge.X, g.N[0])
			j, fy := nearest((x.Y-g.Min.Y)/g.Edge.Y, g.N[1])
			k, fz := nearest((x.Z-g.Min.Z)/g.Edge.Z, g.N[2])
			gx, gy, gz := 1-fx, 1-fy, 1-fz
			plane := [4]float64{gx * gy, fx * gy, gx * fy, fx * fy}
			var ux, uy, uz, excess float64
			at := k*slice + j*row + i
			for _, w := range [2]float64{gz, fz} {
				near, far := s.corner[at:at+2], s.corner[at+row:at+row+2]
				for c, q := range [4]*corner{&near[0], &near[1], &far[0], &far[1]} {
					h := plane[c] * w
					ux += float64(q[0] * h)
					uy += float64(q[1] * h)
					uz += float64(q[2] * h)
					excess += float64(q[3] * h)
				}
				at += slice
			}
			temperature[n] = gas.TemperatureOf(max(gas.Density/100, gas.Density+excess))
			u := vec.Vec3{X: ux + gas.Wind.X, Y: uy + gas.Wind.Y, Z: uz + gas.Wind.Z}
			v[n] = u
			*x = vec.Vec3{X: x.X + float64(u.X*dt), Y: x.Y + float64(u.Y*dt), Z: x.Z + float64(u.Z*dt)}
		}
	})
}
