package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"breakwater/scenes"
	"breakwater/scenes/host"
	"breakwater/sim/biot"
	"breakwater/sim/multipole"
	"breakwater/sim/vec"
)

// vortex measures sums over vortex particles: direct ones, and by the fast multipole
// method.
func (b *bench) vortex(*scenes.Scene) (*table, error) {
	t := &table{
		Name: "vortex", Title: "Vortex particles", Command: b.command("vortex", "particles", b.particles()),
		About: fmt.Sprintf("A ball of vortex particles with random strengths, whose radius is their mean distance. Direct sums are by %s. Their times are those at up to %s particles, scaled to all. The fast multipole method has an error of %g asked for and sums directly below %s particles. Its error is that in the L2 norm, relative to the direct sums. Times are processor time, of all threads together, and the median of %d.",
			biot.Level(), thousands(benchPoints), multipole.DefaultError, thousands(multipole.Fewest), benchSums),
		Columns: []string{"particles", "kernel", "sums", "direct, ms", "G pairs/s per core", "multipole, ms", "direct/multipole", "error, millionths"},
	}
	sizes := b.Particles
	if len(sizes) == 0 {
		sizes = []int{1000, 10_000, 100_000}
	}
	for _, n := range sizes {
		s := vortexBall(n)
		for _, k := range []biot.Kernel{biot.Core, biot.Algebraic} {
			for _, gradient := range []bool{false, true} {
				what := "velocity"
				if gradient {
					what = "velocity and gradient"
				}
				b.say("vortex: %s particles, %v, %s", thousands(n), k, what)
				row, err := b.vortexSums(s, k, gradient)
				if err != nil {
					return nil, err
				}
				t.Rows = append(t.Rows, append([]any{n, k.String(), what}, row...))
			}
		}
	}
	return t, nil
}

const (
	benchPoints = 4096 // points of direct sums
	benchSums   = 3    // sums measured
)

// vortexSums measures the sums of one kernel.
func (b *bench) vortexSums(s *biot.Sources, k biot.Kernel, gradient bool) ([]any, error) {
	n := s.Len()
	m := min(n, benchPoints)
	points := make([]vec.Vec3, m)
	for i := range points {
		points[i] = s.X[i*n/m]
	}
	f := &multipole.Field{Kernel: k, Error: multipole.DefaultError}
	want, got, grad := make([]vec.Vec3, m), make([]vec.Vec3, n), make([]biot.Gradient, n)
	direct := func() { biot.Velocity(want, points, s, k) }
	fast := func() { f.Velocity(got, s.X, s) }
	if gradient {
		direct = func() { biot.VelocityGradient(want, grad, points, s, k) }
		fast = func() { f.VelocityGradient(got, grad, s.X, s) }
	}
	var times [2][]float64
	for range benchSums {
		for i, sum := range []func(){direct, fast} {
			begun := host.ProcessorTime()
			sum()
			times[i] = append(times[i], host.ProcessorTime()-begun)
			if err := b.con.ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	var off, size float64
	for i := range want {
		d := got[i*n/m].Sub(want[i])
		off, size = off+d.Dot(d), size+want[i].Dot(want[i])
	}
	pairs := float64(m) * float64(n)
	slow, quick := median(times[0])*float64(n)/float64(m), median(times[1])
	return []any{1e3 * slow, pairs / median(times[0]) / 1e9, 1e3 * quick, slow / quick, 1e6 * math.Sqrt(off/size)}, nil
}

// vortexBall returns n particles in a ball with a radius of 1 m.
func vortexBall(n int) *biot.Sources {
	r := rand.New(rand.NewPCG(1, 1))
	inBall := func() vec.Vec3 {
		for {
			if p := vec.New(float64(r.Float64()), float64(r.Float64()), float64(r.Float64())).Mul(2).Sub(vec.New(1, 1, 1)); p.Dot(p) <= 1 {
				return p
			}
		}
	}
	s := &biot.Sources{}
	radius := math.Cbrt(4 * math.Pi / 3 / float64(n))
	for range n {
		s.X, s.Alpha, s.Radius = append(s.X, inBall()), append(s.Alpha, inBall()), append(s.Radius, radius)
	}
	return s
}
