package sim

import (
	"fmt"
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestStretchedLattice stretches a lattice in one direction at a constant volume, and compares the
// density in its middle with the rest density.
func TestStretchedLattice(t *testing.T) {
	const n = 13
	for _, dim := range []int{2, 3} {
		for _, stretch := range []float64{1, 1.1, 1.2, 1.3, 1.4} {
			for _, angle := range []float64{0, 0.4} {
				w := newWorld(dim, 0.1, 1000)
				box := &shape.Box{Max: vec.New(n*0.1, n*0.1, 0)}
				if dim == 3 {
					box.Max.Z = n * 0.1
				}
				w.Fill(box, vec.Vec3{})
				thin := 1 / math.Pow(stretch, 1/float64(dim-1))
				sin, cos := math.Sincos(angle)
				middle, nearest := 0, math.Inf(1)
				for i, x := range w.X {
					if off := x.Sub(box.Max.Mul(0.5)).Len(); off < nearest {
						middle, nearest = i, off
					}
					x.X, x.Y, x.Z = stretch*x.X, thin*x.Y, thin*x.Z
					w.X[i] = vec.New(cos*x.X-sin*x.Y, sin*x.X+cos*x.Y, x.Z)
				}
				id := w.ID[middle]
				mustInit(t, w)
				p := mustArrange(t, w)
				p.correction.find(w, p, nil)
				for i := range w.X {
					if w.ID[i] != id {
						continue
					}
					sum := w.Rho[i]/w.Rho0 - 1
					left := sum - float64(p.correction.bias(&p.blocks[i/blockLen], i, dim == 2))
					if math.Abs(left) > 0.008 || stretch > 1.25 && math.Abs(left) > sum/4 {
						t.Errorf("%dD, stretched %g times, at %g: the sum is off by %.4f, less the bias %.4f", dim, stretch, angle, sum, left)
					}
				}
			}
		}
	}
}

// TestColumnKeepsEnergy lets a column of water collapse, whose lattice is stretched until it gives
// way. The water gains no energy.
func TestColumnKeepsEnergy(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		dim       int
		particles float64 // across the column
	}{{2, 25}, {2, 50}, {3, 12}} {
		t.Run(fmt.Sprintf("%dD/%g", c.dim, c.particles), func(t *testing.T) {
			if c.particles > 25 {
				longtest.Only(t)
			}
			t.Parallel()
			w := newWorld(c.dim, 1/c.particles, 1000)
			w.Gravity = vec.New(0, -9.81, 0)
			w.Viscosity = 1e-6
			tank, column := vec.New(4, 4, 0), vec.New(1, 2, 0)
			if c.dim == 3 {
				tank.Z, column.Z = 1, 1
			}
			w.Walls = []boundary.Boundary{&boundary.Box{Max: tank, Inside: true}}
			w.Fill(&shape.Box{Max: column}, vec.Vec3{})
			mustInit(t, w)
			energy := func() float64 { s := w.Stats(); return s.Kinetic + s.Potential }
			start, most := energy(), math.Inf(-1)
			mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), 0.5, func(StepInfo) error {
				most = max(most, energy()/start-1)
				return nil
			})
			t.Logf("gained at most %.4f of the energy, ended with %.4f more", most, energy()/start-1)
			if most > 5e-4 {
				t.Errorf("gained %.4f of the energy", most)
			}
		})
	}
}
