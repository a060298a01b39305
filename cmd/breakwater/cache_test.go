package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"breakwater/out/outtest"
	"breakwater/sim/longtest"
)

// everything writes a scene that makes files of all kinds, and returns its path.
func everything(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(tiny)
	if err != nil {
		t.Fatal(err)
	}
	scene := strings.Replace(string(text), `formats = ["webm"]`, `formats = ["webm", "gif"]`, 1) + `
[particles]
formats = ["csv", "abc"]
[volume]
formats = ["vdb"]
[[gauge]]
kind = "level"
name = "level"
from = [0.1, 0, 0.1]
to = [0.1, 0.5, 0.1]
interval = 0.01
`
	path := filepath.Join(t.TempDir(), "tiny.toml")
	if err := os.WriteFile(path, []byte(scene), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// kinds has a file of each kind that the scene makes.
var kinds = []string{
	"particles/tiny_0002.ply", "surface/tiny_0006.ply", "mesh/tiny_0003.obj", "mesh/tiny_0004.ply", "points/tiny_0005.csv", "volumes/tiny_0001.vdb", "frames/tiny_0006.png",
	"tiny.abc", "tiny_particles.abc", "tiny.webm", "tiny.gif", "stats.csv", "mesh.csv", "gauges/level.csv", "manifest.json",
}

// harm is a way to damage a file.
type harm struct {
	name string
	do   func(path string) error
}

func harms() []harm {
	rng := rand.New(rand.NewPCG(3, 4))
	change := func(f func(data []byte) []byte) func(string) error {
		return func(path string) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, f(data), 0o666)
		}
	}
	spoil := func(n int, b func() byte) func(string) error {
		return change(func(data []byte) []byte {
			at := rng.IntN(max(1, len(data)-n))
			for i := at; i < min(at+n, len(data)); i++ {
				data[i] = b()
			}
			return data
		})
	}
	list := []harm{
		{"a flipped bit", change(flip)},
		{"200 random bytes", spoil(200, func() byte { return byte(rng.Uint32()) })},
		{"64 zero bytes", spoil(64, func() byte { return 0 })},
		{"cut short", change(func(data []byte) []byte { return data[:len(data)*2/3] })},
		{"emptied", change(func([]byte) []byte { return nil })},
		{"deleted", os.Remove},
		{"a folder in its place", func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o777)
		}},
	}
	if runtime.GOOS != "windows" {
		list = append(list, harm{"a fifo in its place", func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return exec.Command("mkfifo", path).Run()
		}})
	}
	return list
}

// flip flips a bit in the middle of a file.
func flip(data []byte) []byte {
	data[len(data)/2] ^= 4
	return data
}

// TestDamageOfAll damages each kind of file in each way, one way per file and
// run. Each time the next run makes the bytes of an undisturbed run.
func TestDamageOfAll(t *testing.T) {
	longtest.NotShort(t)
	scene, out := everything(t), t.TempDir()
	do(t, "render", scene, "--out", out)
	want := digests(t, out)
	for _, name := range kinds {
		if want[name] == "" {
			t.Fatalf("there is no %s", name)
		}
	}
	ways := harms()
	for round := range ways {
		var said []string
		for i, name := range kinds {
			way := ways[(round+i)%len(ways)]
			if err := way.do(filepath.Join(out, filepath.FromSlash(name))); err != nil {
				t.Fatal(err)
			}
			said = append(said, name+": "+way.name)
		}
		code, _, stderr := call(t, "render", scene, "--out", out)
		if code != exitDone {
			t.Fatalf("%s\nexit %d: %s", strings.Join(said, "\n"), code, stderr)
		}
		if !strings.Contains(stderr, "damaged: made again") {
			t.Errorf("it does not say what was damaged:\n%s", stderr)
		}
		same(t, digests(t, out), want)
		if t.Failed() {
			t.Fatal(strings.Join(said, "\n"))
		}
		if round == 1 && !longtest.On() { // two ways for each file
			break
		}
	}
	// Without whole records all files are read, and taken as they are.
	for i, way := range ways {
		if i%3 > 0 && !longtest.On() {
			continue
		}
		for _, file := range recordFiles(t, out) {
			if err := way.do(file); err != nil {
				t.Fatal(way.name, err)
			}
		}
		if got := made(do(t, "render", scene, "--out", out)); got["sim"]+got["draw"]+got["video"] > 0 {
			t.Errorf("records: %s: made %v", way.name, got)
		}
		same(t, digests(t, out), want)
		if t.Failed() {
			t.Fatal("records: " + way.name)
		}
	}
}

