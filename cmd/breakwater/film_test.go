package main

import (
	"bytes"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// The film goes where --out says, in the format that its name ends in; all else
// lies in the usual folder.
func TestFilmByName(t *testing.T) {
	longtest.NotShort(t)
	scene, err := filepath.Abs(tiny)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	do(t, "render", scene, "--out", "films/clip.gif", "--frames=1-3")
	data, err := os.ReadFile("films/clip.gif")
	if err != nil {
		t.Fatal(err)
	}
	if g, err := gif.DecodeAll(bytes.NewReader(data)); err != nil || len(g.Image) != 3 {
		t.Errorf("the film cannot be read: %v", err)
	}
	if _, err := os.Stat("renders/tiny/frames/tiny_0003.png"); err != nil {
		t.Error(err)
	}
	if got := made(do(t, "video", scene, "--out", "other.PNG", "--frames=1-3")); got["video"] != 3 {
		t.Errorf("made %v", got)
	}
	data, err = os.ReadFile("other.PNG")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := png.Decode(bytes.NewReader(data)); err != nil || p.Bounds().Dx() != 96 || !bytes.Contains(data, []byte("acTL")) {
		t.Errorf("no animated PNG: %v", err)
	}
	if got := made(do(t, "video", scene, "--out", "other.PNG", "--frames=1-3")); got["video"] != 0 {
		t.Errorf("made %v again", got)
	}
	if code, _, stderr := call(t, "draw", scene, "--out", "clip.gif"); code != exitUsage || !strings.Contains(stderr, "draw does not make a film") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
