package scenes

import (
	"fmt"
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// TestStillWater runs the pool at rest, of coarser particles, for a while: from
// frame to frame its surface moves by less than two thousandths of a radius in the
// mean.
func TestStillWater(t *testing.T) {
	s, err := Load("still-water")
	if err != nil {
		t.Fatal(err)
	}
	s.Liquid.Spacing *= 1.5
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	var before *mesh.Mesh
	for n := 15; n <= 21; n++ {
		if err := b.World.Advance(b.Solver, s.Time.At(n), nil); err != nil {
			t.Fatal(err)
		}
		got := new(mesh.Mesh)
		if err := b.Surface.Surface(got, surface.Cloud{X: b.World.X, V: b.World.V, Spacing: s.Liquid.Spacing, Walls: b.Solids}); err != nil {
			t.Fatal(err)
		}
		if before != nil {
			e := got.DeviationFrom(before).Mean / (s.Liquid.Spacing / 2)
			t.Logf("frame %d: %.5f radii", n, e)
			if e > 0.002 || e == 0 {
				t.Errorf("frame %d: the surface moved by %.4f radii in the mean", n, e)
			}
		}
		before = got
	}
}

// TestStillWaterIsLevel holds that water at rest stays as level as it was, and where it
// was, at any spacing: its surface away from the walls, and the line where it meets
// them. Beside walls that bear too little of its weight, it sinks there and rises in the
// middle.
func TestStillWaterIsLevel(t *testing.T) {
	size := vec.New(0.6, 0.3, 0.48)
	spacings := []float64{0.06, 0.03}
	if longtest.On() {
		spacings = append(spacings, 0.015)
	}
	for _, d := range spacings {
		s := mustRead(t, fmt.Sprintf(`extends = "still-water"
[liquid]
spacing = %g
[[fluid]]
kind = "box"
max = [%g, %g, %g]
[[wall]]
kind = "box"
max = [%g, 0.5, %g]
`, d, size.X, size.Y, size.Z, size.X, size.Z))
		b := mustBuild(t, s)
		for _, at := range []float64{0.25, 0.5, 1, 2} {
			if err := b.World.Advance(b.Solver, at, nil); err != nil {
				t.Fatal(err)
			}
			got := new(mesh.Mesh)
			if err := b.Surface.Surface(got, surface.Cloud{X: b.World.X, V: b.World.V, Spacing: d, Walls: b.Solids}); err != nil {
				t.Fatal(err)
			}
			lo, hi, sum, count := math.Inf(1), math.Inf(-1), 0., 0.
			line := math.Inf(1) // the lowest point of the line on the left wall
			top := map[int]float64{}
			for _, x := range got.Pos {
				side := min(x.X, size.X-x.X, x.Z, size.Z-x.Z)
				switch {
				case x.Y > size.Y/2 && side > 2*d:
					lo, hi, sum, count = min(lo, x.Y), max(hi, x.Y), sum+x.Y, count+1
				case x.X < 1e-6 && min(x.Z, size.Z-x.Z) > d:
					k := int(x.Z / d)
					top[k] = max(top[k], x.Y)
				}
			}
			for _, y := range top {
				line = min(line, y)
			}
			mean := sum / count
			t.Logf("spacing %g, %g s: level %+.3f spacings, %+.3f to %+.3f, at the wall %+.3f", d, at, (mean-size.Y)/d, (lo-size.Y)/d, (hi-size.Y)/d, (line-size.Y)/d)
			if math.Abs(mean-size.Y) > 0.03*d {
				t.Errorf("spacing %g: at %g s the level is off by %.3f spacings", d, at, (mean-size.Y)/d)
			}
			if hi-lo > 0.08*d {
				t.Errorf("spacing %g: at %g s the surface varies by %.3f spacings", d, at, (hi-lo)/d)
			}
			if math.Abs(line-size.Y) > 0.06*d {
				t.Errorf("spacing %g: at %g s the water meets the wall %.3f spacings too high", d, at, (line-size.Y)/d)
			}
		}
	}
}
