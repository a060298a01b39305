package run

import (
	"math"

	"breakwater/out/particles"
	"breakwater/raster/grains"
	"breakwater/scenes"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// foam returns the attributes of foam that the scene asks for, at the vertices of m, the
// mesh of frame n.
func (r *runner) foam(m *mesh.Mesh, n int) (fields []particles.Field, err error) {
	names := r.built.Formats.MeshFoam
	if len(names) == 0 {
		return nil, nil
	}
	bubbles, err := r.grains(n, nil)
	if err != nil {
		return nil, err
	}
	return foamOn(m, bubbles, names), nil
}

// foamOn returns the attributes with the names, of the bubbles of foam, at the vertices of m.
func foamOn(m *mesh.Mesh, bubbles *grains.Parcels, names []string) (fields []particles.Field) {
	// So far away that each parcel is one grain.
	view := grains.View{Eye: vec.New(1e6, 0, 0), Spread: 1}
	depth := func() []float64 {
		sum := make([]float64, len(m.Pos))
		if layer := grains.NewLayer(bubbles, view, m.Pos, m.Nrm); layer != nil {
			for i, x := range layer.Depth {
				sum[i] = float64(x)
			}
		}
		return sum
	}
	for _, name := range names {
		f := particles.Field{Name: name}
		switch name {
		case scenes.FoamCover:
			f.Scalar = depth()
			for i, x := range f.Scalar {
				f.Scalar[i] = -math.Expm1(-x)
			}
		case scenes.FoamDepth: // the volume of a ball is its cross-section times 4/3 of its radius
			count := bubbles.Count
			bubbles.Count = make([]float32, len(count))
			for i, c := range count {
				bubbles.Count[i] = c * 4 / 3 * bubbles.Radius[i]
			}
			f.Scalar, f.Length = depth(), true
			bubbles.Count = count
		}
		fields = append(fields, f)
	}
	return fields
}
