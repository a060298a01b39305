package surface

import (
	"fmt"
	"testing"

	"breakwater/sim/par"
	"breakwater/sim/plug"
	"breakwater/surface/mesh"
)

// prepared is a splash with its grid and field, at cells of one radius.
func prepared(b *testing.B, n int) (Cloud, *grid, *field) {
	c := splash(n)
	g, err := newGrid(c.X, c.Spacing/2, 2*c.Spacing)
	if err != nil {
		b.Fatal(err)
	}
	f := newField(c, g.origin)
	g.fill(f.x)
	return c, g, f
}

func BenchmarkVolumes(b *testing.B) {
	c, g, _ := prepared(b, 40000)
	for b.Loop() {
		newField(c, g.origin)
	}
	b.ReportMetric(float64(len(c.X)*b.N)/b.Elapsed().Seconds(), "particles/s")
}

func BenchmarkField(b *testing.B) {
	c, g, f := prepared(b, 40000)
	for b.Loop() {
		par.Each(len(g.blocks), func(i int) { g.evaluate(&g.blocks[i], f) })
	}
	b.ReportMetric(float64(len(c.X)*b.N)/b.Elapsed().Seconds(), "particles/s")
}

func BenchmarkMarchingCubes(b *testing.B) {
	_, g, f := prepared(b, 40000)
	par.Each(len(g.blocks), func(i int) { g.evaluate(&g.blocks[i], f); g.mark(&g.blocks[i], f, 0.6) })
	var m mesh.Mesh
	for b.Loop() {
		g.march(&m)
	}
	b.ReportMetric(float64(len(m.Tri)*b.N)/b.Elapsed().Seconds()/1e6, "Mtriangles/s")
}

func BenchmarkSurface(b *testing.B) {
	for _, e := range Methods.Entries() {
		for _, n := range []int{5000, 40000, 300000} {
			b.Run(fmt.Sprintf("%s/%dk", e.Name, n/1000), func(b *testing.B) {
				m, err := e.New(plug.None)
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
				b.ReportMetric(float64(len(c.X)*b.N)/b.Elapsed().Seconds(), "particles/s")
				b.ReportMetric(float64(len(dst.Tri)*b.N)/b.Elapsed().Seconds()/1e6, "Mtriangles/s")
			})
		}
	}
}