// silently flips a bit of a file, which keeps its size and time.
func silently(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, flip(data), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
}

// TestSilentDamage flips bits of files whose size and time stay. A later stage
// finds each when it reads the file, and the manifest never has its sum.
func TestSilentDamage(t *testing.T) {
	longtest.NotShort(t)
	scene, out := everything(t), t.TempDir()
	do(t, "render", scene, "--out", out)
	want := digests(t, out)
	at := func(name string) string { return filepath.Join(out, filepath.FromSlash(name)) }
	for damaged, made := range map[string]string{
		"particles/tiny_0003.ply": "surface/tiny_0003.ply", "surface/tiny_0002.ply": "frames/tiny_0002.png", "surface/tiny_0005.ply": "tiny.abc", "surface/tiny_0001.ply": "mesh/tiny_0001.obj",
		"frames/tiny_0004.png": "tiny.gif", "particles/tiny_0004.ply": "tiny_particles.abc", "particles/tiny_0006.ply": "stats.csv",
	} {
		silently(t, at(damaged))
		if err := os.Remove(at(made)); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := call(t, "render", scene, "--out", out)
		if code != exitDone || !strings.Contains(stderr, damaged+" is damaged: made again") {
			t.Errorf("%s: exit %d: %s", damaged, code, stderr)
		}
		same(t, digests(t, out), want)
	}
	// A single stage says which one is to be run first, and that one finds it.
	silently(t, at("particles/tiny_0003.ply"))
	os.Remove(at("surface/tiny_0003.ply"))
	code, _, stderr := call(t, "mesh", scene, "--out", out)
	if code != exitFailed || !strings.Contains(stderr, "tiny_0003.ply: damaged") || !strings.Contains(stderr, "breakwater sim ") {
		t.Errorf("mesh: exit %d: %s", code, stderr)
	}
	do(t, "sim", scene, "--out", out)
	do(t, "mesh", scene, "--out", out)

	// A file that no stage reads is found by a check of all files.
	for _, name := range kinds {
		silently(t, at(name))
	}
	do(t, "draw", scene, "--out", out)
	text, err := os.ReadFile(at("manifest.json"))
	if err != nil || !bytes.Contains(text, []byte(want["tiny.gif"])) || !bytes.Contains(text, []byte(want["particles/tiny_0002.ply"])) {
		t.Errorf("the manifest has the sums of damaged files: %v", err)
	}
	code, stdout, stderr := call(t, "verify", out)
	if code != exitFailed || !strings.Contains(stdout, fmt.Sprintf("%d damaged", len(kinds)-1)) {
		t.Errorf("verify: exit %d: %s%s", code, stdout, stderr)
	}
	do(t, "render", scene, "--out", out)
	same(t, digests(t, out), want)
	if code, stdout, stderr := call(t, "verify", out); code != exitDone || !strings.Contains(stdout, " 0 damaged") {
		t.Errorf("verify: exit %d: %s%s", code, stdout, stderr)
	}
}

// TestGaugesComeBack removes the gauges: the stage sim brings them back without
// a step of the solver.
func TestGaugesComeBack(t *testing.T) {
	scene, out := everything(t), t.TempDir()
	do(t, "sim", scene, "--out", out)
	want := digests(t, out)
	os.RemoveAll(filepath.Join(out, "gauges"))
	os.Remove(filepath.Join(out, "stats.csv"))
	if got := made(do(t, "sim", scene, "--out", out)); got["sim"] != 0 {
		t.Errorf("%d frames were simulated again", got["sim"])
	}
	same(t, digests(t, out), want)
}

// TestTwoAtOnce runs the same scene twice at the same time in one folder.
func TestTwoAtOnce(t *testing.T) {
	longtest.NotShort(t)
	undisturbed := t.TempDir()
	do(t, "render", moving, "--out", undisturbed)
	when := []int{1} // events before the second begins
	if longtest.On() {
		when = []int{0, 1, 2, 9, 17}
	}
	for _, events := range when {
		out := t.TempDir()
		first, said := start(t, events, "render", moving, "--out", out)
		second, saidToo := start(t, 0, "render", moving, "--out", out)
		if err := first.Wait(); err != nil {
			t.Errorf("first: %v: %s", err, said)
		}
		if err := second.Wait(); err != nil {
			t.Errorf("second: %v: %s", err, saidToo)
		}
		same(t, digests(t, out), digests(t, undisturbed))
	}
}

