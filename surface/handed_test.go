package surface

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// summed returns c with the densities that a solver would hand on.
func summed(c Cloud) Cloud {
	k := kernel.NewCubicSpline(3, 2*c.Spacing)
	c.Rho, c.Rho0 = make([]float64, len(c.X)), 1000
	for i, x := range c.X {
		for _, y := range c.X {
			c.Rho[i] += c.Rho0 * c.Spacing * c.Spacing * c.Spacing * k.W(x.Sub(y).Len())
		}
	}
	return c
}

// shuffled returns c with its particles in another order.
func shuffled(c Cloud, seed uint64) Cloud {
	order := rand.New(rand.NewPCG(seed, 1)).Perm(len(c.X))
	x, v, rho := c.X, c.V, c.Rho
	c.X, c.V, c.Rho = nil, nil, nil
	for _, i := range order {
		c.X, c.V = append(c.X, x[i]), append(c.V, v[i])
		if len(rho) > 0 {
			c.Rho = append(c.Rho, rho[i])
		}
	}
	return c
}

// TestHandedOn: densities and an order that are handed on give the mesh that
// is found without them, but for the rounding of sums.
func TestHandedOn(t *testing.T) {
	longtest.Only(t)
	c := splash(5000)
	family(t, func(t *testing.T, m Method) {
		want := surfaceOf(t, m, c)
		for name, c := range map[string]Cloud{
			"densities": summed(c), "shuffled": shuffled(c, 1), "densities, shuffled": shuffled(summed(c), 2),
		} {
			got := surfaceOf(t, m, c)
			if !slices.Equal(got.Tri, want.Tri) {
				t.Fatalf("%s: %d triangles, others than the %d without", name, len(got.Tri), len(want.Tri))
			}
			off := 0 // where rounding decided how a sliver was made good
			for v, p := range want.Pos {
				switch e := got.Pos[v].Sub(p).Len(); {
				case e > 0.05*c.Spacing:
					t.Fatalf("%s: vertex %v is off by %.2g spacings", name, p, e/c.Spacing)
				case e > 1e-3*c.Spacing:
					off++
				}
			}
			if off > len(want.Pos)/400 {
				t.Errorf("%s: %d of %d vertices are off by more than a thousandth of a spacing", name, off, len(want.Pos))
			}
		}
	})
}

// TestOrderIsUsed: of particles that come by the solver's cells none is moved,
// and none is looked for: a density that is handed on is believed.
func TestOrderIsUsed(t *testing.T) {
	longtest.Only(t)
	c := summed(splash(5000))
	f := new(field)
	f.take(&c, vec.Vec3{})
	for i, j := range f.cells.Order() {
		if got, want := float64(f.Fill[i]), c.Rho[j]/c.Rho0; got < want*(1-1e-6) {
			t.Fatalf("particle %d: relative density %g, handed on as %g", j, got, want)
		}
	}
	sorted := Cloud{Spacing: c.Spacing, Walls: c.Walls, Rho0: c.Rho0}
	for _, j := range f.cells.Order() {
		sorted.X, sorted.V, sorted.Rho = append(sorted.X, c.X[j]), append(sorted.V, c.V[j]), append(sorted.Rho, c.Rho[j])
	}
	f.take(&sorted, vec.Vec3{})
	if !f.cells.Sorted() {
		t.Error("particles by cell are put into another order")
	}
	family(t, func(t *testing.T, m Method) {
		var a, b mesh.Mesh
		thin := c
		thin.Rho = slices.Clone(c.Rho)
		for i := range thin.Rho {
			thin.Rho[i] *= 1.2
		}
		for _, x := range []struct {
			dst *mesh.Mesh
			c   Cloud
		}{{&a, c}, {&b, thin}} {
			if err := m.Surface(x.dst, x.c); err != nil {
				t.Fatal(err)
			}
		}
		if math.Abs(a.Area()-b.Area()) < 0.001*a.Area() {
			t.Error("densities a fifth higher change nothing")
		}
	})
}
