package scenes

import (
	"breakwater/scenes/stage"
	"breakwater/sim/registry"
)

// Shot returns the fingerprint of the camera and the light of frames first … last.
func (k *Keys) Shot(s *Scene, b *Built, first, last int) string {
	var r stage.Recipe
	r.Line("light", k.Light)
	r.Add("size", s.Picture.Size)
	r.Line("shutter", registry.Number(s.ScriptShutter()))
	for n := first; n <= last; n++ {
		r.Line("camera", s.poseRecipe(b.Shot, n).Sum())
		if c := s.Camera; c != nil && c.Follow != "" && c.Follow != "wall" {
			r.Line("followed", k.Particles[n])
		}
	}
	return r.Sum()
}
