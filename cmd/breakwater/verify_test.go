package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/store"
	"breakwater/scenes/run"
	"breakwater/sim/longtest"
)

// verified verifies a folder, and returns its faults as "KIND FILE", sorted, and the
// result.
func verified(t *testing.T, folder string, flags ...string) (code int, faults []string, result run.Verified) {
	t.Helper()
	code, stdout, stderr := call(t, append([]string{"verify", folder, "--json"}, flags...)...)
	files, of := 0, -1
	for line := range strings.Lines(stdout) {
		var e struct {
			run.Fault
			progress
			Result bool `json:"done"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("event %q: %v", line, err)
		}
		switch {
		case e.Result:
			if err := json.Unmarshal([]byte(line), &result); err != nil {
				t.Fatal(err)
			}
		case e.Kind != "":
			if e.Remedy == "" || !strings.Contains(e.Text, filepath.Join(folder, filepath.FromSlash(e.File))) {
				t.Errorf("fault without path or remedy: %+v", e.Fault)
			}
			faults = append(faults, string(e.Kind)+" "+e.File)
		case e.Of > 0:
			files, of = e.Files, e.Of
		}
	}
	if files != of {
		t.Errorf("the last event of progress has %d of %d files: %s%s", files, of, stdout, stderr)
	}
	slices.Sort(faults)
	return code, faults, result
}

// madeAgain returns the files that verify --redo says it has made.
func madeAgain(stdout string) (files []string) {
	for line := range strings.Lines(stdout) {
		if name, ok := strings.CutPrefix(line, "made again "); ok {
			files = append(files, strings.TrimSuffix(name, "\n"))
		}
	}
	return files
}

// TestVerify damages a finished run in each way, one at a time, and has each found with the
// file. verify --redo mends each and makes nothing else.
func TestVerify(t *testing.T) {
	scene, out := everything(t), t.TempDir()
	at := func(name string) string { return filepath.Join(out, filepath.FromSlash(name)) }
	do(t, "render", scene, "--out", out)
	want := digests(t, out)
	code, faults, result := verified(t, out)
	if code != exitDone || len(faults) > 0 || !result.Finished || result.Frames != tinyFrames || result.Files < 5*tinyFrames || result.Bytes < 1e5 {
		t.Fatalf("exit %d: %v, %+v", code, faults, result)
	}
	edit := func(name string, f func(data []byte) []byte) {
		t.Helper()
		data, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), f(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cut := func(data []byte) []byte { return data[:len(data)-7] }
	withoutRow := func(name, begin string) func() {
		return func() { // as where a file system has no locks
			dir, err := store.OpenFrames(out)
			if err != nil {
				t.Fatal(err)
			}
			defer dir.Close()
			text, err := os.ReadFile(at(name))
			if err != nil {
				t.Fatal(err)
			}
			lines := slices.DeleteFunc(bytes.SplitAfter(text, []byte("\n")), func(line []byte) bool { return bytes.HasPrefix(line, []byte(begin)) })
			log := dir.Log(name)
			if err := log.Write(bytes.Join(lines, nil)); err != nil {
				t.Fatal(err)
			}
			if err := dir.Remove("manifest.json"); err != nil {
				t.Fatal(err)
			}
		}
	}
	remeshed := []string{"manifest.json", "mesh.csv", "mesh/tiny_0003.obj", "mesh/tiny_0003.ply", "mesh/tiny_0004.obj", "mesh/tiny_0004.ply", "mesh/tiny_0005.obj", "mesh/tiny_0005.ply", "mesh/tiny_0006.obj", "mesh/tiny_0006.ply", "surface/tiny_0003.ply", "surface/tiny_0004.ply", "surface/tiny_0005.ply", "surface/tiny_0006.ply"} // whose rows follow the damage
	for _, c := range []struct {
		name   string
		damage func()
		code   int
		want   []string
		made   []string // by --redo
		quick  bool     // --quick finds it, too
		often  bool     // tested by default
	}{
		{"byte of a picture", func() { silently(t, at("frames/tiny_0003.png")) }, exitFailed, []string{"damaged frames/tiny_0003.png"}, []string{"frames/tiny_0003.png", "manifest.json"}, false, true},
		{"byte of the manifest", func() { silently(t, at("manifest.json")) }, exitFailed, []string{"damaged manifest.json"}, []string{"manifest.json"}, false, false},
		{"byte of a table", func() { edit("mesh.csv", flip) }, exitFailed, []string{"damaged mesh.csv"}, remeshed, true, false},
		{"cut particles", func() { edit("particles/tiny_0002.ply", cut) }, exitFailed, []string{"damaged particles/tiny_0002.ply"}, []string{"manifest.json", "particles/tiny_0002.ply"}, true, true},
		{"cut mesh", func() { edit("surface/tiny_0004.ply", cut) }, exitFailed, []string{"damaged surface/tiny_0004.ply"}, []string{"manifest.json", "mesh/tiny_0004.obj", "mesh/tiny_0004.ply", "surface/tiny_0004.ply"}, true, false},
		{"cut film", func() { edit("tiny.gif", cut) }, exitFailed, []string{"damaged tiny.gif"}, []string{"manifest.json", "tiny.gif"}, true, false},
		{"no picture", func() { os.Remove(at("frames/tiny_0005.png")) }, exitFailed, []string{"missing frames/tiny_0005.png"}, []string{"frames/tiny_0005.png", "manifest.json"}, true, true},
		{"no gauge", func() { os.Remove(at("gauges/level.csv")) }, exitFailed, []string{"missing gauges/level.csv"}, []string{"gauges/level.csv", "manifest.json", "stats.csv"}, true, false},
		{"no row of steps", withoutRow("stats.csv", "4,"), exitFailed, []string{"row stats.csv"}, []string{"gauges/level.csv", "stats.csv"}, true, false},
		{"no row of a mesh", withoutRow("mesh.csv", "2,"), exitFailed, []string{"row mesh.csv"}, []string{"mesh.csv", "mesh/tiny_0002.obj", "mesh/tiny_0002.ply", "surface/tiny_0002.ply"}, true, true},
		{"no row of a gauge", withoutRow("gauges/level.csv", "0.02,"), exitFailed, []string{"row gauges/level.csv"}, []string{"gauges/level.csv", "stats.csv"}, true, true},
		{"not finished", func() { os.Remove(at("manifest.json")); forget(t, out, "manifest.json") }, exitAgain, nil, nil, true, false},
		{"extra picture", func() {
			edit("frames/tiny_0001.png", bytes.Clone)
			os.WriteFile(at("frames/tiny_0099.png"), []byte("x"), 0o666)
		}, exitDone, []string{"extra frames/tiny_0099.png"}, nil, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.often {
				longtest.Only(t)
			}
			if c.name != "byte of a picture" {
				longtest.NotShort(t)
			}
			c.damage()
			if c.quick {
				if code, faults, _ := verified(t, out, "--quick"); code != c.code || !slices.Equal(faults, c.want) {
					t.Errorf("quick: exit %d, %v", code, faults)
				}
			}
			code, faults, _ := verified(t, out)
			if code != c.code || !slices.Equal(faults, c.want) {
				t.Errorf("exit %d, %v", code, faults)
			}
			code, stdout, _ := call(t, "verify", out)
			if code != c.code || strings.Count(stdout, "remedy: ") != len(c.want) {
				t.Errorf("exit %d: %s", code, stdout)
			}
			os.Remove(at("frames/tiny_0099.png"))
			if code == exitFailed {
				want := exitDone
				if _, err := os.Stat(at("manifest.json")); err != nil && c.made[0] != "manifest.json" {
					want = exitAgain
				}
				code, stdout, stderr := call(t, "verify", out, "--redo", "--scene", scene)
				if made := madeAgain(stdout); code != want || !slices.Equal(made, c.made) {
					t.Errorf("redo: exit %d, made %q\n%s%s", code, made, stdout, stderr)
				}
				if code, faults, _ := verified(t, out); code != want || len(faults) > 0 {
					t.Errorf("redone: exit %d, %v", code, faults)
				}
			}
			if _, err := os.Stat(at("manifest.json")); err != nil {
				do(t, "render", scene, "--out", out)
			}
			if code, faults, _ := verified(t, out); code != exitDone || len(faults) > 0 {
				t.Errorf("mended: exit %d, %v", code, faults)
			}
			same(t, digests(t, out), want)
		})
	}

	// Without a scene, or with another, nothing is made.
	silently(t, at("frames/tiny_0002.png"))
	for _, flags := range [][]string{nil, {"--scene", scene, "--size=40x30"}, {"--scene", moving}} {
		if code, stdout, stderr := call(t, append([]string{"verify", out, "--redo"}, flags...)...); code == exitDone || len(madeAgain(stdout)) > 0 || !strings.Contains(stderr, "scene") {
			t.Errorf("%v: exit %d: %s%s", flags, code, stdout, stderr)
		}
	}
	if code, stdout, _ := call(t, "verify", out, "--redo", "--scene", scene, "--json"); code != exitDone || !strings.Contains(stdout, "{\"made\":\"frames/tiny_0002.png\"}\n{\"made\":\"manifest.json\"}\n") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	same(t, digests(t, out), want)

	// Other frames than the damaged one.
	silently(t, at("frames/tiny_0003.png"))
	if code, faults, _ := verified(t, out, "--frames", "4-"); code != exitDone || len(faults) > 0 {
		t.Errorf("exit %d, %v", code, faults)
	}
	// A file that lost its record, too, is compared with the manifest.
	forget(t, out, "frames/tiny_0003.png")
	if code, stdout, _ := call(t, "verify", out); code != exitFailed || !strings.Contains(stdout, "record in the manifest") || !strings.Contains(stdout, "remedy: remove it") {
		t.Errorf("exit %d: %s", code, stdout)
	}

	for _, folder := range []string{t.TempDir(), at("missing"), at("tiny.gif")} {
		if code, _, stderr := call(t, "verify", folder); code != exitUsage || !strings.Contains(stderr, folder) {
			t.Errorf("%s: exit %d: %s", folder, code, stderr)
		}
	}
	if code, _, stderr := call(t, "info", out, "--check"); code != exitUsage || !strings.Contains(stderr, "breakwater verify ") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// forget removes the record of a file.
func forget(t *testing.T, folder, name string) {
	t.Helper()
	for _, path := range recordFiles(t, folder) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var kept strings.Builder
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, name+",") {
				kept.WriteString(line)
			}
		}
		if err := os.WriteFile(path, []byte(kept.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// recordFiles returns the paths of the files of records in the folder of a run.
func recordFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, store.RecordFolder, "sums_*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no records of frames, %v", err)
	}
	return append(files, filepath.Join(folder, store.SumsName))
}
