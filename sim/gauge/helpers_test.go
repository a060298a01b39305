package gauge

import (
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"slices"
	"testing"
)

// solvers runs f for every solver of the family, by name.
func solvers(t *testing.T, f func(t *testing.T, name string)) {
	for _, name := range sim.Solvers.Names() {
		t.Run(name, func(t *testing.T) { f(t, name) })
	}
}

// filled returns a world of the given spacing with a container from the origin
// to size, other walls, and liquid up to depth.
func filled(t testing.TB, spacing float64, size vec.Vec3, depth float64, walls ...boundary.Boundary) *sim.World {
	w := sim.New(spacing, 1000)
	w.Gravity = vec.New(0, -9.81, 0)
	w.Walls = append([]boundary.Boundary{&boundary.Box{Max: size, Inside: true}}, walls...)
	w.Fill(&shape.Box{Max: vec.New(size.X, depth, size.Z)}, vec.Vec3{})
	mustInit(t, w)
	return w
}

// dam returns a small dam break.
func dam(t testing.TB, spacing float64) *sim.World {
	w := sim.New(spacing, 1000)
	w.Gravity = vec.New(0, -9.81, 0)
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(1, 1.5, 0.4), Inside: true}}
	w.Fill(&shape.Box{Max: vec.New(0.4, 0.5, 0.4)}, vec.Vec3{})
	mustInit(t, w)
	return w
}

func mustInit(t testing.TB, w *sim.World) {
	t.Helper()
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
}

func mustAdvance(t testing.TB, w *sim.World, s sim.Solver, until float64, step func(sim.StepInfo) error) {
	t.Helper()
	if err := w.Advance(s, until, step); err != nil {
		t.Fatal(err)
	}
}

// observe lets the meters read w.
func observe(w *sim.World, meters []*Meter) []*Meter {
	for _, m := range meters {
		w.Observers = append(w.Observers, m)
	}
	return meters
}

// copySet makes dst equal to src in memory of its own.
func copySet(dst, src *particle.Set) {
	dst.X, dst.V, dst.Rho, dst.ID = slices.Clone(src.X), slices.Clone(src.V), slices.Clone(src.Rho), slices.Clone(src.ID)
	dst.Attr = dst.Attr[:0]
	for _, a := range src.Attr {
		dst.Attr = append(dst.Attr, particle.Attr{Name: a.Name, Data: slices.Clone(a.Data)})
	}
}
