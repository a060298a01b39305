package scenes

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// builtFrom builds the scene in text.
func builtFrom(t *testing.T, text string) *Built {
	t.Helper()
	s, err := Read("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTaylorGreenScene checks that the vortices of a scene decay as the exact solution does,
// in a periodic domain without a surface.
func TestTaylorGreenScene(t *testing.T) {
	longtest.NotShort(t)
	b := builtFrom(t, `
[time]
duration = 0.5
[domain]
dim = 2
periodic = ["x", "y"]
min = [0, 0, 0]
max = [1, 1, 0]
closed = true
[liquid]
spacing = 0.02
viscosity = 0.01
gravity = [0, 0, 0]
[solver]
cfl = 0.2
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [1, 1, 0]
[fluid.velocity_field]
kind = "taylor-green"
`)
	w := b.World
	energy := func() (e float64) {
		for _, v := range w.V {
			e += v.Dot(v) / 2
		}
		return e / float64(w.Len())
	}
	const end = 0.5
	start, decay := energy(), num.Exp(float64(-16*math.Pi*math.Pi*0.01*end))
	if math.Abs(start/0.25-1) > 1e-3 {
		t.Errorf("the energy at the start is %g J/kg, want 0.25", start)
	}
	if err := w.Advance(b.Solver, end, nil); err != nil {
		t.Fatal(err)
	}
	if got := energy() / start; math.Abs(got/decay-1) > 0.15 {
		t.Errorf("of the energy %g is left after %g s, want %g", got, end, decay)
	}
}

// TestRotatingPatchScene checks the angular momentum of a square patch, given by a formula
// and by a file.
func TestRotatingPatchScene(t *testing.T) {
	longtest.NotShort(t)
	file := filepath.Join(t.TempDir(), "turn.csv")
	var text strings.Builder
	for i := range 41 {
		for j := range 41 {
			x, y := float64(i-20)/40, float64(j-20)/40
			fmt.Fprintf(&text, "%v,%v,0,%v,%v,0\n", x, y, -2*y, 2*x)
		}
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for field, tolerance := range map[string]float64{
		`{ kind = "rotation", rate = "2 rad/s" }`:                           1e-9,
		fmt.Sprintf(`{ kind = "file", file = %q }`, filepath.ToSlash(file)): 0.01,
	} {
		b := builtFrom(t, `
[domain]
dim = 2
[liquid]
spacing = 0.02
gravity = [0, 0, 0]
[[fluid]]
kind = "box"
min = [-0.5, -0.5, 0]
max = [0.5, 0.5, 0]
velocity = [1, 0, 0]
velocity_field = `+field+"\n")
		var turn, polar float64
		for i, x := range b.World.X {
			turn += x.Cross(b.World.V[i].Sub(vec.New(1, 0, 0))).Z
			polar += x.Dot(x)
		}
		if math.Abs(turn/(2*polar)-1) > tolerance {
			t.Errorf("%s turns at %g rad/s, want 2", field, turn/polar)
		}
		if fastest := 1 + math.Sqrt(2); math.Abs(b.World.Speed/fastest-1) > 0.1 {
			t.Errorf("%s: the fastest particle is expected at %g m/s, want %g", field, b.World.Speed, fastest)
		}
	}
}

// TestWaveScene checks that the surface of a wave is where linear theory has it, and that
// the block has as many particles as without the wave.
func TestWaveScene(t *testing.T) {
	b := builtFrom(t, `
[domain]
dim = 2
[liquid]
spacing = 0.01
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [1, 0.5, 0]
velocity_field = { kind = "wave", level = 0.4, depth = 0.4, wavelength = 2, amplitude = 0.05 }
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [1, 1, 0]
`)
	if n := b.World.Len(); math.Abs(float64(n)-4000) > 20 {
		t.Errorf("%d particles, want about 4000", n)
	}
	top := map[int]float64{}
	for _, x := range b.World.X {
		k := int(x.X / 0.01)
		top[k] = max(top[k], x.Y+0.005)
	}
	for k, y := range top {
		if want := 0.4 + 0.05*math.Cos(math.Pi*(float64(k)+0.5)/100); math.Abs(y-want) > 0.0051 {
			t.Errorf("the surface at x = %g m is at %g m, want %g", float64(k)/100, y, want)
		}
	}
}
