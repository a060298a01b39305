package surface

import (
	"encoding/binary"
	"math"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// FuzzCloud meshes the fuzzer's particles, in a tank and without, by one of the methods,
// coarsened or not. Whatever they are, the mesh must be closed, manifold and oriented, and
// hold their volume: the seeds in testdata have many at one place beside walls.
func FuzzCloud(f *testing.F) {
	f.Add([]byte{}, uint8(0), false)
	f.Add([]byte{1, 2, 3, 4, 5, 6}, uint8(0), true)
	f.Add(make([]byte, 60), uint8(1), true) // ten at one place
	grid := []byte{}
	for i := range uint16(64) {
		for _, x := range []uint16{i % 4, i / 4 % 4, i / 16} {
			grid = binary.LittleEndian.AppendUint16(grid, 1<<13+x<<10)
		}
	}
	f.Add(grid, uint8(0), true)
	f.Add(grid, uint8(5), false)
	f.Fuzz(func(t *testing.T, data []byte, which uint8, walls bool) {
		const d = 0.02
		// Places are whole parts of a box of 64 spacings: a spacing is 1024.
		c := Cloud{Spacing: d}
		for ; len(data) >= 6 && len(c.X) < 400; data = data[6:] {
			at := func(k int) float64 { return float64(binary.LittleEndian.Uint16(data[2*k:])) / 1024 * d }
			c.X = append(c.X, vec.New(at(0), at(1), at(2)))
		}
		if walls {
			c.Walls = []Wall{tank{vec.Box{Max: vec.New(40*d, 64*d, 64*d)}, 2 * d}}
		}
		entries := Methods.Entries()
		for _, coarse := range []float64{0, 0.1} {
			m, err := entries[int(which)%len(entries)].New(func(dst any) error {
				set(dst, coarse, 0)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			var got mesh.Mesh
			if err := m.Surface(&got, c); err != nil {
				t.Fatal(err)
			}
			if err := got.Check(); err != nil {
				t.Errorf("coarsened by %g: %v", coarse, err)
			}
			if v := got.Volume(); math.IsNaN(v) {
				t.Errorf("volume %g", v)
			}
		}
	})
}
