package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Looks.Register(registry.Entry[Look]{
		Name: "wireframe", Doc: "the edges of the triangles, over any other look", Cite: "Bærentzen, Nielsen, Gjøl and Larsen 2008",
		New: func(d registry.Decode) (Look, error) {
			w := &wireframe{Under: "clay", Color: vec.Vec3{X: 0.03, Y: 0.05, Z: 0.08}, Width: 0.8}
			if err := d(w); err != nil {
				return nil, err
			}
			_, err := w.look()
			return w, err
		},
	})
}

// wireframe draws the edges of the triangles that are seen.
type wireframe struct {
	Under string   `toml:"under" doc:"Look under the lines: any of the others, with its defaults."`
	Color vec.Vec3 `toml:"color" color:"srgb" unit:"1" range:"[0, 1]" doc:"Colour of the lines in the picture, red, green and blue in sRGB."`
	Width float64  `toml:"width" unit:"px" range:"(0, 20]" doc:"Width of the lines. Where triangles are hardly larger than that, the lines fade, so that a fine mesh does not become a dark area."`
}

// look returns the look under the lines.
func (l *wireframe) look() (Look, error) {
	if l.Under == "wireframe" {
		return nil, fmt.Errorf("raster: a wireframe under a wireframe; name another look")
	}
	look, err := Looks.New(l.Under, registry.None)
	if _, ok := look.(ParticleLook); ok {
		return nil, fmt.Errorf("raster: %s under a wireframe would show no triangles; name another look", l.Under)
	}
	return look, err
}

func (*wireframe) sharp() {}

func (l *wireframe) Draw(v *View) (*image.RGBA, error) {
	under, err := l.look()
	if err != nil {
		return nil, err
	}
	still := *v
	still.Shutter, still.Camera.Aperture = 0, 0
	img, err := under.Draw(&still)
	if err != nil {
		return nil, err
	}
	w := newScene(v, optics.Medium{Index: 1})
	s := w.samples(v.Quality)
	ink := color.New(l.Color.X, l.Color.Y, l.Color.Z)
	s.paint(img, func(x, y int) (color.RGB, float64) {
		h, _, ok := s.liquidHit(x, y)
		if !ok {
			return color.RGB{}, 0
		}
		n := float64(s.side)
		px, py := (float64(x)+0.5)/n, (float64(y)+0.5)/n
		a, b, c := s.corners(h.Tri)
		near := min(s.lineDistance(px, py, a, b), s.lineDistance(px, py, b, c), s.lineDistance(px, py, c, a))
		line := min(1, max(0, float64(l.Width/2)-near+0.5/n)) // a line is as wide as asked for on both sides of an edge together
		return ink, float64(line * min(1, max(minInk, maxInk/s.lineCoverage(a, b, c, l.Width))))
	})
	return img, nil
}

// maxInk is the share of a triangle that its lines darken at most. Lines of
// smaller triangles fade to a tone of leastInk, or they would cover all that is
// under them.
const maxInk, minInk = 0.5, 0.15

// lineCoverage returns the share of the triangle abc that is covered by its half of the
// lines along its edges. width is the width of the lines in pixels. The share is above 1
// where the lines of a small triangle overlap.
func (s *samples) lineCoverage(a, b, c vec.Vec3, width float64) float64 {
	ax, ay, da := s.lens.Project(a)
	bx, by, db := s.lens.Project(b)
	cx, cy, dc := s.lens.Project(c)
	area := math.Abs(float64((bx-ax)*(cy-ay))-float64((by-ay)*(cx-ax))) / 2
	if da <= 0 || db <= 0 || dc <= 0 || area == 0 {
		return maxInk
	}
	return (math.Hypot(bx-ax, by-ay) + math.Hypot(cx-bx, cy-by) + math.Hypot(ax-cx, ay-cy)) * width / 2 / area
}

// lineDistance returns how far (x, y) is from the line ab in the picture, px.
func (s *samples) lineDistance(x, y float64, a, b vec.Vec3) float64 {
	ax, ay, da := s.lens.Project(a)
	bx, by, db := s.lens.Project(b)
	if da <= 0 || db <= 0 { // behind the eye
		return math.Inf(1)
	}
	ex, ey := bx-ax, by-ay
	l := math.Sqrt(float64(ex*ex) + float64(ey*ey))
	if l == 0 {
		return math.Inf(1)
	}
	return math.Abs(float64((x-ax)*ey)-float64((y-ay)*ex)) / l
}
