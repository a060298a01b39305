package mesher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// fall writes files of a drop that falls, the first with a number, and returns a
// pattern of their names.
func fall(t *testing.T, dir string, first, files int) string {
	t.Helper()
	for k := range files {
		x, v := drop(vec.New(0, -0.1*float64(k), 0), 0.5, 1)
		write(t, filepath.Join(dir, fmt.Sprintf("fall_%d.csv", first+k)), csv(x, v))
	}
	return filepath.Join(dir, "fall_{}.csv")
}

// names lists the contents of a folder without its records.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != store.SumsName {
			list = append(list, e.Name())
		}
	}
	return list
}

// TestDamage flips a bit of a mesh, and has the archives made of all: the mesh
// is made again.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	opt := Options{Files: []string{fall(t, dir, 1, 3)}, Out: filepath.Join(dir, "out"), Radius: radius, Formats: []string{"ply", "usda"}}
	if _, _, err := run(t, opt); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(opt.Out, "fall_2.ply")
	want := read(t, path)
	bad := bytes.Clone(want)
	bad[len(bad)/2] ^= 1
	write(t, path, bad)
	if err := os.Remove(filepath.Join(opt.Out, "fall.usda")); err != nil {
		t.Fatal(err)
	}
	events, said, err := run(t, opt)
	if err != nil || !strings.Contains(said, "fall_2.ply is damaged: made again") || !bytes.Equal(read(t, path), want) {
		t.Errorf("made %d, %v: %s", countMade(events), err, said)
	}
}

// sample returns the numbers of an attribute of a text of USD at a time code, as
// one line of its samples has them.
func sample(t *testing.T, text, attribute string, code int) (v []float64) {
	t.Helper()
	_, after, ok := strings.Cut(text, attribute+".timeSamples = {\n")
	if !ok {
		t.Fatalf("no %s", attribute)
	}
	for line := range strings.Lines(after) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), fmt.Sprintf("%d: [", code))
		if line == "}" {
			break
		}
		if !ok {
			continue
		}
		for _, s := range strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune("(), ]", c) }) {
			var x float64
			if _, err := fmt.Sscan(s, &x); err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		return v
	}
	t.Fatalf("%s has nothing at %d", attribute, code)
	return nil
}

// TestArchives meshes files to all archives. They have the contents of the mesh files,
// which are removed unless they are asked for.
func TestArchives(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	to := filepath.Join(dir, "out")
	opt := Options{
		Files: []string{fall(t, dir, 7, 3)}, Out: to, Radius: radius, Formats: []string{"abc", "usda", "pvd"}, Attributes: []string{"height"},
		FPS: 25, Interval: 0.1,
	}
	events, said, err := run(t, opt)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"fall.abc", "fall.pvd", "fall.usda", "fall_7.vtp", "fall_8.vtp", "fall_9.vtp"}
	if got := names(t, to); !slices.Equal(got, all) {
		t.Errorf("made %v, want %v", got, all)
	}
	if !strings.Contains(said, "fall.abc: frames 7 to 9, 25 per second, 0.1 s of simulated time apart") {
		t.Errorf("said %s", said)
	}
	if last := events[len(events)-1]; !last.Done || last.What != "fall.pvd" || last.Made != 3 {
		t.Errorf("at the end: %+v", last)
	}
	text := string(read(t, filepath.Join(to, "fall.usda")))
	for _, line := range []string{"startTimeCode = 7\n", "endTimeCode = 9\n", "timeCodesPerSecond = 25\n", "float[] primvars:height.timeSamples"} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q", line)
		}
	}
	list := string(read(t, filepath.Join(to, "fall.pvd")))
	for k, time := range []string{"0", "0.1", "0.2"} {
		if want := fmt.Sprintf("timestep=%q part=\"0\" file=\"fall_%d.vtp\"", time, 7+k); !strings.Contains(list, want) {
			t.Errorf("no %s in\n%s", want, list)
		}
	}

	// The same meshes as files: velocities are 0.1 s · 25/s = 2.5 times the film's.
	plain := opt
	plain.Out, plain.Formats, plain.FPS, plain.Interval = filepath.Join(dir, "ply"), []string{"ply", "usda"}, 0, 0
	if _, _, err := run(t, plain); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, plain.Out), []string{"fall.usda", "fall_7.ply", "fall_8.ply", "fall_9.ply"}; !slices.Equal(got, want) {
		t.Errorf("made %v, want %v", got, want)
	}
	slow := string(read(t, filepath.Join(plain.Out, "fall.usda")))
	for k := range 3 {
		m := readMesh(t, filepath.Join(plain.Out, fmt.Sprintf("fall_%d.ply", 7+k)))
		pos, vel := sample(t, text, "points", 7+k), sample(t, text, "velocities", 7+k)
		real := sample(t, slow, "velocities", 7+k)
		if len(pos) != 3*len(m.Pos) || len(vel) != len(pos) || len(real) != len(pos) {
			t.Fatalf("frame %d: %d numbers for %d vertices", 7+k, len(pos), len(m.Pos))
		}
		for i, p := range m.Pos {
			if math.Abs(pos[3*i+1]-p.Y) > 1e-7 || math.Abs(vel[3*i+1]-2.5*m.Vel[i].Y) > 3e-5 || math.Abs(real[3*i+1]-m.Vel[i].Y) > 3e-5 {
				t.Fatalf("frame %d, vertex %d: at %g with %g and %g; want %v with %v", 7+k, i, pos[3*i+1], vel[3*i+1], real[3*i+1], p, m.Vel[i])
			}
		}
	}

	// All is kept. Another rate makes archives anew, and again the meshes except the
	// list's.
	if events, _, err = run(t, opt); err != nil || countMade(events) != 0 {
		t.Errorf("made %d, %v; want all kept", countMade(events), err)
	}
	opt.FPS = 50
	if _, _, err = run(t, opt); err != nil {
		t.Fatal(err)
	}
	if text := string(read(t, filepath.Join(to, "fall.usda"))); !strings.Contains(text, "timeCodesPerSecond = 50\n") {
		t.Error("the rate is not the new one")
	}
	if got := names(t, to); !slices.Equal(got, all) {
		t.Errorf("made %v, want %v", got, all)
	}
}

