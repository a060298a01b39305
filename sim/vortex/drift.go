package vortex

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// corner is what the gas has at a point of the grid: its velocity in m/s and its excess of
// density in kg/m³.
type corner struct{ x, y, z, excess float64 }

// drifting is what the motion of all tracers shares. The assembly reads it by the offsets of
// its fields.
type drifting struct {
	min, edge [4]float64 // of the grid
	last      [4]float64 // number of the last cell along each axis
	add       [4]float64 // the wind, and the ambient density
	one       [4]float64
	dt        [4]float64
	least     float64 // density
	heat      float64 // temperature times density of the gas
	_         [2]float64
	strides   [4]int32 // from a point to the next along each axis
}

// drifting returns what the motion of tracers through s.grid shares.
func (s *Gourlay) drifting(gas *Gas, dt float64) *drifting {
	g := &s.grid
	row, slice := g.Strides()
	return &drifting{
		min: [4]float64{g.Min.X, g.Min.Y, g.Min.Z}, edge: [4]float64{g.Edge.X, g.Edge.Y, g.Edge.Z, 1},
		last: [4]float64{float64(g.N[0] - 1), float64(g.N[1] - 1), float64(g.N[2] - 1)},
		add:  [4]float64{gas.Wind.X, gas.Wind.Y, gas.Wind.Z, gas.Density}, one: [4]float64{1, 1, 1, 1}, dt: [4]float64{dt, dt, dt},
		least: gas.Density / 100, heat: gas.Temperature * gas.Density, strides: [4]int32{1, int32(row), int32(slice)},
	}
}

// drift gives the tracers the velocity of the gas and its temperature, and moves them with
// it and the wind for dt (Euler). The bits are those of Grid.Fetch, assign and advect, which
// this does in one pass: the cell of a tracer and its weights serve all four numbers.
func (s *Gourlay) drift(t *Tracers, gas *Gas, dt float64) {
	s.corner = par.Resize(s.corner, s.grid.Points())
	for p, u := range s.field[:min(len(s.field), len(s.corner))] {
		s.corner[p] = corner{u.X, u.Y, u.Z, s.density[p]}
	}
	d := s.drifting(gas, dt)
	par.For(len(t.X), func(lo, hi int) { drift(t.X[lo:hi], t.V[lo:hi], t.Temperature[lo:hi], s.corner, d) })
}

// driftGo moves tracers at x, and sets their velocities and temperatures.
func driftGo(x, v []vec.Vec3, temperature []float64, corners []corner, d *drifting) {
	row, slice := int(d.strides[1]), int(d.strides[2])
	for n := range x {
		var c [3]int
		var f, g [3]float64
		for a, q := range x[n].Array() {
			c[a], f[a] = grid.Nearest((q-d.min[a])/d.edge[a], int(d.last[a])+1)
			g[a] = 1 - f[a]
		}
		h0, h1, h2, h3 := g[0]*g[1], f[0]*g[1], g[0]*f[1], f[0]*f[1]
		at := corners[c[2]*slice+c[1]*row+c[0]:]
		u := between(corner{}, &at[0], &at[1], &at[row], &at[row+1], h0*g[2], h1*g[2], h2*g[2], h3*g[2])
		at = at[slice:]
		u = between(u, &at[0], &at[1], &at[row], &at[row+1], h0*f[2], h1*f[2], h2*f[2], h3*f[2])
		w := vec.Vec3{X: u.x + d.add[0], Y: u.y + d.add[1], Z: u.z + d.add[2]}
		v[n] = w
		x[n] = vec.Vec3{X: x[n].X + float64(w.X*d.dt[0]), Y: x[n].Y + float64(w.Y*d.dt[1]), Z: x[n].Z + float64(w.Z*d.dt[2])}
		temperature[n] = d.heat / max(d.least, u.excess+d.add[3])
	}
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
