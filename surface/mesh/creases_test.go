package mesh

import (
	"math"
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

// TestCreasedRound checks that the side of a cone, of quads that are all cut the same
// way, has the normals of the cone. Their differences would distort the view through
// glass.
func TestCreasedRound(t *testing.T) {
	const sides = 48
	cone := &Mesh{}
	for i := range int32(sides) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		cone.Pos = append(cone.Pos, vec.New(3*cos, 0, 3*sin), vec.New(4*cos, 9, 4*sin))
		a, b := 2*i, 2*((i+1)%sides)
		cone.Tri = append(cone.Tri, [3]int32{a, b + 1, b}, [3]int32{a, a + 1, b + 1})
	}
	for i := range int32(sides - 2) { // both ends
		cone.Tri = append(cone.Tri, [3]int32{0, 2*i + 2, 2*i + 4}, [3]int32{1, 2*i + 5, 2*i + 3})
	}
	if err := cone.Check(); err != nil {
		t.Fatal(err)
	}
	round := cone.Creased(35)
	for v := range 3 * 2 * sides {
		p, n := round.Pos[v], round.Nrm[v]
		out := vec.New(p.X, 0, p.Z).Unit()
		if along := out.Cross(n).Y; math.Abs(along) > 1e-12 {
			t.Fatalf("at %v the normal %v is turned round the axis by %g", p, n, along)
		}
	}
}
