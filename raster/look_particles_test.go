package raster

import (
	"math"
	"testing"

	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// drops returns particles d apart under a slope in testTank, which run down it.
func drops(d float64) *Particles {
	p := &Particles{Set: &particle.Set{}, Spacing: d, Density: 1000, Fastest: 3}
	for x := d / 2; x < 2; x += d {
		for y := d / 2; y < 0.2+0.3*x; y += d {
			for z := d / 2; z < 1; z += d {
				p.Add(vec.New(x, y, z), vec.New(-3*y, 0, 0), 1000, uint32(p.Len()))
			}
		}
	}
	p.Most = p.Len()
	return p
}

// TestBallsAreRound looks at one ball: its outline must have the radius that
// perspective gives it, and its near point must be where it is.
func TestBallsAreRound(t *testing.T) {
	v := testView(4, 320, 180, Good)
	v.Liquid = nil
	w := opaqueScene(v)
	s := w.samples(Good)
	const r = 0.3
	c := v.Camera.Target
	near, who := s.spheres(w, []vec.Vec3{c}, r)
	dist := c.Sub(v.Camera.Eye).Len()
	covered, nearest := 0, math.Inf(1)
	for i, k := range who {
		if k == 0 {
			covered, nearest = covered+1, min(nearest, float64(near[i]))
		}
	}
	if math.Abs(nearest-(dist-r)) > 1e-4 {
		t.Errorf("the near point is %g m away, want %g", nearest, dist-r)
	}
	// Its outline is a circle about the middle of the picture.
	px := math.Tan(math.Asin(r/dist)) / s.lens.PixelAngle() * float64(s.side)
	if want := math.Pi * px * px; math.Abs(float64(covered)-want) > 0.005*want {
		t.Errorf("%d samples are covered, want %.0f", covered, want)
	}
}

// TestNearBallsHide draws a ball before another, in both orders.
func TestNearBallsHide(t *testing.T) {
	v := testView(4, 64, 36, Draft)
	w := opaqueScene(v)
	s := w.samples(Draft)
	far := v.Camera.Target
	near := far.Lerp(v.Camera.Eye, 0.3)
	for i, list := range [][]vec.Vec3{{near, far}, {far, near}} {
		if _, who := s.spheres(w, list, 0.1); who[18*s.w+32] != int32(i) {
			t.Errorf("order %d: ball %d is seen", i, who[18*s.w+32])
		}
	}
}

// TestParticleScales checks the meaning of the colours.
func TestParticleScales(t *testing.T) {
	p := drops(0.2)
	for _, c := range []struct {
		look   balls
		value  float64 // of particle 1
		lo, hi float64
		unit   string
	}{
		{balls{By: "speed"}, 0.3, 0, 3, "m/s"},
		{balls{By: "pressure"}, 0, 0, 4500, "Pa"},
		{balls{By: "density"}, 0, -2, 2, "%"},
		{balls{By: "id"}, 1, 0, float64(p.Len()), ""},
		{balls{By: "speed", Min: -1, Max: 5}, 0.3, -1, 5, "m/s"},
	} {
		value, s, err := c.look.values(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := value(1); math.Abs(got-c.value) > 1e-9 || s.Min != c.lo || s.Max != c.hi || s.Unit != c.unit {
			t.Errorf("%+v: particle 1 has %g on %g to %g %s", c.look, got, s.Min, s.Max, s.Unit)
		}
	}
	p.Time = 1
	if _, _, err := (&balls{By: "pressure"}).values(p); err == nil {
		t.Error("particles without pressure are coloured by it")
	}
	copy(p.Carry("pressure"), []float64{0, 700})
	if value, _, err := (&balls{By: "pressure"}).values(p); err != nil || value(1) != 700 {
		t.Errorf("particle 1 has another pressure than 700 Pa: %v", err)
	}
	bad := func(dst any) error { dst.(*balls).Min = 2; return nil }
	if _, err := Looks.New("particles", bad); err == nil {
		t.Error("a scale from 2 to 0 is taken")
	}
}
