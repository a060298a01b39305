package run

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/scenes/stage"
	"breakwater/sim/heaptest"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface"
)

// TestMeshStageForgets runs the mesh stage: no memory of it is kept for the
// pictures.
func TestMeshStageForgets(t *testing.T) {
	longtest.Only(t)
	s := mustRead(t, "extends = \"dam-break\"\n[liquid]\nspacing = 0.1\n[time]\nfps = 2\n")
	r, err := newRunner(s, Options{Out: t.TempDir(), Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh}}, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.dir.Close()
	if err := r.stages(context.Background()); err != nil {
		t.Fatal(err)
	}
	kept := heaptest.InUse()
	r.built.Surface.Forget()
	if kept -= heaptest.InUse(); kept > 1e5 {
		t.Errorf("the method keeps %.0f bytes", kept)
	}
}

// filesBelow returns the contents of the files in some folders of a run.
func filesBelow(t *testing.T, dir string, folders ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(dir, folder, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			files[folder+"/"+filepath.Base(name)] = readText(t, name)
		}
	}
	return files
}

// surfaceScene has bodies, and motion blur.
var surfaceScene = strings.Replace(twoBodies, "duration = 0.2", "duration = 0.1", 1) + "shutter = 180\n"

// runStages runs stages of a scene at quality good and returns how many frames each has
// made.
func runStages(t *testing.T, text, dir string, stages ...stage.Name) (made map[stage.Name]int, err error) {
	t.Helper()
	return runNamed(t, "shot.toml", strings.Replace(text, `quality = "draft"`, `quality = "good"`, 1), dir, stages...)
}

