package scenes

import (
	"breakwater/raster"
	"breakwater/sim/registry"
)

// View returns what all frames of s, of which b was built, have in common.
func (s *Scene) View(b *Built) raster.View {
	return raster.View{
		Light: b.Light,
		Width: s.Picture.Size[0], Height: s.Picture.Size[1], Quality: s.Picture.Quality, Shutter: s.Shutter(),
		Floor: b.Floor, Paving: s.Picture.Floor, Ground: &b.Ground, Look: b.Look,
	}
}

// sharp reports whether the look blurs nothing.
func (s *Scene) sharp() bool {
	look, err := raster.Looks.New(s.Look.Kind, registry.None)
	return err == nil && raster.Sharp(look)
}

// Shutter returns how long the shutter is open, in simulated seconds.
func (s *Scene) Shutter() float64 {
	angle := s.Picture.Shutter
	if n := s.root.Get("picture"); n == nil || n.Get("shutter") == nil {
		angle = 0
		if s.Picture.Quality == raster.Final {
			angle = 180
		}
	}
	if s.Picture.Quality == raster.Draft || s.sharp() {
		angle = 0
	}
	return angle / 360 / s.Time.FPS * s.Time.Speed
}
