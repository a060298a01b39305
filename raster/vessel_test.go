package raster

import (
	"math"
	"testing"

	"breakwater/raster/optics"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// TestVesselCrossings checks which panes of a vessel a ray passes, and that the
// nearest come first where there is a tank too.
func TestVesselCrossings(t *testing.T) {
	middle := vec.Vec3{X: 1, Y: 0.5, Z: 0.5}
	v := testView(4, 16, 9, Good)
	v.Vessels = []Vessel{{Panes: mesh.Sphere(middle, 0.3, 200)}}
	w := newScene(v, optics.Medium{Index: 1})
	for _, c := range []struct {
		name string
		o    vec.Vec3
		want []float64
	}{
		{"through the middle", vec.Vec3{X: 1, Y: 0.5, Z: 3}, []float64{2, 2.2, 2.8, 3}},
		{"from inside", middle, []float64{0.3, 0.5}},
		{"beside it", vec.Vec3{X: 1.4, Y: 0.5, Z: 3}, []float64{2, 3}},
	} {
		got, n := w.crossings(&ray{o: c.o, d: vec.Vec3{Z: -1}}, math.Inf(1))
		if n != len(c.want) {
			t.Errorf("%s: %d crossings, want %d", c.name, n, len(c.want))
			continue
		}
		for i, x := range c.want {
			if math.Abs(got[i].t-x) > 1e-3 {
				t.Errorf("%s: crossing %d at %g m, want %g", c.name, i, got[i].t, x)
			}
		}
	}
	if p := middle.Add(vec.Vec3{Z: 0.2998}); !w.onPane(p, vec.Vec3{Z: 1}, 0.5) || w.onPane(p, vec.Vec3{X: 1}, 0.5) || w.onPane(middle, vec.Vec3{Z: 1}, 0.5) {
		t.Error("a surface along the pane touches it, and no other does")
	}
}

// TestVesselWalls checks that the sides of a vessel that are seen from inside are
// solid and the others of glass.
func TestVesselWalls(t *testing.T) {
	v := testView(4, 16, 9, Good)
	m := Matte.Material()
	v.Vessels = []Vessel{{Panes: mesh.Sphere(vec.Vec3{X: 1, Y: 0.5, Z: 0.5}, 0.3, 64), Walls: &m}}
	all := len(v.Vessels[0].Panes.Tri)
	w, sides := v.withWalls()
	if sides != 0 || len(w.Solids) != 1 || len(w.Vessels) != 1 {
		t.Fatalf("%d solids, %d vessels", len(w.Solids), len(w.Vessels))
	}
	back, front := len(w.Solids[0].Mesh.Tri), len(w.Vessels[0].Panes.Tri)
	if back+front != all || back < all/3 || front < all/3 {
		t.Errorf("%d triangles are solid and %d of glass, of %d", back, front, all)
	}
	for _, tri := range w.Solids[0].Mesh.Tri {
		p := w.Solids[0].Mesh.Pos
		if n := p[tri[1]].Sub(p[tri[0]]).Cross(p[tri[2]].Sub(p[tri[0]])); n.Dot(v.Camera.Eye.Sub(p[tri[0]])) < 0 {
			t.Fatal("a solid side is turned away from the camera")
		}
	}
}

// TestRimsAreLines checks that the rim of a round tank is without gaps in a small
// picture of one sample per pixel.
func TestRimsAreLines(t *testing.T) {
	v := testView(4, 480, 270, Draft)
	d := &drum{bottom: vec.Vec3{X: 1, Y: 0.5, Z: 0.2}, top: vec.Vec3{X: 1, Y: 0.5, Z: 0.9}, radius: 0.45}
	v.Liquid, v.Tank = nil, nil
	v.Vessels = []Vessel{{Panes: mesh.Cylinder(d.bottom, d.top, d.radius, 96), Edges: d.rims(96)}}
	v.Camera = frameTank(v.Vessels[0].Panes.Bounds().Grow(0.5), v.Width, v.Height) // small
	w := newScene(v, optics.Medium{Index: 1})
	s := w.samples(Draft)
	for k := range 1000 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / 1000)
		p := vec.Vec3{X: 1 + 0.452*cos, Y: 0.5 + 0.452*sin, Z: 0.9}
		x, y, _ := w.lens.Project(p)
		seen := false
		for j := -1; j <= 1; j++ {
			for i := -1; i <= 1; i++ {
				seen = seen || s.kind(s.tri[(int(y)+j)*s.w+int(x)+i]) == bar
			}
		}
		if !seen {
			t.Fatalf("no rim is drawn about %v, at pixel (%.1f, %.1f)", p, x, y)
		}
	}
}

// TestOneFloor checks that the floor's layout depends on the ground and not on the
// objects of a frame.
func TestOneFloor(t *testing.T) {
	var slabs, fades []float64
	for _, r := range []float64{0.05, 0.2, 0.9} {
		v := testView(4, 16, 9, Good)
		v.Tank, v.Liquid = nil, &mesh.Mesh{}
		v.Ground = &testTank
		ball(v.Liquid, vec.Vec3{X: 1, Y: 1, Z: 0.5}, r, 16, func(vec.Vec3) float64 { return 1 })
		w := newScene(v, optics.Medium{Index: 1})
		slabs, fades = append(slabs, w.floor.Slab), append(fades, w.floor.Fade)
		if w.size < 2 {
			t.Errorf("a liquid of %g m makes the world %g m large, smaller than its ground", 2*r, w.size)
		}
	}
	for i := range slabs {
		if slabs[i] != slabs[0] || fades[i] != fades[0] {
			t.Errorf("slabs of %v m that fade over %v m", slabs, fades)
		}
	}
}
