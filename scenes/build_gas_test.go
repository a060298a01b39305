package scenes

import (
	"math"
	"testing"

	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// TestGasSolids checks how far points are from a floor and from a column that a gas meets.
func TestGasSolids(t *testing.T) {
	s := mustRead(t, `[gas]
cell = 0.05
[[smoke]]
kind = "sphere"
center = [0, 1, 0]
radius = 0.2
[[wall]]
kind = "plane"
point = [0, 0.1, 0]
[[wall]]
kind = "cylinder"
inside = false
bottom = [2, 0.2, 0]
top = [4, 0.2, 0]
radius = 0.3
[solver]
kind = "mesh"
`)
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		wall int
		x    vec.Vec3
		want float64
	}{
		{0, vec.New(3, 0.6, -2), 0.5}, {0, vec.New(-40, -0.2, 7), -0.3},
		{1, vec.New(1.5, 0.2, 0.1), 0.5}, {1, vec.New(3, 0.2, 0.8), 0.5}, {1, vec.New(3, 0.7, 0), 0.2}, {1, vec.New(3, 0.2, 0), -0.3},
	} {
		if d, _ := b.Flow.Bodies[c.wall].Contact(c.x); math.Abs(d-c.want) > 0.002 {
			t.Errorf("wall %d is %.4f m from %v, want %.4f", c.wall+1, d, c.x, c.want)
		}
	}
	if box := b.Flow.Bodies[0].Endless; box == nil || math.Abs(box.Max.Y-0.1) > 1e-9 || box.Min.Y > -1000 {
		t.Errorf("the floor fills %v", box)
	}
}

// TestBurntSource checks that a source gives off what its mass fractions say, and smoke for
// the rest.
func TestBurntSource(t *testing.T) {
	b := mustBuild(t, mustRead(t, `
[gas]
cell = "5 cm"
[[source]]
kind = "sphere"
center = [0, 1, 0]
radius = 0.1
vortons = 10
fuel = 0.25
burnt = 0.5
[flame]
`))
	if got, want := b.Flow.Sources[0].Mix, (vortex.Blend{Fuel: 0.25, Flame: 0.5, Smoke: 0.25}); got != want {
		t.Errorf("the source gives off %+v, want %+v", got, want)
	}
}
