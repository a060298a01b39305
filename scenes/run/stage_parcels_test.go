package run

import (
	"context"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/raster/grains"
	"breakwater/scenes"
	"breakwater/scenes/convert"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Whitewater becomes files for other programs, which read back as they were, and
// archives. Other formats make nothing again but these.
func TestParcelFiles(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	const frames = 10
	stages := []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}
	all := `formats = ["abc", "usda", "pvd", "ply", "npz", "csv"]
volumes = ["spray", "bubbles", "velocity"]`
	if made := runBreaking(t, dir, all, stages...); made[stage.Whitewater] != frames || made[stage.Export] == 0 {
		t.Fatalf("made %v", made)
	}
	files := contents(t, dir, whitewaterFolder)
	if len(files) != (2+4+1)*frames { // pvd lists vtp
		t.Fatalf("%d files", len(files))
	}
	r := breakingRunner(t, dir, all)
	f, err := r.parcelFrame(frames)
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Particles.Len(); n < 100 {
		t.Fatalf("%d parcels", n)
	}
	for _, ext := range []string{"ply", "npz", "csv", "vtp"} {
		got, err := particles.Read("a."+ext, []byte(files["breaking_0010."+ext]), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := f
		if ext == "ply" {
			want = f.In(out.Axes{ZUp: true})
		}
		round := func(v []vec.Vec3) (to []vec.Vec3) {
			for _, x := range v {
				to = append(to, x.Round())
			}
			return to
		}
		if !slices.Equal(round(got.X), round(want.Particles.X)) {
			t.Errorf("%s: other positions", ext)
		}
		for _, w := range want.Fields {
			k := slices.IndexFunc(got.Fields, func(g particles.Field) bool { return g.Name == w.Name })
			if k < 0 || !slices.EqualFunc(got.Fields[k].Scalar, w.Scalar, func(a, b float64) bool { return float32(a) == float32(b) }) {
				t.Errorf("%s: other values of %s", ext, w.Name)
			}
		}
	}
	for _, name := range []string{"breaking_whitewater.abc", "breaking_whitewater.usda", "breaking_whitewater.pvd"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := os.ReadFile(filepath.Join(dir, "breaking_whitewater.pvd")); err != nil || !strings.Contains(string(list), `"whitewater/breaking_0010.vtp"`) {
		t.Errorf("the list is %.300s, %v", list, err)
	}
	runBreaking(t, dir, all)
	manifest, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"whitewater/breaking_0010.parcels", "whitewater/breaking_0010.ply", "breaking_whitewater.abc", whitewaterTable} {
		if !strings.Contains(string(manifest), `"`+name+`"`) {
			t.Errorf("the manifest lacks %s", name)
		}
	}
	if made := runBreaking(t, dir, all, stages...); made[stage.Whitewater]+made[stage.Mesh]+made[stage.Export] != 0 {
		t.Errorf("a second run made %v", made)
	}

	// A file that is damaged is made again, and no other.
	path := filepath.Join(dir, whitewaterFolder, "breaking_0007.npz")
	if err := os.WriteFile(path, []byte("PK damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	if made := runBreaking(t, dir, all, stages...); made[stage.Whitewater]+made[stage.Mesh] != 0 || made[stage.Export] != 1 {
		t.Errorf("after damage made %v", made)
	}
	if again := contents(t, dir, whitewaterFolder); again["breaking_0007.npz"] != files["breaking_0007.npz"] {
		t.Error("the damaged file is another now")
	}

	// More points per parcel make the files again, and nothing else.
	if made := runBreaking(t, dir, "formats = [\"csv\"]\nexpand = 3", stages...); made[stage.Whitewater]+made[stage.Mesh] != 0 || made[stage.Export] != frames {
		t.Errorf("more points made %v", made)
	}
	got, err := particles.Read("a.csv", []byte(contents(t, dir, whitewaterFolder)["breaking_0010.csv"]), nil)
	if err != nil {
		t.Fatal(err)
	}
	points, count, whole := 0, 0., 0.
	for _, n := range f.Fields[slices.IndexFunc(f.Fields, func(g particles.Field) bool { return g.Name == out.ParcelCount })].Scalar {
		points += convert.Points(n, 3)
		count, whole = count+n, whole+n
	}
	for _, n := range got.Fields[slices.IndexFunc(got.Fields, func(g particles.Field) bool { return g.Name == out.ParcelCount })].Scalar {
		count -= n
	}
	if len(got.X) != points || points == f.Particles.Len() || math.Abs(count) > 1e-6*whole {
		t.Errorf("%d points for %d parcels, want %d; their counts lack %g of %g", len(got.X), f.Particles.Len(), points, count, whole)
	}

	made := runBreaking(t, dir, "formats = [\"ply\"]\nunit = \"cm\"\nkeep = \"every 5th\"", stages...)
	if made[stage.Whitewater]+made[stage.Mesh] != 0 || made[stage.Export] != 2 {
		t.Errorf("other files made %v", made)
	}
	if _, err := os.Stat(filepath.Join(dir, "breaking_whitewater.abc")); !os.IsNotExist(err) {
		t.Errorf("an archive that is not asked for: %v", err)
	}
}

// A scene without whitewater removes the archives of one that had it.
func TestParcelArchivesGone(t *testing.T) {
	dir := t.TempDir()
	stages := []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}
	short := strings.Replace(breakingScene, "duration = 0.5", "duration = 0.1", 1)
	run := func(text string) {
		t.Helper()
		s, err := scenes.Read("breaking.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(context.Background(), s, Options{Out: dir, Stages: stages}, func(stage.Event) {}); err != nil {
			t.Fatal(err)
		}
	}
	run(strings.Replace(short, "{}", `formats = ["abc"]`, 1))
	path := filepath.Join(dir, "breaking_whitewater.abc")
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(short, "[whitewater]")
	run(before)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the archive is there: %v", err)
	}
}

