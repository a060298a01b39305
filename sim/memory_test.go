package sim

import (
	"cmp"
	"runtime"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/heaptest"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestMemory compares Memory with the memory of runs.
func TestMemory(t *testing.T) {
	longtest.NotShort(t)
	tank := vec.Box{Max: vec.New(2, 2, 1)}
	for _, c := range []struct {
		name, solver string // of the solver "" is the default
		change       func(w *World)
	}{
		{"water", "", func(*World) {}},
		{"corrected gradients", "isph", func(*World) {}},
		{"viscosity", "", func(w *World) { w.Viscosity = 0.5 }},
		{"surface tension", "", func(w *World) { w.SurfaceTension = 0.07 }},
		{"mesh", "", func(w *World) { w.Walls = []boundary.Boundary{walltest.Mesh(t, mesh.Cuboid(tank), true)} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := heaptest.InUse()
			w := New(0.05, 1000)
			w.Gravity = earth
			w.Walls = []boundary.Boundary{&boundary.Box{Min: tank.Min, Max: tank.Max, Inside: true}}
			c.change(w)
			w.Fill(&shape.Box{Max: vec.New(1, 1, 1)}, vec.Vec3{})
			mustInit(t, w)
			s := registrytest.New(t, &Solvers, cmp.Or(c.solver, "iisph"))
			mustAdvance(t, w, s, 0.1, nil)
			got, want := heaptest.InUse()-before, w.Memory(float64(w.Len()), s)
			t.Logf("%.0f bytes per particle, expected %.0f", got/float64(w.Len()), want/float64(w.Len()))
			if got < 0.75*want || got > 1.25*want {
				t.Errorf("%.3g bytes, expected %.3g", got, want)
			}
			runtime.KeepAlive(w)
			runtime.KeepAlive(s)
		})
	}
}
