package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// corner is what the gas has at a point of the grid: its velocity in m/s and its excess of
// density in kg/m³.
type corner struct{ x, y, z, excess float64 }

// drift gives the tracers the velocity of the gas and its temperature, and moves them with
// it and the wind for dt (Euler). The bits are those of Grid.Fetch, assign and advect, which
// this does in one pass: the cell of a tracer and its weights serve all four numbers.
func (s *Gourlay) drift(t *Tracers, gas *Gas, dt float64) {
	g := &s.grid
	s.corner = par.Resize(s.corner, g.Points())
	for p, u := range s.field[:min(len(s.field), len(s.corner))] {
		s.corner[p] = corner{u.X, u.Y, u.Z, s.density[p]}
	}
	row, slice := g.Strides()
	par.For(len(t.X), func(lo, hi int) {
		all, v, temperature := t.X[lo:hi], t.V[lo:hi], t.Temperature[lo:hi]
		for n := range all {
			x := &all[n]
			i, fx := grid.Nearest((x.X-g.Min.X)/g.Edge.X, g.N[0])
			j, fy := grid.Nearest((x.Y-g.Min.Y)/g.Edge.Y, g.N[1])
			k, fz := grid.Nearest((x.Z-g.Min.Z)/g.Edge.Z, g.N[2])
			gx, gy, gz := 1-fx, 1-fy, 1-fz
			h0, h1, h2, h3 := gx*gy, fx*gy, gx*fy, fx*fy
			at := s.corner[k*slice+j*row+i:]
			u := between(corner{}, &at[0], &at[1], &at[row], &at[row+1], h0*gz, h1*gz, h2*gz, h3*gz)
			at = at[slice:]
			u = between(u, &at[0], &at[1], &at[row], &at[row+1], h0*fz, h1*fz, h2*fz, h3*fz)
			temperature[n] = gas.TemperatureOf(max(gas.Density/100, gas.Density+u.excess))
			w := vec.Vec3{X: u.x + gas.Wind.X, Y: u.y + gas.Wind.Y, Z: u.z + gas.Wind.Z}
			v[n] = w
			*x = vec.Vec3{X: x.X + float64(w.X*dt), Y: x.Y + float64(w.Y*dt), Z: x.Z + float64(w.Z*dt)}
		}
	})
}

// between returns u plus the weighted sum of four corners.
func between(u corner, a, b, c, d *corner, wa, wb, wc, wd float64) corner {
	return corner{
		u.x + float64(a.x*wa) + float64(b.x*wb) + float64(c.x*wc) + float64(d.x*wd),
		u.y + float64(a.y*wa) + float64(b.y*wb) + float64(c.y*wc) + float64(d.y*wd),
		u.z + float64(a.z*wa) + float64(b.z*wb) + float64(c.z*wc) + float64(d.z*wd),
		u.excess + float64(a.excess*wa) + float64(b.excess*wb) + float64(c.excess*wc) + float64(d.excess*wd),
	}
}
