package surface

import (
	"fmt"
	"slices"
	"testing"

	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/surface/mesh"
)

// prepared is a splash with its field on the grid, at cells of one radius.
func prepared(b testing.TB, n int) (Cloud, *sph) {
	c := splash(n)
	m := &sph{meshing: meshing{Settings: Settings{Cell: 1}}, Threshold: 0.6}
	if err := m.grid.place(c.X, c.Spacing/2, 2*c.Spacing); err != nil {
		b.Fatal(err)
	}
	m.field.take(&c, m.grid.origin)
	m.grid.fill(m.field.x)
	par.Each(len(m.grid.blocks), func(i int) { m.grid.evaluate(m.grid.blocks[i], &m.field) })
	m.Mesh = &mesh.Mesh{}
	return c, m
}

func perSecond(b *testing.B, n int, what string) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "M"+what+"/s")
}

// BenchmarkTake takes particles with and without their densities.
func BenchmarkTake(b *testing.B) {
	c, m := prepared(b, 40000)
	b.Run("sum", func(b *testing.B) {
		for b.Loop() {
			m.field.take(&c, m.grid.origin)
		}
		perSecond(b, len(c.X), "particles")
	})
	c.Rho, c.Rho0 = make([]float64, len(c.X)), 1
	for i, j := range m.field.cells.Order() {
		c.Rho[j] = float64(m.field.Fill[i])
	}
	b.Run("given", func(b *testing.B) {
		for b.Loop() {
			m.field.take(&c, m.grid.origin)
		}
		perSecond(b, len(c.X), "particles")
	})
}

func BenchmarkField(b *testing.B) {
	c, m := prepared(b, 40000)
	for b.Loop() {
		par.Each(len(m.grid.blocks), func(i int) { m.grid.evaluate(m.grid.blocks[i], &m.field) })
	}
	perSecond(b, len(c.X), "particles")
	perSecond(b, len(m.grid.blocks)*side*side*side, "cells")
}

func BenchmarkMark(b *testing.B) {
	_, m := prepared(b, 40000)
	for b.Loop() {
		par.Each(len(m.grid.blocks), func(i int) { m.grid.mark(m.grid.blocks[i], &m.field, 0.6) })
	}
	perSecond(b, len(m.grid.blocks)*side*side*side, "cells")
}

func BenchmarkMarchingCubes(b *testing.B) {
	_, m := prepared(b, 40000)
	m.extract(0.6)
	for b.Loop() {
		m.grid.march(&m.vertices, &m.field, &m.liquid, 0.6)
	}
	perSecond(b, len(m.Tri), "triangles")
}

// BenchmarkParts finds the connected parts of the liquid, and the pieces of its
// surface.
func BenchmarkParts(b *testing.B) {
	_, m := prepared(b, 40000)
	m.extract(0.6)
	b.Run("parts", func(b *testing.B) {
		for b.Loop() {
			m.liquid.find(&m.grid)
		}
		perSecond(b, len(m.grid.blocks)*side*side*side, "cells")
	})
	b.Run("pieces", func(b *testing.B) {
		for b.Loop() {
			m.Components()
		}
		perSecond(b, len(m.Tri), "triangles")
	})
}

// BenchmarkSnap merges the vertices around each node, and renumbers the remaining
// vertices.
func BenchmarkSnap(b *testing.B) {
	_, m := prepared(b, 40000)
	s := &m.vertices
	for _, arrange := range []bool{false, true} {
		name := "snap"
		if arrange {
			name = "arrange"
		}
		b.Run(name, func(b *testing.B) {
			tris := 0
			for range b.N {
				b.StopTimer()
				m.extract(0.6)
				tris = len(s.Tri)
				if arrange {
					s.snap()
				}
				b.StartTimer()
				if arrange {
					s.arrange(make([]bool, len(s.scratch.pieces)))
				} else {
					s.snap()
				}
			}
			perSecond(b, tris, "triangles")
		})
	}
}

