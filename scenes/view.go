package scenes

import (
	"breakwater/raster"
	"breakwater/scenes/memory"
)

// View returns what all frames of s, of which b was built, have in common.
func (s *Scene) View(b *Built) raster.View {
	return raster.View{
		Light: b.Light,
		Width: s.Picture.Size[0], Height: s.Picture.Size[1], Quality: s.Picture.Quality, Shutter: s.Shutter(b),
		Floor: b.Floor, Paving: s.Picture.Floor, Ground: &b.Ground, Look: b.Look,
	}
}

// Shutter returns how long the shutter is open, in simulated seconds.
func (s *Scene) Shutter(b *Built) float64 { return s.shutter(b.Look) }

// shutter returns how long the shutter is open for a look, in simulated seconds.
func (s *Scene) shutter(look raster.Look) float64 {
	angle := s.Picture.Shutter
	if n := s.root.Get("picture"); n == nil || n.Get("shutter") == nil {
		angle = 180
	}
	if s.Picture.Quality == raster.Draft || raster.Sharp(look) {
		angle = 0
	}
	return angle / 360 / s.Time.FPS * s.Time.Speed
}

// ScriptShutter returns how long the shutter of other programs is open, as a share of the time of
// a frame: as the scene says, or half, whatever the quality.
func (s *Scene) ScriptShutter() float64 {
	if n := s.root.Get("picture"); n == nil || n.Get("shutter") == nil {
		return 0.5
	}
	return s.Picture.Shutter / 360
}

// Pixels returns how many pixels a picture of s has.
func (s *Scene) Pixels() float64 { return float64(s.Picture.Size[0]) * float64(s.Picture.Size[1]) }

// PictureMemory returns what the memory of a picture of s with a look depends on.
func (s *Scene) PictureMemory(look raster.Look) memory.Picture {
	return memory.Picture{
		Pixels: s.Pixels(), Balls: drawsParticles(look), Draft: s.Picture.Quality == raster.Draft, Blurred: s.shutter(look) > 0,
	}
}
