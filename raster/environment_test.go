package raster

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// direction returns the direction of the middle of pixel (x, y).
func (p *Panorama) direction(x, y int) vec.Vec3 {
	sin, cos := math.Sincos((float64(y) + 0.5) / float64(p.h) * math.Pi)
	s, c := math.Sincos((float64(x) + 0.5) / float64(p.w) * 2 * math.Pi)
	return vec.Vec3{X: -sin * s, Y: cos, Z: sin * c}
}

// outdoors is a picture of a sky of even blue with a disc of a given radius in
// it, so bright that it gives as much light as the sky, over dark ground.
func outdoors(t testing.TB, degrees float64) (p *Panorama, toSun vec.Vec3) {
	t.Helper()
	toSun = vec.Vec3{X: 0.3, Y: 0.6, Z: -0.5}.Unit()
	blank := &Panorama{hdrImage: hdrImage{w: 1024, h: 512}}
	edge := math.Cos(degrees * math.Pi / 180)
	bright := 1 / (2 * math.Pi * (1 - edge) * toSun.Y / math.Pi)
	p, err := ReadPanorama(hdrOf(1024, 512, "new", func(x, y int) rgb {
		switch d := blank.direction(x, y); {
		case d.Dot(toSun) > edge:
			return rgb{bright, bright, 0.9 * bright}
		case d.Y > 0:
			return rgb{0.8, 1, 1.3}
		}
		return rgb{0.05, 0.04, 0.03}
	}))
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
		if p.sharp != (degrees < 3) {
			t.Errorf("disc of %g°: drawn as a sun: %v", degrees, p.sharp)
		}
		direct, sky := p.beam.luminance()*p.toSun.Y, p.upper()
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
	studio := newSky(l, rgb{})
	want := studio.ambient(vec.Vec3{Y: 1}).add(studio.beam.scale(studio.toSun.Y)).luminance()
	l.Panorama = p
	for _, azimuth := range []float64{-105, 0, 40} {
		l.Azimuth = azimuth
		s := newSky(l, rgb{})
		if got := math.Atan2(s.toSun.X, s.toSun.Z) * 180 / math.Pi; math.Abs(got-azimuth) > 1e-6 {
			t.Errorf("the sun stands at %g°, want %g°", got, azimuth)
		}
		if c := s.radiance(s.toSun).luminance(); c < 5*s.radiance(vec.Vec3{Y: 1}).luminance() {
			t.Errorf("at %g° the lamp is not where its light comes from: %g", azimuth, c)
		}
		if got := s.ambient(vec.Vec3{Y: 1}).add(s.beam.scale(s.toSun.Y)).luminance(); math.Abs(got/want-1) > 0.05 {
			t.Errorf("level ground gets %g, in the studio %g", got, want)
		}
	}
}

// TestPanoramaWithoutSun has an overcast sky: no shadow may come of nothing.
func TestPanoramaWithoutSun(t *testing.T) {
	blank := &Panorama{hdrImage: hdrImage{w: 64, h: 32}}
	p, err := ReadPanorama(hdrOf(64, 32, "flat", func(x, y int) rgb { return rgb{1, 1, 1}.scale(1 + 2*max(0, blank.direction(x, y).Y)) }))
	if err != nil {
		t.Fatal(err)
	}
	if direct, sky := p.beam.luminance()*p.toSun.Y, p.upper(); direct > 0.05*sky {
		t.Errorf("the sun gives %g of the light", direct/(direct+sky))
	}
	if _, err := ReadPanorama(hdrOf(64, 32, "flat", func(int, int) rgb { return rgb{} })); err == nil {
		t.Error("a black picture lights the scene")
	}
}
