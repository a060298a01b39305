package scenes

import (
	"os"
	"path/filepath"
	"testing"

	"breakwater/scenes/scenetest"
)

// TestEnvironment checks that the contents of the environment's picture, not its path,
// are in the fingerprint of the pictures, and in no other.
func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "around.hdr")
	made := func(gray string) *Keys {
		t.Helper()
		picture := "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n"
		for range 4 {
			picture += gray + gray + gray + "\x80"
		}
		if err := os.WriteFile(file, []byte(picture), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Read(filepath.Join(dir, "scene.toml"), []byte(scenetest.Filmed("[light]\nenvironment = \"around.hdr\"\n")))
		if err != nil {
			t.Fatal(err)
		}
		b := mustBuild(t, s)
		if b.Light.Panorama == nil {
			t.Fatal("the picture is not read")
		}
		k, err := NewKeys(s, b)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	a, b, again := made("\x40"), made("\x41"), made("\x40")
	if a.Pictures[2] == b.Pictures[2] {
		t.Error("another picture of the surroundings leaves the frames as they were")
	}
	if a.Pictures[2] != again.Pictures[2] || a.Meshes[2] != b.Meshes[2] {
		t.Error("the same picture, or the mesh, has another fingerprint")
	}
}
