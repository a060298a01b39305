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

// TestGasPeriod checks that a straight vortex through a range that repeats has one circulation in each plane of
// cells, also if it is longer than the range, and that the flow about it is the one of a vortex without ends.
func TestGasPeriod(t *testing.T) {
	s := mustRead(t, `[gas]
cell = 0.05
gravity = [0, 0, 0]
[domain]
periodic = ["z"]
min = [7, 8, -0.1]
max = [9, 9, 0.3]
[[vortex]]
kind = "tube"
core = 0.1
length = 3
circulation = 2
smoke = 1
[solver]
kind = "mesh"
`)
	b := mustBuild(t, s)
	f := b.Flow
	if got := f.Invariants(&s.Gas.Gas).Strength.Z; math.Abs(got-2*0.4) > 1e-3 {
		t.Errorf("the strength is %g m³/s, want 2 m²/s over 0.4 m", got)
	}
	for _, x := range f.Tracers.X {
		if x.Z < -0.1 || x.Z > 0.3 {
			t.Fatalf("a tracer is at %v", x)
		}
	}
	want := 2 / (2 * math.Pi * 0.5)
	if got := b.GasSolver.VelocityAt(f, &s.Gas.Gas, vec.New(0.5, 0, 0.2)); got.Sub(vec.New(0, want, 0)).Len() > 1e-3*want {
		t.Errorf("the velocity is %v, want %g", got, want)
	}
}
