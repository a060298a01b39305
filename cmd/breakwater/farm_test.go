package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	program := binary(t)
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
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "0 of 6 frames are made, 0 run, 6 failed, 0 wait") || !strings.Contains(stdout, "0 are done, 0 run, 1 failed, 6 wait") || !strings.Contains(stdout, "not as planned") {
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
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "0 of 6 frames are made, 0 run, 0 failed, 6 wait") || strings.Contains(stdout, "ends") {
		t.Errorf("status: %s", stdout) // nothing says how long frames take to draw
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

// TestFarmShellOnce starts the script while another runs, on this machine or on another: it
// submits nothing. What a script leaves that was killed is in nobody's way.
func TestFarmShellOnce(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	out, _ := planned(t, tiny, "shell", "--segments=1")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(out, "farm", "shell.pid")
	for _, c := range []struct {
		holder string
		code   int
		says   string
	}{
		{fmt.Sprintf("%s %d\n", host, os.Getpid()), exitAgain, "run already, by process"},
		{"elsewhere 1\n", exitAgain, "run on elsewhere; nothing was submitted"},
		{fmt.Sprintf("%s %d\n", host, 1<<29), exitDone, ""},
	} {
		if err := os.WriteFile(lock, []byte(c.holder), 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := call(t, "farm", "retry", out)
		if code != c.code || !strings.Contains(stderr, c.says) || (stdout == "") != (code != exitDone) {
			t.Errorf("%q: exit %d: %s%s", c.holder, code, stdout, stderr)
		}
	}
	if _, err := os.Stat(lock); err == nil {
		t.Error("the script leaves shell.pid")
	}
}

// TestFarmPlan makes the same plan twice, and prints what it costs.
func TestFarmPlan(t *testing.T) {
	first, _ := planned(t, tiny, "slurm", "--segments=2", "--chunk=2")
	second, _ := planned(t, tiny, "slurm", "--segments=2", "--chunk=2")
	same(t, digests(t, second), digests(t, first))
	out := t.TempDir()
	code, stdout, stderr := call(t, "farm", "plan", tiny, "--out", out, "--trial=1m", "--cpus=2")
	for _, want := range []string{"6 frames as ", "2 processors, about ", " of memory", "disk ", "the longest chain of tasks", "node hours", "core hours", "breakwater farm submit "} {
		if code != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit %d: it does not say %q: %s%s", code, want, stdout, stderr)
		}
	}
	if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "left ") || !strings.Contains(stdout, "at least ") || !strings.Contains(stdout, " node hours") || !regexp.MustCompile(`ends +in about .* s, at [0-9]+:[0-9]+ on [0-9]+ [A-Z][a-z]+, with 1 task at a time`).MatchString(stdout) {
		t.Errorf("status: %s", stdout)
	}
	if _, stdout, _ := call(t, "farm", "status", out, "--json"); !strings.Contains(stdout, `"ends": `) {
		t.Errorf("status: %s", stdout)
	}
}

// TestFarmPlanAgain makes the same plan again in the folder: it has the same bytes, although
// the rehearsal measures times. Another scene is measured anew.
func TestFarmPlanAgain(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	plan := func(flags ...string) map[string]string {
		t.Helper()
		if code, stdout, stderr := call(t, append([]string{"farm", "plan", tiny, "--out", out, "--engine=slurm"}, flags...)...); code != exitDone || !strings.Contains(stdout, "node hours") {
			t.Fatalf("exit %d: %s%s", code, stdout, stderr)
		}
		return digests(t, out)
	}
	first := plan("--trial=1m")
	same(t, plan(), first)
	if plan("--trial=1m")["farm/plan.json"] == first["farm/plan.json"] {
		t.Error("another rehearsal measures the same times")
	}
	text, err := os.ReadFile(filepath.Join(out, "farm", "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	again := func(change func(p *farm.Plan), flags ...string) bool {
		t.Helper()
		var p farm.Plan
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		const mark = 123456789 // bytes, as no rehearsal finds
		p.Films[0].Costs.Disk = mark
		change(&p)
		changed, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, "farm", "plan.json"), changed, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := call(t, append([]string{"farm", "plan", tiny, "--out", out}, flags...)...); code != exitDone {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		made, err := farm.Read(out)
		if err != nil {
			t.Fatal(err)
		}
		return made.Disk == mark
	}
	if !again(func(*farm.Plan) {}, "--chunk=2") {
		t.Error("a plan with other tasks measures again")
	}
	if again(func(p *farm.Plan) { p.Program = "0.0.1" }) || again(func(p *farm.Plan) { p.Processors++ }) ||
		again(func(p *farm.Plan) { p.Arithmetic = "other" }) || again(func(*farm.Plan) {}, "--set=mesh.formats=[\"stl\"]") {
		t.Error("the costs of another program, machine or scene are kept")
	}
}

// TestFarmSubmitScene plans a scene and submits the plan by one command.
func TestFarmSubmitScene(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	program := binary(t)
	t.Setenv("BREAKWATER", program)
	out, alone := filepath.Join(t.TempDir(), "a run"), t.TempDir()
	do(t, "render", tiny, "--out", alone)
	if code, stdout, stderr := call(t, "farm", "submit", tiny, "--out", out, "--engine=shell", "--trial=0", "--cpus=1", "--segments=2", "--chunk=3"); code != exitDone || !strings.Contains(stdout, "6 frames as 5 tasks") || !strings.Contains(stdout, "frames-4-6\n") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	outcome(t, out, digests(t, alone))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{out, "--chunk=2"}, "its plan is made"},
		{[]string{out, "--set", "liquid.spacing=0.1"}, "its plan is made"},
		{[]string{t.TempDir()}, "has no plan"},
		{[]string{"no-such-scene"}, "no-such-scene"},
		{nil, "--wedge"},
	} {
		if code, _, stderr := call(t, append([]string{"farm", "submit"}, c.args...)...); code != exitUsage || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit %d: %s", c.args, code, stderr)
		}
	}
}

