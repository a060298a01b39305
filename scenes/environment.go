package scenes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"breakwater/raster/sky"
	"breakwater/scenes/stage"
)

// maxEnvironment is the most bytes that a picture of surroundings may have.
const maxEnvironment = 1 << 29

// environment returns the bytes of the environment picture, or nil.
func (s *Scene) environment() ([]byte, error) {
	if s.Light.Environment == "" {
		return nil, nil
	}
	at := s.root.Find("light", "environment")
	path := filepath.FromSlash(s.Light.Environment)
	if !filepath.IsAbs(path) && at != nil {
		path = filepath.Join(filepath.Dir(at.Src.Name), path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w; the path is relative to the folder of this file", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxEnvironment {
		return nil, errors.New("is not a Radiance picture")
	}
	return os.ReadFile(path)
}

// light returns the light of the pictures.
func (s *Scene) light() (sky.Light, error) {
	l := s.Light
	data, err := s.environment()
	if err != nil || data == nil {
		return l, err
	}
	if l.Panorama, err = sky.ReadPanorama(data); err != nil {
		return l, fmt.Errorf("cannot be read: %w", err)
	}
	return l, nil
}

// light checks the environment picture.
func (c *checker) light() {
	at := c.scene.root.Find("light", "environment")
	if at == nil || at.Bad {
		return
	}
	if _, err := c.scene.light(); err != nil {
		c.Report.Value(at, "%v", err)
	}
}

// addLight lists the settings that the light of the pictures depends on.
func (s *Scene) addLight(r *stage.Recipe) error {
	r.Add("light", s.Light)
	data, err := s.environment()
	if err != nil || data == nil {
		return err
	}
	sum := sha256.Sum256(data)
	r.Line("light.environment.data", hex.EncodeToString(sum[:]))
	return nil
}
