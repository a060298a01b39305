package sim

import (
	"fmt"
	"testing"

	"breakwater/sim/vec"
)

// broken dam of about n particles, 0.3 s after the wall is gone: in full
// motion, and most of the liquid still under pressure.
func flowing(b *testing.B, n int) (*World, Solver) {
	spacing := 1.
	for 1/(spacing*spacing*spacing) < float64(n) {
		spacing *= 0.99
	}
	w := New(spacing, 1000)
	w.Gravity = earth
	w.Walls = []Boundary{&Box{Max: vec.New(3.2, 2, 1), Inside: true}}
	w.Fill(&BoxShape{Max: vec.New(1, 1, 1)}, vec.Vec3{})
	mustInit(b, w)
	s := newOf(b, &Solvers, "iisph")
	mustAdvance(b, w, s, 0.3, nil)
	return w, s
}

// BenchmarkDensity measures what every step needs before its solves: sorting,
// neighbours, the weights of each pair, densities.
func BenchmarkDensity(b *testing.B) {
	w, _ := flowing(b, 20_000)
	for b.Loop() {
		mustArrange(b, w)
	}
	report(b, w.Len())
}

func BenchmarkSweeps(b *testing.B) {
	w, _ := flowing(b, 20_000)
	p := mustArrange(b, w)
	c, a := make([]float32, w.Len()), make([]Vec4, w.Len())
	pairs := 0
	for i := range p.At {
		p.At[i].S = float32(i % 7)
	}
	for i := range p.blocks {
		pairs += 4 * len(p.blocks[i].List)
	}
	b.Run("pressure", func(b *testing.B) {
		for b.Loop() {
			p.each(func(b, _, _ int) { p.pressureAccel(b, a) })
		}
		report(b, w.Len())
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pairs), "ns/pair")
	})
	b.Run("compression", func(b *testing.B) {
		for b.Loop() {
			p.each(func(b, _, _ int) { p.compression(b, c, a) })
		}
		report(b, w.Len())
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pairs), "ns/pair")
	})
}

func BenchmarkStep(b *testing.B) {
	for _, name := range Solvers.Names() {
		for _, n := range []int{20_000, 50_000} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				w, _ := flowing(b, n)
				s := newOf(b, &Solvers, name)
				iters := 0
				b.ResetTimer()
				for b.Loop() {
					dt := s.MaxDt(w)
					info, err := s.Step(w, dt)
					if err != nil {
						b.Fatal(err)
					}
					w.Time, w.Dt = w.Time+dt, dt
					iters += info.DensityIter + info.DivergenceIter
				}
				report(b, w.Len())
				b.ReportMetric(float64(iters)/float64(b.N), "iterations/op")
			})
		}
	}
}

func report(b *testing.B, n int) {
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds()/1e6, "Mparticles/s")
}
