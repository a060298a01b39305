package raster

import (
	"math"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// walledTracer returns the tracer of testTank with matte walls, filled with water
// to a level, 0 for none.
func walledTracer(level float64, q Quality, eye vec.Vec3, azimuth, elevation float64) *tracer {
	m := Matte.Material()
	v := &View{
		Camera: camera.Camera{Eye: eye, Target: testTank.Center(), Focal: 40}, Light: sky.Light{Azimuth: azimuth, Elevation: elevation, Sun: 1, Sky: 1},
		Width: 400, Height: 225, Quality: q, Tank: &Tank{Box: testTank, Walls: &m},
	}
	if level > 0 {
		v.Liquid = pool(testTank, 40, func(x, z float64) float64 { return level })
	}
	return newTracer(newScene(v, optics.Medium{Index: 1.333}))
}

// TestSeenWalls looks into a tank from all around: the sides that would hide the
// liquid are panes, the others walls.
func TestSeenWalls(t *testing.T) {
	for _, c := range []struct {
		eye  vec.Vec3
		want [4]bool
	}{
		{vec.Vec3{X: 1, Y: 1, Z: 5}, [4]bool{true, true, true, false}},
		{vec.Vec3{X: 5, Y: 1, Z: 5}, [4]bool{true, false, true, false}},
		{vec.Vec3{X: -5, Y: 1, Z: -5}, [4]bool{false, true, false, true}},
		{vec.Vec3{X: 1, Y: 5, Z: 0.5}, [4]bool{true, true, true, true}},
	} {
		w := walledTracer(0.3, Good, c.eye, 60, 50)
		if w.tank.walled != c.want {
			t.Errorf("from %v: walls %v, want %v", c.eye, w.tank.walled, c.want)
		}
		n := 0
		for _, yes := range c.want {
			if yes {
				n += len(mesh.Box(testTank).Tri)
			}
		}
		if got := w.geometry.liquid + w.solids - w.firstWall; got != n {
			t.Errorf("from %v: %d triangles of walls, want %d", c.eye, got, n)
		}
	}
}

// TestLightOnWalls compares the sun's light on the inside of a wall with theory. The wall
// gets all of it in the open, none in the shadow of the opposite side, and the refracted
// share under a flat surface. The share then is
//
//	(1 − R) cos θi / (n cos θt),
//
// from the beam that gets narrower and turns away from the wall.
func TestLightOnWalls(t *testing.T) {
	const level = 0.5
	for _, q := range []Quality{Good, Final} {
		tr := walledTracer(level, q, vec.Vec3{X: -3, Y: 2, Z: -3}, 60, 50) // x+ and z+ stand, with their backs to the sun
		tr.lightFloor()
		if len(tr.wallMaps) != 0 {
			t.Errorf("%s: the sun shines on %d sides from behind", q, len(tr.wallMaps))
		}
		tr = walledTracer(level, q, vec.Vec3{X: 5, Y: 2, Z: 5}, 60, 50)
		tr.lightFloor()
		if len(tr.wallMaps) != 2 {
			t.Fatalf("%s: the sun shines on %d sides, want 2", q, len(tr.wallMaps))
		}
		sin := tr.sky.ToSun.Y // the cosine of incidence
		mirror, cosT := optics.Fresnel(sin, 1/1.333)
		under := (1 - mirror) * sin / (1.333 * cosT)
		for i, m := range tr.wallMaps {
			for _, c := range []struct{ x, y, want, within float64 }{
				{0.4, 0.9, 1, 0.06}, {0.6, 0.9, 1, 0.06}, {0.5, 0.35, under, 0.03}, {0.5, 0.4, under, 0.03},
			} {
				// No pane is in the way high up, away from the corners.
				sun, _ := m.At(m.Coordinates(m.Origin.Add(m.U.Mul(c.x * float64(1+i))).Add(vec.Vec3{Y: c.y})))
				if math.Abs(sun.G-c.want) > c.within {
					t.Errorf("%s: side %d at %g m: %.3f of the light, want %.3f", q, i, c.y, sun.G, c.want)
				}
			}
		}
		// The sun stands over z+, whose side throws its shadow on that across.
		tr = walledTracer(0, q, vec.Vec3{X: 1, Y: 5, Z: 0.5}, 0, 25)
		tr.lightFloor()
		if len(tr.wallMaps) != 1 {
			t.Fatalf("%s: the sun shines on %d sides, want 1", q, len(tr.wallMaps))
		}
		m, edge := tr.wallMaps[0], 1-math.Tan(25*math.Pi/180)
		for _, c := range []struct{ y, want float64 }{{edge - 0.1, 0}, {edge + 0.1, 1}, {0.005, 0}, {0.995, 1}} {
			sun, _ := m.At(m.Coordinates(vec.Vec3{X: 1, Y: c.y}))
			if math.Abs(sun.G-c.want) > 0.05 {
				t.Errorf("%s: at %.3f m, with the shadow's edge at %.3f m: %.3f of the light, want %g", q, c.y, edge, sun.G, c.want)
			}
		}
	}
}
