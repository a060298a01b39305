package run

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// read returns the text of a file of a run.
func readText(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// gaugedPlaces returns where a gauge of a body has it at each of its times.
func gaugedPlaces(t *testing.T, dir, name string) map[string]vec.Vec3 {
	t.Helper()
	text := readText(t, dir, "gauges", name+".csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]vec.Vec3{}
	for _, row := range rows[1:] {
		var v [4]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[k], 64); err != nil {
				t.Fatal(err)
			}
		}
		at[fmt.Sprintf("%.4f", v[0])] = vec.New(v[1], v[2], v[3])
	}
	return at
}

// objObjectPoints returns the vertices of an object of an OBJ file.
func objObjectPoints(t *testing.T, text, name string) (all []vec.Vec3) {
	t.Helper()
	_, text, ok := strings.Cut(text, "\no "+name+"\n")
	if !ok {
		t.Fatalf("no object %s", name)
	}
	text, _, _ = strings.Cut(text, "\no ")
	for line := range strings.Lines(text) {
		var p vec.Vec3
		if n, _ := fmt.Sscanf(line, "v %g %g %g", &p.X, &p.Y, &p.Z); n == 3 {
			all = append(all, p)
		}
	}
	return all
}

// usdNumbers returns the numbers in a line of a text of USD, after its mark.
func usdNumbers(t *testing.T, text, mark string) (v []float64) {
	t.Helper()
	_, text, ok := strings.Cut(text, mark)
	if !ok {
		t.Fatalf("no %q", mark)
	}
	text, _, _ = strings.Cut(text, "\n")
	for _, s := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("(), []", c) }) {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, x)
	}
	return v
}

// Bodies are in all formats that have objects, where their gauges say they are,
// and as the OBJ files have them.
func TestBodyFiles(t *testing.T) {
	longtest.NotShort(t)
	s, err := scenes.Read("bodies.toml", []byte(twoBodies+`
[mesh]
formats = ["abc", "usda", "glb", "pvd", "obj"]
[[gauge]]
kind = "body"
name = "first"
body = 1
interval = 0.04
[[gauge]]
kind = "body"
name = "second"
body = 2
interval = 0.04
`))
	if err != nil {
		t.Fatal(err)
	}
	s.Time.FPS = 25
	dir := t.TempDir()
	if err := Run(context.Background(), s, Options{Out: dir, Stages: []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Export}}, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	usd, abc := readText(t, dir, "bodies.usda"), readText(t, dir, "bodies.abc")
	for _, name := range []string{"liquid", "crate", "crateShape", "body2", "body2Shape"} {
		if !strings.Contains(abc, name) {
			t.Errorf("Alembic has no %s", name)
		}
	}
	frames := s.Time.Frames()
	moved := 0.
	for k, name := range []string{"crate", "body2"} {
		places := gaugedPlaces(t, dir, []string{"first", "second"}[k])
		_, prim, ok := strings.Cut(usd, "def Xform \""+name+"\"")
		if !ok {
			t.Fatalf("USD has no %s", name)
		}
		points := usdNumbers(t, prim, "point3f[] points = ")
		for n := 1; n <= frames; n++ {
			want, ok := places[fmt.Sprintf("%.4f", s.Time.At(n))]
			if !ok {
				t.Fatalf("no place at %g s among %v", s.Time.At(n), places)
			}
			moved = max(moved, want.Sub(places["0.0000"]).Len())
			m := usdNumbers(t, prim, fmt.Sprintf("\n            %d: ", n))
			if at := vec.New(m[12], m[13], m[14]); at.Sub(want).Len() > 1e-5 {
				t.Errorf("frame %d: USD has %s at %v, its gauge at %v", n, name, at, want)
			}
			obj := objObjectPoints(t, readText(t, dir, "mesh", fmt.Sprintf("bodies_%04d.obj", n)), name)
			if 3*len(obj) != len(points) {
				t.Fatalf("%s: %d points as USD, %d as OBJ", name, len(points)/3, len(obj))
			}
			for i, p := range obj {
				x := points[3*i:]
				to := func(c int) float64 { return x[0]*m[c] + x[1]*m[4+c] + x[2]*m[8+c] + m[12+c] }
				if got := vec.New(to(0), to(1), to(2)); got.Sub(p).Len() > 1e-5 {
					t.Fatalf("frame %d: point %d of %s is at %v as USD, %v as OBJ", n, i, name, got, p)
				}
			}
			var doc struct {
				Nodes []struct {
					Name        string
					Translation [3]float64
				}
			}
			glb := []byte(readText(t, dir, "mesh", fmt.Sprintf("bodies_%04d.glb", n)))
			if err := json.Unmarshal(glb[20:20+binary.LittleEndian.Uint32(glb[12:])], &doc); err != nil {
				t.Fatal(err)
			}
			if len(doc.Nodes) != 3 || doc.Nodes[k+1].Name != name {
				t.Fatalf("nodes %v", doc.Nodes)
			}
			if x := doc.Nodes[k+1].Translation; vec.New(x[0], x[1], x[2]).Sub(want).Len() > 1e-5 {
				t.Errorf("frame %d: glTF has %s at %v, its gauge at %v", n, name, x, want)
			}
		}
	}
	if !(moved > 0.01) {
		t.Errorf("bodies move by %g m, too little for the test", moved)
	}
	list := readText(t, dir, "bodies.pvd")
	for n := 1; n <= frames; n++ {
		part := fmt.Sprintf("part=\"1\" file=\"bodies/bodies_%04d.vtp\"", n)
		data := []byte(readText(t, dir, "bodies", fmt.Sprintf("bodies_%04d.vtp", n)))
		if !strings.Contains(list, part) || !bytes.Contains(data, []byte(`Name="names"`)) {
			t.Errorf("no %s, or no names", part)
		}
	}
	// Another name is another file's.
	before := usd
	s.Body[0].Name = "barrel"
	if err := Run(context.Background(), s, Options{Out: dir, Stages: []stage.Name{stage.Mesh, stage.Export}}, func(stage.Event) {}); err != nil {
		t.Fatal(err)
	}
	if after := readText(t, dir, "bodies.usda"); after == before || !strings.Contains(after, "barrel") || math.Abs(float64(len(after)-len(before))) > 10 {
		t.Error("a body that has another name keeps its old one")
	}
}

