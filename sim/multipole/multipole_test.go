package multipole

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/biot"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// shapes are clouds of n particles in which the distance of neighbours is about the
// radius of a particle.
var shapes = map[string]func(n int) *biot.Sources{
	"ball": func(n int) *biot.Sources {
		return cloud(n, math.Cbrt(4*math.Pi/3/float64(n)), inBall)
	},
	"ring": func(n int) *biot.Sources {
		return cloud(n, math.Cbrt(2*math.Pi*math.Pi*0.01/float64(n)), func(r *rand.Rand) vec.Vec3 {
			sin, cos := math.Sincos(2 * math.Pi * r.Float64())
			d := inBall(r).Mul(0.1)
			return vec.New(cos, sin, 0).Add(d)
		})
	},
	"sheet": func(n int) *biot.Sources {
		return cloud(n, 1/math.Sqrt(float64(n)), func(r *rand.Rand) vec.Vec3 {
			x, y := r.Float64(), r.Float64()
			return vec.New(x, y, 0.1*math.Sin(7*x)*math.Cos(5*y))
		})
	},
	"clusters": func(n int) *biot.Sources {
		return cloud(n, math.Cbrt(8*math.Pi/3/float64(n)), func(r *rand.Rand) vec.Vec3 {
			return inBall(r).Add(vec.New(100*float64(r.IntN(2)), 0, 0))
		})
	},
}

