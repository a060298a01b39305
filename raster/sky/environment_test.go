package sky

import (
	"math"
	"testing"

	"breakwater/raster/color"
	"breakwater/raster/sky/skytest"
	"breakwater/sim/vec"
)

// outdoors reads the picture of skytest.Outdoors.
func outdoors(t *testing.T, degrees float64) (p *Panorama, toSun vec.Vec3) {
	t.Helper()
	data, toSun := skytest.Outdoors(degrees)
	p, err := ReadPanorama(data)
	if err != nil {
		t.Fatal(err)
	}
	return p, toSun
}

// TestPanoramaFindsTheSun checks that a disc, whether sun or lamp, is found in its place,
// and that its light is separated from the rest.
func TestPanoramaFindsTheSun(t *testing.T) {
	for _, degrees := range []float64{0.6, 6, 9} {
		p, toSun := outdoors(t, degrees)
		if off := math.Acos(min(1, p.toSun.Dot(toSun))) * 180 / math.Pi; off > 0.3 {
			t.Errorf("disc of %g°: the sun is %g° off", degrees, off)
		}
		if p.removed != (degrees < 3) {
			t.Errorf("disc of %g°: drawn as a sun: %v", degrees, p.removed)
		}
		direct, sky := p.sun.Luminance()*p.toSun.Y, p.luminance()
		if math.Abs(direct/sky-1) > 0.08 {
			t.Errorf("disc of %g°: the sun gives %.3f of the sky's light, want 1", degrees, direct/sky)
		}
		if r := p.radius * 180 / math.Pi; math.Abs(r-degrees) > 0.15*degrees+0.1 {
			t.Errorf("disc of %g°: its radius is %g°", degrees, r)
		}
	}
}

// TestPanoramaIsTurned checks that its sun comes to the azimuth that is asked
// for, the picture with it, and that it is as bright as the studio.
func TestPanoramaIsTurned(t *testing.T) {
	p, _ := outdoors(t, 8)
	l := DefaultLight()
	studio := New(l, color.RGB{})
	want := studio.Irradiance(vec.Vec3{Y: 1}).Add(studio.sun.Scale(studio.ToSun.Y)).Luminance()
	l.Panorama = p
	for _, azimuth := range []float64{-105, 0, 40} {
		l.Azimuth = azimuth
		s := New(l, color.RGB{})
		if got := math.Atan2(s.ToSun.X, s.ToSun.Z) * 180 / math.Pi; math.Abs(got-azimuth) > 1e-6 {
			t.Errorf("the sun stands at %g°, want %g°", got, azimuth)
		}
		if c := s.Radiance(s.ToSun).Luminance(); c < 5*s.Radiance(vec.Vec3{Y: 1}).Luminance() {
			t.Errorf("at %g° the lamp is not where its light comes from: %g", azimuth, c)
		}
		if got := s.Irradiance(vec.Vec3{Y: 1}).Add(s.sun.Scale(s.ToSun.Y)).Luminance(); math.Abs(got/want-1) > 0.05 {
			t.Errorf("level ground gets %g, in the studio %g", got, want)
		}
	}
}

// TestPanoramaWithoutSun has an overcast sky: no shadow may come of nothing.
func TestPanoramaWithoutSun(t *testing.T) {
	p, err := ReadPanorama(skytest.Picture(64, 32, "flat", func(x, y int) color.RGB {
		return color.New(1, 1, 1).Scale(1 + 2*max(0, skytest.Direction(x, y, 64, 32).Y))
	}))
	if err != nil {
		t.Fatal(err)
	}
	if direct, sky := p.sun.Luminance()*p.toSun.Y, p.luminance(); direct > 0.05*sky {
		t.Errorf("the sun gives %g of the light", direct/(direct+sky))
	}
	if _, err := ReadPanorama(skytest.Picture(64, 32, "flat", func(int, int) color.RGB { return color.RGB{} })); err == nil {
		t.Error("a black picture lights the scene")
	}
}
