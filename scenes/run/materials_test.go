package run

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes/scenetest"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

var paintedScene = `
[time]
duration = 0.1
fps = 30
[liquid]
name = "honey"
spacing = 0.08
` +
	scenetest.Box("fluid", "[0, 0, 0]", "[0.4, 0.4, 0.4]") +
	scenetest.Box("wall", "[0, 0, 0]", "[0.8, 0.8, 0.4]") +
	`[[body]]
kind = "sphere"
center = [0.6, 0.3, 0.2]
radius = 0.17
density = 500
material = "metal"
[mesh]
formats = ["obj", "glb"]
`

// All meshes of a film share one file of materials, which is made again if it is gone or
// damaged or the colours change. OBJ files do not change with colours.
func TestMaterialFile(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	made := func(scene string) map[stage.Name]int {
		t.Helper()
		return mustRun(t, "painted.toml", scene, dir, stage.Sim, stage.Mesh)
	}
	file := filepath.Join(dir, "mesh", "painted.mtl")
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	made(paintedScene)
	first := read(file)
	for _, want := range []string{"newmtl liquid\n", "Ni 1.49\n", "newmtl body1\n", "Pm 1\n"} {
		if !bytes.Contains(first, []byte(want)) {
			t.Errorf("no %q in %s", want, first)
		}
	}
	frame := filepath.Join(dir, "mesh", "painted_0002.obj")
	mesh := read(frame)
	for _, want := range []string{"mtllib painted.mtl\n", "usemtl liquid\ns 1\n", "usemtl body1\ns 1\n"} {
		if !bytes.Contains(mesh, []byte(want)) {
			t.Errorf("no %q in the mesh", want)
		}
	}
	for what, spoil := range map[string]func() error{
		"removed": func() error { return os.Remove(file) },
		"damaged": func() error {
			return os.WriteFile(file, slices.Concat(first[:len(first)/2], first[len(first)/2+1:]), 0o666)
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if n := made(paintedScene); n[stage.Mesh] != 0 || !bytes.Equal(read(file), first) {
			t.Errorf("%s: %d frames meshed again; the file is as it was: %v", what, n[stage.Mesh], bytes.Equal(read(file), first))
		}
	}
	made(paintedScene + "[look]\nkind = \"water\"\n")
	if other := read(file); bytes.Equal(other, first) || !bytes.Contains(other, []byte("Ni 1.333\n")) {
		t.Errorf("after another look: %s", other)
	}
	if !bytes.Equal(read(frame), mesh) {
		t.Error("another look changes an OBJ file")
	}
	mustRun(t, "painted.toml", paintedScene+smallFilm, dir)
	if list := string(read(filepath.Join(dir, manifestName))); !strings.Contains(list, "mesh/painted.mtl") {
		t.Error("the manifest lacks the file of materials")
	}
}

// smallFilm is the end of a scene whose film is quickly made.
const smallFilm = `
[picture]
size = [64, 36]
quality = "draft"
[video]
formats = ["gif"]
`

// An archive in USD has the camera of each frame, and the sun; the light of the sky lies
// beside it. It is made again for another camera, and not for another quality.
func TestUSDShot(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	scene := strings.Replace(paintedScene, `["obj", "glb"]`, `["usda"]`, 1) + "[camera]\norbit = 30\n"
	made := func(scene string) int {
		t.Helper()
		return mustRun(t, "painted.toml", scene, dir, stage.Sim, stage.Mesh, stage.Export)[stage.Export]
	}
	if made(scene) == 0 {
		t.Fatal("no archive was made")
	}
	sky := filepath.Join(dir, "scenery", "painted_surroundings.hdr")
	data, err := os.ReadFile(filepath.Join(dir, "painted.usda"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"def Camera \"camera\"", "def DistantLight \"sun\"", "@scenery/painted_surroundings.hdr@", "</liquid/materials/liquid>", "</liquid/materials/body1>"} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("no %q in the archive", want)
		}
	}
	_, camera, _ := bytes.Cut(data, []byte("matrix4d xformOp:transform.timeSamples = {"))
	camera, _, _ = bytes.Cut(camera, []byte("}"))
	if n := bytes.Count(camera, []byte("), (")); n != 3*3 {
		t.Errorf("the camera's matrices have %d commas between rows:\n%s", n, camera)
	}
	if err := os.Remove(sky); err != nil {
		t.Fatal(err)
	}
	if n := made(scene + "[picture]\nquality = \"draft\"\n"); n != 0 {
		t.Errorf("made %d frames of the archive again for another quality", n)
	}
	if _, err := os.Stat(sky); err != nil {
		t.Error(err)
	}
	if made(strings.Replace(scene, "orbit = 30", "orbit = 60", 1)) == 0 {
		t.Error("another camera leaves the archive as it was")
	}
	mustRun(t, "painted.toml", scene+smallFilm, dir)
	if list, err := os.ReadFile(filepath.Join(dir, manifestName)); err != nil || !bytes.Contains(list, []byte("scenery/painted_surroundings.hdr")) {
		t.Errorf("the manifest lacks the sky, %v", err)
	}
}
