package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/period"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("gresho", "Gresho's vortex in a periodic square: its velocities after 1 s", "Gresho and Chan 1990; Liska and Wendroff 2003", gresho)
}

// gresho compares a vortex with itself: a steady flow without viscosity. See Gresho and Chan,
// On the theory of semi-implicit projection methods, part 2, Int. J. Numer. Meth. Fluids 11,
// 1990, and Liska and Wendroff, Comparison of several difference schemes on 1D and 2D test
// problems for the Euler equations, SIAM J. Sci. Comput. 25, 2003. Its speed rises to 1 m/s at
// 0.2 m from its centre and falls to 0 at 0.4 m. The liquid there turns by 5 rad in 1 s.
func gresho(r *Run) (*Result, error) {
	end := r.pick(1, 0.2)
	parts := [2]float64{r.pick(50, 32), r.pick(100, 64)}
	var d, off, lost [2]float64
	var worlds [2]*sim.World
	var curves []figure.Curve
	var m []Measure
	for k, n := range parts {
		x, err := r.vortex(1/n, end)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("L/d = %g", n)
		d[k], off[k], lost[k], worlds[k] = 1/n, x.off.last(), 1-x.energy.last(), x.world
		x.profile.Name = name
		curves = append(curves, x.profile)
		m = append(m,
			number(name+": velocities, L2", "", off[k], 0, 1, 0.1),
			number(name+": kinetic energy", "", x.energy.last(), 1, 1, 0.05),
			number(name+": angular momentum", "", x.spin, 1, 1, 0.02))
	}
	m = append(m, orderOf("velocities", d, off), orderOf("kinetic energy", d, lost), lasted(end, worlds[:]...))
	exact := figure.Curve{Name: "exact", X: []float64{0, 0.2, 0.4, 0.5}, Y: []float64{0, 1, 0, 0}}
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "profile", X: figure.Axis{Label: "distance from the centre (m)"}, Y: figure.Axis{Label: "mean speed around it (m/s)"}, Curve: append(curves, exact),
	}}}
	return r.result(worlds[1], plot, m...), nil
}

// greshoVelocity returns the velocity at x from the centre of Gresho's vortex, m/s.
func greshoVelocity(x vec.Vec3) vec.Vec3 {
	at := x.Len()
	turn := 0.
	switch {
	case at < 0.2:
		turn = 5
	case at < 0.4:
		turn = 2/at - 5
	}
	return vec.New(-x.Y, x.X, 0).Mul(turn)
}

// greshoCenter is the centre of the vortex.
var greshoCenter = vec.New(0.5, 0.5, 0)

// vortexRun is a run of Gresho's vortex.
type vortexRun struct {
	world   *sim.World
	profile figure.Curve // of the last reading: mean speed around the centre, m/s, over the distance from it, m

	off    series  // L2 error of the velocities, of their L2 norm at the start, over s
	energy series  // kinetic, of that at the start, over s
	spin   float64 // angular momentum at the end, of that at the start
}

// vortex runs Gresho's vortex of particles d apart.
func (r *Run) vortex(d, end float64) (*vortexRun, error) {
	w := sim.New2D(d, 1000)
	w.Viscosity = 1e-6
	w.Period = period.Period{X: true, Y: true, Max: vec.New(1, 1, 0)}
	w.Closed = true
	w.Fill(&shape.Box{Max: vec.New(1, 1, 0)}, vec.Vec3{})
	for i, x := range w.X {
		w.V[i] = greshoVelocity(x.Sub(greshoCenter))
	}
	if err := w.Init(); err != nil {
		return nil, err
	}
	x, first, norm, turned := &vortexRun{world: w}, 0., 0., 0.
	err := r.outlast(w, r.solver(), end, 50, func() error {
		var off, all, energy, spin float64
		for i, p := range w.X {
			p = p.Sub(greshoCenter)
			want, v := greshoVelocity(p), w.V[i]
			e := v.Sub(want)
			off, all, energy = off+e.Dot(e), all+want.Dot(want), energy+v.Dot(v)
			if p.Len() < 0.5 {
				spin += float64(p.X*v.Y) - float64(p.Y*v.X)
			}
		}
		if w.Time == 0 {
			first, norm, turned = energy, all, spin
		}
		x.off.add(w.Time, math.Sqrt(off/norm))
		x.energy.add(w.Time, energy/first)
		x.spin, x.profile = spin/turned, aroundCenter(w)
		return nil
	})
	return x, err
}

// aroundCenter returns the mean speed around the centre over the distance from it.
func aroundCenter(w *sim.World) (c figure.Curve) {
	const n, most = 25, 0.5
	var sum, count [n]float64
	for i, p := range w.X {
		p = p.Sub(greshoCenter)
		at := p.Len()
		if k := int(at / most * n); k < n && at > 0 {
			v := w.V[i]
			sum[k] += (float64(p.X*v.Y) - float64(p.Y*v.X)) / at
			count[k]++
		}
	}
	for k := range sum {
		if count[k] > 0 {
			c.X, c.Y = append(c.X, (float64(k)+0.5)/n*most), append(c.Y, sum[k]/count[k])
		}
	}
	return c
}
