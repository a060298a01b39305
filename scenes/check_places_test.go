package scenes

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestSolidsCutLiquid checks that solid walls cut a block of liquid: no particle is in them, check
// says so, and the volume is what is left. A block that a wall takes as a whole is a fault.
func TestSolidsCutLiquid(t *testing.T) {
	const text = `
[liquid]
spacing = 0.025
[[fluid]]
kind = "box"
max = [1, 0.5, 0.5]
[[wall]]
kind = "box"
max = [1, 1, 0.5]
[[wall]]
kind = "sphere"
center = [0.3, 0.2, 0.25]
radius = 0.15
[[wall]]
kind = "plane"
point = [0.7, 0, 0]
normal = [-1, 1, 0]
`
	b := builtFrom(t, text)
	center := vec.New(0.3, 0.2, 0.25)
	for _, x := range b.World.X {
		if r := x.Sub(center).Len(); r < 0.15 {
			t.Fatalf("a particle is %g m from the centre of the ball", r)
		}
		if depth := x.X - 0.7 - x.Y; depth > 1e-9 {
			t.Fatalf("a particle at %v is in the slope", x)
		}
	}
	left := 0.25 - 4*math.Pi/3*0.15*0.15*0.15 - 0.3*0.3/2*0.5
	if v := float64(b.World.Len()) * b.World.ParticleVolume(); math.Abs(v/left-1) > 0.01 {
		t.Errorf("%g m³ of liquid, want %g", v, left)
	}
	s, err := Read("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if v := b.parts.initial(s).volume; math.Abs(v/left-1) > 0.01 {
		t.Errorf("the volume is taken for %g m³, want %g", v, left)
	}
	notes := strings.Join(b.Notes, "\n")
	for _, want := range []string{"fluid[1] reaches into the solid wall[2] by 0.1", "fluid[1] reaches into the solid wall[3] by 0.2"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in the notes:\n%s", want, notes)
		}
	}
	if strings.Contains(notes, "wall[1]") {
		t.Errorf("the tank is said to cut the liquid:\n%s", notes)
	}
	whole := strings.Replace(text, "radius = 0.15", "radius = 2", 1)
	if _, err := Read("whole", []byte(whole)); err == nil || !strings.Contains(err.Error(), "is as a whole in wall[2]") || !strings.Contains(err.Error(), "inside = true") {
		t.Errorf("a block in a ball: %v", err)
	}
}

// TestTanksCutLiquid fills tanks that are no boxes up to a level, by a box of liquid that reaches out
// of them. A box of liquid that reaches out of a box is a mistake.
func TestTanksCutLiquid(t *testing.T) {
	longtest.NotShort(t)
	const text = `
[liquid]
spacing = 0.02
[[fluid]]
kind = "box"
min = [-0.3, 0, -0.3]
max = [0.3, 0.2, 0.3]
[[wall]]
`
	const depth = 0.2
	for _, c := range []struct {
		wall   string
		volume float64 // m³
	}{
		{"kind = \"sphere\"\ncenter = [0, 0.25, 0]\nradius = 0.25", math.Pi * depth * depth * (0.25 - depth/3)},
		{"kind = \"cylinder\"\nbottom = [0, 0, 0]\ntop = [0, 0.4, 0]\nradius = 0.25", math.Pi * 0.25 * 0.25 * depth},
		{"kind = \"polytope\"\npoints = [[0, 0, 0], [0.2, 0, 0], [-0.2, 0, 0], [0, 0, 0.2], [0, 0, -0.2], [0, 0.4, 0]]\n" +
			"normals = [[0, -1, 0], [2, -1, 0], [-2, -1, 0], [0, -1, 2], [0, -1, -2], [0, 1, 0]]", depth * (0.4*0.4 + 0.4*0.6 + 0.6*0.6) / 3},
	} {
		b := builtFrom(t, text+"inside = true\n"+c.wall)
		for _, x := range b.World.X {
			if d, _ := b.World.Walls[0].Dist(x); d < -1e-6 {
				t.Fatalf("%s: a particle is %g m out of the tank", c.wall, -d)
			}
		}
		if v := float64(b.World.Len()) * b.World.ParticleVolume(); math.Abs(v/c.volume-1) > 0.02 {
			t.Errorf("%s: %g m³ of liquid, want %g", c.wall, v, c.volume)
		}
		if !slices.ContainsFunc(b.Notes, func(s string) bool { return strings.HasPrefix(s, "fluid[1] reaches out of wall[1] by ") }) {
			t.Errorf("%s: it says %q", c.wall, b.Notes)
		}
	}
	for _, c := range []struct{ wall, want string }{
		{"kind = \"box\"\nmin = [-0.2, 0, -0.3]\nmax = [0.3, 0.4, 0.3]", "fluid[1]: reaches out of wall[1]"},
		{"inside = true\nkind = \"sphere\"\ncenter = [0.5, 0, 0.1]\nradius = 0.18", "fluid[1]: is wholly outside wall[1]"},
	} {
		if _, err := Read("out.toml", []byte(text+c.wall)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.wall, err, c.want)
		}
	}
}
