package scenes

import (
	"fmt"
	"strings"

	"breakwater/out"
	"breakwater/scenes/stage"
	"breakwater/sim/registry"
)

// Materials returns all materials of files of meshes, the liquid's first.
func (b *Built) Materials() []out.Material {
	f := out.Frame{Material: &b.Material, Objects: b.Afloat}
	return f.Materials()
}

// MaterialKey stands for the materials in a fingerprint. Without colours it stands for
// their names and triangles alone.
func (b *Built) MaterialKey(colors bool) string {
	var key strings.Builder
	for _, m := range b.Materials() {
		if colors {
			fmt.Fprintf(&key, "%+v ", m)
		} else {
			fmt.Fprintf(&key, "%s ", m.Name)
		}
	}
	for i := range b.Afloat {
		fmt.Fprint(&key, b.Afloat[i].Of)
	}
	return key.String()
}

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
