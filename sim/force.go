package sim

import (
	"breakwater/sim/plug"
	"breakwater/sim/vec"
)

// Force is something that acts on the liquid besides pressure, viscosity and
// gravity.
type Force interface {
	// MaxDt returns the longest step that the force allows in w, s: +Inf if
	// it allows any.
	MaxDt(w *World) float64
	// Add adds the force's acceleration to a, in m/s². p holds the pairs of
	// w's particles.
	Add(a []vec.Vec3, w *World, p *Pairs)
}

// Forces are the known kinds.
var Forces = plug.Set[Force]{Kind: "force"}

// accelerate sets a to the acceleration by all but pressure.
func (w *World) accelerate(a []vec.Vec3, p *Pairs) {
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			a[i] = w.Gravity
		}
	})
	if w.Viscosity > 0 {
		w.addViscosity(a, p)
	}
	for _, f := range w.Forces {
		f.Add(a, w, p)
	}
}
