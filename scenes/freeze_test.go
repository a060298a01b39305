package scenes

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breakwater/scenes/shipped"
	"breakwater/sim/longtest"
)

// frozen freezes a scene into a folder, and returns the path of its file.
func frozen(t *testing.T, s *Scene, folder string) string {
	t.Helper()
	name, err := s.Freeze(func(name string, data []byte) error {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			t.Fatalf("a file named %s", name)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, filepath.FromSlash(name))
}

// keysOf returns all fingerprints of a scene.
func keysOf(t *testing.T, s *Scene) *Keys {
	t.Helper()
	k, err := s.Keys()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestFreezeShipped freezes shipped scenes: the copies have the same fingerprints, also with
// changes from the command line.
func TestFreezeShipped(t *testing.T) {
	longtest.NotShort(t)
	names := []string{"boat", "article-candle"}
	if longtest.On() {
		names = shipped.Names()
	}
	for _, name := range names {
		s, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Override(Overrides{FPS: "25", Size: "320x180", Quality: "draft", Set: []string{"time.duration=0.12", "title=a \"quoted\" \\ title"}}); err != nil {
			t.Fatal(err)
		}
		again, err := Load(frozen(t, s, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(keysOf(t, again), keysOf(t, s)) || again.Title != s.Title || again.Time != s.Time {
			t.Errorf("%s: the copy differs", name)
		}
	}
}

// TestFreezeFiles freezes a scene with all kinds of files. They may change and vanish then.
func TestFreezeFiles(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	cube := "mtllib ../colors/red paint.mtl\nmtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvt 0 0\nusemtl red\n" +
		"f 1/1 4/1 3/1 2/1\nf 5/1 6/1 7/1 8/1\nf 1/1 2/1 6/1 5/1\nf 2/1 3/1 7/1 6/1\nf 3/1 4/1 8/1 7/1\nf 4/1 1/1 5/1 8/1\n"
	write("meshes/cube.obj", cube)
	write("colors/red paint.mtl", "newmtl red\nKd 1 0 0\nmap_Kd ..\\wood.png\nnewmtl blue\nmap_Kd none.png\n")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	write("wood.png", picture.String())
	write("sky/day.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n"+strings.Repeat("\x80\x80\x80\x81", 8))
	write("base.toml", "extends = \"still-water\"\n[light]\nenvironment = \"sky/day.hdr\"\n[time]\nduration = 0.1\n")
	path := write("film/a film.toml", "extends = \"../base.toml\"\n[[body]]\nkind = \"mesh\"\nfile = \"../meshes/cube.obj\"\nscale = 0.1\nposition = [0.5, 0.5, 0.2]\ndensity = 500\n"+
		"[[body]]\nkind = \"mesh\"\nfile = \"../meshes/cube.obj\"\nscale = 0.1\nposition = [0.2, 0.5, 0.2]\ndensity = 500\n")
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := keysOf(t, s)
	file := frozen(t, s, t.TempDir())
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	again, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(keysOf(t, again), want) {
		t.Error("the copy differs")
	}

	// A name that means two files is refused.
	write("film/meshes/cube.obj", strings.ReplaceAll(cube, "v 1 0 0", "v 1.1 0 0"))
	write("meshes/cube.obj", cube)
	write("base.toml", "extends = \"still-water\"\n[[wall]]\nkind = \"mesh\"\nfile = \"meshes/cube.obj\"\nscale = 0.1\noffset = [3, 3, 3]\n")
	if s, err = Load(write("film/two.toml", "extends = \"../base.toml\"\n[[body]]\nkind = \"mesh\"\nfile = \"meshes/cube.obj\"\nscale = 0.1\nposition = [0.5, 0.5, 0.2]\ndensity = 500\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Freeze(func(string, []byte) error { return nil }); err == nil || !strings.Contains(err.Error(), "two files are named meshes/cube.obj") {
		t.Error(err)
	}
}
