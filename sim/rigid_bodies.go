package sim

import (
	"fmt"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// rigidBodies are the free bodies of a world, and what the liquid does to them in a step.
type rigidBodies struct {
	body.System
	force        []body.Generalized // by viscosity and friction
	pressureRate []body.Generalized // by the pressures that a solve tries
	leaves       [][]leaf           // of each body: which blocks press on it
	trialMotions []body.Twist       // see setDrifts
}

// FreeBodies returns the bodies that move freely, in the order of Set.Bodies.
func (w *World) FreeBodies() []*body.Body { return w.rigid.Bodies }

// hasFreeBodies reports whether a wall is a body that moves freely, also before InitBodies.
func (w *World) hasFreeBodies() bool {
	return slices.ContainsFunc(w.Walls, func(wall boundary.Boundary) bool {
		b, ok := wall.(*body.Body)
		return ok && b.Free != nil
	})
}

// InitBodies finds the free bodies among the walls and puts them where they start. Init
// calls it; a world that only places its solids needs no more.
func (w *World) InitBodies() error {
	if w.Period.Any() || w.Closed {
		for i, wall := range w.Walls {
			if b, ok := wall.(*body.Body); ok && b.Free != nil {
				return fmt.Errorf("sim: wall %d: a free body needs a free surface and a world that is not periodic", i+1)
			}
		}
	}
	s, err := body.NewSystem(w.Walls)
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	n := len(s.Bodies)
	w.rigid = rigidBodies{System: s, force: make([]body.Generalized, n), pressureRate: make([]body.Generalized, n), leaves: make([][]leaf, n)}
	w.Set.Bodies = s.States()
	return nil
}

// PlaceBodies puts the free bodies where a state of the world has them.
func (w *World) PlaceBodies(list []particle.Body) error {
	if len(list) != len(w.rigid.Bodies) {
		return fmt.Errorf("sim: the state has %d bodies, but the world has %d", len(list), len(w.rigid.Bodies))
	}
	w.Set.Bodies = list
	w.rigid.Place(list)
	return nil
}

// fixed returns the walls that are not free bodies.
func (w *World) fixed() []boundary.Boundary {
	if len(w.rigid.Bodies) == 0 {
		return w.Walls
	}
	return w.rigid.Fixed
}

// bodyStep returns a step of dt for the free bodies.
func (w *World) bodyStep(dt float64) body.Step {
	return body.Step{Dt: dt, Gravity: w.Gravity, Spacing: w.Spacing, Speed: w.Speed}
}

// start prepares the free bodies for a step from their present places.
func (r *rigidBodies) start() {
	r.Start()
	clear(r.force)
	clear(r.pressureRate)
}

// accelerate applies gravity and the liquid's forces but pressure to the bodies. It returns
// the work of the liquid's forces, J.
func (r *rigidBodies) accelerate(s body.Step) float64 {
	return r.workOf(r.force, s.Dt, func() { r.Accelerate(s, r.force) })
}

// applyPressures applies the impulses of the last solve's pressures to the bodies in dt. It
// returns their work, J.
func (r *rigidBodies) applyPressures(dt float64) float64 {
	return r.workOf(r.pressureRate, dt, func() { r.AddImpulses(r.pressureRate, dt) })
}

// workOf returns the work of generalized forces that apply adds to the velocities in dt, J.
func (r *rigidBodies) workOf(force []body.Generalized, dt float64, apply func()) (work float64) {
	for k := range r.Velocities {
		work += float64(dt / 2 * force[k].Dot(&r.Velocities[k]))
	}
	apply()
	for k := range r.Velocities {
		work += float64(dt / 2 * force[k].Dot(&r.Velocities[k]))
	}
	return work
}

// energy returns the energy of the bodies under the gravity g.
func (r *rigidBodies) energy(g vec.Vec3) (sum Energy) {
	for _, b := range r.Bodies {
		l := b.Momentum()
		sum.Kinetic += float64(l.Dot(body.Twist{Lin: b.Vel(b.Free.Center()), Ang: b.Spin()}) / 2)
		sum.Potential -= float64(b.Free.Mass * g.Dot(b.Free.Center()))
	}
	return sum
}
