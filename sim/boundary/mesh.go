package boundary

import (
	"errors"
	"fmt"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Boundaries.Add("mesh", "closed triangle mesh from a file: a solid, or a tank of any shape",
		"Bender et al. 2019", func() Boundary { return &Mesh{Scale: 1} })
}

// Mesh is a closed triangle mesh, either a solid or a container. SetMesh
// gives it the mesh of its file.
type Mesh struct {
	File   string   `toml:"file" doc:"OBJ, PLY or STL file of a closed mesh, y up, as a path from the folder of the scene file. Meshes that come with the program have names such as shipped:boat.obj."`
	Scale  float64  `toml:"scale" unit:"1" range:"(0, inf)" doc:"Metres per unit of the file: 0.001 for millimetres."`
	Offset vec.Vec3 `toml:"offset" unit:"m" doc:"Position of the file's origin in the scene."`
	Inside bool     `toml:"inside" doc:"Whether the liquid is inside the mesh; false makes it a solid."`

	shaped
}

// SetMesh takes the mesh that the wall's file holds. It fails if the mesh does
// not enclose a body. Vertices at the same place are one.
func (w *Mesh) SetMesh(m *mesh.Mesh) error {
	one := mesh.Weld(m)
	for i, p := range one.Pos {
		one.Pos[i] = w.Placed(p)
	}
	if len(one.Tri) == 0 {
		return errors.New("the mesh has no triangles")
	}
	if n, at := one.OpenEdges(); n > 0 {
		return fmt.Errorf("the mesh is not closed: %d of its edges lack a triangle on one side, or have one with reversed orientation, the first near %v: fill its holes and make its normals consistent", n, at)
	}
	if v := one.Volume(); !(v > 0) {
		return fmt.Errorf("the mesh is inside out: it encloses %.3g m³: flip its normals, so that its triangles turn counter-clockwise seen from outside", v)
	}
	w.setFaces(one.Pos, one.Tri, w.Inside)
	if at, crosses := w.faces.crossing(); crosses {
		w.faces = nil
		return fmt.Errorf("the mesh intersects itself near %v, so its inside is undefined there: unite its parts into one surface, or put each in a file of its own", at)
	}
	return nil
}

// Placed returns where the point p of the file is in the scene.
func (w *Mesh) Placed(p vec.Vec3) vec.Vec3 { return p.Add(vec.Vec3{}).Mul(w.Scale).Add(w.Offset) }

// Init implements Boundary.
func (w *Mesh) Init(k kernel.Kernel) error {
	if w.faces == nil {
		return errors.New("mesh: no mesh was read")
	}
	if err := w.shaped.Init(k); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
}

// Faces returns the mesh, closed and outward.
func (w *Mesh) Faces() ([]vec.Vec3, [][3]int32) { return w.faces.outward(w.Inside) }
