package scenes

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/raster"
	"breakwater/scenes/scenetest"
	"breakwater/sim/vec"
)

// TestMaterialsChangeThePictureAlone holds that what a wall is made of is in the
// picture, and that neither particles nor meshes are made anew for it.
func TestMaterialsChangeThePictureAlone(t *testing.T) {
	made := func(material string) (*Keys, raster.Solid) {
		s := mustRead(t, strings.Replace(scenetest.Filmed(""), "[wall.motion]", material+"\n[wall.motion]", 1))
		b := mustBuild(t, s)
		k, err := NewKeys(s, b)
		if err != nil {
			t.Fatal(err)
		}
		_, _, solids := b.At(0)
		return k, solids[0]
	}
	plain, _ := made("")
	for _, c := range []struct {
		text string
		want raster.Material
	}{
		{`material = "wood"`, raster.Wood.Material()},
		{`material = "metal"` + "\ncolor = [0.9, 0.7, 0.3]", raster.Material{Substance: raster.Metal, Color: vec.New(0.9, 0.7, 0.3)}},
		{`color = [0.1, 0.2, 0.3]`, raster.Material{Substance: raster.Matte, Color: vec.New(0.1, 0.2, 0.3)}},
	} {
		k, solid := made(c.text)
		if solid.Material != c.want {
			t.Errorf("%s: drawn as %v, want %v", c.text, solid.Material, c.want)
		}
		if k.Particles[3] != plain.Particles[3] || k.Meshes[3] != plain.Meshes[3] {
			t.Errorf("%s: the particles or the mesh are made anew", c.text)
		}
		if k.Pictures[3] == plain.Pictures[3] {
			t.Errorf("%s: the picture is not", c.text)
		}
	}
}

// besideScene is the folder of a scene, meshScene, with the files that it names.
type besideScene string

const meshScene = `
[liquid]
spacing = 0.03
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.3, 0.3, 0.3]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [1, 1, 0.6]
[[wall]]
kind = "mesh"
file = "a.obj"
scale = 1.5
offset = [0.6, 0.1, 0.1]
`

