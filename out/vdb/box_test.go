package vdb

import (
	"math"
	"testing"
)

// TestBounds compares the bounds of the active voxels of a leaf, under a map that turns and
// mirrors them, with the corners of each voxel.
func TestBounds(t *testing.T) {
	l := Leaf{At: [3]int32{-8, 16, 0}}
	active := [][3]int32{{1, 5, 2}, {3, 5, 7}, {2, 6, 4}}
	for _, c := range active {
		n := c[0]<<6 | c[1]<<3 | c[2]
		l.Active[n>>6] |= 1 << (n & 63)
	}
	got, ok := l.Box(l.IsActive)
	if want := (Box{[3]int32{-7, 21, 2}, [3]int32{-5, 22, 7}}); !ok || got != want {
		t.Fatalf("the voxels %v, want %v", got, want)
	}
	if b, ok := (&Leaf{}).Box(l.IsActive); !ok || b.Min != [3]int32{1, 5, 2} {
		t.Errorf("the voxels %v of a leaf at the origin", b)
	}
	if _, ok := l.Box(func(int) bool { return false }); ok {
		t.Error("a leaf without voxels has a box")
	}
	m := Map{Axes: [3][3]float64{{0, 0.5, 0}, {-0.25, 0, 0}, {0, 0, -2}}, Origin: [3]float64{1, 2, 3}}
	lo, hi := m.Bounds(got)
	for a, want := range [3][2]float64{{1 - 0.25*22.5, 1 - 0.25*20.5}, {2 - 0.5*7.5, 2 - 0.5*4.5}, {3 - 2*7.5, 3 - 2*1.5}} {
		if math.Abs(lo[a]-want[0]) > 1e-12 || math.Abs(hi[a]-want[1]) > 1e-12 {
			t.Errorf("axis %d from %g to %g, want %g to %g", a, lo[a], hi[a], want[0], want[1])
		}
	}
	tile := Tile{At: [3]int32{0, 128, -128}, Side: 128}
	if b := tile.Box(); b != (Box{[3]int32{0, 128, -128}, [3]int32{127, 255, -1}}) {
		t.Errorf("the voxels %v of a tile", b)
	}
}