const twoBodies = `
[time]
duration = 0.2
[liquid]
spacing = "6 cm"
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.48, 0.6, 0.48]
[[wall]]
kind = "box"
max = [1.2, 2, 0.48]
[[body]]
name = "crate"
kind = "box"
min = [0.6, 0, 0.1]
max = [0.8, 0.2, 0.3]
density = 500
friction = 0.5
[[body]]
kind = "sphere"
radius = 0.12
position = [0.24, 0.68, 0.24]
rotation = [0, 90, 0]
angular_velocity = [0, 0, 90]
density = 700
[picture]
size = [160, 90]
quality = "draft"
`

// TestBodiesRun makes all files of a scene with bodies at once, on other numbers
// of threads, and in two parts: they are the same.
func TestBodiesRun(t *testing.T) {
	longtest.Only(t)
	s, err := scenes.Read("bodies.toml", []byte(twoBodies))
	if err != nil {
		t.Fatal(err)
	}
	run := func(threads int, lost bool) map[string]string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		dir := t.TempDir()
		stages := []stage.Name{stage.Sim, stage.Whitewater, stage.Mesh, stage.Draw}
		if err := Run(context.Background(), s, Options{Out: dir, Stages: stages}, func(stage.Event) {}); err != nil {
			t.Fatal(err)
		}
		if lost {
			for _, pattern := range []string{"particles/*_000[3-6].ply", "surface/*_000[2-5].ply", "mesh/*_000[1-4].obj", "frames/*_0004.png"} {
				names, err := filepath.Glob(filepath.Join(dir, pattern))
				if err != nil || len(names) == 0 {
					t.Fatal(pattern, err)
				}
				for _, name := range names {
					if err := os.Remove(name); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := Run(context.Background(), s, Options{Out: dir, Stages: stages}, func(stage.Event) {}); err != nil {
				t.Fatal(err)
			}
		}
		files := map[string]string{}
		for _, pattern := range []string{"particles/*.ply", "surface/*.ply", "mesh/*.obj", "frames/*.png"} {
			names, _ := filepath.Glob(filepath.Join(dir, pattern))
			for _, name := range names {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				files[strings.TrimPrefix(name, dir)] = string(data)
			}
		}
		return files
	}
	want := run(1, false)
	if len(want) != 24 {
		t.Fatalf("%d files", len(want))
	}
	for _, threads := range []int{2, 3, 8} {
		if got := run(threads, threads == 2); !maps.Equal(got, want) {
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("%d threads: %s is another", threads, name)
				}
			}
		}
	}
	for _, name := range []string{"\no crate\n", "\no body2\n"} {
		if !bytes.Contains([]byte(want["/mesh/bodies_0006.obj"]), []byte(name)) {
			t.Errorf("the mesh has no object%q", name)
		}
	}
	if want["/frames/bodies_0001.png"] == want["/frames/bodies_0006.png"] {
		t.Error("nothing moves in the pictures")
	}
}
