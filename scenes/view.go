package scenes

import (
	"breakwater/raster"
)

// View returns what all frames of s, of which b was built, have in common.
func (s *Scene) View(b *Built) raster.View {
	return raster.View{
		Light: b.Light,
		Width: s.Picture.Size[0], Height: s.Picture.Size[1], Quality: s.Picture.Quality, Shutter: s.Shutter(b), Streaks: s.streaks(b),
		Floor: b.Floor, Paving: s.Picture.Floor, Ground: &b.Ground, Look: b.Look,
	}
}

// Shutter returns how long the shutter is open, in simulated seconds.
func (s *Scene) Shutter(b *Built) float64 {
	angle := s.Picture.Shutter
	if n := s.root.Get("picture"); n == nil || n.Get("shutter") == nil {
		angle = 0
		if s.Picture.Quality == raster.Final {
			angle = 180
		}
	}
	if s.Picture.Quality == raster.Draft || raster.Sharp(b.Look) {
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

// streaks returns the exposure of whitewater at good, in simulated seconds. Drops are the
// fastest things in a picture. Unlike the blur of the rest, their streaks take no more
// samples.
func (s *Scene) streaks(b *Built) float64 {
	const angle = 180.
	if n := s.root.Get("picture"); s.Picture.Quality != raster.Good || raster.Sharp(b.Look) || n != nil && n.Get("shutter") != nil {
		return 0
	}
	return angle / 360 / s.Time.FPS * s.Time.Speed
}