// TestSurfaceCache draws from the surfaces alone, and makes files for other programs from
// them: they are the files of a run that makes all at once, and of any formats.
func TestSurfaceCache(t *testing.T) {
	longtest.NotShort(t)
	const formats = "[mesh]\nformats = [\"obj\", \"plymesh\", \"glb\", \"usda\", \"stl\", \"pvd\"]\nquads = true\nunit = \"cm\"\n"
	const none = "[mesh]\nformats = []\n"
	at, all := t.TempDir(), t.TempDir()
	must := func(text, dir string, stages ...stage.Name) map[stage.Name]int {
		t.Helper()
		made, err := runStages(t, text, dir, stages...)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	must(surfaceScene+formats, all, stage.Sim, stage.Whitewater, stage.Mesh, stage.Export, stage.Draw)
	must(surfaceScene+none, at, stage.Sim, stage.Whitewater, stage.Mesh, stage.Export)
	if files := filesBelow(t, at, meshFolder, bodyFolder); len(files) > 0 {
		t.Errorf("without formats there are %d mesh files", len(files))
	}
	for _, folder := range []string{ParticleFolder, gaugeFolder} {
		if err := os.RemoveAll(filepath.Join(at, folder)); err != nil {
			t.Fatal(err)
		}
	}
	must(surfaceScene+none, at, stage.Draw)
	if made := must(surfaceScene+formats, at, stage.Mesh, stage.Export); made[stage.Mesh] != 3 {
		t.Errorf("made %v", made)
	}
	folders := []string{surfaceFolder, meshFolder, bodyFolder, frameFolder}
	got, want := filesBelow(t, at, folders...), filesBelow(t, all, folders...)
	got["usda"], want["usda"] = readText(t, at, "shot.usda"), readText(t, all, "shot.usda")
	if len(want) != 3*(1+5+1+1)+2 { // beside the frames, the materials and the archive
		t.Errorf("%d files", len(want))
	}
	if !maps.Equal(got, want) {
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s is another", name)
			}
		}
	}
	if made := must(surfaceScene+formats, all, stage.Sim, stage.Whitewater, stage.Mesh, stage.Export, stage.Draw); made[stage.Mesh]+made[stage.Export]+made[stage.Draw] > 0 {
		t.Errorf("made again: %v", made)
	}

	// Attributes are the particles', which are gone.
	_, err := runStages(t, surfaceScene+formats+"attributes = [\"age\"]\n", at, stage.Mesh)
	if lacks := (*NotMade)(nil); !errors.As(err, &lacks) || lacks.Stage != stage.Sim {
		t.Errorf("attributes without particles: %v", err)
	}
	// A surface that is gone is made by the stage that is named.
	for _, name := range []string{"shot_0002.ply", "shot_0003.ply"} {
		if err := os.Remove(filepath.Join(all, surfaceFolder, name)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = runStages(t, surfaceScene+formats+"[light]\nexposure = 1\n", all, stage.Draw)
	if lacks := (*NotMade)(nil); !errors.As(err, &lacks) || lacks.Stage != stage.Mesh || lacks.Frames != 2 {
		t.Errorf("pictures without surfaces: %v", err)
	}
}

// TestSurfaceAttributes adds attributes to files whose surfaces are there: they have the
// bytes of a run that makes all at once, and so has an archive.
func TestSurfaceAttributes(t *testing.T) {
	longtest.NotShort(t)
	const formats = "[mesh]\nformats = [\"plymesh\", \"usda\"]\n"
	at, all := t.TempDir(), t.TempDir()
	for _, c := range []struct{ text, dir string }{{formats, at}, {formats + "attributes = [\"vorticity\", \"speed\"]\n", at}, {formats + "attributes = [\"vorticity\", \"speed\"]\n", all}} {
		if _, err := runStages(t, surfaceScene+c.text, c.dir, stage.Sim, stage.Whitewater, stage.Mesh, stage.Export); err != nil {
			t.Fatal(err)
		}
	}
	got, want := filesBelow(t, at, ".", surfaceFolder, meshFolder), filesBelow(t, all, ".", surfaceFolder, meshFolder)
	for _, name := range []string{"surface/shot_0003.ply", "mesh/shot_0003.ply", "./shot.usda"} {
		if got[name] == "" || got[name] != want[name] {
			t.Errorf("%s is another", name)
		}
	}
	if strings.Contains(want["surface/shot_0003.ply"], "vorticity") || !strings.Contains(want["mesh/shot_0003.ply"], "vorticity") || !strings.Contains(want["./shot.usda"], "vorticity") {
		t.Error("attributes are in the surface, or not in the files that have some")
	}
}

// TestSurfaceVelocities compares the velocities of vertices in the cache with the means
// over the particles nearby.
func TestSurfaceVelocities(t *testing.T) {
	longtest.NotShort(t)
	s := mustRead(t, surfaceScene)
	r, err := newRunner(s, Options{Out: t.TempDir(), Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh}}, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.dir.Close()
	if err := r.stages(context.Background()); err != nil {
		t.Fatal(err)
	}
	f, err := r.readFrame(r.surfaceFile(3))
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.readFrame(r.particleFiles(3)[0])
	if err != nil {
		t.Fatal(err)
	}
	m := f.Mesh
	if err := m.Check(); err != nil || len(m.Nrm) != len(m.Pos) || len(m.Vel) != len(m.Pos) || f.Index != 3 || len(f.Objects) != 2 || f.Objects[1].Body != p.Particles.Bodies[1] {
		t.Fatalf("%d vertices, %d normals, %d velocities, %d bodies: %v", len(m.Pos), len(m.Nrm), len(m.Vel), len(f.Objects), err)
	}
	want := make([]vec.Vec3, len(m.Pos))
	surface.NewCarrier(p.Particles.X, s.Liquid.Spacing).Carry(m.Pos, []surface.Quantity{{Vector: p.Particles.V, ToVector: want}})
	fastest, most, sum := 0., 0., 0.
	for i, v := range m.Vel {
		off := v.Sub(want[i]).Len()
		fastest, most, sum = max(fastest, want[i].Len()), max(most, off), sum+off
	}
	// Where the kernels of the surface are flattened, or no particle is near, the two
	// means differ a little.
	if mean := sum / float64(len(want)); !(fastest > 0.1) || !(most < 0.02*fastest) || !(mean < 2e-3*fastest) {
		t.Errorf("velocities up to %g m/s are off by up to %g m/s, %g m/s on average", fastest, most, mean)
	}
}
