package mesh

import (
	"testing"

	"breakwater/sim/vec"
)

// TestCreased checks that a ball gets the normals of a ball, and that the
// faces of a corner of a cube stay flat.
func TestCreased(t *testing.T) {
	ball := Weld(Sphere(vec.New(1, 2, 3), 0.5, 48)).Creased(30)
	for v, p := range ball.Pos {
		if n := p.Sub(vec.New(1, 2, 3)).Unit(); ball.Nrm[v].Dot(n) < 0.999 {
			t.Fatalf("at %v the normal is %v", n, ball.Nrm[v])
		}
	}
	corner := (&Mesh{
		Pos: []vec.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Tri: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}).Creased(60)
	for _, f := range corner.Tri {
		for _, v := range f {
			if n := corner.normal(f[0], f[1], f[2]).Unit(); corner.Nrm[v].Sub(n).Len() > 1e-12 {
				t.Errorf("the normal of a corner is %v, of its face %v", corner.Nrm[v], n)
			}
		}
	}
}
