package run

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

const pointsScene = measuredScene + `
[mesh]
formats = ["plymesh"]
attributes = ["age", "speed"]
[particles]
formats = ["csv", "npz", "abc", "pvd"]
attributes = ["speed", "age", "wall_distance", "pressure"]
unit = "cm"
`

// runPoints runs the stages to the export of two frames, and returns how many
// frames the export has made.
func runPoints(t *testing.T, scene, dir string) (made int) {
	t.Helper()
	s, err := scenes.Read("measured.toml", []byte(scene))
	if err != nil {
		t.Fatal(err)
	}
	err = Run(context.Background(), s, Options{Out: dir, Last: 3, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}}, func(e stage.Event) {
		if e.Stage == stage.Export && e.Done {
			made += e.Made
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// The particle files have the cache's particles without the particles in a nozzle, and
// the attributes that are asked for. Existing files are kept.
func TestPoints(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	if made := runPoints(t, pointsScene, dir); made != 3*3 {
		t.Errorf("made %d, want 3 frames, an abc and a pvd", made)
	}
	if made := runPoints(t, pointsScene, dir); made != 0 {
		t.Errorf("made %d again", made)
	}
	read := func(name string) *particles.Cloud {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		p, err := particles.Read(name, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	cache := read("particles/measured_0003.ply")
	field := func(p *particles.Cloud, name string) particles.Field {
		k := slices.IndexFunc(p.Fields, func(f particles.Field) bool { return f.Name == name })
		if k < 0 {
			t.Fatalf("no %s among %v", name, p.Names)
		}
		return p.Fields[k]
	}
	at := map[float64]int{} // place in the cache by number
	for i, id := range field(cache, "id").Scalar {
		at[id] = i
	}
	for _, name := range []string{"points/measured_0003.csv", "points/measured_0003.npz", "points/measured_0003.vtp"} {
		p := read(name)
		buffer := len(cache.X) - len(p.X)
		if buffer < 30 || buffer > 200 { // 3 layers of 4 × 3 or so, twice as many with the phases
			t.Errorf("%s lacks %d particles", name, buffer)
		}
		ids, speed, age := field(p, "id").Scalar, field(p, "speed").Scalar, field(p, "age").Scalar
		wall, pressure := field(p, "wall_distance").Scalar, field(p, "pressure").Scalar
		old, young, heavy := 0, 0, 0
		for i, x := range p.X {
			k := at[ids[i]]
			if want := cache.X[k].Mul(100); x.Sub(want).Len() > 1e-5 {
				t.Fatalf("%s: particle %g at %v cm, want %v", name, ids[i], x, want)
			}
			if want := field(cache, "velocity").Vector[k].Len(); math.Abs(speed[i]-want) > 1e-6*(1+want) {
				t.Fatalf("%s: particle %g has the speed %g m/s, want %g", name, ids[i], speed[i], want)
			}
			if want := field(cache, "pressure").Scalar[k]; pressure[i] != want && math.Abs(pressure[i]/want-1) > 1e-6 {
				t.Fatalf("%s: particle %g has the pressure %g Pa, want %g", name, ids[i], pressure[i], want)
			}
			if x := cache.X[k]; wall[i] > min(x.Y, x.Z, 0.4-x.Z)+1e-6 {
				t.Fatalf("%s: particle %g at %v is %g m from the walls", name, ids[i], x, wall[i])
			}
			if math.Abs(age[i]-2./30) < 1e-6 {
				old++
			} else if age[i] < 2./30 {
				young++
			}
			if pressure[i] > 0 {
				heavy++
			}
		}
		if old < 900 || young == 0 || old+young != len(p.X) || heavy < 500 {
			t.Errorf("%s: %d of the age of the run, %d younger, %d under pressure", name, old, young, heavy)
		}
	}
	for _, name := range []string{"measured_particles.abc", "measured_particles.pvd"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}

	// Other attributes are other files; none asked for, no files of the scene.
	if made := runPoints(t, strings.Replace(pointsScene, `"speed", "age", "wall`, `"age", "wall`, 1), dir); made != 3*3 {
		t.Errorf("other attributes made %d", made)
	}
	if made := runPoints(t, strings.Replace(pointsScene, `"abc", "pvd"]`+"\nattributes = [\"speed\", \"age\"", `"pvd"]`+"\nattributes = [\"speed\", \"age\"", 1), dir); made != 3*2 {
		t.Errorf("without the archive made %d", made)
	}
	if _, err := os.Stat(filepath.Join(dir, "measured_particles.abc")); err == nil {
		t.Error("an archive that is not asked for is left")
	}
}

// The vertices have the means of the particles around them.
func TestMeshAttributes(t *testing.T) {
	dir := t.TempDir()
	runPoints(t, pointsScene, dir)
	data, err := os.Open(filepath.Join(dir, "mesh/measured_0003.ply"))
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	format, err := out.Formats.New("plymesh", func(any) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	f, err := format.(out.Decoder).Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Fields) != 2 || f.Fields[0].Name != "age" || f.Fields[1].Name != "speed" {
		t.Fatalf("fields %+v", f.Fields)
	}
	f = f.Ours()
	old, young := 0, 0
	for i, x := range f.Mesh.Pos {
		age, speed := f.Fields[0].Scalar[i], f.Fields[1].Scalar[i]
		switch {
		case math.Abs(age-2./30) < 1e-6:
			old++
		case age >= 0 && age < 2./30:
			young++
		default:
			t.Fatalf("an age of %g s", age)
		}
		if v := f.Mesh.Vel[i].Len(); speed < v*0.95 { // whose weights differ a little
			t.Fatalf("at %v the mean speed %g is less than the mean velocity's speed %g", x, speed, v)
		}
		if x.Sub(vec.New(0.7, 0.55, 0.2)).Len() < 0.05 && math.Abs(age) > 0.04 {
			t.Errorf("under the inflow, at %v, the liquid is %g s old", x, age)
		}
	}
	if old < 500 || young < 20 {
		t.Errorf("%d vertices of the age of the run, %d younger", old, young)
	}
}

// Volumes have the quantities of the particles and the mesh, in the file's unit.
func TestVolumes(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	s, err := scenes.Read("measured.toml", []byte(measuredScene+"\n[volume]\nformats = [\"vdb\"]\ngrids = [\"surface\", \"density\", \"velocity\"]\nunit = \"cm\"\nvoxel = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	run := func() (made int) {
		err := Run(context.Background(), s, Options{Out: dir, Last: 2, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}}, func(e stage.Event) {
			if e.Stage == stage.Export && e.Done {
				made += e.Made
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	if first, again := run(), run(); first != 2 || again != 0 {
		t.Errorf("made %d, then %d", first, again)
	}
	r, err := newRunner(s, Options{Out: dir, Last: 2}, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.dir.Close()
	f, err := r.volumeFrame(2, out.Axes{ZUp: true, Unit: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	if f.Volume.Edge != 4 || len(f.Volume.Grids) != 3 || f.Volume.Grids[0].Name != "surface" || f.Volume.Grids[0].Background != 12 {
		t.Fatalf("voxels of %g cm in %d grids", f.Volume.Edge, len(f.Volume.Grids))
	}
	// The block is 40 cm wide, which is z up from 0 to 40, and y from −40 to 0.
	sum, inside := 0., 0
	for _, l := range f.Volume.Grids[1].Leaves {
		for _, v := range l.Values {
			sum += float64(v) * 4 * 4 * 4
		}
	}
	for _, l := range f.Volume.Grids[0].Leaves {
		for i, v := range l.Values {
			if l.IsOn(i) && v < 0 {
				inside++
				if z := (float64(l.At[2]) + float64(i&7)) * 4; z < 0 || z > 100 {
					t.Fatalf("inside at z = %g cm", z)
				}
			}
		}
	}
	if want := float64(f.Particles.Len()) * 4 * 4 * 4; math.Abs(sum/want-1) > 0.1 || inside < 300 {
		t.Errorf("a volume of %g cm³, want %g; %d voxels inside", sum, want, inside)
	}
}
