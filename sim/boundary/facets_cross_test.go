package boundary

import (
	"math"
	"strings"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// both returns the triangles of two meshes as one.
func both(a, b *mesh.Mesh) *mesh.Mesh {
	m := &mesh.Mesh{Pos: append(append([]vec.Vec3{}, a.Pos...), b.Pos...), Tri: append([][3]int32{}, a.Tri...)}
	n := int32(len(a.Pos))
	for _, t := range b.Tri {
		m.Tri = append(m.Tri, [3]int32{n + t[0], n + t[1], n + t[2]})
	}
	return m
}

// TestMeshCrossesItself holds bodies that reach into each other, wherever they
// do, against such as lie apart, in each other, or beside each other.
func TestMeshCrossesItself(t *testing.T) {
	cube := mesh.Cuboid(vec.Box{Max: vec.New(1, 1, 1)})
	at := func(x, y, z, size float64) *mesh.Mesh {
		return mesh.Cuboid(vec.Box{Min: vec.New(x, y, z), Max: vec.New(x+size, y+size, z+size)})
	}
	hollow := at(0.25, 0.25, 0.25, 0.5)
	for i, v := range hollow.Tri {
		hollow.Tri[i] = [3]int32{v[0], v[2], v[1]}
	}
	ball := mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.4, 48)
	// Turned inside out at one end, as a careless modifier leaves it.
	twisted := mesh.Sphere(vec.New(0.5, 0.5, 0.5), 0.4, 48)
	for i, p := range twisted.Pos {
		if p.Y > 0.7 {
			twisted.Pos[i] = vec.New(1-p.X, 1.4-p.Y, 1-p.Z)
		}
	}
	for _, c := range []struct {
		name    string
		mesh    *mesh.Mesh
		crosses bool
	}{
		{"cube", cube, false},
		{"ball", ball, false},
		{"apart", both(cube, at(1.5, 0, 0, 1)), false},
		{"hollow", both(cube, hollow), false},
		{"corner in corner", both(cube, at(0.7, 0.8, 0.9, 1)), true},
		{"faces in one plane", both(cube, at(0.5, 0, 0, 1)), true},
		{"through", both(cube, mesh.Cuboid(vec.Box{Min: vec.New(0.3, 0.3, -1), Max: vec.New(0.6, 0.6, 2)})), true},
		{"balls", both(ball, mesh.Sphere(vec.New(0.8, 0.6, 0.5), 0.3, 32)), true},
		{"a hair's breadth", both(cube, at(0.2, 0.999, 0.2, 0.5)), true},
		{"turned in", twisted, true},
	} {
		for scale := 1e-3; scale < 1e4; scale *= 1e3 {
			w := Mesh{Scale: scale, Offset: vec.New(0.3, -2, 5).Mul(scale)}
			err := w.SetMesh(c.mesh)
			if crosses := err != nil && strings.Contains(err.Error(), "intersects itself"); crosses != c.crosses {
				t.Errorf("%s, scaled by %g: %v, want a crossing: %t", c.name, scale, err, c.crosses)
			}
		}
	}
	// Where it is, it is said.
	f := newFacets(both(cube, at(0.7, 0.8, 0.9, 1)).Pos, both(cube, at(0.7, 0.8, 0.9, 1)).Tri, false)
	if x, _ := f.crossing(); math.Max(math.Abs(x.X-0.85), math.Max(math.Abs(x.Y-0.9), math.Abs(x.Z-0.95))) > 0.16 {
		t.Errorf("the crossing is reported at %v", x)
	}
}
