package surface

import (
	"slices"
	"testing"

	"breakwater/surface/mesh"
)

// TestPolishClusters compares the clusters of a patch, polished in parallel, with the
// same patch polished as one cluster.
func TestPolishClusters(t *testing.T) {
	m := &sph{meshing: defaults(), Threshold: 0.6}
	m.Tidy = false // leaves the slivers to be polished
	var dst mesh.Mesh
	if err := m.Surface(&dst, splash(5000)); err != nil {
		t.Fatal(err)
	}
	s := &m.vertices
	s.Mesh = &dst
	s.rings.Build(s.Mesh, 0, 0)
	p := &s.scratch.polishing
	if !s.findPatch() {
		t.Fatal("the mesh has no slivers")
	}
	before := mesh.Mesh{Pos: slices.Clone(p.patch.Pos), Tri: slices.Clone(p.patch.Tri)}

	p.corners.build(&p.patch)
	s.polishClusters()
	if n := len(p.clusters.joins); n < 5 {
		t.Fatalf("%d clusters are too few to tell their order", n)
	}
	got := mesh.Mesh{Pos: slices.Clone(p.patch.Pos), Tri: slices.Clone(p.patch.Tri)}
	gone, goneTri := slices.Clone(p.gone), slices.Clone(p.goneTri)

	copy(p.patch.Pos, before.Pos)
	copy(p.patch.Tri, before.Tri)
	p.corners.build(&p.patch)
	all := func(n int) (list []int32) {
		for i := range n {
			list = append(list, int32(i))
		}
		return list
	}
	var vertices, tris []int32
	for _, j := range s.polishCluster(all(len(p.patch.Tri)), all(len(p.patch.Pos)), new(fan), nil) {
		vertices = append(vertices, p.vertex[j.vertex])
		tris = append(tris, p.tri[j.tri[0]], p.tri[j.tri[1]])
	}
	switch {
	case slices.Equal(before.Pos, got.Pos) || slices.Equal(before.Tri, got.Tri) || len(gone) == 0:
		t.Errorf("polishing did nothing, or joined nothing: %d joins", len(gone))
	case !slices.Equal(got.Pos, p.patch.Pos) || !slices.Equal(got.Tri, p.patch.Tri):
		t.Error("clusters give another patch than one cluster")
	case !slices.Equal(gone, vertices) || !slices.Equal(goneTri, tris):
		t.Errorf("clusters join in another order: got vertices %v, want %v", gone, vertices)
	}
}
