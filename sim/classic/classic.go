// Package classic holds the solvers of older articles, for comparison with later ones.
// Each is a sim.Solver with a name, and follows the printed text or the code published
// with it. Their liquids compress under their own weight, and bounce off walls.
package classic

import (
	"fmt"
	"math"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/par"
)

// bouncer keeps particles off walls by contacts, as in Gourlay, Fluid Simulation
// for Video Games 13, 2012, and 15, 2013.
type bouncer struct {
	radius   float64 // of a particle, m
	bounce   float64 // coefficient of restitution e
	passes   int     // times a particle may be put back before it stays
	noEscape bool    // the last pass takes what velocity is left
}

// clearance puts a particle a little farther than it must be, in radii, so that it is
// clear of the wall after rounding.
const clearance = 1e-4

// finishStep ends a step. The walls move, and particles in contact with them are projected
// out and reflected by s = (v − v_wall)·n < 0,
//
//	v −= (1+e) s n.
//
// The article ignores the sign of s, and so pulls back particles that already separate.
func (b *bouncer) finishStep(w *sim.World, dt float64, info *sim.StepInfo) error {
	for _, wall := range w.Walls {
		wall.Move(w.Time + dt)
	}
	const chunk = 256
	n := w.Len()
	type result struct {
		v2   float64
		hits int
		bad  int
	}
	part := make([]result, (n+chunk-1)/chunk)
	par.Each(len(part), func(c int) {
		r := result{bad: -1}
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			if b.projectOut(w, i) {
				r.hits++
			}
			v2 := w.V[i].Dot(w.V[i])
			if r.v2 = max(r.v2, v2); r.bad < 0 && !(w.X[i].Finite() && v2 < 1e12) {
				r.bad = i
			}
		}
		part[c] = r
	})
	var v2 float64
	for _, r := range part {
		if r.bad >= 0 {
			i := r.bad
			return &sim.Unstable{
				ID: w.ID[i], Time: w.Time + dt, X: w.X[i],
				Cause:  fmt.Sprintf("has the velocity %v m/s", w.V[i]),
				Advice: "lower the solver's stiffness or its longest step",
			}
		}
		v2, info.Projected = max(v2, r.v2), info.Projected+r.hits
	}
	info.MaxSpeed = math.Sqrt(v2)
	return nil
}

// projectOut moves particle i out of the walls, and reports whether it had to.
func (b *bouncer) projectOut(w *sim.World, i int) (held bool) {
	for pass := range b.passes {
		again := false
		for _, wall := range w.Walls {
			d, n := boundary.RoughDist(wall, w.X[i])
			if d >= b.radius {
				continue
			}
			w.X[i] = w.X[i].Add(n.Mul(float64(b.radius*(1+clearance)) - d))
			v := wall.Vel(w.X[i])
			if s := w.V[i].Sub(v).Dot(n); s < 0 {
				w.V[i] = w.V[i].Sub(n.Mul((1 + b.bounce) * s))
			}
			if pass > 0 && b.noEscape {
				w.V[i] = v
			}
			held, again = true, true
		}
		if !again {
			break
		}
	}
	return held
}

// alone fails with what these solvers cannot do.
func alone(w *sim.World) error {
	switch {
	case len(w.Inflows) > 0 || len(w.Outflows) > 0:
		return &sim.SettingError{Key: "kind", Text: "this solver does not support inflows and outflows; expected isph, iisph, dfsph or wcsph"}
	case w.Period.Any():
		return &sim.SettingError{Key: "kind", Text: "this solver does not support periodic sides; expected isph, iisph, dfsph or wcsph"}
	case len(w.Forces) > 0 || w.SurfaceTension > 0:
		return &sim.SettingError{Key: "kind", Text: "this solver does not support surface tension or extra forces; expected isph, iisph, dfsph or wcsph, or a liquid without them"}
	}
	return nil
}
