package run

import (
	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/scenes"
	"breakwater/sim/quantity"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// attributes returns the attributes of the particles of f, as they are at its
// time.
func (r *runner) attributes(list []scenes.Named[quantity.Quantity], f *out.Frame) ([]particles.Field, error) {
	if len(list) == 0 {
		return nil, nil
	}
	w := *r.built.World
	w.Set, w.Time, w.Dt = *f.Particles, f.Time, f.Dt
	for _, wall := range w.Walls {
		wall.Move(f.Time)
	}
	if err := w.PlaceBodies(f.Particles.Bodies); err != nil {
		return nil, err
	}
	var fields []particles.Field
	for _, q := range list {
		scalar, vector := q.As.Of(&w, r.built.Solver)
		fields = append(fields, particles.Field{Name: q.Name, Scalar: scalar, Vector: vector})
	}
	return fields, nil
}

// carried returns the attributes of the scene's meshes at the vertices of m, the mesh of
// frame n, whose particles are f.
func (r *runner) carried(m *mesh.Mesh, f *out.Frame, n int) ([]particles.Field, error) {
	foam, err := r.foam(m, n)
	if err != nil {
		return nil, err
	}
	vertices := m.Pos
	fields, err := r.attributes(r.built.Formats.MeshAttributes, f)
	if err != nil || len(fields) == 0 {
		return foam, err
	}
	var carry []surface.Quantity
	for k := range fields {
		from := fields[k]
		to := particles.Field{Name: from.Name}
		if from.Vector != nil {
			to.Vector = make([]vec.Vec3, len(vertices))
		} else {
			to.Scalar = make([]float64, len(vertices))
		}
		carry = append(carry, surface.Quantity{Scalar: from.Scalar, ToScalar: to.Scalar, Vector: from.Vector, ToVector: to.Vector})
		fields[k] = to
	}
	surface.NewCarrier(f.Particles.X, r.scene.Liquid.Spacing).Carry(vertices, carry)
	return append(fields, foam...), nil
}