// countMade returns how many meshes and frames of archives a run has made.
func countMade(events []stage.Event) (n int) {
	for _, e := range events {
		if e.Done {
			n += e.Made
		}
	}
	return n
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestArchiveByName makes the archive format that the name of the output ends in.
func TestArchiveByName(t *testing.T) {
	dir := t.TempDir()
	files := fall(t, dir, 0, 2)
	for _, name := range []string{"wave.abc", "wave.usda"} {
		opt := Options{Files: []string{files}, Out: filepath.Join(dir, "made", name), Radius: radius, Flat: true, Still: true}
		if _, said, err := run(t, opt); err != nil || !strings.Contains(said, name+": frames 1 to 2, 24 per second") {
			t.Errorf("%s: %v, %s", name, err, said)
		}
		format := registrytest.New(t, &out.Archives, strings.TrimPrefix(filepath.Ext(name), "."))
		data := read(t, opt.Out)
		if _, err := format.Check(bytes.NewReader(data), int64(len(data))); err != nil {
			t.Error(err)
		}
		for _, lacks := range []string{"velocities", "normal3f", "interpretation=normal"} {
			if bytes.Contains(data, []byte(lacks)) {
				t.Errorf("%s has %s", name, lacks)
			}
		}
	}
	if got, want := names(t, filepath.Join(dir, "made")), []string{"wave.abc", "wave.usda"}; !slices.Equal(got, want) {
		t.Errorf("made %v, want %v", got, want)
	}
}

// TestArchiveStopped goes on where a run was stopped, with the bytes of one that
// was not.
func TestArchiveStopped(t *testing.T) {
	dir := t.TempDir()
	opt := Options{Files: []string{fall(t, dir, 1, 3)}, First: -1, Last: -1, Out: filepath.Join(dir, "a"), Radius: radius, Formats: []string{"abc"}}
	if _, _, err := run(t, opt); err != nil {
		t.Fatal(err)
	}
	want := read(t, filepath.Join(opt.Out, "fall.abc"))
	opt.Out = filepath.Join(dir, "b")
	for _, at := range []func(e stage.Event) bool{
		func(e stage.Event) bool { return e.Frame == 1 && e.File != "" },
		func(e stage.Event) bool { return e.What != "" && e.Frame == 2 },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := Run(ctx, opt, func(e stage.Event) {
			if at(e) {
				cancel()
			}
		})
		cancel()
		if stopped := new(stage.Interrupted); !errors.As(err, &stopped) {
			t.Errorf("a run that was stopped says %v", err)
		}
		if _, err := os.Stat(filepath.Join(opt.Out, "fall.abc")); err == nil {
			t.Error("half an archive is there")
		}
	}
	events, _, err := run(t, opt)
	if err != nil || countMade(events) != 3 { // of the archive, and no mesh
		t.Errorf("made %d, %v", countMade(events), err)
	}
	if got := read(t, filepath.Join(opt.Out, "fall.abc")); !bytes.Equal(got, want) {
		t.Error("other bytes than without a stop")
	}
	if got := names(t, opt.Out); !slices.Equal(got, []string{"fall.abc"}) {
		t.Errorf("left %v", got)
	}
}

// TestArchiveFaults passes inputs that no archive can be made of.
func TestArchiveFaults(t *testing.T) {
	dir := t.TempDir()
	files := fall(t, dir, 1, 2)
	for _, c := range []struct {
		change func(o *Options)
		says   string
	}{
		{func(o *Options) { o.Formats = []string{"ply"}; o.FPS = 24 }, "a frame rate applies to archives: abc"},
		{func(o *Options) { o.Formats = []string{"ply"}; o.Interval = 1 }, "the time between files applies to archives"},
		{func(o *Options) { o.FPS = -1 }, "-1 frames per second"},
		{func(o *Options) { o.FPS = math.Inf(1) }, "+Inf frames per second"},
		{func(o *Options) { o.Interval = math.NaN() }, "NaN s between files"},
		{func(o *Options) { o.Formats = []string{"fbx"} }, "expected one of"},
		{func(o *Options) { o.Out = filepath.Join(dir, "x.abc"); o.Formats = []string{"usda"} }, "does not have the format usda"},
		{func(o *Options) { o.Quads = true }, "abc does not support quads"},
	} {
		opt := Options{Files: []string{files}, Out: filepath.Join(dir, "out"), Radius: radius, Formats: []string{"abc"}}
		c.change(&opt)
		_, _, err := run(t, opt)
		if wrong := new(UsageError); !errors.As(err, wrong) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
	write(t, filepath.Join(dir, "fall_3.csv"), []byte("x,y,z\n1,2\n"))
	_, _, err := run(t, Options{Files: []string{files}, Out: filepath.Join(dir, "out"), Radius: radius, Formats: []string{"abc"}})
	if err == nil || !strings.Contains(err.Error(), "fall_3.csv; an archive needs all of them, so none was made") {
		t.Errorf("with a file that cannot be read: %v", err)
	}
}
