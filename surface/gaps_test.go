package surface

import (
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestGapAtWall leaves out the particles around points at a wall, on an edge and in a corner
// of a tank. A gap of a few particles must be filled, so that the liquid's face along the wall
// is flat; a larger pocket is air, and must stay; and so must a dent in the free surface
// at the wall.
func TestGapAtWall(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	inner := vec.Box{Max: vec.New(24*d, 20*d, 24*d)}
	liquid := vec.Box{Max: vec.New(24*d, 14*d, 24*d)}
	for _, c := range []struct {
		name   string
		at     vec.Vec3 // spacings
		radius float64  // spacings
		filled bool
	}{
		{"a particle at a wall", vec.New(0.5, 7.5, 12.5), 0.5, true},
		{"some particles at a wall", vec.New(0, 7, 12), 1.2, true},
		{"at an edge", vec.New(0, 7, 0), 1.8, true},
		{"in a corner", vec.New(0, 0, 24), 2.2, true},
		{"a pocket at a wall", vec.New(0, 7, 12), 3.2, false},
		{"a dent in the surface", vec.New(0, 14, 12), 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "some particles at a wall" && c.name != "a pocket at a wall" { // a second each
				longtest.Only(t)
			}
			cloud := Cloud{Spacing: d, Walls: []Wall{tank{inner, 2 * d}}}
			at := c.at.Mul(d)
			for _, x := range lattice(liquid, d, 0.05, 7) {
				if x.Sub(at).Len() > c.radius*d {
					cloud.X = append(cloud.X, x)
				}
			}
			for _, e := range Methods.Entries() {
				// Kernels that are stretched along the liquid leave a gap that is larger than
				// the missing particles.
				m, err := e.New(func(s any) error { return settings(s, func(s *meshing) { s.Bubble = 16 }) })
				if err != nil {
					t.Fatal(err)
				}
				got := surfaceOf(t, m, cloud)
				pit := 0.
				for _, p := range got.Pos {
					if p.Sub(at).Len() < max(1.5, c.radius)*d && p.Y < liquid.Max.Y-1.5*d {
						e, _ := inner.Dist(p)
						pit = max(pit, -e)
					}
				}
				if filled := pit < 0.1*d; filled != c.filled {
					t.Errorf("%s: the surface lies up to %.2f spacings off the walls", e.Name, pit/d)
				}
			}
		})
	}
}
