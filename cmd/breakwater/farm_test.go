package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"breakwater/out/programs"
	"breakwater/scenes/farm"
	"breakwater/sim/longtest"
)

// standIns are programs that the binary of these tests is by another name. They have a
// folder to remember things in.
var standIns = map[string]func(folder string, args []string) int{"kubectl": kubectl, "deadline": deadline}

// standInVariable names that folder.
const standInVariable = "BREAKWATER_TEST_FOLDER"

// standIn puts a stand-in for a program on the path.
func standIn(t *testing.T, name, folder string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv(standInVariable, folder)
}

// planned plans a copy of a scene for an engine, and returns the folder of the run and the
// path of the copy.
func planned(t *testing.T, scene, engine string, flags ...string) (out, path string) {
	t.Helper()
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BREAKWATER", program)
	text, err := os.ReadFile(scene)
	if err != nil {
		t.Fatal(err)
	}
	out, path = filepath.Join(t.TempDir(), "a run"), filepath.Join(t.TempDir(), filepath.Base(scene))
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call(t, append([]string{"farm", "plan", path, "--out", out, "--engine", engine, "--trial=0", "--cpus=1"}, flags...)...)
	if code != exitDone || !strings.Contains(stdout, "tasks in ") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	return out, path
}

// frozen returns the path of the copy of the scene that a plan has.
func frozen(out string) string { return filepath.Join(out, "farm", "scene", "tiny.toml") }

// outcome compares the folder of a run that was farmed with an undisturbed one.
func outcome(t *testing.T, out string, want map[string]string) {
	t.Helper()
	got := digests(t, out)
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, "farm/") })
	same(t, got, want)
}

// TestFarmShell has the shell run a plan, several tasks at a time. The scene that was planned
// is gone by then. A copy that was changed since is refused; then retry makes what is missing.
func TestFarmShell(t *testing.T) {
	programs.Find(t, "bash")
	out, scene := planned(t, tiny, "shell", "--segments=2", "--chunk=2")
	t.Setenv("JOBS", "3")
	alone := t.TempDir()
	do(t, "render", tiny, "--out", alone)

	if err := os.Remove(scene); err != nil {
		t.Fatal(err)
	}
	scene = frozen(out)
	text, err := os.ReadFile(scene)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(scene, append(text, "crf = 30\n[solver]\nkind = \"iisph\"\nmax_error = 0.01\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, "farm", "submit", out); code != exitMachine || !strings.Contains(stderr, "sim-1: failed with exit status 3") || !strings.Contains(stderr, "finish: not run, because frames-1-2 failed") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if err := os.WriteFile(scene, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "0 of 6 frames are made") || !strings.Contains(stdout, "0 are done, 0 run, 1 failed, 6 wait") || !strings.Contains(stdout, "not as planned") {
		t.Errorf("status: %s", stdout)
	}
	var list []farm.Status
	if _, stdout, _ := call(t, "farm", "status", out, "--json"); json.Unmarshal([]byte(stdout), &list) != nil || len(list) != 7 || list[0].ID != "sim-1" || list[0].Condition != farm.Failed || list[0].Lacks != 3 || list[0].Mark.Exit != exitMachine {
		t.Errorf("status: %s", stdout)
	}
	if code, stdout, stderr := call(t, "farm", "task", out, "sim-1", "--quiet"); code != exitDone {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := call(t, "farm", "retry", out); code != exitDone || strings.Contains(stdout, "sim-1") || !strings.Contains(stdout, "sim-2\n") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	outcome(t, out, digests(t, alone))
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "6 of 6 frames are made") || !strings.Contains(stdout, "7 are done") {
		t.Errorf("status: %s", stdout)
	}
	if code, stdout, stderr := call(t, "farm", "retry", out); code != exitDone || stdout != "" || !strings.Contains(stderr, "Nothing is missing") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := call(t, "farm", "task", out, "sim-9"); code != exitUsage || !strings.Contains(stderr, "no task") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := call(t, "farm", "cancel", out); code != exitUsage || !strings.Contains(stderr, "Ctrl-C") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestFarmShellStopped ends the script again and again, with all its processes, and kills
// tasks: the files have the bytes of an undisturbed run.
func TestFarmShellStopped(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	out, _ := planned(t, moving, "shell", "--segments=3", "--chunk=2", "--set", "liquid.spacing=0.03")
	alone := t.TempDir()
	do(t, "render", moving, "--set", "liquid.spacing=0.03", "--out", alone)
	for _, after := range []time.Duration{200, 400, 600, 800} {
		cmd := exec.Command("bash", filepath.Join(out, "farm", "shell.sh"))
		cmd.Env = append(os.Environ(), "JOBS=2")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after * time.Millisecond)
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != exitAgain {
			t.Fatalf("the script that was stopped ends with %v", err)
		}
	}
	if code, _, stderr := call(t, "farm", "submit", out); code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	outcome(t, out, digests(t, alone))
}
