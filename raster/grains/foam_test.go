package grains

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/raster/scatter"
	"breakwater/sim/vec"
)

// raft returns n bubbles of foam on the square of a side in the plane y = 0.
func raft(n int, side, r, count float64) *Parcels {
	rng := rand.New(rand.NewPCG(21, 22))
	p := &Parcels{Spacing: 0.018, V: make([]vec.Vec3, n), Kind: make([]Kind, n)}
	for i := range n {
		p.X = append(p.X, vec.Vec3{X: side * (rng.Float64() - 0.5), Y: 0.002 * rng.Float64(), Z: side * (rng.Float64() - 0.5)})
		p.Radius, p.Count = append(p.Radius, float32(r)), append(p.Count, float32(count))
		p.ID, p.Kind[i] = append(p.ID, uint64(i)), Foam
	}
	return p
}

// plane returns vertices of the plane y = 0 in a square of a side, and their normals.
func plane(n int, side float64) (pos, normals []vec.Vec3) {
	for i := range n * n {
		pos = append(pos, vec.Vec3{X: side * ((float64(i%n)+0.5)/float64(n) - 0.5), Z: side * ((float64(i/n)+0.5)/float64(n) - 0.5)})
		normals = append(normals, vec.Vec3{Y: 1})
	}
	return pos, normals
}

// TestFoamDepth compares the mean optical depth of the vertices, and the mean cover from
// afar and close up, with the cross-section of the bubbles over the area.
func TestFoamDepth(t *testing.T) {
	const n, side, r = 20_000, 0.8, 1.5e-3
	want := n * math.Pi * r * r / (side * side)
	v := View{Eye: vec.Vec3{Y: 1}, Spread: 1e-3}
	pos, normals := plane(60, 0.6*side)
	l := NewLayer(raft(n, side, r, 1), v, pos, normals)
	sum, afar, near := 0.0, 0.0, 0.0
	for i, x := range l.Depth {
		sum += float64(x) / float64(len(pos))
		c, layer := l.At(pos[i], normals[i], float64(x), 0.02)
		afar += c / float64(len(pos))
		if layer < 1 {
			t.Fatalf("a layer of depth %g where there is foam", layer)
		}
		c, _ = l.At(pos[i], normals[i], float64(x), 1.6e-3)
		near += c / float64(len(pos))
	}
	if math.Abs(sum-want) > 0.02*want {
		t.Errorf("the mean optical depth is %.4f, want %.4f", sum, want)
	}
	if cover := 1 - math.Exp(-want); math.Abs(afar-cover) > 0.03 || math.Abs(near-cover) > 0.03 {
		t.Errorf("%.3f is covered from afar and %.3f close up, want %.3f", afar, near, cover)
	}
}

// TestOneBubble looks at a bubble of foam, beside it, and under the surface.
func TestOneBubble(t *testing.T) {
	p := raft(1, 0, 2e-3, 1)
	pos, normals := plane(9, 0.02)
	l := NewLayer(p, View{Eye: vec.Vec3{Y: 1}, Spread: 1e-4}, pos, normals)
	up := vec.Vec3{Y: 1}
	if c, _ := l.At(vec.Vec3{}, up, 0.1, 2e-4); c < 0.5 {
		t.Errorf("the bubble covers %g", c)
	}
	if c, _ := l.At(vec.Vec3{X: 4e-3}, up, 0.1, 2e-4); c > 1e-9 {
		t.Errorf("beside the bubble %g is covered", c)
	}
	deep := NewLayer(p, View{Eye: vec.Vec3{Y: 1}, Spread: 1e-4}, []vec.Vec3{{Y: -0.1}}, []vec.Vec3{up})
	if deep.Depth[0] != 0 {
		t.Errorf("an optical depth of %g far under it", deep.Depth[0])
	}
}

// TestReflectance compares with measured foam, and the asymmetry with its definition.
func TestReflectance(t *testing.T) {
	if g := scatter.Ball(1 / water).Moment(1); math.Abs(g-foamAsymmetry) > 1e-3 {
		t.Errorf("bubbles have g = %.4f, not %g", g, foamAsymmetry)
	}
	for depth, want := range map[float64]float64{0: 0, 1: 0.21, 5: 0.57, 1e4: 0.9} {
		if got := Reflectance(depth); math.Abs(got-want) > 0.01 {
			t.Errorf("foam of depth %g reflects %.3f, want %.2f", depth, got, want)
		}
	}
}
