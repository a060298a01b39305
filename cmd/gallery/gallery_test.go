package main

import (
	"bytes"
	"cmp"
	"fmt"
	"image/jpeg"
	"os"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/shipped"
	"breakwater/sim/longtest"
)

// TestGallery checks that every shipped scene has a picture and a clip of moderate size,
// that the page shows them, and that there is nothing else.
func TestGallery(t *testing.T) {
	const largestPicture, largest = 200e3, 30e6
	t.Chdir("../../" + folder)
	known := map[string]bool{"README.md": true}
	has := map[string]bool{}
	total := 0
	for _, e := range entries {
		if has[e.scene] {
			t.Errorf("%s is there twice", e.scene)
		}
		has[e.scene], known[e.picture()], known[e.clip()] = true, true, true
		picture, err := os.ReadFile(e.picture())
		if err != nil {
			t.Errorf("%v; go run ./cmd/gallery %s makes it", err, e.scene)
			continue
		}
		c, err := jpeg.DecodeConfig(bytes.NewReader(picture))
		if size := fmt.Sprintf("%dx%d", c.Width, c.Height); err != nil || size != e.pictureSize() || len(picture) > largestPicture {
			t.Errorf("%s: %s pixels in %d bytes, want %s, %v", e.picture(), size, len(picture), e.pictureSize(), err)
		}
		largestClip := 600e3
		if e.large() {
			largestClip = 3e6
		}
		clip, err := os.ReadFile(e.clip())
		if err != nil || float64(len(clip)) > largestClip || len(clip) < 8 || string(clip[4:8]) != "ftyp" {
			t.Errorf("%s: no MP4 film of at most %g bytes: %d, %v", e.clip(), largestClip, len(clip), err)
		}
		total += len(picture) + len(clip)
	}
	for _, x := range shipped.Scenes() {
		if !has[x.Name] {
			t.Errorf("%s is not in the gallery: add it to entries, and run go run ./cmd/gallery %s", x.Name, x.Name)
		}
	}
	if total > largest {
		t.Errorf("%d bytes in all, want at most %g", total, largest)
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s belongs to no scene", f.Name())
		}
	}
	want, err := page()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("README.md"); err != nil || string(got) != want {
		t.Errorf("README.md is not what go run ./cmd/gallery would write (%v)", err)
	}
}

// TestCommands reads the scenes as the commands would: the frames are there, and
// the picture is one of the clip.
func TestCommands(t *testing.T) {
	longtest.Only(t)
	for _, e := range entries {
		s, err := scenes.Load(e.scene)
		if err != nil {
			t.Errorf("%s: %v", e.scene, err)
			continue
		}
		if e.spacing != "" {
			if err := s.Override(scenes.Overrides{Spacing: e.spacing}); err != nil {
				t.Errorf("%s: %v", e.scene, err)
			}
		}
		s.Time.FPS = float64(e.fps)
		if n := s.Time.Frames(); e.last > n || e.frame > cmp.Or(e.last, n) || e.frame < max(1, e.first) {
			t.Errorf("%s: frame %d of a clip of %d to %d, of %d", e.scene, e.frame, e.first, e.last, n)
		}
	}
}
