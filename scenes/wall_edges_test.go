package scenes

import (
	"math"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// TestWallEdges holds that water fills tanks that are not boxes into their sharp
// edges: what of the surface is near the wall is on it, and nothing is behind it.
func TestWallEdges(t *testing.T) {
	longtest.Only(t)
	const scene = `
[liquid]
spacing = 0.05
[solver]
kind = "wcsph"
[[fluid]]
kind = "box"
min = [-0.15, 0.08, -0.15]
max = [0.15, 0.38, 0.15]
`
	for name, wall := range map[string]string{
		"cylinder":        "[[wall]]\nkind = \"cylinder\"\ninside = true\nbottom = [0, 0, 0]\ntop = [0, 0.8, 0]\nradius = 0.25\n",
		"tilted cylinder": "[[wall]]\nkind = \"cylinder\"\ninside = true\nbottom = [0, -0.1, 0]\ntop = [0.2, 0.8, 0]\nradius = 0.3\n",
		"wedge":           "[[wall]]\nkind = \"polytope\"\ninside = true\npoints = [[0.3, 0, 0], [-0.3, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0.4], [0, 0, -0.4]]\nnormals = [[1, -0.2, 0], [-1, -0.2, 0], [0, 1, 0], [0, -1, 0.2], [0, 0, 1], [0, 0, -1]]\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := mustRead(t, scene+wall)
			b := mustBuild(t, s)
			if err := b.World.Advance(b.Solver, 0.3, nil); err != nil {
				t.Fatal(err)
			}
			var m mesh.Mesh
			if err := b.Surface.Surface(&m, surface.Cloud{X: b.World.X, V: b.World.V, Spacing: 0.05, Walls: b.Solids}); err != nil {
				t.Fatal(err)
			}
			if err := m.Check(); err != nil {
				t.Error(err)
			}
			behind, off := 0., 0
			tank := b.parts.walls[0]
			for _, p := range m.Pos {
				d, _ := tank.Dist(p)
				behind = max(behind, -d)
				if math.Abs(d) > 1e-4*s.Liquid.Spacing && d < 0.12*s.Liquid.Spacing {
					off++
				}
			}
			t.Logf("%d vertices, %d off the wall, %.2g spacings behind", len(m.Pos), off, behind/s.Liquid.Spacing)
			if behind > 1e-4*s.Liquid.Spacing {
				t.Errorf("vertices lie up to %.3g spacings behind the wall", behind/s.Liquid.Spacing)
			}
			if off > len(m.Pos)/50 {
				t.Errorf("%d of %d vertices are near the wall, but not on it", off, len(m.Pos))
			}
		})
	}
}
