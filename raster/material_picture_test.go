package raster

import (
	"image"
	stdcolor "image/color"
	"math"
	"testing"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/texture"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestTexture lays a picture of four colours over a square: each is where it
// belongs, again beyond the edges, and from far away only their mean is left.
func TestTexture(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 64, 64))
	colors := [2][2]stdcolor.RGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {255, 255, 255, 255}}} // the upper ones first
	for y := range 64 {
		for x := range 64 {
			img.SetRGBA(x, y, colors[y/32][x/32])
		}
	}
	picture := texture.NewImage(img)
	// 3 m × 2 m, from (−1, 0) to (2, 1) of the picture.
	square := &mesh.Mesh{Pos: []vec.Vec3{{}, {X: 3}, {X: 3, Y: 2}, {Y: 2}}, Tri: [][3]int32{{0, 1, 2}, {0, 2, 3}}}
	g := &geometry{}
	g.addSolid(&Solid{Mesh: boxMesh(vec.Box{Max: vec.Vec3{X: 1, Y: 1, Z: 1}})}) // to count triangles from
	g.addSolid(&Solid{
		Mesh: square, Material: Material{Matte, vec.Vec3{X: 1, Y: 0.5, Z: 1}}, Pictures: []*texture.Image{picture, picture},
		Places: [][3][2]float64{{{-1, 0}, {2, 0}, {2, 1}}, {{-1, 0}, {2, 1}, {-1, 1}}},
	})
	first := int32(len(g.tri) - 2)
	at := func(x, y, wide float64) color.RGB {
		for k := range int32(2) {
			a, b, c := g.corners(first + k)
			if d, u, v := bvh.Meet(vec.Vec3{X: x, Y: y, Z: 1}, vec.Vec3{Z: -1}, a, b, c); d > 0 && u >= 0 && v >= 0 && u+v <= 1 {
				return g.albedo(bvh.Hit{T: d, Tri: first + k, U: u, V: v}, wide)
			}
		}
		t.Fatalf("(%g, %g) is off the square", x, y)
		return color.RGB{}
	}
	near := func(a, b color.RGB) bool { return max(math.Abs(a.R-b.R), math.Abs(a.G-b.G), math.Abs(a.B-b.B)) < 1e-6 }
	for _, c := range []struct {
		x, y, wide float64
		want       color.RGB
	}{
		{0.25, 1.5, 0, color.New(1, 0, 0)}, {0.75, 1.5, 0, color.New(0, 0.5, 0)}, {0.25, 0.5, 0, color.New(0, 0, 1)}, {0.75, 0.5, 0, color.New(1, 0.5, 1)},
		{2.25, 1.5, 0, color.New(1, 0, 0)}, {2.75, 0.5, 0.001, color.New(1, 0.5, 1)},
		{1.37, 1.21, 100, color.New(0.5, 0.25, 0.5)},
	} {
		if got := at(c.x, c.y, c.wide); !near(got, c.want) {
			t.Errorf("at (%g, %g), %g m wide: %v, want %v", c.x, c.y, c.wide, got, c.want)
		}
	}
	// Wider looks go over into the mean without a jump.
	before := at(0.3, 1.4, 0.001)
	for wide := 0.001; wide < 8; wide *= 1.05 {
		now := at(0.3, 1.4, wide)
		if d := math.Abs(now.R - before.R); d > 0.05 {
			t.Fatalf("%g m wide: jumps by %g", wide, d)
		}
		before = now
	}
}