// TestFarmProgram has a task, and files made again, refuse a program of another version or
// revision than the one that planned, before it writes.
func TestFarmProgram(t *testing.T) {
	out, _ := planned(t, tiny, "shell", "--segments=1")
	file := filepath.Join(out, "farm", "plan.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := farm.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		program string
		want    int
	}{{"0.0.9", exitMachine}, {p.Program + ".1", exitMachine}, {"", exitMachine}, {p.Program, exitDone}} {
		changed := bytes.Replace(text, []byte(strconv.Quote(p.Program)), []byte(strconv.Quote(c.program)), 1)
		if err := os.WriteFile(file, changed, 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := call(t, "farm", "task", out, "sim-1", "--quiet")
		made, _ := filepath.Glob(filepath.Join(out, "*"))
		if code != c.want || code != exitDone && (len(made) != 1 || !strings.Contains(stderr, "the plan is of breakwater "+c.program)) {
			t.Errorf("%q: exit %d: %s%q", c.program, code, stderr, made)
		}
	}
}

// TestFarmCameras has the shell run two variants whose cameras follow the liquid with another lag. One
// simulates, and both find the paths of their cameras in order, so that a task which draws reads no particles
// of earlier frames. The pictures have the bytes of runs of their own. A new camera over the particles that are there
// makes a new path first.
func TestFarmCameras(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	program := binary(t)
	t.Setenv("BREAKWATER", program)
	scene, err := filepath.Abs(tiny)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	file := filepath.Join(home, "lags.toml")
	text := "scene = " + strconv.Quote(filepath.ToSlash(scene)) + "\n[vary]\ncamera.follow = [\"splash\"]\ncamera.lag = [0.3, 0.05]\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(home, "farm run")
	farm := func(want string, args ...string) {
		t.Helper()
		if code, stdout, stderr := call(t, append([]string{"farm"}, args...)...); code != exitDone || !strings.Contains(stdout, want) {
			t.Fatalf("exit %d: %s%s", code, stdout, stderr)
		}
	}
	farm("2 variants with 12 frames as 11 tasks", "plan", "--wedge", file, "--out", out, "--trial=0", "--cpus=1", "--segments=2", "--chunk=3") // 2 × (2 + 2 + 1) + 1
	for _, task := range []string{"v1-sim-1", "v1-sim-2", "v2-sim-1", "v2-sim-2"} {
		if code, _, stderr := call(t, "farm", "task", out, task); code != exitDone || strings.HasPrefix(task, "v2") == strings.Contains(stderr, "made") {
			t.Errorf("%s: exit %d: %s", task, code, stderr)
		}
	}
	folders, err := filepath.Glob(filepath.Join(out, "*_*"))
	if err != nil || len(folders) != 2 {
		t.Fatalf("the folders are %v, %v", folders, err)
	}
	tracks, err := filepath.Glob(filepath.Join(out, "*_*", store.RecordFolder, "camera_*")) // the path is enough
	if err != nil || len(tracks) != 4 {
		t.Fatalf("the tracks are %v, %v", tracks, err)
	}
	for _, track := range tracks {
		if err := os.Rename(track, track+".away"); err != nil {
			t.Fatal(err)
		}
	}
	particles := filepath.Join(folders[0], "particles")
	if err := os.Rename(particles, particles+".away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(particles, 0o777); err != nil {
		t.Fatal(err)
	}
	one := filepath.Join("particles.away", "tiny_000")
	for _, n := range []string{"4", "5", "6"} { // of the task's own frames
		if err := os.Link(filepath.Join(folders[0], one+n+".ply"), filepath.Join(particles, "tiny_000"+n+".ply")); err != nil {
			t.Fatal(err)
		}
	}
	for _, task := range []string{"v1-frames-4-6", "v2-frames-4-6"} {
		if code, _, stderr := call(t, "farm", "task", out, task); code != exitDone {
			t.Errorf("%s: exit %d: %s", task, code, stderr)
		}
	}
	if err := errors.Join(os.RemoveAll(particles), os.Rename(particles+".away", particles)); err != nil {
		t.Fatal(err)
	}
	for _, track := range tracks {
		if err := os.Rename(track+".away", track); err != nil {
			t.Fatal(err)
		}
	}
	farm("summary", "submit", out)
	for i, lag := range []string{"0.3", "0.05"} {
		single := t.TempDir()
		do(t, "render", tiny, "--out", single, "--set=camera.follow=splash", "--set=camera.lag="+lag)
		for name, want := range digests(t, single) {
			if got := digests(t, folders[i])[name]; got != want && !strings.HasPrefix(name, "particles/") {
				t.Errorf("lag %s: %s has other bytes", lag, name)
			}
		}
	}

	// A new camera over a run that was no farm's.
	alone := filepath.Join(home, "alone")
	do(t, "render", tiny, "--out", alone)
	farm("5 tasks", "plan", tiny, "--out", alone, "--set=camera.follow=liquid", "--trial=0", "--cpus=1", "--segments=2", "--chunk=3")
	farm("sim-1", "submit", alone)
	if code, stdout, stderr := call(t, "farm", "retry", alone); code != exitDone || stdout != "" || !strings.Contains(stderr, "Nothing is missing") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// TestFarmWedge has the shell run the 2 × 3 variants of a wedge. Each two have the same
// particles, and one of these simulates. Each is as breakwater render makes it, and all, with
// the tables and the contact sheet, as breakwater wedge does.
func TestFarmWedge(t *testing.T) {
	longtest.Only(t)
	programs.Find(t, "bash")
	program := binary(t)
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
	if code, _, stderr := call(t, "wedge", file, "--out", alone, "--trial=0", "--quiet"); code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	code, stdout, stderr := call(t, "farm", "plan", "--wedge", file, "--out", out, "--trial=0", "--cpus=1", "--segments=2", "--chunk=3")
	if code != exitDone || !strings.Contains(stdout, "6 variants with 36 frames as 25 tasks") { // 3 × 2 + 6 × (2 + 1) + 1
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	for _, row := range []string{"variant picture.size liquid.spacing particles frames memory disk time", "6 [32, 18] 0.05 "} {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), row) {
			t.Errorf("the table of costs lacks %q:\n%s", row, stdout)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := call(t, "farm", "submit", out); code != exitDone || strings.Count(stdout, "-sim-1\n") != 3 || strings.Count(stdout, "-finish") != 6 || strings.Count(stdout, "summary") != 1 {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	status := func(want string) {
		t.Helper()
		if _, stdout, _ := call(t, "farm", "status", out); !strings.Contains(stdout, "36 of 36 frames are made") || !strings.Contains(stdout, want) {
			t.Errorf("status: %s", stdout)
		}
	}
	status("25 are done")
	got, want := digests(t, out), digests(t, alone)
	for _, files := range []map[string]string{got, want} {
		maps.DeleteFunc(files, func(name, _ string) bool {
			return strings.HasPrefix(name, "farm/")
		})
	}
	if same(t, got, want); want["contact-sheet.png"] == "" || want["variants.csv"] == "" || want["stats.csv"] == "" {
		t.Errorf("the wedge lacks its summary: %v", slices.Sorted(maps.Keys(want)))
	}
	sameAlone(t, out)
	// A film that is made again makes the summary late.
	if err := os.Remove(filepath.Join(out, "contact-sheet.png")); err != nil {
		t.Fatal(err)
	}
	status("24 are done")
	if code, stdout, stderr := call(t, "farm", "retry", out); code != exitDone || stdout != "summary\n" {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	status("25 are done")

	for _, args := range [][]string{{}, {tiny, "--wedge", file}} {
		if code, _, stderr := call(t, append([]string{"farm", "plan"}, args...)...); code != exitUsage || !strings.Contains(stderr, "--wedge") {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
}

// sameAlone compares the films of TestFarmWedge with runs of their own.
func sameAlone(t *testing.T, out string) {
	t.Helper()
	n := 0
	for _, size := range []string{"64, 36", "32, 18"} {
		for _, spacing := range []string{"0.07", "0.06", "0.05"} {
			n++
			folders, err := filepath.Glob(filepath.Join(out, strconv.Itoa(n)+"_*"))
			if err != nil || len(folders) != 1 {
				t.Fatalf("variant %d has the folders %v, %v", n, folders, err)
			}
			single := t.TempDir()
			do(t, "render", tiny, "--out", single, "--set", "picture.size=["+size+"]", "--set", "liquid.spacing="+spacing)
			for name := range digests(t, single) {
				want, err := os.ReadFile(filepath.Join(single, filepath.FromSlash(name)))
				if err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(filepath.Join(folders[0], filepath.FromSlash(name))); err != nil || !bytes.Equal(got, want) {
					t.Errorf("variant %d: %s is not the file of a run of its own: %v", n, name, err)
				}
			}
		}
	}
}

// TestRedrawn draws a status in the place of the last, whose long lines take several rows.
func TestRedrawn(t *testing.T) {
	p := &farm.Plan{Name: "wave", Films: []farm.Film{{Frames: 2}}}
	if withoutEnd("a\nends  in about 1 s\nb\n") != "a\nb\n" {
		t.Error("elsewhere than on a terminal, each look would print the time of the end")
	}
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
