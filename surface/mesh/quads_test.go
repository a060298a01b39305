package mesh

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestQuads pairs the triangles of spheres, one of them with a waist. Nearly all must
// find a partner, and quads must be convex. Cut from their first corners, they must give
// the original triangles.
func TestQuads(t *testing.T) {
	waist := Geodesic(20)
	for v, p := range waist.Pos {
		waist.Pos[v] = vec.New(p.X*(0.6+p.Y*p.Y), 2*p.Y, p.Z*(0.6+p.Y*p.Y))
	}
	for name, m := range map[string]*Mesh{"geodesic": Geodesic(12), "sphere": Sphere(vec.Vec3{}, 1, 48), "waist": waist} {
		quads, tris := m.Quads()
		if 2*len(quads)+len(tris) != len(m.Tri) {
			t.Fatalf("%s: %d quads and %d triangles of %d triangles", name, len(quads), len(tris), len(m.Tri))
		}
		if len(tris) > len(m.Tri)/20 {
			t.Errorf("%s: %d of %d triangles are left over", name, len(tris), len(m.Tri))
		}
		left := map[[3]int32]bool{}
		turned := func(t [3]int32) [3]int32 { // with the least vertex first
			for t[0] > t[1] || t[0] > t[2] {
				t = [3]int32{t[1], t[2], t[0]}
			}
			return t
		}
		for _, tri := range m.Tri {
			left[turned(tri)] = true
		}
		for _, q := range quads {
			tris = append(tris, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
			for k := range q {
				u, v := m.Pos[q[(k+3)%4]].Sub(m.Pos[q[k]]), m.Pos[q[(k+1)%4]].Sub(m.Pos[q[k]])
				if angle := degrees(math.Acos(u.Unit().Dot(v.Unit()))); angle < 39 || angle > 151 {
					t.Fatalf("%s: quad %v has an angle of %.0f°", name, q, angle)
				}
			}
		}
		for _, tri := range tris {
			if !left[turned(tri)] {
				t.Fatalf("%s: triangle %v is twice there, or not of the mesh", name, tri)
			}
			delete(left, turned(tri))
		}
	}
}
