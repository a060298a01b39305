package body

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// TestMatter compares the closed forms of round solids with the sums over their meshes.
func TestMassProperties(t *testing.T) {
	cylinder := &boundary.Cylinder{Bottom: vec.New(1, 2, 3), Top: vec.New(2, 4, 3.5), Radius: 0.7}
	capsule := &boundary.Capsule{Bottom: vec.New(1, 2, 3), Top: vec.New(2, 4, 3.5), Radius: 0.7}
	prism, sides := cylinder.Prism(400)
	surface, faces := capsule.Surface(400)
	for name, c := range map[string]struct {
		exact boundary.Boundary
		mesh  massProperties
	}{
		"cylinder": {cylinder, meshProperties(prism, sides)},
		"capsule":  {capsule, meshProperties(surface, faces)},
	} {
		m, err := massPropertiesOf(c.exact)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(m.volume/c.mesh.volume-1) > 1e-3 || m.center.Sub(c.mesh.center).Len() > 1e-3 {
			t.Errorf("%s: volume %g at %v, its mesh %g at %v", name, m.volume, m.center, c.mesh.volume, c.mesh.center)
		}
		for a := range 3 {
			for b := range 3 {
				if math.Abs(m.moment[a][b]-c.mesh.moment[a][b]) > 1e-3*m.moment[a][a] {
					t.Errorf("%s: moment %d,%d is %g, its mesh's %g", name, a, b, m.moment[a][b], c.mesh.moment[a][b])
				}
			}
		}
	}
}
