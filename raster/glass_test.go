package raster

import (
	"math"
	"testing"

	"breakwater/raster/bvh"
	"breakwater/sim/vec"
)

// tankTracer returns a tracer over testTank, filled to the given height.
func tankTracer(height float64) *tracer {
	v := testView(10, 64, 36, Good)
	v.Liquid = nil
	if height > 0 {
		v.Liquid = pool(testTank, 20, func(x, z float64) float64 { return height })
	}
	tr := newTracer(newWorld(v, medium{index: 1.333}))
	tr.liquid = tr.clear
	return tr
}

// into follows a ray from before the tank through its front plate.
func into(t *testing.T, tr *tracer, o, d vec.Vec3) leaving {
	t.Helper()
	r := ray{o: o, d: d, weight: 1}
	s, ok := tr.ahead(r, tr.tree.Cast(o, d, 10), math.Inf(1))
	if !ok {
		t.Fatalf("the ray from %v along %v misses the glass", o, d)
	}
	return tr.plate(r, s)
}

// TestPlate compares the sideways shift of a ray through a dry plate with the
// closed form, the direction behind a wet one with Snell's law, for which the
// glass between makes no difference, and checks that no light is lost.
func TestPlate(t *testing.T) {
	for _, wet := range []bool{false, true} {
		tr := tankTracer(0.6)
		tr.sides.sigma = rgb{}
		y := 0.8
		if wet {
			y = 0.3
		}
		for _, a := range []float64{0, 0.2, 0.7, 1.2} {
			o, d := vec.Vec3{X: 1 - math.Tan(a), Y: y, Z: 2}, vec.Vec3{X: math.Sin(a), Z: -math.Cos(a)}
			l := into(t, tr, o, d)
			if !l.ok || l.wet != wet {
				t.Fatalf("%g rad: through %v, wet %v, want %v", a, l.ok, l.wet, wet)
			}
			index := 1.0
			if wet {
				index = 1.333
			}
			if got, want := l.d.X, math.Sin(a)/index; math.Abs(got-want) > 1e-9 {
				t.Errorf("wet %v, %g rad: sine of %g behind the glass, want %g", wet, a, got, want)
			}
			cosT := math.Sqrt(1 - math.Pow(math.Sin(a)/glassIndex, 2))
			run := tr.sides.thick * math.Sin(a) / glassIndex / cosT // along the plate
			at := l.o.Sub(l.d.Mul((l.o.Z - 1) / l.d.Z))             // at the inner face
			if got, want := at.X-(o.X+(2-1-tr.sides.thick)*math.Tan(a)), run; math.Abs(got-want) > 1e-4*tr.sides.thick+1e-3*want {
				t.Errorf("wet %v, %g rad: %g m along the plate, want %g", wet, a, got, want)
			}
			if sum := l.left.G + l.mirror; math.Abs(sum-1) > 1e-12 {
				t.Errorf("wet %v, %g rad: %g of the light, want all", wet, a, sum)
			}
		}
	}
}

// TestWetGlassIsNoMirror looks from inside the water at a side of the tank.
// Past the critical angle of water and air, not of water and glass, light
// goes into the glass and comes back from its far face.
func TestWetGlassIsNoMirror(t *testing.T) {
	tr := tankTracer(0.6)
	tr.sides.sigma = rgb{}
	for _, c := range []struct {
		a   float64
		out bool
	}{{0.3, true}, {0.8, true}, {0.88, false}, {1.3, false}} {
		r := ray{o: vec.Vec3{X: 1 - 0.2*math.Tan(c.a), Y: 0.3, Z: 0.8}, d: vec.Vec3{X: math.Sin(c.a), Z: math.Cos(c.a)}, wet: true, weight: 1}
		s, ok := tr.ahead(r, tr.tree.Cast(r.o, r.d, 10), math.Inf(1))
		if !ok {
			t.Fatalf("%g rad: no glass behind the water", c.a)
		}
		l := tr.plate(r, s)
		if !l.ok || l.wet == c.out {
			t.Fatalf("%g rad: comes out %v, into water %v", c.a, l.ok, l.wet)
		}
		want := vec.Vec3{X: 1.333 * math.Sin(c.a), Z: math.Sqrt(max(0, 1-math.Pow(1.333*math.Sin(c.a), 2)))}
		if !c.out { // all is reflected, by the outer face
			want = vec.Vec3{X: r.d.X, Z: -r.d.Z}
		}
		if l.d.Sub(want).Len() > 1e-9 {
			t.Errorf("%g rad: goes on along %v, want %v", c.a, l.d, want)
		}
	}
}

// TestGlassCorners sends rays through the edge between two plates, where
// their boxes touch: glued, they are one piece of glass.
func TestGlassCorners(t *testing.T) {
	tr := tankTracer(0)
	g := tr.sides
	d := vec.Vec3{X: 1, Z: 1}.Unit()
	o := vec.Vec3{X: -0.5, Y: 0.5, Z: -0.5}
	s, ok := g.next(o, d)
	if want := math.Sqrt2 * g.thick; !ok || math.Abs(s.out-s.in-want) > 1e-9 {
		t.Errorf("through the edge: %g m of glass, want %g", s.out-s.in, want)
	}
	if _, ok := g.next(vec.Vec3{X: 1, Y: 1.5, Z: 3}, vec.Vec3{Z: -1}); ok {
		t.Error("there is glass over the rim")
	}
	if s, ok := g.next(vec.Vec3{X: 1, Y: 0.5, Z: 0.5}, vec.Vec3{X: 1}); !ok || math.Abs(s.in-1) > 1e-12 || s.nIn.X != -1 {
		t.Errorf("from inside: glass after %g m, normal %v", s.in, s.nIn)
	}
}

// TestEmptyTankHidesNothing looks through both sides of an empty tank at a
// world of one brightness: what glass reflects and lets pass must add up.
func TestEmptyTankHidesNothing(t *testing.T) {
	tr := tankTracer(0)
	tr.sides.sigma = rgb{}
	tr.sky.dome, tr.sky.beam, tr.sky.strength = even{}, rgb{}, 1
	for _, a := range []float64{0, 0.4, 1.1} {
		o := vec.Vec3{X: 1 - 2*math.Tan(a), Y: 0.5, Z: 2.5}
		d := vec.Vec3{X: math.Sin(a), Y: 1e-4, Z: -math.Cos(a)}.Unit()
		c := tr.follow(ray{o: o, d: d, weight: 1}, bvh.Hit{T: math.Inf(1), Tri: -1})
		if math.Abs(c.G-1) > 2e-3 {
			t.Errorf("at %g rad: got %v, want 1", a, c)
		}
	}
}

// TestOpaqueAtGlass looks through the glass at clay that touches it.
func TestOpaqueAtGlass(t *testing.T) {
	tr := tankTracer(0.6)
	tr.opaque = true
	tr.liquid = func(r ray, h bvh.Hit) rgb { return rgb{0, 7, 0} }
	d := vec.Vec3{X: 0.1, Y: -0.05, Z: -1}.Unit()
	o := vec.Vec3{X: 1, Y: 0.4, Z: 2}
	if c := tr.follow(ray{o: o, d: d, weight: 1}, tr.tree.Cast(o, d, 10)); c.G < 6 || c.G > 7 {
		t.Errorf("got %v: the clay does not show", c)
	}
}

// even is a dome of one brightness.
type even struct{}

func (even) radiance(vec.Vec3) rgb { return rgb{1, 1, 1} }
