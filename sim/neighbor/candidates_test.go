package neighbor

import (
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/vec"
)

// TestCandidates checks that lists of candidates have all near points, each once. Lists
// for a cell have all points near any of its points.
func TestCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	pos := make([]vec.Vec3, 700)
	for i := range pos {
		pos[i] = vec.New(rng.Float64()*2-1, rng.Float64(), rng.Float64()*0.5)
	}
	const r = 0.2
	var brute Brute
	brute.Build(pos, r)
	var spatial SpatialHash
	spatial.Build(pos, r)
	var cells CellHash
	cells.Build(pos, r)
	for name, find := range map[string]func([][]int32, vec.Vec3) [][]int32{
		"spatial-hash": spatial.Candidates, "cell-hash": cells.Candidates, "cell-hash of a cell": cells.Around,
	} {
		for i, x := range pos {
			all := slices.Concat(find(nil, x)...)
			slices.Sort(all)
			if len(slices.Compact(slices.Clone(all))) != len(all) {
				t.Fatalf("%s: point %d has candidates twice", name, i)
			}
			for _, j := range brute.Near(nil, x) {
				if _, ok := slices.BinarySearch(all, j); !ok {
					t.Fatalf("%s: point %d has no candidate %d", name, i, j)
				}
			}
			if name == "cell-hash of a cell" && slices.ContainsFunc(cells.Order(), func(j int32) bool {
				return cells.Cell(int(j)) == cells.Cell(i) && !slices.Equal(slices.Concat(find(nil, pos[j])...), slices.Concat(find(nil, x)...))
			}) {
				t.Fatalf("%s: point %d does not share its candidates with its cell", name, i)
			}
		}
	}
}
