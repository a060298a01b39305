package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"breakwater/out/programs"
	"breakwater/out/store"
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
// is gone by then. A changed copy is refused; then retry makes the missing files.
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
	if code, stdout, stderr := call(t, "farm", "status", out, "--watch"); code != exitMachine || !strings.Contains(stdout, "1 failed, 6 wait") || !strings.Contains(stderr, "sim-1 failed on ") {
		t.Errorf("watch: exit %d: %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := call(t, "farm", "task", out, "sim-1", "--quiet"); code != exitDone {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	watch := exec.Command(os.Getenv("BREAKWATER"), "farm", "status", out, "--watch", "--json", "--interval=5ms")
	pipe, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	// The first report comes before the tasks run again, however busy the machine is.
	lines := bufio.NewReader(pipe)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	events, read := bytes.NewBufferString(first), make(chan error, 1)
	go func() {
		_, err := io.Copy(events, lines)
		read <- err
	}()
	if code, stdout, stderr := call(t, "farm", "retry", out); code != exitDone || strings.Contains(stdout, "sim-1") || !strings.Contains(stdout, "sim-2\n") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	outcome(t, out, digests(t, alone))
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "6 of 6 frames are made") || !strings.Contains(stdout, "7 are done") {
		t.Errorf("status: %s", stdout)
	}
	if err := errors.Join(<-read, watch.Wait()); err != nil {
		t.Errorf("watch: %v", err)
	}
	seen := map[string][]farm.Condition{}
	for line := range strings.Lines(events.String()) {
		var s farm.Status
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if l := seen[s.ID]; len(l) == 0 || l[len(l)-1] != s.Condition {
			seen[s.ID] = append(l, s.Condition)
		}
	}
	if l := seen["sim-1"]; len(seen) != 7 || !slices.Equal(l, []farm.Condition{farm.Done}) {
		t.Errorf("watch: %v", seen)
	}
	for id, l := range seen {
		if l[len(l)-1] != farm.Done || id != "sim-1" && l[0] != farm.Waiting {
			t.Errorf("watch: %s: %v", id, l)
		}
	}
	if code, stdout, stderr := call(t, "farm", "status", out, "--watch"); code != exitDone || strings.Count(stdout, "7 are done") != 1 {
		t.Errorf("watch: exit %d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := call(t, "farm", "status", out, "--watch", "--interval=0s"); code != exitUsage || !strings.Contains(stderr, "--interval") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, stdout, stderr := call(t, "farm", "retry", out); code != exitDone || stdout != "" || !strings.Contains(stderr, "Nothing is missing") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	silently(t, filepath.Join(out, "frames", "tiny_0003.png"))
	if code, stdout, stderr := call(t, "verify", out, "--redo"); code != exitDone || !slices.Equal(madeAgain(stdout), []string{"frames/tiny_0003.png", "manifest.json"}) {
		t.Errorf("verify --redo: exit %d: %s%s", code, stdout, stderr)
	}
	outcome(t, out, digests(t, alone))
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

// TestFarmPlan makes the same plan twice, and prints what it costs.
func TestFarmPlan(t *testing.T) {
	first, _ := planned(t, tiny, "slurm", "--segments=2", "--chunk=2")
	second, _ := planned(t, tiny, "slurm", "--segments=2", "--chunk=2")
	same(t, digests(t, second), digests(t, first))
	out := t.TempDir()
	code, stdout, stderr := call(t, "farm", "plan", tiny, "--out", out, "--trial=200ms", "--cpus=2")
	for _, want := range []string{"6 frames as ", "2 processors, about ", " of memory", "disk ", "the longest chain of tasks", "node hours", "core hours", "breakwater farm submit "} {
		if code != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit %d: it does not say %q: %s%s", code, want, stdout, stderr)
		}
	}
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "left ") || !strings.Contains(stdout, "at least ") || !strings.Contains(stdout, " node hours") {
		t.Errorf("status: %s", stdout)
	}
}

// TestFarmWedge has the shell run the 2 × 3 variants of a wedge. Each two have the same
// particles, and one of these simulates. All are as breakwater wedge makes them, which then
// only adds tables and the contact sheet.
func TestFarmWedge(t *testing.T) {
	programs.Find(t, "bash")
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BREAKWATER", program)
	t.Setenv("JOBS", "3")
	scene, err := filepath.Abs(tiny)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	file := filepath.Join(home, "looks.toml")
	text := "scene = " + strconv.Quote(filepath.ToSlash(scene)) + "\n[vary]\npicture.size = [[64, 36], [32, 18]]\nliquid.spacing = [0.07, 0.06, 0.05]\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, alone := filepath.Join(home, "farm run"), filepath.Join(home, "alone")
	code, stdout, stderr := call(t, "farm", "plan", "--wedge", file, "--out", out, "--trial=0", "--cpus=1", "--segments=2", "--chunk=3")
	if code != exitDone || !strings.Contains(stdout, "6 variants with 36 frames as 24 tasks") { // 3 × 2 + 6 × (2 + 1)
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := call(t, "farm", "submit", out); code != exitDone || strings.Count(stdout, "-sim-1\n") != 3 || strings.Count(stdout, "-finish") != 6 {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "36 of 36 frames are made") || !strings.Contains(stdout, "24 are done") {
		t.Errorf("status: %s", stdout)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{alone, out} {
		if code, _, stderr := call(t, "wedge", file, "--out", folder, "--trial=0", "--quiet"); code != exitDone {
			t.Fatalf("exit %d: %s", code, stderr)
		}
	}
	got, want := digests(t, out), digests(t, alone)
	for _, files := range []map[string]string{got, want} {
		maps.DeleteFunc(files, func(name, _ string) bool {
			return strings.HasPrefix(name, "farm/") || filepath.Base(name) == store.SumsName
		})
	}
	same(t, got, want)

	for _, args := range [][]string{{}, {tiny, "--wedge", file}} {
		if code, _, stderr := call(t, append([]string{"farm", "plan"}, args...)...); code != exitUsage || !strings.Contains(stderr, "--wedge") {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
}

// TestRedrawn draws a status in the place of the last, whose long lines take several rows.
func TestRedrawn(t *testing.T) {
	p := &farm.Plan{Name: "wave", Films: []farm.Film{{Frames: 2}}}
	waits := []farm.Status{{Task: farm.Task{ID: "sim-1"}, Condition: farm.Waiting}}
	fails := []farm.Status{{Task: farm.Task{ID: "sim-1"}, Condition: farm.Failed, Mark: &farm.Mark{Host: "n1", Exit: 5, Error: strings.Repeat("x", 50)}}}
	for columns, between := range map[int]string{0: "\n", 100: "\x1b[3A\x1b[J", 80: "\x1b[4A\x1b[J"} {
		var b bytes.Buffer
		draw := redrawn(&b, columns)
		for _, list := range [][]farm.Status{fails, fails, waits} {
			if err := draw(p, list); err != nil {
				t.Fatal(err)
			}
		}
		if text := b.String(); strings.Count(text, "tasks ") != 2 || !strings.Contains(text, "xx\n"+between+"wave ") {
			t.Errorf("%d columns: %q", columns, text)
		}
	}
}
