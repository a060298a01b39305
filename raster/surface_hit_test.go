package raster

import (
	"math"
	"strings"
	"testing"

	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// newTestTracer returns a tracer over m in the open, seen from above.
func newTestTracer(m *mesh.Mesh, water optics.Medium) *tracer {
	v := &View{Camera: camera.Camera{Eye: vec.Vec3{X: 0.3, Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Good, Liquid: m}
	tr := newTracer(newScene(v, water))
	tr.liquidLight = tr.clear
	return tr
}

func slab(thick float64) *mesh.Mesh {
	return boxMesh(vec.Box{Min: vec.Vec3{X: -4, Y: 1, Z: -4}, Max: vec.Vec3{X: 4, Y: 1 + thick, Z: 4}})
}

// TestAbsorption looks straight down through a slab of coloured liquid, the
// first so thin that the ray passes both faces in one step.
func TestAbsorption(t *testing.T) {
	water := optics.Medium{Index: 1.333, Sigma: color.New(2, 0.5, 0.1)}
	for _, thick := range []float64{1e-5, 0.1, 0.5, 1.5} {
		tr := newTestTracer(slab(thick), water)
		down := vec.Vec3{Y: -1}
		eye := vec.Vec3{X: 0.21, Y: 4, Z: 0.13}
		got := tr.trace(ray{o: eye, d: down, weight: 1})
		// The second reflection, of 2 % of 2 %, is too faint to follow.
		f, _ := optics.Fresnel(1, 1/1.333)
		floor := tr.floor.Radiance(vec.Vec3{X: eye.X, Z: eye.Z}, down, 4*tr.lens.PixelAngle())
		want := tr.sky.Radiance(vec.Vec3{Y: 1}).Scale(f).Add(
			floor.Mul(color.New(math.Exp(-2*thick), math.Exp(-0.5*thick), math.Exp(-0.1*thick))).Scale(1 - f))
		if d := got.Add(want.Scale(-1)); math.Abs(d.R)+math.Abs(d.G)+math.Abs(d.B) > 2e-4 {
			t.Errorf("%g m: got %v, want %v", thick, got, want)
		}
	}
}

// through follows the refracted ray through the liquid and returns where and
// in which direction it leaves.
func through(t *testing.T, tr *tracer, o, d vec.Vec3) (p, out vec.Vec3) {
	t.Helper()
	h := tr.tree.Cast(o, d, 100)
	if h.Tri < 0 {
		t.Fatalf("the ray from %v along %v misses the liquid", o, d)
	}
	in := tr.liquidHit(ray{o: o, d: d}, h)
	r := ray{o: in.p.Sub(in.ng.Mul(tr.epsilon)), d: in.refracted, inLiquid: true}
	s := tr.liquidHit(r, tr.tree.Cast(r.o, r.d, 100))
	if in.exiting || !s.exiting {
		t.Fatalf("entered: %v, left: %v", !in.exiting, s.exiting)
	}
	return s.p, s.refracted
}

// TestSlabDisplacement compares the sideways shift of a ray through a slab
// with the closed form d·sin i·(1 − cos i/(n·cos t)).
func TestSlabDisplacement(t *testing.T) {
	const n, thick = 1.333, 0.8
	tr := newTestTracer(slab(thick), optics.Medium{Index: n})
	for _, a := range []float64{0.1, 0.5, 0.9, 1.2} {
		o := vec.Vec3{X: -1, Y: 3, Z: 0.2}
		d := vec.Vec3{X: math.Sin(a), Y: -math.Cos(a)}
		p, out := through(t, tr, o, d)
		if out.Sub(d).Len() > 1e-6 {
			t.Errorf("%g rad: leaves along %v, entered along %v", a, out, d)
		}
		across := vec.Vec3{X: math.Cos(a), Y: math.Sin(a)}
		cosT := math.Sqrt(1 - math.Pow(math.Sin(a)/n, 2))
		got, want := -p.Sub(o).Dot(across), thick*math.Sin(a)*(1-math.Cos(a)/(n*cosT))
		if math.Abs(got-want) > 2e-4*thick {
			t.Errorf("%g rad: displaced by %g m, want %g", a, got, want)
		}
	}
}

// TestBallLens checks the focal length of a ball of water, n·r/(2(n−1)) from
// its centre for rays near the axis, behind which everything is upside down.
func TestBallLens(t *testing.T) {
	m := &mesh.Mesh{}
	c := vec.Vec3{Y: 2}
	ball(m, c, 0.5, 200, func(vec.Vec3) float64 { return 1 })
	tr := newTestTracer(m, optics.Medium{Index: 1.333})
	for _, h := range []float64{-0.04, 0.03, 0.05} {
		p, out := through(t, tr, vec.Vec3{X: h, Y: 2.013, Z: 3}, vec.Vec3{Z: -1})
		if out.X*h >= 0 {
			t.Fatalf("ray %g m off the axis leaves along %v: not turned towards it", h, out)
		}
		focus := -(p.Z - out.Z/out.X*p.X)
		if want := 1.333 * 0.5 / (2 * 0.333); math.Abs(focus-want) > 0.02*want {
			t.Errorf("ray %g m off the axis crosses it at %g m, want %g", h, focus, want)
		}
	}
}

// TestApparentDepth looks into a pool: the bottom appears raised to 1/n of
// its depth.
func TestApparentDepth(t *testing.T) {
	m := pool(testTank, 20, func(x, z float64) float64 { return 0.6 })
	tr := newTestTracer(m, optics.Medium{Index: 1.333})
	o, d := vec.Vec3{X: 1, Y: 2, Z: 0.5}, vec.Vec3{X: 0.02, Y: -1, Z: 0.01}.Unit()
	in := tr.liquidHit(ray{o: o, d: d}, tr.tree.Cast(o, d, 10))
	run := -in.refracted.X / in.refracted.Y * 0.6 // sideways on the way down
	if got, want := run/(-d.X/d.Y), 0.6/1.333; math.Abs(got-want) > 1e-3 {
		t.Errorf("apparent depth %g m, want %g", got, want)
	}
}

// TestWetSolid looks from inside the liquid, past the critical angle, at a
// solid that the liquid touches or all but touches: no mirror may show.
func TestWetSolid(t *testing.T) {
	water := optics.Medium{Index: 1.333, Sigma: color.New(1, 0.5, 0.2)}
	for _, c := range []struct {
		gap float64
		wet bool
	}{{0, true}, {1e-5, true}, {2e-5, true}, {0.002, true}, {0.1, false}} {
		v := &View{Camera: camera.Camera{Eye: vec.Vec3{Y: 5, Z: 4}, Focal: 40}, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Good, Liquid: slab(0.5),
			Solids: []Solid{{Mesh: boxMesh(vec.Box{Min: vec.Vec3{X: -4, Y: 0.5, Z: -4}, Max: vec.Vec3{X: 4, Y: 1 - c.gap, Z: 4}})}}}
		tr := newTracer(newScene(v, water))
		tr.liquidLight = tr.clear
		d := vec.Vec3{X: 1, Y: -0.5}.Unit()
		got := tr.trace(ray{o: vec.Vec3{X: -0.5, Y: 1.25, Z: 0.1}, d: d, inLiquid: true, weight: 1})
		lit := tr.irradiance(vec.Vec3{Y: 1}, tr.sunTransmittance(vec.Vec3{Y: 1 - c.gap + 1e-4}, 0), 1).Mul(color.New(0.42, 0.19, 0.10))
		want := lit.Mul(water.Transmittance(0.25 / -d.Y))
		if same := math.Abs(got.G-want.G) < 0.03*want.G; same != c.wet {
			t.Errorf("gap of %g m: got %v, the solid is %v", c.gap, got, want)
		}
	}
}

// TestTankCrossings checks which sides of the tank a ray passes.
func TestTankCrossings(t *testing.T) {
	w := &scene{tank: &Tank{Box: testTank}, size: 2}
	for _, c := range []struct {
		name string
		o, d vec.Vec3
		want []float64
	}{
		{"through front and back", vec.Vec3{X: 1, Y: 0.5, Z: 3}, vec.Vec3{Z: -1}, []float64{2, 3}},
		{"along x", vec.Vec3{X: -1, Y: 0.5, Z: 0.5}, vec.Vec3{X: 1}, []float64{1, 3}},
		{"from inside", vec.Vec3{X: 1, Y: 0.5, Z: 0.5}, vec.Vec3{X: 1}, []float64{1}},
		{"over the rim", vec.Vec3{X: 1, Y: 1.5, Z: 3}, vec.Vec3{Z: -1}, nil},
		{"in over the rim, out behind", vec.Vec3{X: 1, Y: 1.3, Z: 1.2}, vec.Vec3{Y: -0.6, Z: -0.8}, []float64{1.5}},
		{"in by an open side", vec.Vec3{X: 3, Y: 0.5, Z: 0.5}, vec.Vec3{X: -1}, []float64{3}},
	} {
		w.tank.Open[1] = strings.Contains(c.name, "open")
		got, n := w.crossings(&ray{o: c.o, d: c.d}, math.Inf(1))
		if n != len(c.want) {
			t.Errorf("%s: %d crossings, want %d", c.name, n, len(c.want))
			continue
		}
		for i, x := range c.want {
			if math.Abs(got[i].t-x) > 1e-12 {
				t.Errorf("%s: crossing %d at %g m, want %g", c.name, i, got[i].t, x)
			}
		}
	}
}

// TestRoundedEdges looks at the wall of a block whose vertices have the normals of its corners.
// Most liquids are flat there, up to a sharp edge. One that does not wet the wall is curved.
func TestRoundedEdges(t *testing.T) {
	m := boxMesh(vec.Box{Max: vec.Vec3{X: 1, Y: 1, Z: 1}})
	for _, p := range m.Pos {
		m.Nrm = append(m.Nrm, p.Sub(vec.Vec3{X: 0.5, Y: 0.5, Z: 0.5}).Unit())
	}
	tr := newTestTracer(m, optics.Medium{Index: 1.333})
	for tri := range m.Tri {
		for _, tr.rounded = range []bool{false, true} {
			flat, smooth := tr.normals(int32(tri), 0.1, 0.1)
			if bent := smooth.Dot(flat) < 0.99; bent != tr.rounded {
				t.Errorf("triangle %d with rounded = %t: the normal is %v, of the triangle %v", tri, tr.rounded, smooth, flat)
			}
		}
	}
}
