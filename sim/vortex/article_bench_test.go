package vortex

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
)

// BenchmarkArticle times a step of the case of table 2 of Gourlay, part 13, on one thread:
// 981 vortons, 49,000 tracers, two balls and a box, with velocities by the tree or by direct
// sums at vortons. The article's step takes 4.12 ms on an i7-2600, without the motion of tracers.
func BenchmarkArticle(b *testing.B) {
	for _, way := range []string{"tree at grid", "direct at vortons"} {
		b.Run(way, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // here, because b.Run sets it
			r := rand.New(rand.NewPCG(13, 2))
			place := func() vec.Vec3 {
				return vec.New(float64(1.5*r.Float64())-0.7, float64(1.2*r.Float64())-0.6, 0.3+float64(2.2*r.Float64()))
			}
			f, gas := &Flow{}, still()
			for range 981 {
				f.AddVorton(place(), vec.New(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()), 0.09, 1, Blend{})
			}
			for range 49_000 {
				f.AddTracer(place(), 300, Blend{})
			}
			f.Tracers.Radius, f.Tracers.Mass = 0.02, 1e-5
			for _, s := range []*solids.Solid{
				solids.NewBall(vec.New(0, 0, 0.5), 0.2), solids.NewBall(vec.New(0.2, 0, 2), 0.5), solids.NewBox(vec.New(0, 0, 1), vec.New(0.5, 0.25, 0.05)),
			} {
				f.Bodies = append(f.Bodies, NewBody(s, vec.NoTurn))
			}
			gas.Viscosity, gas.Conduction, gas.Gravity = 0.01, 1e-4, vec.New(0, 0, -9.81)
			s := solver(b, &Tree{Leaves: "super"})
			if way != "tree at grid" {
				s.Technique, s.At, s.Mollify = &Direct{}, "vortons", 0
			}
			state := f.State(&gas)
			hits := 0
			for b.Loop() {
				b.StopTimer()
				if err := f.Restore(state); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				info, err := s.Step(f, &gas, 1e-3)
				if err != nil {
					b.Fatal(err)
				}
				hits = info.Hits
			}
			b.ReportMetric(1000*b.Elapsed().Seconds()/float64(b.N), "ms/step")
			b.ReportMetric(float64(hits), "hits")
		})
	}
}
