package raster

import (
	"math"
	"slices"
	"testing"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/filter"
	"breakwater/raster/ground"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/raster/texture"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// stir lets the liquid of v move.
func stir(v *View) {
	m := v.Liquid
	m.Vel = make([]vec.Vec3, len(m.Pos))
	for i, p := range m.Pos {
		m.Vel[i] = vec.Vec3{X: 2 * p.Y, Y: 3 * (p.Y - 0.3), Z: math.Sin(3 * p.X)}
	}
}

// TestBlurIsAsLongAsTheWay draws a bright ball that flies across the picture. The part of
// its streak with more than a fifth of the light must be as long as the ball's path while
// the shutter is open.
func TestBlurIsAsLongAsTheWay(t *testing.T) {
	width := func(shutter float64) (n int) {
		m := &mesh.Mesh{}
		ball(m, vec.Vec3{Y: 2}, 0.2, 24, func(vec.Vec3) float64 { return 1 })
		for range m.Pos {
			m.Vel = append(m.Vel, vec.Vec3{X: 10})
		}
		v := &View{
			Camera: camera.Camera{Eye: vec.Vec3{Y: 2, Z: 6}, Target: vec.Vec3{Y: 2}, Focal: 36}, Light: sky.DefaultLight(), Width: 240, Height: 60,
			Quality: Good, Shutter: shutter, Liquid: m,
		}
		tr := newTracer(newScene(v, optics.Medium{Index: 1}))
		tr.liquidLight = func(ray, bvh.Hit) (color.RGB, [2]branch) { return color.RGB{G: maxSample}, [2]branch{} }
		for _, c := range tr.render()[30*240 : 31*240] {
			if c.G > 0.2*maxSample {
				n++
			}
		}
		return n
	}
	// A pixel covers 6 m / 240 at the ball. The ball passes a point up to x
	// beyond its way's end for a share of the time of (0.2 m − x) / 1 m.
	still, moving := width(0), width(0.1)
	if want := 0.4 / 0.025; math.Abs(float64(still)-want) > 2 {
		t.Errorf("at rest it is %d pixels wide, want %.0f", still, want)
	}
	if want := 1.0 / 0.025; math.Abs(float64(moving)-want) > 2 {
		t.Errorf("in flight it is %d pixels wide, want %.0f", moving, want)
	}
}

// TestMotionKeepsToTheWalls moves the water and looks for water that has left the tank or
// the floor, and for water that was in contact with the glass and no longer is.
func TestMotionKeepsToTheWalls(t *testing.T) {
	v := testView(40, 64, 36, Final)
	v.Shutter = 0.04
	stir(v)
	tr := newTracer(newScene(v, optics.Medium{Index: 1.333}))
	for _, dt := range []float64{-0.02, 0.02} {
		tr.moveTo(dt)
		moved := 0
		for i, p := range v.Liquid.Pos {
			q := tr.pos[i]
			if !testTank.Grow(1e-9).Contains(vec.Vec3{X: q.X, Y: min(q.Y, 1), Z: q.Z}) {
				t.Fatalf("at %g s: vertex %d went from %v to %v, out of the tank", dt, i, p, q)
			}
			for _, c := range [5][3]float64{{p.X, q.X, 0}, {p.X, q.X, 2}, {p.Z, q.Z, 0}, {p.Z, q.Z, 1}, {p.Y, q.Y, 0}} {
				if c[0] == c[2] && c[1] != c[2] {
					t.Fatalf("at %g s: vertex %d came off a wall, from %v to %v", dt, i, p, q)
				}
			}
			if q != p {
				moved++
			}
		}
		if moved < len(v.Liquid.Pos)/2 {
			t.Errorf("at %g s: %d of %d vertices moved", dt, moved, len(v.Liquid.Pos))
		}
	}
}

// TestFocus compares the blur of a point of light before and behind the focus distance
// with a thin lens's blur, A·|d−f|/f across at the point.
func TestFocus(t *testing.T) {
	c := camera.Camera{Eye: vec.Vec3{Y: 2, Z: 6}, Target: vec.Vec3{Y: 2}, Focal: 50, Aperture: 0.5, Focus: 4}
	v := &View{Camera: c, Light: sky.DefaultLight(), Width: 64, Height: 36, Quality: Final}
	tr := newTracer(newScene(v, optics.Medium{Index: 1}))
	for _, d := range []float64{2, 4, 9} {
		most := 0.0
		for k := range 400 {
			r := tr.lensRay(32, 18, tr.sampleAt(k), k%64, k/64)
			at := r.o.Add(r.d.Mul(d / -r.d.Dot(tr.lens.Back)))
			most = max(most, math.Hypot(at.X, at.Y-2))
		}
		if want := 0.05 * math.Abs(d-4) / 4; math.Abs(most-want) > 0.02*want+1e-9 {
			t.Errorf("%g m away: rays pass within %g m of the axis, want %g", d, most, want)
		}
	}
}

// TestInstantsAreSpread checks that a pixel's instants are evenly spaced after each
// doubling, and that the instants of all pixels of a square lie evenly between them. At
// each instant everything must be in its place of that instant.
func TestInstantsAreSpread(t *testing.T) {
	const side = 4
	turn := timeOffsets(2*side, 2*side)
	for _, q := range qualities[1:] {
		first := limitsOf(q).minSamples
		for n := first; n <= maxSamples; n *= 2 {
			var all []float64
			for i := range side * side {
				var own []float64
				for k := range n {
					at := sampleTime(k, first, turn[side+i%side+2*side*(i/side)])
					if lo, hi := stratum(k, first); at < lo || at >= hi {
						t.Errorf("%s: instant %d at %g is looked for from %g to %g", q, k, at, lo, hi)
					}
					own = append(own, at)
				}
				all = append(all, own...)
				if g := gap(own); g > 1.001/float64(n) {
					t.Errorf("%s: %d instants of pixel %d: a gap of %g", q, n, i, g)
				}
			}
			if g := gap(all); g > 5/float64(side*side*n) {
				t.Errorf("%s: %d instants of all pixels: a gap of %g", q, n, g)
			}
		}
	}
}

// gap returns the longest time between two of the instants, the last and the
// first of the next exposure among them.
func gap(at []float64) float64 {
	slices.Sort(at)
	most := at[0] + 1 - at[len(at)-1]
	for i := range at[1:] {
		most = max(most, at[i+1]-at[i])
	}
	return most
}

// TestStreakIsSmooth draws a small bright ball that flies by far: along its
// streak the light must be even.
func TestStreakIsSmooth(t *testing.T) {
	m := &mesh.Mesh{}
	ball(m, vec.Vec3{Y: 2}, 0.1, 24, func(vec.Vec3) float64 { return 1 })
	for range m.Pos {
		m.Vel = append(m.Vel, vec.Vec3{X: 40})
	}
	v := &View{
		Camera: camera.Camera{Eye: vec.Vec3{Y: 2, Z: 6}, Target: vec.Vec3{Y: 2}, Focal: 36}, Light: sky.DefaultLight(), Width: 240, Height: 240,
		Quality: Final, Shutter: 0.1, Liquid: m,
	}
	tr := newTracer(newScene(v, optics.Medium{Index: 1}))
	tr.liquidLight = func(ray, bvh.Hit) (color.RGB, [2]branch) { return color.RGB{G: maxSample}, [2]branch{} }
	tr.lightFloor()
	pix := tr.render()
	// The ball is 8 pixels wide and flies 160. Means are of 2 × 2 pixels.
	low, high := math.Inf(1), 0.0
	for x := 60; x < 180; x += 2 {
		g := 0.0
		for _, i := range []int{119*240 + x, 119*240 + x + 1, 120*240 + x, 120*240 + x + 1} {
			g += pix[i].G / 4
		}
		low, high = min(low, g), max(high, g)
	}
	if low < 0.8*high {
		t.Errorf("along the streak the light goes from %.3g to %.3g", low, high)
	}
}

// TestCausticsLeaveNoRings has round waves that run outwards. Their bright lines on the
// floor cross many cells while the shutter is open. The light must be smooth along their
// path, without one line per sample.
func TestCausticsLeaveNoRings(t *testing.T) {
	longtest.Only(t)
	v := testView(40, 480, 270, Final)
	v.Shutter = 1. / 60
	v.Liquid = pool(testTank, 120, func(x, z float64) float64 { return 0.35 + 0.02*math.Sin(20*math.Hypot(x-1, z-0.5)) })
	for _, p := range v.Liquid.Pos {
		u := vec.Vec3{}
		if p.Y > 0.2 {
			u = p.Sub(vec.Vec3{X: 1, Y: p.Y, Z: 0.5}).Unit().Mul(10)
		}
		v.Liquid.Vel = append(v.Liquid.Vel, u)
	}
	tr := newTracer(newScene(v, registrytest.New(t, &Looks, "water").(*water).medium()))
	light := func(sets int) *ground.Map {
		m := tr.newFloorMap()
		tr.exposedBeams([]*ground.Map{m}, sets)
		return m
	}
	want := light(64)
	off := func(m *ground.Map) float64 {
		sum, n := 0.0, 0.0
		for i, c := range m.Sun {
			if p := m.Point(i%m.W, i/m.W); math.Abs(p.Z-0.5) < 0.3 && math.Abs(p.X-1) < 0.7 {
				sum, n = sum+math.Pow(c.G-want.Sun[i].G, 2), n+1
			}
		}
		return math.Sqrt(sum / n)
	}
	few, got := off(light(fewestBeamSets)), off(light(tr.beamSets(want)))
	t.Logf("off by %.3f, and by %.3f with the fewest beams", got, few)
	if got > 0.05 || few < 2*got {
		t.Errorf("the light on the floor is off by %.3f, and by %.3f with the fewest beams", got, few)
	}
}

// TestWaterAlongGlassLeavesNoStreaks lets the water slide along the glass that it is seen
// through. Nothing in view moves, so the picture must be the same as with water at rest,
// and not be blurred along the water's motion.
func TestWaterAlongGlassLeavesNoStreaks(t *testing.T) {
	longtest.NotShort(t)
	v := testView(40, 320, 180, Final)
	v.Camera.Eye, v.Camera.Target = vec.Vec3{X: 1, Y: 0.5, Z: 3}, vec.Vec3{X: 1, Y: 0.25, Z: 0.5}
	v.Paving = texture.Checker
	v.Liquid = pool(testTank, 40, func(x, z float64) float64 { return 0.5 })
	v.Liquid.Vel = make([]vec.Vec3, len(v.Liquid.Pos))
	draw := func(shutter float64) []color.RGB {
		v.Shutter = shutter
		tr := newTracer(newScene(v, registrytest.New(t, &Looks, "water").(*water).medium()))
		tr.liquidLight = tr.clear
		return tr.render()
	}
	want := draw(0)
	for i, p := range v.Liquid.Pos {
		if p.Z == 1 {
			v.Liquid.Vel[i] = vec.Vec3{X: 5}
		}
	}
	got := draw(1. / 30)
	off, n := 0.0, 0.0
	for y := 95; y < 125; y++ {
		for x := 100; x < 220; x++ {
			i := y*v.Width + x
			off, n = off+math.Pow(filter.Displayed(got[i])-filter.Displayed(want[i]), 2), n+1
		}
	}
	if off = math.Sqrt(off / n); off > 0.002 {
		t.Errorf("through glass with water that slides along it the picture is off by %.4f of the display's range", off)
	}
}