// On a plane the thickness of foam adds up to the air of its bubbles, and little foam
// covers the share of the plane that their cross-section is.
func TestFoamOnPlane(t *testing.T) {
	m := &mesh.Mesh{}
	const cells, edge = 80, 0.005
	for i := range (cells + 1) * (cells + 1) {
		m.Pos = append(m.Pos, vec.New(edge*float64(i%(cells+1)), 0.3, edge*float64(i/(cells+1))))
		m.Nrm = append(m.Nrm, vec.New(0, 1, 0))
	}
	bubbles := &grains.Parcels{Spacing: 0.01}
	air, cross := 0., 0.
	for i := range 50 {
		x := float64(i)
		r, count := 1e-3*(1+x/50), 1+float64(i%7)
		bubbles.X, bubbles.V = append(bubbles.X, vec.New(0.2+0.1*math.Sin(x), 0.3, 0.2+0.1*math.Cos(2*x))), append(bubbles.V, vec.Vec3{})
		bubbles.Radius, bubbles.Count = append(bubbles.Radius, float32(r)), append(bubbles.Count, float32(count))
		bubbles.ID, bubbles.Kind = append(bubbles.ID, uint64(i)), append(bubbles.Kind, grains.Foam)
		air += count * 4 * math.Pi / 3 * r * r * r
		cross += count * math.Pi * r * r
	}
	before := slices.Clone(bubbles.Count)
	fields := foamOn(m, bubbles, []string{"foam_depth", "foam"})
	if fields[0].Name != "foam_depth" || !fields[0].Length || fields[1].Length || !slices.Equal(bubbles.Count, before) {
		t.Fatalf("fields %s, %s", fields[0].Name, fields[1].Name)
	}
	volume, covered, optical := 0., 0., 0.
	for i := range m.Pos {
		volume += edge * edge * fields[0].Scalar[i]
		covered += edge * edge * fields[1].Scalar[i]
		optical -= edge * edge * math.Log1p(-fields[1].Scalar[i])
	}
	if math.Abs(volume/air-1) > 0.02 || math.Abs(optical/cross-1) > 0.02 || covered >= cross || covered < 0.7*cross {
		t.Errorf("%g m³ of air, want %g; %g m² of cross-section, want %g, which cover %g", volume, air, optical, cross, covered)
	}
}

// Meshes for other programs have the foam at their vertices. Other whitewater makes these files again, and not the surface.
func TestMeshFoam(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	stages := []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}
	const settings = `air = 1
[mesh]
formats = ["vtp", "abc"]
attributes = ["foam_depth", "age", "foam"]`
	runBreaking(t, dir, settings, stages...)
	r := breakingRunner(t, dir, settings)
	const n = 10
	m, err := r.readFrame(r.meshFiles(n)[0])
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]float64{}
	for _, f := range m.Fields {
		of[f.Name] = f.Scalar
	}
	depth, cover := of["foam_depth"], of["foam"]
	if len(depth) != len(m.Mesh.Pos) || len(cover) != len(depth) || len(of["age"]) != len(depth) {
		t.Fatalf("attributes %v", slices.Collect(maps.Keys(of)))
	}
	air := 0.
	for _, tri := range m.Mesh.Tri {
		a, b, c := m.Mesh.Pos[tri[0]], m.Mesh.Pos[tri[1]], m.Mesh.Pos[tri[2]]
		area := b.Sub(a).Cross(c.Sub(a)).Len() / 2
		air += area * (depth[tri[0]] + depth[tri[1]] + depth[tri[2]]) / 3
	}
	f, err := r.parcelFrame(n)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.
	for i, kind := range f.Fields[1].Scalar {
		if kind == 1 {
			want += f.Fields[2].Scalar[i] * math.Pi / 6 * math.Pow(f.Fields[0].Scalar[i], 3)
		}
	}
	// So coarse a surface has many folds, each with the foam nearby.
	if !(want > 0 && air > 0.5*want && air < 4*want) {
		t.Errorf("foam of %g m³ on the mesh, %g m³ in the parcels", air, want)
	}
	for i, c := range cover {
		if !(c >= 0 && c <= 1) || (c > 0) != (depth[i] > 0) {
			t.Fatalf("vertex %d has foam %g of depth %g", i, c, depth[i])
		}
	}
	made := runBreaking(t, dir, strings.Replace(settings, "air = 1", "air = 1\nfoam_life = \"1 s\"", 1), stages...)
	if made[stage.Whitewater] != n || made[stage.Mesh] == 0 {
		t.Errorf("another life of foam made %v", made)
	}
	dry, _, _ := strings.Cut(breakingScene, "[whitewater]")
	if _, err := scenes.Read("x.toml", []byte(dry+"[mesh]\nformats = [\"vtp\"]\nattributes = [\"foam\"]\n")); err == nil || !strings.Contains(err.Error(), "add [whitewater]") {
		t.Errorf("foam without whitewater: %v", err)
	}
}

// breakingRunner returns the runner of breakingScene with settings of its whitewater.
func breakingRunner(t *testing.T, dir, settings string) *runner {
	t.Helper()
	s, err := scenes.Read("breaking.toml", []byte(strings.Replace(breakingScene, "{}", settings, 1)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRunner(s, Options{Out: dir}, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.dir.Close() })
	return r
}
