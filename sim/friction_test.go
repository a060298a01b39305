package sim

import (
	"fmt"
	"math"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestCouette drags a block of liquid along with two plates, and compares the
// velocities across the gap with the exact ones of start-up,
//
//	u = U (1 − Σ 4/(nπ) sin(nπy/H) exp(−ν n²π² t/H²)),  n = 1, 3, 5, …
//
// in an explicit step and in one so long that viscosity is solved for.
func TestCouette(t *testing.T) {
	longtest.Only(t)
	const gap, speed = 0.4, 0.05
	for _, c := range []struct {
		nu        float64
		particles bool
	}{{0.01, false}, {0.4, false}, {0.01, true}} {
		nu := c.nu
		t.Run(fmt.Sprintf("viscosity %g, particles %t", nu, c.particles), func(t *testing.T) {
			w := New(gap/16, 1000)
			w.Viscosity = nu
			for _, side := range []float64{-1, 1} {
				plate := body.New(
					&boundary.Plane{Point: vec.New(0, side*gap/2, 0), Normal: vec.New(0, -side, 0)},
					body.Motion{Velocity: vec.New(speed, 0, 0)}, 1)
				plate.Particles = c.particles
				w.Walls = append(w.Walls, plate)
			}
			w.Fill(&shape.Box{Min: vec.New(-0.8, -gap/2, -0.1), Max: vec.New(0.8, gap/2, 0.1)}, vec.Vec3{})
			mustInit(t, w)
			at := 0.06 * gap * gap / nu // the middle moves at a third of the plates' speed
			s := registrytest.New(t, &Solvers, "iisph").(*IISPH)
			s.CFL = 0.01 // many steps, though each too long for an explicit sum at the higher viscosity
			mustAdvance(t, w, s, at, nil)
			var off, size float64
			for i, x := range w.X {
				if math.Abs(x.X) > 0.3 {
					continue
				}
				want := 1.
				for n := 1.; n < 40; n += 2 {
					k := n * math.Pi
					want -= 4 / k * math.Sin(k*(x.Y/gap+0.5)) * math.Exp(-k*k*nu*w.Time/(gap*gap))
				}
				e := w.V[i].X/speed - want
				off, size = off+e*e, size+want*want
			}
			t.Logf("off by %.2g of the velocities", math.Sqrt(off/size))
			if e := math.Sqrt(off / size); e > 0.05 {
				t.Errorf("velocities are off by %.2g of theirs", e)
			}
		})
	}
}

// TestFreeSlip checks that a plate without friction drags nothing along, and that a plate
// with friction drags even water.
func TestFreeSlip(t *testing.T) {
	speed := func(friction float64) float64 {
		w := New(0.05, 1000)
		w.Viscosity = 1e-6
		w.Gravity = earth
		w.Walls = []boundary.Boundary{
			body.New(&boundary.Plane{Normal: vec.New(0, 1, 0)}, body.Motion{Velocity: vec.New(2, 0, 0)}, friction),
			&boundary.Box{Min: vec.New(-5, -1, 0), Max: vec.New(5, 2, 0.3), Inside: true},
		}
		w.Fill(&shape.Box{Min: vec.New(-0.6, 0, 0), Max: vec.New(0.6, 0.05, 0.3)}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.2, nil)
		mean := 0.
		for _, v := range w.V {
			mean += v.X / float64(w.Len())
		}
		return mean
	}
	if v := speed(0); math.Abs(v) > 1e-3 {
		t.Errorf("free slip drags the liquid at %g m/s", v)
	}
	// ½ c u²/d of a layer one spacing deep, for 0.2 s.
	if v, want := speed(1), skinFriction/2*4/0.05*0.2; math.Abs(v-want) > 0.2*want {
		t.Errorf("friction drags the liquid at %g m/s, want %g", v, want)
	}
}
