package surface

import (
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestCorners flips and collapses sides of a sphere at random, as long as any
// may be: it must stay closed and manifold all the time.
func TestCorners(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	m := mesh.Sphere(vec.Vec3{}, 1, 24)
	var c corners
	c.build(m)
	collapsed := 0
	for turn := range 4000 {
		h := rng.Int32N(int32(len(c.twin)))
		if m.Tri[h/3][0] < 0 {
			continue
		}
		if c.twin[c.twin[h]] != h || c.vertex(c.twin[h]) != c.vertex(next(h)) {
			t.Fatalf("turn %d: corner %d and its twin do not agree", turn, h)
		}
		a, b, left, right := c.vertex(h), c.vertex(next(h)), c.vertex(last(h)), c.vertex(last(c.twin[h]))
		switch {
		case turn%2 == 0 && c.collapsible(h):
			c.collapse(h)
			collapsed++
		case turn%2 == 1 && c.valence(a) > 3 && c.valence(b) > 3 && !c.beside(left, right):
			c.flip(h)
		}
		if turn%200 == 0 {
			left := &mesh.Mesh{}
			number := map[int32]int32{}
			for _, tri := range m.Tri {
				if tri[0] < 0 {
					continue
				}
				for k, v := range tri {
					if _, known := number[v]; !known {
						number[v] = int32(len(left.Pos))
						left.Pos = append(left.Pos, m.Pos[v])
					}
					tri[k] = number[v]
				}
				left.Tri = append(left.Tri, tri)
			}
			if err := left.Check(); err != nil {
				t.Fatalf("turn %d: %v", turn, err)
			}
			for v, h := range c.at {
				if (h >= 0) != slices.ContainsFunc(m.Tri, func(tri [3]int32) bool { return slices.Contains(tri[:], int32(v)) }) {
					t.Fatalf("turn %d: vertex %d has corner %d", turn, v, h)
				}
			}
		}
	}
	if collapsed < 100 {
		t.Errorf("%d sides collapsed", collapsed)
	}
}
