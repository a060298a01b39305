package surface

import (
	"math"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// setRaw sets m to leave its surface as marching cubes find it.
func setRaw(m *meshing) {
	m.Tidy, m.Smoothing, m.NormalSmoothing, m.Volumes = false, 0, 0, false
}

// TestBare meshes a splash without anything after marching cubes: the mesh is
// sound, and every vertex lies on an edge of the grid.
func TestBare(t *testing.T) {
	cloud := splash(6000)
	cloud.Walls, cloud.Flat = nil, true
	m := &sph{meshing: defaults(), Threshold: 0.6}
	setRaw(&m.meshing)
	got := new(mesh.Mesh)
	if err := m.Surface(got, cloud); err != nil {
		t.Fatal(err)
	}
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	if len(got.Nrm) > 0 {
		t.Errorf("%d normals that nobody wants", len(got.Nrm))
	}
	for v, p := range got.Pos {
		x, on := p.Sub(m.grid.origin).Mul(1/m.grid.cell), 0
		for _, c := range []float64{x.X, x.Y, x.Z} {
			if math.Abs(c-math.Round(c)) < 1e-6 {
				on++
			}
		}
		if on < 2 {
			t.Fatalf("vertex %d, at %v cells, is on no edge of the grid", v, x)
		}
	}
	_, pieces := got.Components()
	for k, piece := range pieces {
		if piece.Volume <= 0 {
			t.Errorf("piece %d encloses air: %g m³", k, piece.Volume)
		}
	}
}

// TestVolumeIsKept compares a drop of one particle with and without the volume
// of its particles.
func TestVolumeIsKept(t *testing.T) {
	const d = 0.01
	cloud := Cloud{X: []vec.Vec3{{X: 0.001}}, Spacing: d}
	volume := func(kept bool) float64 {
		m := &sph{meshing: defaults(), Threshold: 0.6}
		m.Volumes = kept
		return surfaceOf(t, m, cloud).Volume() / (d * d * d)
	}
	if with := volume(true); math.Abs(with-1) > 0.01 {
		t.Errorf("%g of the particle's volume", with)
	}
	if without := volume(false); without > 0.5 {
		t.Errorf("%g of the particle's volume where the surface is to stay where it is", without)
	}
}
