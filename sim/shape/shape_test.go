package shape

import (
	"testing"

	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func TestShapes(t *testing.T) {
	for _, name := range Shapes.Names() {
		s := registrytest.New(t, &Shapes, name)
		if m, ok := s.(*Mesh); ok {
			if err := m.SetMesh(mesh.Sphere(vec.New(1, 2, 3), 0.2, 32)); err != nil {
				t.Fatal(err)
			}
		}
		b := s.Bounds()
		for _, x := range []vec.Vec3{b.Min.Sub(vec.New(0.01, 0, 0)), b.Max.Add(vec.New(0, 0.01, 0)), {X: 1e9}} {
			if s.Contains(x) {
				t.Errorf("%s contains %v, outside its bounds", name, x)
			}
		}
		if !s.Contains(b.Center()) {
			t.Errorf("%s does not contain its centre", name)
		}
	}
}
