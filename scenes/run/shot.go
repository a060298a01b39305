package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"breakwater/out"
	"breakwater/out/store"
)

// shot returns the camera and the light of this run's frames.
func (r *runner) shot() (*out.Shot, error) {
	size := r.scene.Picture.Size
	light := r.built.Light
	toSun, sun, radius := light.Sunlight()
	s := &out.Shot{
		Aspect: float64(size[1]) / float64(size[0]), Shutter: r.scene.ScriptShutter(), Gain: light.Gain(),
		ToSun: toSun, Sun: sun, Radius: radius, Sky: r.skyFile().name,
	}
	for n := r.first; n <= r.last; n++ {
		c, err := r.camera.camera(n)
		if err != nil {
			return nil, err
		}
		right, up, back := c.Axes()
		s.Poses = append(s.Poses, out.Pose{Eye: c.Eye, Right: right, Up: up, Back: back, Focal: c.Focal, Stop: c.Aperture, Focus: c.Sharpness()})
	}
	return s, nil
}

// skyFile names the picture of all light but the sun's, for archives and scripts.
func (r *runner) skyFile() product {
	return product{name: path.Join(sceneryFolder, r.scene.Name+"_surroundings.hdr"), format: radiance{}, fingerprint: r.keys.sky()}
}

// sky makes that picture, unless it is there.
func (r *runner) sky() error {
	file := r.skyFile()
	if !r.opt.Force && r.fresh(file) == nil {
		return nil
	}
	return r.dir.Write(file.name, func(w io.Writer) error {
		return r.built.Light.WriteSurroundings(w, surroundWidth, surroundHeight, store.FingerprintKey+" "+file.fingerprint)
	})
}

// radiance checks a picture that Light.WriteSurroundings has written.
type radiance struct{}

func (radiance) Check(r io.ReaderAt, size int64) (string, error) {
	wrong := errors.New("hdr: cut short, or not a file written by this program")
	head := make([]byte, min(size, 1<<10))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return "", err
	}
	end := fmt.Sprintf("\n\n-Y %d +X %d\n", surroundHeight, surroundWidth)
	text, _, ok := bytes.Cut(head, []byte(end))
	if !ok || size != int64(len(text)+len(end)+4*surroundWidth*surroundHeight) {
		return "", wrong
	}
	_, mark, ok := strings.Cut(string(text), "\n# "+store.FingerprintKey+" ")
	mark, _, _ = strings.Cut(mark, "\n")
	if !ok {
		return "", wrong
	}
	return mark, store.CheckFingerprint(mark)
}