// TestForeignFilesStay has files in the folder that the program has not made.
func TestForeignFilesStay(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	keep := func(name, text string) string {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	stays := func(path string) {
		t.Helper()
		if text, err := os.ReadFile(path); err != nil || string(text) != "keep" {
			t.Errorf("%s has %q, %v", path, text, err)
		}
	}
	late := keep("frames/tiny_0007.png", "keep")
	do(t, "render", tiny, "--out", out)
	stays(late)
	// Under a name of the run's own it is refused before anything is made.
	for _, name := range []string{"frames/tiny_0003.png", "tiny.webm", "stats.csv", "manifest.json", "mesh/tiny_0001.obj/notes.txt"} {
		out = t.TempDir()
		path := keep(name, "keep")
		code, _, stderr := call(t, "render", tiny, "--out", out)
		if code != exitFailed || !strings.Contains(stderr, "not made by Breakwater") {
			t.Errorf("%s: exit %d: %s", name, code, stderr)
		}
		stays(path)
		if _, err := os.Stat(filepath.Join(out, "particles")); err == nil {
			t.Errorf("%s: the run began", name)
		}
	}
}

// TestForetell changes a setting after a run. The files to be removed are reported first,
// with their number and size, and so is a film that will have fewer frames.
func TestForetell(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	do(t, "render", tiny, "--out", out)
	code, _, stderr := call(t, "render", tiny, "--out", out, "--frames", "2")
	if code != exitDone || !strings.Contains(stderr, "video tiny.webm has all 6 frames: replaced by one of frame 2\n") || !strings.Contains(stderr, "tiny.abc has all 6 frames") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	do(t, "render", tiny, "--out", out)
	var seen string
	events := do(t, "sim", tiny, "--out", out, "--spacing", "0.06")
	for _, e := range events {
		if e.Frame > 0 {
			break
		}
		seen += e.Message + "\n"
	}
	if !strings.Contains(seen, "sim   6 files with other settings, 65.") || !strings.Contains(seen, " kB: removed now") {
		t.Errorf("it says %q", seen)
	}
}

// TestNothingThere runs stages that have nothing to begin with. They leave no
// folder behind.
func TestNothingThere(t *testing.T) {
	work := t.TempDir()
	for _, command := range [][]string{{"draw", tiny}, {"mesh", tiny}, {"video", tiny}, {"export", "blender-script", tiny}} {
		code, _, stderr := call(t, append(command, "--out", filepath.Join(work, "a", "b"))...)
		if code != exitAgain || !strings.Contains(stderr, "run the stage") {
			t.Errorf("%s: exit %d: %s", command[0], code, stderr)
		}
		if left, err := os.ReadDir(work); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v", command[0], left, err)
		}
	}
}

// TestLinkedFolders has folders of a run on another disk.
func TestLinkedFolders(t *testing.T) {
	longtest.NotShort(t)
	out, elsewhere := t.TempDir(), t.TempDir()
	do(t, "render", tiny, "--out", out)
	want := digests(t, out)
	linked := t.TempDir()
	for _, folder := range []string{"particles", "frames", "mesh"} {
		if err := os.Mkdir(filepath.Join(elsewhere, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		outtest.Symlink(t, filepath.Join(elsewhere, folder), filepath.Join(linked, folder))
	}
	do(t, "render", tiny, "--out", linked)
	got := digests(t, linked)
	for name, sum := range digests(t, elsewhere) {
		got[name] = sum
	}
	same(t, got, want)
	if n := made(do(t, "render", tiny, "--out", linked)); n["sim"]+n["draw"] > 0 {
		t.Errorf("the second run made %v", n)
	}
	// A link to nowhere is reported before anything is made.
	broken := t.TempDir()
	outtest.Symlink(t, filepath.Join(elsewhere, "none"), filepath.Join(broken, "frames"))
	code, _, stderr := call(t, "render", tiny, "--out", broken)
	if code != exitFailed || !strings.Contains(stderr, "is a link to ") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if left, err := os.ReadDir(broken); err != nil || len(left) != 1 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}