// BenchmarkMesh runs the stages after marching cubes, one by one.
func BenchmarkMesh(b *testing.B) {
	c, m := prepared(b, 40000)
	s := &m.vertices
	m.extract(0.6)
	s.snap()
	s.arrange(make([]bool, len(s.scratch.pieces)))
	s.grid = &m.grid
	s.rings.Build(s.Mesh, 0, 0)
	s.sample(&m.field, 0.6, m.grid.cell, 0)
	s.meetWalls(&m.field)
	s.refine(&m.field, 0.6, m.grid.cell)
	s.order()
	s.link()
	want := m.liquid.count(m.field.x)
	for p := range want {
		want[p] *= c.Spacing * c.Spacing * c.Spacing
	}
	s.smooth(1, want, c.Spacing)
	at := slices.Clone(s.Pos)
	for _, stage := range []struct {
		name string
		run  func()
	}{
		{"rings", func() { s.rings.Build(s.Mesh, 0, 0); s.order(); s.link() }},
		{"sample", func() { s.sample(&m.field, 0.6, m.grid.cell, 0) }},
		{"smooth", func() { s.smooth(36, want, c.Spacing) }},
		{"settle", func() { s.settle(&m.field) }},
		{"volume", func() { s.restoreVolume(&m.field, want, 0.75*c.Spacing) }},
		{"normals", func() { s.smoothNormals(40) }},
		{"polish", func() { s.polish(&m.field) }},
		{"check", func() {
			if err := s.Check(); err != nil {
				b.Fatal(err)
			}
		}},
	} {
		b.Run(stage.name, func(b *testing.B) {
			for b.Loop() {
				copy(s.Pos, at)
				stage.run()
			}
			perSecond(b, len(s.Tri), "triangles")
		})
	}
}

func BenchmarkSurface(b *testing.B) {
	for _, e := range Methods.Entries() {
		for _, n := range []int{5000, 40000, 300000} {
			b.Run(fmt.Sprintf("%s/%dk", e.Name, n/1000), func(b *testing.B) {
				m, err := e.New(registry.None)
				if err != nil {
					b.Fatal(err)
				}
				c := splash(n)
				var dst mesh.Mesh
				for b.Loop() {
					if err := m.Surface(&dst, c); err != nil {
						b.Fatal(err)
					}
				}
				perSecond(b, len(c.X), "particles")
				perSecond(b, len(dst.Tri), "triangles")
			})
		}
	}
}

// BenchmarkCoarsen makes larger triangles of a splash, by a tolerance in radii
// and to a number of them.
func BenchmarkCoarsen(b *testing.B) {
	for _, c := range []struct {
		name     string
		adaptive float64
		most     int
	}{{"tolerance=0.02", 0.02, 0}, {"tolerance=0.1", 0.1, 0}, {"triangles=10000", 0, 10000}} {
		b.Run(c.name, func(b *testing.B) {
			cloud, m := splash(40000), &sph{meshing: defaults(), Threshold: 0.6}
			m.Cell = 0.75
			var dst, at mesh.Mesh
			if err := m.Surface(&dst, cloud); err != nil {
				b.Fatal(err)
			}
			s := &m.vertices
			at = mesh.Mesh{Pos: slices.Clone(dst.Pos), Nrm: slices.Clone(dst.Nrm), Tri: slices.Clone(dst.Tri)}
			for v := range at.Pos {
				at.Pos[v] = at.Pos[v].Sub(m.grid.origin)
			}
			n, part, kinds, holds, weight := len(at.Pos), slices.Clone(s.part), slices.Clone(s.kind), slices.Clone(s.constraints), slices.Clone(s.weight)
			s.Mesh = &dst
			for b.Loop() {
				b.StopTimer()
				dst.Pos, dst.Nrm, dst.Tri = append(dst.Pos[:0], at.Pos...), append(dst.Nrm[:0], at.Nrm...), append(dst.Tri[:0], at.Tri...)
				s.part, s.kind, s.constraints, s.weight = append(s.part[:0], part...), append(s.kind[:0], kinds...), append(s.constraints[:0], holds...), append(s.weight[:0], weight...)
				s.down = resize(s.down, n)
				b.StartTimer()
				s.coarsen(&m.field, c.adaptive*cloud.Spacing/2, c.most)
			}
			perSecond(b, len(at.Tri), "triangles")
			b.ReportMetric(float64(len(dst.Tri))/float64(len(at.Tri)), "left")
		})
	}
}
