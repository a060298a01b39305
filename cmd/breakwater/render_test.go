package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

const (
	tiny   = "testdata/tiny.toml"
	moving = "testdata/moving.toml" // as many frames, of all that moves
)

// tinyFrames are the frames of the tiny scene.
const tinyFrames = 6

// call runs the program in this process.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0)) // --threads sets it
	var out, err bytes.Buffer
	code = execute(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

// do calls the program with --json and returns its events. Anything but
// success ends the test.
func do(t *testing.T, args ...string) []stage.Event {
	t.Helper()
	code, stdout, stderr := call(t, append(args, "--json")...)
	if code != exitDone {
		t.Fatalf("breakwater %s: exit %d\n%s", strings.Join(args, " "), code, stderr)
	}
	var events []stage.Event
	for line := range strings.Lines(stdout) {
		var e stage.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("event %q: %v", line, err)
		}
		events = append(events, e)
	}
	return events
}

// made returns how many frames each stage made.
func made(events []stage.Event) map[stage.Name]int {
	m := map[stage.Name]int{}
	for _, e := range events {
		if e.Done {
			m[e.Stage] += e.Made
		}
	}
	return m
}

// digests returns the SHA-256 of all files in a folder but the records of them,
// which have times in them.
func digests(t *testing.T, folder string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&fs.ModeSymlink != 0 || isRecord(name) {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		h := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(h[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// isRecord reports whether a file is one of the records of a run, at any depth.
func isRecord(name string) bool {
	return path.Base(name) == store.SumsName || path.Base(path.Dir(name)) == store.RecordFolder
}

// same compares two folders.
func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] == "" {
			t.Errorf("%s is missing", name)
		} else if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == "" {
			t.Errorf("%s should not be there", name)
		}
	}
}

func TestRender(t *testing.T) {
	out := t.TempDir()
	events := do(t, "render", tiny, "--out", out)
	all := map[stage.Name]int{"sim": tinyFrames, "mesh": tinyFrames, "export": tinyFrames, "draw": tinyFrames, "video": tinyFrames}
	if got := made(events); !maps.Equal(got, all) {
		t.Errorf("made %v, want %v", got, all)
	}
	var stages []stage.Name
	for _, e := range events {
		if e.Done {
			stages = append(stages, e.Stage)
		}
		if e.Frames != tinyFrames || e.Frame > e.Frames {
			t.Errorf("event %+v: want %d frames", e, tinyFrames)
		}
	}
	if want := slices.DeleteFunc(stage.All(), func(st stage.Name) bool { return st == stage.Whitewater }); !slices.Equal(stages, want) {
		t.Errorf("stages are done in the order %v", stages)
	}

	first := digests(t, out)
	for _, name := range []string{
		"particles/tiny_0001.ply", "particles/tiny_0006.ply", "surface/tiny_0001.ply", "surface/tiny_0006.ply", "mesh/tiny_0001.obj", "mesh/tiny_0006.obj", "mesh/tiny_0006.ply", "mesh/tiny.mtl",
		"frames/tiny_0001.png", "frames/tiny_0006.png", "tiny.abc", "tiny.webm", "manifest.json",
	} {
		if first[name] == "" {
			t.Errorf("%s was not made", name)
		}
	}
	if want := 5*tinyFrames + 6; len(first) != want {
		t.Errorf("%d files, want %d: %v", len(first), want, slices.Sorted(maps.Keys(first)))
	}
	checkManifest(t, out, first)
	checkStats(t, out)

	if got := made(do(t, "render", tiny, "--out", out)); got["sim"]+got["mesh"]+got["draw"]+got["video"] != 0 {
		t.Errorf("the second run made %v", got)
	}
	same(t, digests(t, out), first)

	if got := made(do(t, "draw", tiny, "--out", out, "--force", "--frames=2-3")); !maps.Equal(got, map[stage.Name]int{"draw": 2}) {
		t.Errorf("forced, the run made %v", got)
	}
	do(t, "render", tiny, "--out", out) // for the manifest
	same(t, digests(t, out), first)
}

func checkManifest(t *testing.T, out string, files map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m run.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if m.Scene != "tiny" || m.Frames != tinyFrames || m.Particles != 288 || m.VolumeError == nil || *m.VolumeError > 0.02 {
		t.Errorf("manifest: %+v", m)
	}
	listed := map[string]string{"manifest.json": files["manifest.json"]}
	for _, f := range m.Files {
		listed[f.Name] = f.SHA256
	}
	same(t, listed, files)
}

// checkStats checks that there is one row per frame, in order.
func checkStats(t *testing.T, out string) {
	t.Helper()
	for _, name := range []string{"stats.csv", "mesh.csv"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		var frames []string
		for line := range strings.Lines(string(text)) {
			frame, _, _ := strings.Cut(line, ",")
			frames = append(frames, frame)
		}
		if want := []string{"frame", "1", "2", "3", "4", "5", "6"}; !slices.Equal(frames, want) {
			t.Errorf("%s has the rows %v, want %v", name, frames, want)
		}
	}
}

// TestChange changes one setting of a scene that was rendered. Only the products that
// depend on it are made again, and the outcome equals a fresh render's.
func TestChange(t *testing.T) {
	longtest.Only(t)
	const n = tinyFrames
	text, err := os.ReadFile(tiny)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, new                string
		sim, mesh, export, draw, film int
	}{
		{"comment", "# A dam", "# One dam", 0, 0, 0, 0, 0},
		{"default written out", "[liquid]", "[liquid]\ndensity = 1000", 0, 0, 0, 0, 0},
		{"faster film of the same moments", "duration = 0.2\nfps = 30", "duration = 0.1\nfps = 60\nspeed = 2", 0, 0, n, 0, n},
		{"camera", "[video]", "[camera]\neye = [2, 1, 3]\ntarget = [0.3, 0.2, 0.1]\n[video]", 0, 0, 0, n, n},
		{"light", "[video]", "[light]\nelevation = 30\n[video]", 0, 0, 0, n, n},
		{"size", "96, 54", "104, 54", 0, 0, 0, n, n},
		{"film format", `formats = ["webm"]`, `formats = ["webm", "mp4"]`, 0, 0, 0, 0, n},
		{"another archive", `"abc"]`, `"abc", "pvd"]`, 0, n, n, 0, 0},
		{"no archive", `, "abc"]`, `]`, 0, 0, 0, 0, 0},
		{"axes", `"abc"]`, "\"abc\"]\nup = \"z\"", 0, n, n, 0, 0},
		{"attributes of the mesh", `"abc"]`, "\"abc\"]\nattributes = [\"speed\"]", 0, n, n, 0, 0},
		{"particle files", "[video]", "[particles]\nformats = [\"csv\", \"usda\"]\n[video]", 0, 0, 2 * n, 0, 0},
		{"surface", "[video]", "[surface]\ncell = 0.7\n[video]", 0, n, n, n, n},
		{"solver", "[video]", "[solver]\ncfl = 0.3\n[video]", n, n, n, n, n},
		{"spacing", "spacing = 0.05", "spacing = 0.06", n, n, n, n, n},
		{"longer", "duration = 0.2", "duration = 0.3", 3, 3, 9, 3, 9},
		{"shorter", "duration = 0.2", "duration = 0.1", 0, 0, 3, 0, 3},
		{"twice the frames", "fps = 30", "fps = 60", 11, 11, 12, 11, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			work := t.TempDir()
			scene, out, fresh := filepath.Join(work, "tiny.toml"), filepath.Join(work, "out"), filepath.Join(work, "fresh")
			write := func(s string) {
				if err := os.WriteFile(scene, []byte(s), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			write(string(text))
			do(t, "render", scene, "--out", out)
			changed := strings.Replace(string(text), c.old, c.new, 1)
			write(changed)
			got := made(do(t, "render", scene, "--out", out))
			want := map[stage.Name]int{"sim": c.sim, "mesh": c.mesh, "export": c.export, "draw": c.draw, "video": c.film}
			for _, m := range []map[stage.Name]int{got, want} { // a stage that has nothing to do says nothing
				maps.DeleteFunc(m, func(_ stage.Name, made int) bool { return made == 0 })
			}
			if !maps.Equal(got, want) {
				t.Errorf("made %v, want %v", got, want)
			}
			do(t, "render", scene, "--out", fresh)
			same(t, digests(t, out), digests(t, fresh))
		})
	}
}

// TestRegion draws a part of a frame. Its pixels equal the whole frame's, and the frames
// stay as they are.
func TestRegion(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	do(t, "render", tiny, "--out", out)
	before := digests(t, filepath.Join(out, "frames"))
	do(t, "draw", tiny, "--out", out, "--frame", "4", "--region", "30,10,40,25")
	same(t, digests(t, filepath.Join(out, "frames")), before)
	whole := outtest.PNG(t, filepath.Join(out, "frames", "tiny_0004.png"))
	part := outtest.PNG(t, filepath.Join(out, "details", "tiny_0004_30_10_40x25.png"))
	if part.Bounds() != image.Rect(0, 0, 40, 25) {
		t.Fatalf("the part has %v", part.Bounds())
	}
	for y := range 25 {
		for x := range 40 {
			if got, want := part.At(x, y), whole.At(30+x, 10+y); got != want {
				t.Fatalf("(%d, %d) is %v, in the whole %v", x, y, got, want)
			}
		}
	}
	if got := made(do(t, "draw", tiny, "--out", out, "--frame", "4", "--region", "30,10,40,25")); got["draw"] != 0 {
		t.Error("a part that is there is drawn again")
	}
	for _, bad := range [][]string{
		{"--region", "1,2,3"}, {"--region", "0,0,0,5"}, {"--region", "90,0,10,10"}, {"--region", "-1,0,5,5"}, {"--frame", "-2"}, {"--frame", "2", "--frames", "1-2"},
	} {
		if code, _, stderr := call(t, append([]string{"draw", tiny, "--out", out}, bad...)...); code != exitUsage {
			t.Errorf("%v: exit %d, %s", bad, code, stderr)
		}
	}
}
