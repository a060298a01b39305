package raster

import (
	"math"
	"testing"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// TestStreaksAreSmoothedAlone smooths a grainy streak across a picture, in front of a
// line at rest. The streak must become even and keep its light. The line must stay sharp.
func TestStreaksAreSmoothedAlone(t *testing.T) {
	const w, h, cover = 60, 3, 0.25
	sum, streaks, ways := make([]color.RGB, w*h), make([]streak, w*h), make([]displacement, w*h)
	behind := func(x int) float64 {
		if x == 30 {
			return 0
		}
		return 1
	}
	light := 0.0
	for x := range w {
		i := w + x // of the middle row, the only one with a streak
		grain := 4 * cover * 2 * num.Hash(x, 0)
		light += grain / w
		streaks[i] = streak{color.RGB{G: grain}, cover}
		ways[i] = displacement{x: 60}
		for y := range h {
			sum[y*w+x] = color.RGB{G: behind(x)}
		}
		sum[i] = color.RGB{G: grain + (1-cover)*behind(x)}
	}
	got := smoothStreaks(sum, streaks, ways, w, h)
	mean, rough, before := 0.0, 0.0, 0.0
	for x := range w {
		if got[x] != sum[x] || got[2*w+x] != sum[2*w+x] {
			t.Fatalf("%d pixels along, a pixel beside the streak has changed", x)
		}
		was, is := streaks[w+x].light.G, got[w+x].G-(1-cover)*behind(x)
		mean += is / w
		rough, before = rough+(is-light)*(is-light)/w, before+(was-light)*(was-light)/w
	}
	if math.Abs(mean-light) > 0.05*light {
		t.Errorf("a streak of %g has %g of light", light, mean)
	}
	if rough > before/5 {
		t.Errorf("grain of %g is left of %g", math.Sqrt(rough), math.Sqrt(before))
	}
}

// TestGlassGoesAlong moves a tank with its water, and casts rays at the side of
// the water at several times: it must be where it is then, and wet the glass.
func TestGlassGoesAlong(t *testing.T) {
	v := testView(40, 64, 36, Final)
	v.Shutter = 0.1
	v.Tank.Velocity = vec.Vec3{X: 2}
	for range v.Liquid.Pos {
		v.Liquid.Vel = append(v.Liquid.Vel, v.Tank.Velocity)
	}
	tr := newTracer(newScene(v, medium{index: 1.333}))
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
