package mesh_test

import (
	"fmt"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Report counts the faults of a mesh and measures its triangles.
func ExampleMesh_Report() {
	m := &mesh.Mesh{
		Pos: []vec.Vec3{{}, {X: 3}, {Y: 3}, {Z: 4}},
		Tri: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	r := m.Report()
	fmt.Printf("%d triangles, %d open edges, volume %g m³\n", r.Triangles, r.OpenEdges, r.Volume)

	m.Tri = m.Tri[1:]
	open, _ := m.OpenEdges()
	fmt.Printf("without one triangle: %d open edges\n", open)
	// Output:
	// 4 triangles, 0 open edges, volume 6 m³
	// without one triangle: 3 open edges
}
