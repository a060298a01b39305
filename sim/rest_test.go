package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestLiesOnWalls lets water come to rest in a box and in a mesh of one, of both
// kinds of wall. The first layer lies half a spacing from the floor and from the
// sides, to a tenth, and flat; the level stays, and the density is that at rest.
func TestLiesOnWalls(t *testing.T) {
	longtest.Only(t)
	const d = 0.05
	box := vec.Box{Min: vec.New(0.017, -0.033, 0.041), Max: vec.New(0.517, 0.967, 0.541)}
	wide := box // no whole number of spacings
	wide.Max = wide.Max.Add(vec.New(0.37*d, 0, 0.61*d))
	boxWall := func(b vec.Box) boundary.Boundary { return &boundary.Box{Min: b.Min, Max: b.Max, Inside: true} }
	for _, c := range []struct {
		name   string
		wall   boundary.Boundary
		box    vec.Box
		ripple float64 // of a layer, in spacings
	}{
		{"box", boxWall(box), box, 0.05},
		{"mesh", walltest.Mesh(t, mesh.Cuboid(box), true), box, 0.05},
		{"box of particles", particled(boxWall(box)), box, 0.05},
		{"mesh of particles", particled(walltest.Mesh(t, mesh.Cuboid(box), true)), box, 0.05},
		// Here the liquid has to find a new order.
		{"wide box", boxWall(wide), wide, 0.08},
		{"wide mesh", walltest.Mesh(t, mesh.Cuboid(wide), true), wide, 0.08},
		{"wide box of particles", particled(boxWall(wide)), wide, 0.08},
	} {
		w := filled(t, c.wall, d, vec.Box{Min: box.Min, Max: vec.New(0.517, 0.467, 0.541)})
		n, start := w.Len(), w.Stats()
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 1.5, nil)
		end := w.Stats()
		depth := start.Volume / ((c.box.Max.X - c.box.Min.X) * (c.box.Max.Z - c.box.Min.Z))
		if rise := 2*(end.Center.Y-box.Min.Y) - depth; math.Abs(rise) > 0.25*d || w.Len() != n {
			t.Errorf("%s: the level is %.3g spacings too high", c.name, rise/d)
		}
		if end.MeanError > 2e-3 {
			t.Errorf("%s: the mean density is %.2g above rest", c.name, end.MeanError)
		}
		lo, hi := c.box.Min, c.box.Max
		for _, side := range []struct {
			name string
			off  func(x vec.Vec3) float64
		}{
			{"floor", func(x vec.Vec3) float64 { return x.Y - lo.Y }},
			{"left", func(x vec.Vec3) float64 { return x.X - lo.X }},
			{"right", func(x vec.Vec3) float64 { return hi.X - x.X }},
			{"back", func(x vec.Vec3) float64 { return x.Z - lo.Z }},
			{"front", func(x vec.Vec3) float64 { return hi.Z - x.Z }},
		} {
			var sum, square, count float64
			for _, x := range w.X {
				edges := 0 // and the surface
				for _, near := range []float64{x.X - lo.X, hi.X - x.X, x.Y - lo.Y, x.Z - lo.Z, hi.Z - x.Z, lo.Y + depth - d - x.Y} {
					if near < d {
						edges++
					}
				}
				if y := side.off(x) / d; y < 0.9 && edges == 1 {
					sum, square, count = sum+y, square+y*y, count+1
				}
			}
			mean := sum / count
			ripple := math.Sqrt(max(0, square/count-mean*mean))
			t.Logf("%s, %s: first layer at %.3f ± %.3f spacings, %g particles", c.name, side.name, mean, ripple, count)
			if math.Abs(mean-0.5) > 0.1 || ripple > c.ripple || count < 30 {
				t.Errorf("%s, %s: the first layer lies at %.3f ± %.3f spacings, %g particles in it", c.name, side.name, mean, ripple, count)
			}
		}
	}
}
