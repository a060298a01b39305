package boundary

import (
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"math"
	"testing"
)

// TestNear checks the integral over faces of the kernel's share: beside a
// plane, and where an eighth of space is solid.
func TestNear(t *testing.T) {
	const h = 0.2
	n := newVolumeMap(NewLayers(kernel.NewCubicSpline(3, h)))
	for _, p := range []float64{0, 0.01, 0.05, 0.1, 0.17} {
		want := 0. // ∫ of the kernel's marginal beyond p
		const steps = 20000
		for i := range steps {
			z := p + (float64(i)+0.5)*(h-p)/steps
			want += n.layers.k.Marginal(z) * (h - p) / steps
		}
		if got := n.plane(p); math.Abs(got-want) > 1e-5 {
			t.Errorf("beyond a plane at %g: %g, want %g", p, got, want)
		}
	}
	f := newFacets(mesh.Cuboid(vec.Box{Max: vec.New(1, 1, 1)}).Pos, mesh.Cuboid(vec.Box{}).Tri, false)
	share := func(x vec.Vec3) (s float64) {
		for _, i := range f.within(nil, x, h) {
			p := x.Sub(f.pos[f.tri[i][0]]).Dot(f.normal[i])
			if math.Abs(p) < h {
				s += n.face(f, i, x, p)
			}
		}
		return s
	}
	e := 1e-9
	for _, c := range []struct {
		x    vec.Vec3
		want float64
	}{{vec.New(-e, 0.5, 0.4), 0.5}, {vec.New(-e, -e, 0.4), 0.25}, {vec.New(-e, -e, -e), 0.125}, {vec.New(-0.05, 0.5, 0.3), n.plane(0.05)}} {
		if got := share(c.x); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("share at %v: %g, want %g", c.x, got, c.want)
		}
	}
}
