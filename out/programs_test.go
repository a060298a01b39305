package out

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// program returns the path of a program that files are opened in. Without it a
// test is left out, but not where BREAKWATER_PROGRAMS says that all are there.
func program(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("programs take their time")
	}
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("BREAKWATER_PROGRAMS") != "" {
		t.Fatalf("no %s, which BREAKWATER_PROGRAMS says is there: %v", name, err)
	}
	if err != nil {
		t.Skipf("no %s here: what it makes of our files is not tested", name)
	}
	return path
}

// runProgram runs a program and returns what it prints.
func runProgram(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program(t, name), args...)
	c.Env = append(os.Environ(), env...)
	c.Env = append(c.Env, "HOME="+t.TempDir())
	var says bytes.Buffer
	c.Stdout, c.Stderr = &says, &says
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, says.String())
	}
	return says.String()
}

// seen decodes the lines of a script's output that begin with SEEN.
func seen[T any](t *testing.T, output string) (all []T) {
	t.Helper()
	for line := range strings.Lines(output) {
		text, ok := strings.CutPrefix(line, "SEEN ")
		if !ok {
			continue
		}
		var v T
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		all = append(all, v)
	}
	return all
}

// ball is a sphere about a point off every axis, so that a file that is turned
// or mirrored is told from one that is not.
func ball() *Frame {
	m := mesh.Sphere(vec.New(1, 0.5, 0.25), 0.125, 24)
	for _, p := range m.Pos {
		m.Vel = append(m.Vel, vec.New(p.Y, 2*p.X, -1))
	}
	return &Frame{Index: 1, Mesh: m, Fingerprint: "c0ffee"}
}

// blenderSees is what testdata/blender.py prints of a file.
type blenderSees struct {
	File    string
	Fault   string
	Objects []struct {
		Name, Fault         string
		Vertices, Triangles int
		Volume              float64
		Min, Max            [3]float64
		Normals             bool
		Grids               map[string]string
		Sequence            bool
		Frames, Start       int
	}
}

func blender(t *testing.T, files ...string) []blenderSees {
	t.Helper()
	args := append([]string{"-b", "--factory-startup", "--python-exit-code", "1", "--python", filepath.Join("testdata", "blender.py"), "--"}, files...)
	got := seen[blenderSees](t, runProgram(t, nil, "blender", args...))
	if len(got) != len(files) {
		t.Fatalf("Blender has seen %d of %d files", len(got), len(files))
	}
	return got
}

// Blender opens the mesh formats the right way up, in metres, turned outward.
func TestBlenderMeshes(t *testing.T) {
	f := ball()
	folder := t.TempDir()
	want := map[string]struct {
		vertices int
		normals  bool // that Blender 3.4 takes
	}{
		"obj": {len(f.Mesh.Pos), true}, "plymesh": {len(f.Mesh.Pos), false}, "stl": {len(f.Mesh.Pos), false}, "glb": {len(f.Mesh.Pos), true},
	}
	var names, files []string
	for name := range want {
		format := newFormat(t, name)
		path := filepath.Join(folder, name+"."+format.Ext())
		axes := AxesOf(format)
		if name == "stl" {
			axes.Unit = 1 // its own are millimetres, which Blender takes for metres
		}
		if err := os.WriteFile(path, encode(t, format, f.In(axes)), 0o666); err != nil {
			t.Fatal(err)
		}
		names, files = append(names, name), append(files, path)
	}
	box := f.In(Axes{ZUp: true}).Mesh.Bounds()
	for i, got := range blender(t, files...) {
		name := names[i]
		if got.Fault != "" || len(got.Objects) != 1 {
			t.Errorf("%s: %d objects, %s", name, len(got.Objects), got.Fault)
			continue
		}
		o := got.Objects[0]
		if o.Vertices != want[name].vertices || o.Triangles != len(f.Mesh.Tri) {
			t.Errorf("%s: %d vertices and %d triangles, want %d and %d", name, o.Vertices, o.Triangles, want[name].vertices, len(f.Mesh.Tri))
		}
		if math.Abs(o.Volume/f.Mesh.Volume()-1) > 1e-3 {
			t.Errorf("%s: a volume of %g m³, want %g", name, o.Volume, f.Mesh.Volume())
		}
		low, high := vec.New(o.Min[0], o.Min[1], o.Min[2]), vec.New(o.Max[0], o.Max[1], o.Max[2])
		if low.Sub(box.Min).Len() > 1e-5 || high.Sub(box.Max).Len() > 1e-5 {
			t.Errorf("%s: from %v to %v, want %v", name, low, high, box)
		}
		if o.Normals != want[name].normals {
			t.Errorf("%s: it has normals of its own: %v, want %v", name, o.Normals, want[name].normals)
		}
	}
}
