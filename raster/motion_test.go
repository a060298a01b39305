package raster

import (
	"math"
	"testing"

	"breakwater/raster/bvh"
	"breakwater/raster/optics"
	"breakwater/sim/vec"
)

// TestGlassGoesAlong moves a tank with its water, and casts rays at the side of
// the water at several times: it must be where it is then, and wet the glass.
func TestGlassGoesAlong(t *testing.T) {
	v := testView(40, 64, 36, Final)
	v.Shutter = 0.1
	v.Tank.Velocity = vec.Vec3{X: 2}
	for range v.Liquid.Pos {
		v.Liquid.Vel = append(v.Liquid.Vel, v.Tank.Velocity)
	}
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	tr.moveOver(-0.05, 0.05)
	for _, when := range []float64{0, 0.3, 1} {
		o := vec.Vec3{X: 4, Y: 0.05, Z: 0.5}
		h := tr.tree.CastRay(bvh.Ray{O: o, D: vec.Vec3{X: -1}, Max: 10, Time: when})
		p := o.Sub(vec.Vec3{X: h.T})
		for tr.kind(h.Tri) == bar { // the glass is in front
			h = tr.tree.CastRay(bvh.Ray{O: p.Sub(vec.Vec3{X: 1e-6}), D: vec.Vec3{X: -1}, Max: 10, Time: when})
			p = p.Sub(vec.Vec3{X: h.T + 1e-6})
		}
		if want := testTank.Max.X + 2*(when-0.5)*0.1; tr.kind(h.Tri) != liquid || math.Abs(p.X-want) > 1e-5 {
			t.Errorf("at %g of the way: the water's side is at %g, want %g", when, p.X, want)
		}
		if !tr.onPane(p, vec.Vec3{X: 1}, when) {
			t.Errorf("at %g of the way the glass is dry", when)
		}
	}
}