func inBall(r *rand.Rand) vec.Vec3 {
	for {
		p := vec.New(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
		if p.Dot(p) <= 1 {
			return p
		}
	}
}

func cloud(n int, radius float64, at func(r *rand.Rand) vec.Vec3) *biot.Sources {
	r := rand.New(rand.NewPCG(2, uint64(n)))
	s := &biot.Sources{}
	for range n {
		s.X = append(s.X, at(r))
		s.Alpha = append(s.Alpha, inBall(r))
		s.Radius = append(s.Radius, radius)
	}
	return s
}

// errors returns the error of the velocities in the L2 norm, the largest, and the error of
// the gradients in the L2 norm, over some of the points.
func errors(f *Field, points []vec.Vec3, s *biot.Sources, some int) (l2, most, grad float64) {
	u, g := make([]vec.Vec3, len(points)), make([]biot.Gradient, len(points))
	f.sum(u, g, points, s)
	var pick []int
	var at []vec.Vec3
	for i := 0; i < len(points); i += max(1, len(points)/some) {
		pick, at = append(pick, i), append(at, points[i])
	}
	want, wantGrad := make([]vec.Vec3, len(at)), make([]biot.Gradient, len(at))
	biot.VelocityGradient(want, wantGrad, at, s, f.Kernel)
	var off, size, offG, sizeG float64
	for k, i := range pick {
		d := u[i].Sub(want[k])
		off, size, most = off+d.Dot(d), size+want[k].Dot(want[k]), max(most, d.Len())
		for _, rows := range [][2]vec.Vec3{{g[i].X, wantGrad[k].X}, {g[i].Y, wantGrad[k].Y}, {g[i].Z, wantGrad[k].Z}} {
			d := rows[0].Sub(rows[1])
			offG, sizeG = offG+d.Dot(d), sizeG+rows[1].Dot(rows[1])
		}
	}
	return math.Sqrt(off / size), most / math.Sqrt(size/float64(len(at))), math.Sqrt(offG / sizeG)
}

// TestError: sums have the error asked for, the worst at most 20 times it. Strengths are
// random, so velocities are small sums of large terms.
func TestError(t *testing.T) {
	longtest.Only(t)
	type ask struct {
		shape string
		k     biot.Kernel
		err   float64
	}
	asks := []ask{{"ball", biot.Gauss, 1e-4}, {"ball", biot.Algebraic, 1e-2}, {"ring", biot.Core, 1e-3}, {"ball", biot.Core, 2e-5}}
	for shape := range shapes {
		asks = append(asks, ask{shape, biot.Core, 1e-4}, ask{shape, biot.Algebraic, 1e-4})
	}
	for _, a := range asks {
		n := 20000
		if a.k == biot.Gauss { // slow
			n = 6000
		}
		s := shapes[a.shape](n)
		f := &Field{Kernel: a.k, Error: a.err}
		l2, worst, grad := errors(f, s.X, s, 300)
		if !(l2 <= a.err && worst <= 20*a.err && grad <= 10*a.err) {
			t.Errorf("%s, %v, %g asked: L2 %.2g, worst %.2g, gradient %.2g", a.shape, a.k, a.err, l2, worst, grad)
		}
	}
}

// TestErrorLarge: the error asked for holds for a hundred thousand and a million particles too.
func TestErrorLarge(t *testing.T) {
	longtest.Only(t)
	for _, n := range []int{100_000, 1_000_000} {
		s := shapes["ball"](n)
		for _, k := range []biot.Kernel{biot.Core, biot.Algebraic} {
			l2, worst, grad := errors(&Field{Kernel: k, Error: 1e-4}, s.X, s, 1000)
			t.Logf("%d particles, %v: L2 %.3g, worst %.3g, gradient %.3g", n, k, l2, worst, grad)
			if !(l2 <= 1e-4 && worst <= 2e-3 && grad <= 1e-3) {
				t.Errorf("%d particles, %v: L2 %.3g, worst %.3g, gradient %.3g", n, k, l2, worst, grad)
			}
		}
	}
}

// TestOrder: each order more brings the sums nearer to the direct ones.
func TestOrder(t *testing.T) {
	longtest.NotShort(t)
	s := shapes["ball"](8000)
	before := 1.0
	for p := least; p <= most; p++ {
		f := &Field{Kernel: biot.Core, Error: 0.1, order: p, widen: 1}
		l2, _, _ := errors(f, s.X, s, 300)
		if p > least && !(l2 < 0.7*before) {
			t.Errorf("order %d has the error %.2g, the order before %.2g", p, l2, before)
		}
		before = l2
	}
}

// TestPoints: points that are not the particles, of which some are far from all, and
// particles with many radii and in one place.
func TestPoints(t *testing.T) {
	s := shapes["ball"](6000)
	for i := range 1000 {
		s.Radius[i] *= 0.01 + 0.006*float64(i)
	}
	for i := 1000; i < 2000; i++ {
		s.X[i] = s.X[1000]
		s.Radius[i] *= 0.1
	}
	points := append(shapes["ball"](3000).X, vec.New(3, 4, 5), vec.New(-500, 2, 1))
	for _, k := range []biot.Kernel{biot.Core, biot.Algebraic} {
		f := &Field{Kernel: k, Error: 1e-4}
		if l2, worst, grad := errors(f, points, s, len(points)); !(l2 < 1e-4 && worst < 2e-3 && grad < 1e-3) {
			t.Errorf("%v: L2 %.2g, worst %.2g, gradient %.2g", k, l2, worst, grad)
		}
		// The far point is alone, so only its own error shows.
		far := len(points) - 1
		u, g := make([]vec.Vec3, len(points)), make([]biot.Gradient, len(points))
		f.VelocityGradient(u, g, points, s)
		want := make([]vec.Vec3, 1)
		biot.Velocity(want, points[far:], s, k)
		if e := u[far].Sub(want[0]).Len() / want[0].Len(); !(e < 1e-3) {
			t.Errorf("%v: far point off by %.2g", k, e)
		}
		f.VelocityGradient(nil, nil, nil, s)
	}
}

// TestSameBytes: neither the number of threads, nor earlier calls, nor the gradient show in
// the velocities.
func TestSameBytes(t *testing.T) {
	s := shapes["ring"](7000)
	var want []vec.Vec3
	var wantGrad []biot.Gradient
	used := &Field{Kernel: biot.Algebraic, Error: 1e-3}
	for threads := range longtest.OnThreads(1, 2, 3, 7) {
		for _, f := range []*Field{used, {Kernel: biot.Algebraic, Error: 1e-3}} {
			u, g := make([]vec.Vec3, s.Len()), make([]biot.Gradient, s.Len())
			f.VelocityGradient(u, g, s.X, s)
			if want == nil {
				want, wantGrad = u, g
			}
			if !slices.Equal(u, want) || !slices.Equal(g, wantGrad) {
				t.Errorf("%d threads give other sums than one", threads)
			}
			f.Velocity(u, s.X, s)
			if !slices.Equal(u, want) {
				t.Errorf("%d threads: other velocities without gradients", threads)
			}
		}
		used.Velocity(make([]vec.Vec3, 5000), s.X[2000:], s)
	}
}

// TestRing: a ring of particles moves with the velocity
//
//	U = Γ/(4πR) (ln(8R/σ) − Δ),
//	Δ = ln 2 − ∫₀¹ q/ρ dρ + ∫₁^∞ (1−q)/ρ dρ,  q = ρ³ g(ρ, 1).
//
// The velocity of the ring, as its integral over the angle by the kernel, tends to that
// for R ≫ σ. Δ of each kernel is its integral.
func TestRing(t *testing.T) {
	const n, sigma, gamma = 20000, 0.004, 1.0
	s := &biot.Sources{}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		s.X = append(s.X, vec.New(cos, sin, 0))
		s.Alpha = append(s.Alpha, vec.New(-sin, cos, 0).Mul(gamma*2*math.Pi/n))
		s.Radius = append(s.Radius, sigma)
	}
	for _, k := range []biot.Kernel{biot.Core, biot.Algebraic} {
		// Δ: of Core ln 2 − 1/3, of Algebraic by ∫ (ρ⁴+5/2ρ²)/(ρ²+1)^(5/2)/ρ.
		delta := math.Ln2 - 1.0/3
		if k == biot.Algebraic {
			delta = integral(func(v float64) float64 { // ρ = v/(1−v)
				r := v / (1 - v)
				q := r * r * r * (r*r + 2.5) / math.Pow(r*r+1, 2.5)
				if r < 1 {
					return -q / r / ((1 - v) * (1 - v))
				}
				return (1 - q) / r / ((1 - v) * (1 - v))
			}) + math.Ln2
		}
		want := gamma / (4 * math.Pi) * (math.Log(8/sigma) - delta)
		f := &Field{Kernel: k, Error: DefaultError}
		u := make([]vec.Vec3, n)
		f.Velocity(u, s.X, s)
		var mean vec.Vec3
		for i := range u {
			mean = mean.Add(u[i].Mul(1.0 / n))
			if e := u[i].Sub(vec.New(0, 0, want)).Len() / want; !(e < 3e-3) {
				t.Fatalf("%v: particle %d has the velocity %v, want %.6f along z", k, i, u[i], want)
			}
		}
		if e := mean.Sub(vec.New(0, 0, want)).Len() / want; !(e < 5e-4) {
			t.Errorf("%v: the ring has the velocity %v, want %.6f along z", k, mean, want)
		}
	}
}

// integral returns the integral of f from 0 to 1, which has a jump at ½ only, by the
// midpoint rule.
func integral(f func(v float64) float64) (sum float64) {
	const n = 20000
	for i := range n {
		sum += f((float64(i)+0.5)/n) / n
	}
	return sum
}
