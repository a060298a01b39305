package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// TestShare has processes make the same frames and different ones at the same time in one
// folder. Each ends well, none loses a row of another's tables, and a run of all frames
// finds the bytes of an undisturbed run and writes the manifest.
func TestShare(t *testing.T) { share(t, 1, tiny, "--fps=40") }

// TestShareOften is TestShare many times, also with gauges.
func TestShareOften(t *testing.T) {
	longtest.Only(t)
	share(t, 10, tiny, "--fps=120")
	share(t, 3, moving, "--fps=60")
}

func share(t *testing.T, times int, scene, fps string) {
	program := binary(t)
	alone := t.TempDir()
	do(t, "render", scene, fps, "--out", alone)
	want := digests(t, alone)
	for range times {
		out := t.TempDir()
		// together runs commands, such as "mesh --frames=1-3", at the same time.
		together := func(commands ...string) {
			t.Helper()
			var running []*exec.Cmd
			for _, c := range commands {
				words := strings.Fields(c)
				cmd := exec.Command(program, append(words, scene, fps, "--threads=1", "--quiet", "--out="+out)...)
				cmd.Stderr = &strings.Builder{}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				running = append(running, cmd)
			}
			for i, cmd := range running {
				if err := cmd.Wait(); err != nil {
					t.Fatalf("%s: %v\n%s", commands[i], err, cmd.Stderr)
				}
			}
		}
		rows := func(table string) {
			t.Helper()
			if runtime.GOOS == "windows" { // without locks, rows are completed at the end
				return
			}
			got, err := os.ReadFile(filepath.Join(out, table))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(alone, table))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s: got\n%swant\n%s", table, got, want)
			}
		}
		together("sim", "sim --frames=-4", "sim")
		rows("stats.csv")
		together("mesh --frames=1-4", "mesh --frames=3-6", "mesh --frames=7-")
		rows("mesh.csv")
		together("draw --frames=1-6", "draw --frames=4-", "draw --frames=1-6")
		if _, err := os.Stat(filepath.Join(out, "manifest.json")); err == nil {
			t.Error("runs of some frames leave the manifest of fewer files, or write one")
		}
		together("render", "draw", "render")
		same(t, digests(t, out), want)
	}
}

// TestOwnFrames draws frames of a film whose other frames have other settings: a run looks
// at its own frames only.
func TestOwnFrames(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	do(t, "render", tiny, "--out", out)
	do(t, "draw", tiny, "--out", out, "--frames=4-", "--quality=good")
	for frames, want := range map[string]bool{"1-3": false, "3-4": true} {
		code, _, stderr := call(t, "draw", tiny, "--out", out, "--frames", frames)
		if says := strings.Contains(stderr, "1 file with other settings"); code != exitDone || says != want || strings.Contains(stderr, "files with other") {
			t.Errorf("frames %s: exit %d, %s", frames, code, stderr)
		}
		if _, err := os.Stat(filepath.Join(out, "manifest.json")); err == nil {
			t.Error("there is a manifest of frames with different settings")
		}
	}
}

// TestManifestLast makes one stage after the other of all frames. The manifest comes with the last of
// them, in any order, and is the one of a run of all stages. A stage with other settings takes it away.
func TestManifestLast(t *testing.T) {
	longtest.NotShort(t)
	alone := t.TempDir()
	do(t, "render", tiny, "--out", alone)
	want := digests(t, alone)
	for _, order := range []string{"sim mesh export draw video", "sim mesh draw video export"} {
		if strings.HasSuffix(order, "export") && !longtest.On() {
			break
		}
		out := t.TempDir()
		there := func() bool {
			_, err := os.Stat(filepath.Join(out, "manifest.json"))
			return err == nil
		}
		stages := strings.Fields(order)
		for i, name := range stages {
			do(t, "render", tiny, "--out", out, "--stages", name)
			if last := i == len(stages)-1; there() != last {
				t.Errorf("%s: after %s there is a manifest: %t", order, name, !last)
			}
			if code, _, stderr := call(t, "verify", out); (code == exitDone) != (i == len(stages)-1) {
				t.Errorf("%s: after %s verify exits with %d: %s", order, name, code, stderr)
			}
		}
		same(t, digests(t, out), want)
		do(t, "draw", tiny, "--out", out) // nothing is to be done
		if same(t, digests(t, out), want); t.Failed() {
			break
		}
		do(t, "draw", tiny, "--out", out, "--quality=good")
		if there() {
			t.Error("there is a manifest of pictures that no film shows")
		}
		do(t, "render", tiny, "--out", out)
		same(t, digests(t, out), want)
		// Nor is there one without a table.
		if err := errors.Join(os.Remove(filepath.Join(out, "stats.csv")), os.Remove(filepath.Join(out, "frames", "tiny_0002.png"))); err != nil {
			t.Fatal(err)
		}
		if do(t, "draw", tiny, "--out", out); there() {
			t.Error("there is a manifest without stats.csv")
		}
		do(t, "sim", tiny, "--out", out)
		same(t, digests(t, out), want)
	}
}

