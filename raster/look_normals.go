package raster

import (
	"image"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

func init() {
	Looks.Add("normals", "the normal of the surface as a colour, which shows dents and seams", "", func() Look { return &normals{Space: "world"} })
}

// normals shows the surface's smooth normal n as the sRGB colour (n+1)/2.
type normals struct {
	Space string `toml:"space" oneof:"world camera" doc:"Axes shown as red, green and blue: x, y and z of the world, or right, up and towards the camera."`
}

func (*normals) sharp() {}

func (l *normals) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	w := opaqueScene(v)
	img := w.drawSurroundings(v)
	s := w.samples(v.Quality)
	s.paint(img, func(x, y int) (color.RGB, float64) {
		h, _, ok := s.liquidHit(x, y)
		if !ok {
			return color.RGB{}, 0
		}
		_, n := s.normals(h.Tri, h.U, h.V)
		if l.Space == "camera" {
			n = vec.Vec3{X: n.Dot(s.lens.Right), Y: n.Dot(s.lens.Up), Z: n.Dot(s.lens.Back)}
		}
		return color.New((n.X+1)/2, (n.Y+1)/2, (n.Z+1)/2), 1
	})
	s.inkKinds(img)
	return img, nil
}
