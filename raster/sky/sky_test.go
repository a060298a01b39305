package sky

import (
	"math"
	"testing"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// TestWhiteFurnace sets up a world in which light comes evenly from all
// sides: whatever way a white surface is turned, it must not show.
func TestWhiteFurnace(t *testing.T) {
	h := project(func(vec.Vec3) color.RGB { return color.New(1, 1, 1) })
	for _, n := range []vec.Vec3{{Y: 1}, {Y: -1}, {X: 1}, {Z: -1}, vec.Vec3{X: 1, Y: 2, Z: -3}.Unit()} {
		if e := h.irradiance(n); math.Abs(e.R-1) > 1e-3 || e.R != e.B {
			t.Errorf("a surface facing %v gets %v, want 1", n, e)
		}
	}
}

// TestHarmonics compares the light on a surface with the sum over all
// directions, for skies with edges and spots.
func TestHarmonics(t *testing.T) {
	for i := range places {
		kind := places[i].kind
		l := DefaultLight()
		l.Kind = kind
		s := New(l, color.New(0.2, 0.2, 0.2))
		for _, n := range []vec.Vec3{{Y: 1}, vec.Vec3{X: 1, Y: 1}.Unit(), vec.Vec3{X: -2, Y: 1, Z: 1}.Unit()} {
			got := s.Irradiance(n)
			// The upper half by summation; the lower is even.
			below := s.Irradiance(vec.Vec3{Y: -1})
			want := color.RGB{}
			const levels, turns = 200, 400
			for i := range levels {
				y := 1 - 2*(float64(i)+0.5)/levels
				r := math.Sqrt(1 - y*y)
				for j := range turns {
					sin, cos := math.Sincos(2 * math.Pi * float64(j) / turns)
					d := vec.Vec3{X: r * sin, Y: y, Z: r * cos}
					c := n.Dot(d)
					if c <= 0 {
						continue
					}
					light := below
					if y > 0 {
						light = s.domeRadiance(d)
					}
					want = want.Add(light.Scale(4 * c / (levels * turns)))
				}
			}
			if math.Abs(got.G-want.G) > 0.06*want.G { // softboxes have more than two degrees
				t.Errorf("%s, facing %v: got %v, want %v", kind, n, got, want)
			}
		}
	}
}

// TestPreetham checks what the paper's formulas promise: the luminance of the
// zenith, a sky brighter about the sun, finite and never negative anywhere.
func TestPreetham(t *testing.T) {
	toSun := vec.Vec3{X: math.Cos(0.9), Y: math.Sin(0.9)}
	p := newPreetham(toSun, 3)
	chi := (4.0/9 - 3.0/120) * (math.Pi - 2*(math.Pi/2-0.9))
	want := (4.0453*3-4.9710)*math.Tan(chi) - 0.2155*3 + 2.4192 // kcd/m²
	if got := p.radiance(vec.Vec3{Y: 1}).Luminance() / candela; math.Abs(got-want) > 0.02*want {
		t.Errorf("the zenith has %g kcd/m², want %g", got, want)
	}
	away := vec.Vec3{X: -toSun.X, Y: toSun.Y}
	if near, far := p.radiance(toSun), p.radiance(away); near.Luminance() < 2*far.Luminance() || near.B/near.R > far.B/far.R {
		t.Errorf("about the sun %v, away from it %v: want it brighter and less blue", near, far)
	}
	for _, e := range []float64{5, 20, 60, 90} {
		for _, turbidity := range []float64{2, 3, 10} {
			a := e * math.Pi / 180
			p := newPreetham(vec.Vec3{X: math.Cos(a), Y: math.Sin(a)}, turbidity)
			for y := 0.0; y <= 1; y += 0.1 {
				c := p.radiance(vec.Vec3{Z: math.Sqrt(1 - y*y), Y: y})
				if !(min(c.R, c.G, c.B) >= 0 && c.Max() < 10) {
					t.Errorf("sun at %g°, turbidity %g: %v at height %g", e, turbidity, c, y)
				}
			}
		}
	}
	if low, high := sunColor(math.Sin(0.1), 3), sunColor(1, 3); low.B/low.R > 0.7*high.B/high.R || low.G > high.G {
		t.Errorf("a low sun is %v, a high one %v: want it red and weak", low, high)
	}
}

// TestPlaces wants the light of each kind to be finite and bright enough to see by,
// the same one full turn on, and clear water to have dark and bright parts to refract.
func TestPlaces(t *testing.T) {
	for i := range places {
		l := DefaultLight()
		l.Kind = places[i].kind
		s := New(l, color.New(0.2, 0.2, 0.2))
		least, most := math.Inf(1), 0.0
		for _, height := range []float64{0, 0.01, 0.04, 0.1, 0.3, 0.6, 0.9, 1} {
			for turn := range 720 {
				a := float64(turn) * math.Pi / 360
				level := math.Sqrt(1 - height*height)
				d := vec.Vec3{X: level * math.Sin(a), Y: height, Z: level * math.Cos(a)}
				c := s.WithoutSun(d)
				if !(min(c.R, c.G, c.B) >= 0) || math.IsInf(c.Max(), 1) {
					t.Fatalf("%s: radiance %v from %v", l.Kind, c, d)
				}
				least, most = min(least, c.Luminance()), max(most, c.Luminance())
			}
		}
		if most < 3*least {
			t.Errorf("%s: radiances from %.3g to %.3g, which leave nothing to refract", l.Kind, least, most)
		}
		floor := s.Irradiance(vec.Vec3{Y: 1}).Add(s.Sun().Scale(s.ToSun.Y)).Luminance()
		if floor < 0.3 || floor > 3 {
			t.Errorf("%s: irradiance over π of %.3g on the floor; the studio's is about 1.6", l.Kind, floor)
		}
	}
}

// TestRidge follows a line of hills around the horizon: it closes, and has no steps.
func TestRidge(t *testing.T) {
	r := ridge{low: 0.03, high: 0.06, period: 0.08, seed: 29}
	if a, b := r.height(0), r.height(1); math.Abs(a-b) > 1e-9 {
		t.Errorf("height %g where the line begins, %g where it ends", a, b)
	}
	low, high := 1.0, 0.0
	for i := range 20000 {
		a, b := r.height(float64(i)/20000), r.height(float64(i+1)/20000)
		if math.Abs(a-b) > 0.03 {
			t.Fatalf("a step from %g to %g at %d", a, b, i)
		}
		low, high = min(low, a), max(high, a)
	}
	if low < 0 || high > 1 || high-low < 0.3 {
		t.Errorf("heights from %g to %g; want much of [0, 1]", low, high)
	}
}
