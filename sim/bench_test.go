package sim

import (
	"fmt"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
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
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(3.2, 2, 1), Inside: true}}
	w.Fill(&shape.Box{Max: vec.New(1, 1, 1)}, vec.Vec3{})
	mustInit(b, w)
	s := registrytest.New(b, &Solvers, "iisph")
	mustAdvance(b, w, s, 0.3, nil)
	return w, s
}

// BenchmarkDensity measures the work of every step before its solves: sorting,
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
				s := registrytest.New(b, &Solvers, name)
				iters := 0
				steps(b, w, s, func(info StepInfo) { iters += info.DensityIter + info.DivergenceIter })
				b.ReportMetric(float64(iters)/float64(b.N), "iterations/op")
			})
		}
	}
}

// steps measures steps of w by s, and calls each after them.
func steps(b *testing.B, w *World, s Solver, each func(StepInfo)) {
	b.ResetTimer()
	for b.Loop() {
		dt := s.MaxDt(w)
		info, err := s.Step(w, dt)
		if err != nil {
			b.Fatal(err)
		}
		w.Time, w.Dt = w.Time+dt, dt
		each(info)
	}
	report(b, w.Len())
}

func report(b *testing.B, n int) {
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds()/1e6, "Mparticles/s")
}

// BenchmarkWalls measures a step of 100,000 particles in tanks of one size and several
// kinds. In a profile, the share of the walls is below wallShare, wallsNear,
// addWallFriction and projectOut.
func BenchmarkWalls(b *testing.B) {
	box := vec.Box{Max: vec.New(3.2, 2, 1)}
	for _, name := range []string{"box", "mesh", "moving-mesh", "friction", "particles", "mesh of particles"} {
		b.Run(name, func(b *testing.B) {
			w := New(1/46.5, 1000)
			w.Gravity = earth
			var tank boundary.Boundary = &boundary.Box{Min: box.Min, Max: box.Max, Inside: true}
			switch name {
			case "mesh":
				tank = walltest.Mesh(b, fineBox(box, 29), true)
			case "moving-mesh":
				tank = body.New(walltest.Mesh(b, fineBox(box, 29), true), body.Motion{Amplitude: vec.New(0.02, 0, 0), Frequency: 0.5}, 0)
			case "friction":
				tank = body.New(tank, body.Motion{}, 1)
			case "particles":
				tank = particled(tank)
			case "mesh of particles":
				tank = particled(walltest.Mesh(b, fineBox(box, 29), true))
			}
			w.Walls = []boundary.Boundary{tank}
			w.Fill(&shape.Box{Max: vec.New(1, 1, 1)}, vec.Vec3{})
			mustInit(b, w)
			s := registrytest.New(b, &Solvers, "iisph")
			mustAdvance(b, w, s, 0.3, nil)
			steps(b, w, s, func(StepInfo) {})
		})
	}
}

// fineBox returns a closed box with 12 n² triangles.
func fineBox(b vec.Box, n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	coarse := mesh.Cuboid(b)
	for k := 0; k < len(coarse.Tri); k += 2 {
		t, u := coarse.Tri[k], coarse.Tri[k+1]
		p := [4]vec.Vec3{coarse.Pos[t[0]], coarse.Pos[t[1]], coarse.Pos[t[2]], coarse.Pos[u[2]]}
		at := func(i, j int) vec.Vec3 {
			s, r := float64(i)/float64(n), float64(j)/float64(n)
			return p[0].Lerp(p[1], s).Lerp(p[3].Lerp(p[2], s), r)
		}
		for i := range n {
			for j := range n {
				v := int32(len(m.Pos))
				m.Pos = append(m.Pos, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1))
				m.Tri = append(m.Tri, [3]int32{v, v + 1, v + 2}, [3]int32{v, v + 2, v + 3})
			}
		}
	}
	return m
}

// BenchmarkLiquids measures the cost of a liquid's viscosity and surface tension per step
// of 100,000 particles.
func BenchmarkLiquids(b *testing.B) {
	for _, c := range []struct {
		name        string
		nu, tension float64
	}{{"plain", 0, 0}, {"explicit viscosity", 1e-4, 0}, {"solved viscosity", 0.3, 0}, {"surface tension", 0, 0.0728}} {
		b.Run(c.name, func(b *testing.B) {
			w, s := flowing(b, 100_000)
			w.Viscosity, w.SurfaceTension, w.ContactAngle = c.nu, c.tension, 90
			iters := 0
			steps(b, w, s, func(info StepInfo) { iters += info.ViscosityIter })
			b.ReportMetric(float64(iters)/float64(b.N), "iterations/op")
		})
	}
}