// TestWait begins with the meshes and pictures, and simulates meanwhile. Without anybody
// who simulates, it gives up.
func TestWait(t *testing.T) {
	longtest.NotShort(t)
	program := binary(t)
	out := t.TempDir()
	args := []string{"render", tiny, "--out", out, "--stages=mesh,draw", "--frames=2-3", "--per-frame"}
	if code, _, stderr := call(t, append(args, "--wait=300ms")...); code != exitAgain || !strings.Contains(stderr, "waiting for 2 files of the stage sim") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	later := exec.Command(program, append(args, "--wait=1m")...)
	if err := later.Start(); err != nil {
		t.Fatal(err)
	}
	do(t, "sim", tiny, "--out", out)
	if err := later.Wait(); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]bool{"frames/tiny_0001.png": false, "frames/tiny_0002.png": true, "frames/tiny_0003.png": true, "tiny.abc": false, "tiny.webm": false} {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", name, err == nil, want)
		}
	}
	do(t, "render", tiny, "--out", out, "--stages=export", "--per-frame") // the meshes of some frames are missing, and no archive needs them
	for _, flags := range [][]string{{"--stages=mesh,film"}, {"--wait=-1s"}} {
		if code, _, stderr := call(t, append([]string{"render", tiny, "--out", out}, flags...)...); code != exitUsage {
			t.Errorf("%v: exit %d, %s", flags, code, stderr)
		}
	}
}

// TestShareStages has six processes at once in one folder: each makes another stage, and
// waits for the files of the stage before. Every other time, all six make the same. Whoever
// reads the manifest meanwhile sees all files in it or none. No part of a file is left.
func TestShareStages(t *testing.T) {
	longtest.Only(t)
	shareStages(t, nil, false)
}

// shareStages has prepare, unless it is nil, prepare each process. If again is set, a run of
// all frames follows.
func shareStages(t *testing.T, prepare func(*exec.Cmd), again bool) {
	program := binary(t)
	alone := t.TempDir()
	do(t, "render", tiny, "--out", alone)
	want := digests(t, alone)
	all := map[stage.Name]int{stage.Sim: tinyFrames, stage.Mesh: tinyFrames, stage.Export: tinyFrames, stage.Draw: tinyFrames, stage.Film: tinyFrames}
	for try := range 10 {
		out := t.TempDir()
		var running []*exec.Cmd
		for _, name := range []string{"sim", "mesh", "export", "draw", "video", ""} {
			args := []string{"render", tiny, "--out", out, "--threads=1", "--quiet"}
			if name != "" && try%2 == 0 {
				args = append(args, "--stages="+name, "--wait=1m", "--per-frame")
			}
			cmd := exec.Command(program, args...)
			cmd.Stderr = &strings.Builder{}
			if prepare != nil {
				prepare(cmd)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			running = append(running, cmd)
		}
		over, read := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(read)
			for {
				var m run.Manifest
				text, err := os.ReadFile(filepath.Join(out, "manifest.json"))
				if err == nil && (json.Unmarshal(text, &m) != nil || !maps.Equal(m.Made, all)) {
					t.Errorf("there is a manifest of %v", m.Made)
				}
				select {
				case <-over:
					return
				case <-time.After(time.Millisecond):
				}
			}
		}()
		for _, cmd := range running {
			if err := cmd.Wait(); err != nil {
				t.Errorf("%s: %v\n%s", cmd, err, cmd.Stderr)
			}
		}
		close(over)
		<-read
		if again {
			do(t, "render", tiny, "--out", out)
		}
		same(t, digests(t, out), want)
		if parts := hidden(out); len(parts) > 0 {
			t.Errorf("left: %v", parts)
		}
		if t.Failed() {
			return
		}
	}
}

// hidden returns the files of a run that begin with a dot: parts of files, and locks.
func hidden(out string) (names []string) {
	for _, folder := range []string{"", "*"} {
		list, _ := filepath.Glob(filepath.Join(out, folder, ".*"))
		names = append(names, list...)
	}
	return names
}

// TestTaskTwice runs each task of a farm twice at once. Only the last writes the manifest.
func TestTaskTwice(t *testing.T) {
	longtest.Only(t)
	program := binary(t)
	alone := t.TempDir()
	do(t, "render", tiny, "--out", alone)
	out, _ := planned(t, tiny, "shell", "--segments=1", "--chunk=3")
	for _, task := range []string{"sim-1", "frames-1-3", "frames-4-6", "finish"} {
		if _, err := os.Stat(filepath.Join(out, "manifest.json")); err == nil {
			t.Errorf("there is a manifest before %s", task)
		}
		var running []*exec.Cmd
		for range 2 {
			cmd := exec.Command(program, "farm", "task", out, task, "--quiet")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			running = append(running, cmd)
		}
		for _, cmd := range running {
			if err := cmd.Wait(); err != nil {
				t.Errorf("%s: %v", task, err)
			}
		}
	}
	outcome(t, out, digests(t, alone))
	if parts := hidden(out); len(parts) > 0 {
		t.Errorf("left: %v", parts)
	}
}