func (dir besideScene) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(string(dir), name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// made returns the mesh as the scene draws it, and what its files are known by.
func (dir besideScene) made(t *testing.T) (raster.Solid, *Keys) {
	t.Helper()
	s, err := Read(filepath.Join(string(dir), "scene.toml"), []byte(meshScene))
	if err != nil {
		t.Fatal(err)
	}
	b := mustBuild(t, s)
	k, err := NewKeys(s, b)
	if err != nil {
		t.Fatal(err)
	}
	return b.Obstacles[0], k
}

// TestMeshColors reads a mesh whose triangles have the colours of an MTL file,
// one of them none.
func TestMeshColors(t *testing.T) {
	dir := besideScene(t.TempDir())
	dir.write(t, "a.obj", "mtllib a.mtl\nv 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nusemtl red\nf 1 2 4\nusemtl blue\nf 1 4 3\nf 2 3 4\n")
	dir.write(t, "a.mtl", "newmtl red\nKd 0.8 0.1 0.1\nnewmtl blue\nNs 10\nKd 0.1 0.1 0.7\n")
	colors := func() ([]vec.Vec3, string) {
		solid, k := dir.made(t)
		return solid.Colors, k.Pictures[1]
	}
	got, before := colors()
	blue := vec.New(0.1, 0.1, 0.7)
	want := []vec.Vec3{raster.Matte.Material().Color, vec.New(0.8, 0.1, 0.1), blue, blue}
	if len(got) != len(want) {
		t.Fatalf("%d colours, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("triangle %d is %v, want %v", i, got[i], want[i])
		}
	}
	dir.write(t, "a.mtl", "newmtl red\nKd 0.8 0.1 0.1\nnewmtl blue\nKd 0.1 0.1 0.9\n")
	if _, after := colors(); after == before {
		t.Error("another MTL file leaves the picture as it was")
	}
	if err := os.Remove(filepath.Join(string(dir), "a.mtl")); err != nil {
		t.Fatal(err)
	}
	if got, _ := colors(); got != nil {
		t.Errorf("without the MTL file: %v", got)
	}
}

// TestTankWalls gives a tank a material: it has walls of it, at rest and in
// motion, and panes of glass without.
func TestTankWalls(t *testing.T) {
	for _, c := range []struct {
		material string
		want     *raster.Material
	}{
		{"", nil}, {`material = "glass"`, nil},
		{`material = "wood"`, &raster.Material{Substance: raster.Wood, Color: raster.Wood.Material().Color}},
		{`color = [0.7, 0.6, 0.5]`, &raster.Material{Substance: raster.Matte, Color: vec.New(0.7, 0.6, 0.5)}},
	} {
		for _, motion := range []string{"", "\n[wall.motion]\namplitude = [0.1, 0, 0]\nfrequency = 1\n"} {
			s := mustRead(t, "[liquid]\nspacing = \"4 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0.1, 0.1, 0.1]\nmax = [0.4, 0.4, 0.4]\n"+
				"[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n"+c.material+motion)
			tank, _, _ := mustBuild(t, s).At(0.3)
			if tank == nil || (tank.Walls == nil) != (c.want == nil) || c.want != nil && *tank.Walls != *c.want {
				t.Errorf("%s%s: a tank %+v, want walls %v", c.material, motion, tank, c.want)
			}
		}
	}
}

// TestMeshPictures reads a mesh with a picture on two of its triangles, which
// another picture changes and nothing else.
func TestMeshPictures(t *testing.T) {
	dir := besideScene(t.TempDir())
	paint := func(c color.Color) {
		t.Helper()
		img, b := image.NewGray16(image.Rect(0, 0, 3, 2)), new(bytes.Buffer)
		for i := range 6 {
			img.Set(i%3, i/3, c)
		}
		if err := png.Encode(b, img); err != nil {
			t.Fatal(err)
		}
		dir.write(t, "a.png", b.String())
	}
	dir.write(t, "a.obj", "mtllib a.mtl\nv 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl oak\nf 1/1 3/2 2/3\nf 1/1 2/2 4/3\nusemtl red\nf 1 4 3\nf 2 3 4\n")
	dir.write(t, "a.mtl", "newmtl oak\nKd 1 0.5 1\nmap_Kd a.png\nnewmtl red\nKd 0.7 0.1 0.1\n")
	paint(color.White)
	solid, before := dir.made(t)
	for i, want := range []bool{true, true, false, false} {
		if len(solid.Pictures) != 4 || (solid.Pictures[i] != nil) != want {
			t.Errorf("triangle %d of the pictures %v", i, solid.Pictures)
		}
	}
	if want := [3][2]float64{{0, 0}, {1, 0}, {0, 1}}; solid.Places[1] != want || solid.Colors[1] != vec.New(1, 0.5, 1) {
		t.Errorf("lies at %v, want %v; colour %v", solid.Places[1], want, solid.Colors[1])
	}
	paint(color.Black)
	if _, after := dir.made(t); after.Pictures[1] == before.Pictures[1] || after.Meshes[1] != before.Meshes[1] {
		t.Error("another picture must change the frames alone")
	}
	for _, c := range []struct{ data, want string }{{"not a picture", "not a PNG or JPEG"}, {"\x89PNG\r\n\x1a\n cut", "png"}, {"", "not a PNG"}} {
		dir.write(t, "a.png", c.data)
		if _, err := Read(filepath.Join(string(dir), "scene.toml"), []byte(meshScene)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want ... %s", c.data, err, c.want)
		}
	}
}

// TestMissingMaterials says which MTL file is not there, and reads none that is
// not a file.
func TestMissingMaterials(t *testing.T) {
	dir := besideScene(t.TempDir())
	const faces = "v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nusemtl red\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
	dir.write(t, "there.mtl", "newmtl red\nKd 1 0 0\n")
	for name, want := range map[string]int{"there.mtl": 0, "gone.mtl": 1, "/dev/zero": 1} {
		dir.write(t, "a.obj", "mtllib "+name+"\n"+faces)
		s, err := Read(filepath.Join(string(dir), "scene.toml"), []byte(meshScene))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(b.Warnings, "\n"); strings.Count(said, "colours of its materials: "+strconv.Quote(name)+" is missing") != want {
			t.Errorf("%s: it says %q", name, said)
		}
	}
	outtest.Symlink(t, "/dev/zero", filepath.Join(string(dir), "endless.mtl"))
	dir.write(t, "a.obj", "mtllib endless.mtl\n"+faces)
	if _, err := Read(filepath.Join(string(dir), "scene.toml"), []byte(meshScene)); err == nil || !strings.Contains(err.Error(), "is not a material file") {
		t.Errorf("an endless file: %v", err)
	}
}
