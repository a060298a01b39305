package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/period"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// jittered returns a liquid as viscous as honey in a box of 8 × 6 × 7 spacings, and its
// pairs. The particles lie up to 0.15 spacings off a lattice, and half as far along y.
func jittered(t *testing.T, dim int, change func(w *World)) (*World, *Pairs) {
	const d = 0.1
	w := newWorld(dim, d, 1000)
	w.Gravity, w.Viscosity = earth, 5
	block := vec.Box{Max: vec.New(0.8, 0.6, 0.7)}
	if dim == 2 {
		block.Max.Z = 0
	}
	change(w)
	w.Fill(&shape.Box{Min: block.Min, Max: block.Max}, vec.Vec3{})
	rng := rand.New(rand.NewPCG(5, 6))
	random := func() float64 { return d * (0.3*rng.Float64() - 0.15) }
	for i, x := range w.X {
		x.Y *= 1.06 // which leaves none pressed together
		w.X[i] = x.Add(vec.New(random(), random()/2, 0))
		if dim == 3 {
			w.X[i].Z += random()
		}
	}
	mustInit(t, w)
	p := mustArrange(t, w)
	correctGradients(w, p)
	if !p.correction.on {
		t.Fatal("the gradients are as they were")
	}
	p.setVelocities(w)
	return w, p
}

func inTank(w *World) {
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(0.8, 2, 0.7), Inside: true}}
}

// TestAffineRate checks that the density's rate is exact for velocities that are linear
// in the place, in any arrangement of the particles. It holds within the liquid and on a
// floor that the velocities do not cross.
func TestAffineRate(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		w, p := jittered(t, dim, func(w *World) {
			w.Walls = []boundary.Boundary{registrytest.New(t, &boundary.Boundaries, "plane")}
		})
		rng := rand.New(rand.NewPCG(7, 8))
		inner, low := 0, 0
		for range 5 {
			var m [3]vec.Vec3 // rows
			for a := range dim {
				m[a] = vec.New(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			}
			m[1].X, m[1].Z = 0, 0 // on the floor nothing goes down
			if dim == 2 {
				m[0].Z = 0
			}
			for i, x := range w.X {
				w.V[i] = vec.New(m[0].Dot(x), m[1].Dot(x), m[2].Dot(x))
			}
			p.setVelocities(w)
			c := make([]float32, p.n)
			p.each(func(b, _, _ int) { p.compression(b, c, p.V) })
			want := -(m[0].X + m[1].Y + m[2].Z)
			for i, x := range w.X {
				const h = 0.21
				if x.X < h || x.X > 0.8-h || x.Y > 0.6-h || dim == 3 && (x.Z < h || x.Z > 0.7-h) {
					continue
				}
				if correctionScale(w.Rho[i]/w.Rho0) < 1 {
					continue
				}
				if x.Y > h {
					inner++
				} else {
					low++
				}
				if math.Abs(float64(c[i])-want) > 1e-3 {
					t.Errorf("%d dimensions: at %v the density grows by %.4f/s, want %.4f", dim, x, c[i], want)
				}
			}
		}
		if inner < 30 || low < 20 {
			t.Errorf("%d dimensions: %d and %d places are too few", dim, inner, low)
		}
	}
}

// TestAffineForce checks that the force of any pressures conserves momentum and angular
// momentum, and is the adjoint of the rate. The eigenvalues of the solve stay below their
// bound.
func TestAffineForce(t *testing.T) {
	for _, c := range []struct {
		name   string
		dim    int
		free   bool // of walls
		change func(w *World)
	}{
		{"free", 3, true, func(*World) {}},
		{"flat", 2, true, func(*World) {}},
		{"tank", 3, false, inTank},
		{"endless", 3, false, func(w *World) {
			w.Period = period.Period{X: true, Z: true, Max: vec.New(0.8, 0, 0.7)}
		}},
		{"with a ball", 3, false, func(w *World) {
			inTank(w)
			b, err := body.NewRigid(&boundary.Sphere{Center: vec.New(0.4, 0.35, 0.3), Radius: 0.2}, 3000, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			w.Walls = append(w.Walls, b)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, p := jittered(t, c.dim, c.change)
			rng := rand.New(rand.NewPCG(9, 10))
			for i := range p.n {
				p.At[i].S = float32(rng.NormFloat64())
				w.V[i] = vec.New(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			}
			p.setVelocities(w)
			k := make([]float64, p.n)
			for i := range k {
				k[i] = float64(p.At[i].S)
			}
			a, rate := make([]Vec4, p.numItems()), make([]float32, p.n)
			press := func() {
				p.setPressures(nil)
				p.each(func(b, _, _ int) {
					p.pressureAccel(b, a)
					p.sumPressures(b)
				})
				p.setPressureRates()
				updateImages(p, a)
			}
			press()
			p.each(func(b, _, _ int) { p.compression(b, rate, p.V) })
			var sum, turn vec.Vec3
			var size, arm, power, work, most float64
			for i, x := range w.X {
				f := vec3(a[i])
				sum, turn = sum.Add(f), turn.Add(x.Cross(f))
				size, arm = size+f.Len(), arm+x.Cross(f).Len()
				power += f.Dot(w.V[i])
				work += k[i] * float64(rate[i])
				most += math.Abs(k[i] * float64(rate[i]))
			}
			if math.Abs(power+work) > 1e-4*most {
				t.Errorf("the force's power is %g, and against the rate %g", power, -work)
			}
			if c.free && sum.Len() > 1e-5*size {
				t.Errorf("the forces add up to %v of %g", sum, size)
			}
			if c.free && turn.Len() > 1e-3*arm { // weights are in half precision
				t.Errorf("the torques add up to %v of %g", turn, arm)
			}
			top := 0.
			for n := range 100 {
				press()
				norm := 0.
				p.each(func(b, _, _ int) {
					p.compression(b, rate, a)
					if p.rigid != nil {
						p.addBodyRates(b, rate, p.rigid.pressureRate)
					}
				})
				for i := range rate {
					p.At[i].S = -rate[i] / p.Diagonal[i]
					norm = math.Max(norm, math.Abs(float64(p.At[i].S)))
				}
				for i := range rate {
					p.At[i].S /= float32(norm)
				}
				if n > 80 {
					top = math.Max(top, norm)
				}
			}
			t.Logf("the largest eigenvalue is %.2f", top)
			if top > lambda {
				t.Errorf("the largest eigenvalue is %.3f, and steps are made for %g", top, lambda)
			}
		})
	}
}
