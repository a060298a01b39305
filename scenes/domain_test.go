package scenes

import (
	"math"
	"strings"
	"testing"
)

// flatScene is a scene of two dimensions in a tank of 2 m × 2 m.
const flatScene = `
[domain]
dim = 2
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
max = [2, 0.8, 0]
[[wall]]
kind = "box"
max = [2, 2, 0]
`

// TestFlatWedge checks that three planes along z make a body in two dimensions, as a wall and
// as a body, and none in three.
func TestFlatWedge(t *testing.T) {
	const wedge = `
kind = "polytope"
points = [[1, 0.9, 0], [1, 0.9, 0], [1, 1.4, 0]]
normals = [[1, -1, 0], [-1, -1, 0], [0, 1, 0]]
`
	b := builtFrom(t, flatScene+"[[wall]]\n"+wedge)
	for _, c := range []struct{ x, y, dist float64 }{{1, 1.5, 0.1}, {1, 0.8, 0.1}, {1.35, 1.05, math.Sqrt2 / 10}, {1, 1.3, -0.1}} {
		x := b.World.X[0]
		x.X, x.Y = c.x, c.y
		if d, _ := b.World.Walls[1].Dist(x); math.Abs(d-c.dist) > 1e-9 {
			t.Errorf("(%g, %g) is %g m from the wedge, want %g", c.x, c.y, d, c.dist)
		}
	}
	b = builtFrom(t, flatScene+"[[body]]\ndensity = 400\n"+wedge)
	if m := b.World.FreeBodies()[0].Free.Mass; math.Abs(m-100) > 1e-9 { // 0.25 m²
		t.Errorf("the wedge has %g kg, want 100", m)
	}
	solid := strings.ReplaceAll(strings.Replace(flatScene, "dim = 2", "dim = 3", 1), ", 0]", ", 1]")
	for _, kind := range []string{"[[wall]]\n", "[[body]]\ndensity = 400\n"} {
		s, err := Read("solid", []byte(solid+kind+wedge))
		if err == nil {
			_, err = s.Build()
		}
		if err == nil || !strings.Contains(err.Error(), "reaches to infinity") {
			t.Errorf("%s in three dimensions: %v", strings.TrimSpace(kind), err)
		}
	}
	if _, err := Read("gas", []byte("[gas]\ncell = 0.1\n[[vortex]]\nkind = \"ring\"\n[[wall]]\n"+wedge)); err == nil || !strings.Contains(err.Error(), "reaches to infinity") {
		t.Errorf("in a gas: %v", err)
	}
}

// TestFlatOutflow checks that outflows of two dimensions remove liquid, whatever extent along z
// their box has.
func TestFlatOutflow(t *testing.T) {
	for _, z := range []string{"0", "1"} {
		b := builtFrom(t, flatScene+"[[outflow]]\nkind = \"box\"\nmin = [1.5, 0, 0]\nmax = [2, 1, "+z+"]\n")
		n := b.World.Len()
		if err := b.World.Advance(b.Solver, 0.1, nil); err != nil {
			t.Fatal(err)
		}
		if left := b.World.Len(); left > n*4/5 || left < n/2 {
			t.Errorf("up to z = %s: %d of %d particles are left", z, left, n)
		}
	}
	if _, err := Read("dry", []byte(flatScene+"[[outflow]]\nkind = \"box\"\nmin = [2.5, 0, 0]\nmax = [3, 1, 0]\n")); err == nil || !strings.Contains(err.Error(), "removes nothing") {
		t.Errorf("an outflow beside the tank: %v", err)
	}
}

// TestFlatCamera checks that a camera may face a body of two dimensions, which is endless.
func TestFlatCamera(t *testing.T) {
	for _, kind := range []string{"body", "wall"} {
		text := flatScene + "[[" + kind + "]]\nkind = \"box\"\nmin = [0.8, 0.6, 0]\nmax = [1.2, 1, 0]\n"
		if kind == "body" {
			text += "density = 500\n"
		} else {
			text += "inside = false\n"
		}
		text = strings.Replace(text, "max = [2, 0.8, 0]", "max = [0.7, 0.8, 0]", 1)
		builtFrom(t, text+"[camera]\neye = [1, 0.8, 5]\ntarget = [1, 0.8, 0]\n")
	}
}
