package shape

import (
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Shapes.Add("mesh", "inside of a closed triangle mesh from a file", "Bærentzen and Aanæs 2005", func() Shape { return &Mesh{Scale: 1} })
}

// Mesh is the inside of a closed triangle mesh. SetMesh gives it the mesh of
// its file; without one it is empty.
type Mesh struct {
	File   string   `toml:"file" doc:"OBJ, PLY or STL file of a closed mesh, y up, as a path from the folder of the scene file. Meshes that come with the program have names such as shipped:boat.obj."`
	Scale  float64  `toml:"scale" unit:"1" range:"(0, inf)" doc:"Metres per unit of the file: 0.001 for millimetres."`
	Offset vec.Vec3 `toml:"offset" unit:"m" doc:"Position of the file's origin in the scene."`

	wall *boundary.Mesh // nil without a mesh
}

// SetMesh takes the mesh that the shape's file holds. It fails if the mesh does
// not enclose a body, as SetMesh of a wall does.
func (s *Mesh) SetMesh(m *mesh.Mesh) error {
	wall := &boundary.Mesh{Scale: s.Scale, Offset: s.Offset}
	if err := wall.SetMesh(m); err != nil {
		return err
	}
	s.wall = wall
	return nil
}

// Bounds implements Shape.
func (s *Mesh) Bounds() vec.Box {
	if s.wall == nil {
		return vec.Empty()
	}
	return s.wall.Extent()
}

// Contains implements Shape.
func (s *Mesh) Contains(x vec.Vec3) bool {
	if !s.Bounds().Contains(x) {
		return false
	}
	d, _ := s.wall.Dist(x)
	return d <= 0
}
