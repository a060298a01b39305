package period

import (
	"math/rand/v2"
	"testing"

	"breakwater/sim/vec"
)

// TestImages compares the images with all copies of the particles, moved by the sides.
func TestImages(t *testing.T) {
	const h, reach = 0.2, 0.21
	p := Period{X: true, Z: true, Min: vec.New(-0.3, 0, 0.1), Max: vec.New(0.7, 0, 1.6)}
	rnd := rand.New(rand.NewPCG(1, 2))
	var x []vec.Vec3
	for range 300 {
		at := p.Wrap(vec.New(rnd.Float64(), rnd.Float64(), rnd.Float64()).Mul(3))
		if at.X < -0.3 || at.X >= 0.7 || at.Z < 0.1 || at.Z >= 1.6 {
			t.Fatalf("%v lies outside the sides", at)
		}
		x = append(x, at)
	}
	var m Images
	m.Find(&p, x, h, reach)
	wide := vec.Box{Min: vec.New(-0.3, -9, 0.1), Max: vec.New(0.7, 9, 1.6)}.Grow(reach)
	n := 0
	for i, at := range x {
		for _, by := range []vec.Vec3{{X: -1}, {X: 1}, {Z: -1.5}, {Z: 1.5}, {X: -1, Z: -1.5}, {X: 1, Z: -1.5}, {X: -1, Z: 1.5}, {X: 1, Z: 1.5}} {
			copied := at.Add(by)
			if !wide.Contains(copied) {
				continue
			}
			n++
			found := false
			for _, g := range m.Near(nil, vec.Box{Min: copied, Max: copied}, len(x), new([][2]int32)) {
				k := int(g) - len(x)
				found = found || int(m.Of[k]) == i && m.X[k].Sub(copied).Len() < 1e-12
			}
			if !found {
				t.Errorf("particle %d has no image at %v", i, copied)
			}
		}
	}
	if n == 0 || len(m.Of) != n {
		t.Errorf("%d images, want %d", len(m.Of), n)
	}
}
