package validate

import (
	"breakwater/sim"
	"breakwater/sim/vec"
)

// moments are sums over all particles.
type moments struct {
	xx, yy    float64 // means of x² and y² about the origin, m²
	side, top float64 // highest x and y, m
	energy    float64 // kinetic, J
	momentum  float64 // |Σ mv|, kg m/s
	flow      float64 // Σ m|v|, kg m/s
	spin      float64 // Σ m x×v about z and the origin, kg m²/s
	turning   float64 // Σ m|x||v|, kg m²/s
}

func momentsOf(w *sim.World) (m moments) {
	var p vec.Vec3
	n := float64(w.Len())
	for i, x := range w.X {
		v := w.V[i]
		m.xx += x.X * x.X / n
		m.yy += x.Y * x.Y / n
		m.side, m.top = max(m.side, x.X), max(m.top, x.Y)
		m.energy += float64(w.Mass() / 2 * v.Dot(v))
		m.flow += float64(w.Mass() * v.Len())
		m.spin += float64(w.Mass() * (float64(x.X*v.Y) - float64(x.Y*v.X)))
		m.turning += float64(w.Mass() * x.Len() * v.Len())
		p = p.Add(v.Mul(w.Mass()))
	}
	m.momentum = p.Len()
	return m
}

// about is a liquid about its centre of mass.
type about struct {
	center, velocity vec.Vec3 // m, m/s
	energy           float64  // kinetic, J
	spin             vec.Vec3 // Σ m x×v, kg m²/s
}

func aboutCenter(w *sim.World) (a about) {
	n := float64(w.Len())
	for i, x := range w.X {
		a.center, a.velocity = a.center.Add(x), a.velocity.Add(w.V[i])
	}
	a.center, a.velocity = a.center.Mul(1/n), a.velocity.Mul(1/n)
	for i, x := range w.X {
		v := w.V[i].Sub(a.velocity)
		a.energy += float64(w.Mass() / 2 * v.Dot(v))
		a.spin = a.spin.Add(x.Sub(a.center).Cross(v).Mul(w.Mass()))
	}
	return a
}
