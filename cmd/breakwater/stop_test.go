package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"breakwater/out/store"
	"breakwater/sim/force"
	"breakwater/sim/longtest"
	"breakwater/sim/pairsum"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// programName is the name under which a copy of the test's own program is the program.
const programName = "breakwater.exe"

// built is the folder of the program that build makes, if any test needs it.
var built string

var build = sync.OnceValues(func() (path string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return "", err
	}
	if built, err = os.MkdirTemp("", "breakwater-test-"); err != nil {
		return "", err
	}
	path = filepath.Join(built, programName)
	return path, os.WriteFile(path, data, 0o755)
})

// binary makes the program once and returns its path. The race detector makes processes slow,
// so a test that needs it is left out under -short.
func binary(t testing.TB) string {
	t.Helper()
	longtest.NotShort(t)
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == programName {
		main()
	}
	if program, folder := standIns[filepath.Base(os.Args[0])], os.Getenv(standInVariable); program != nil && folder != "" {
		os.Exit(program(folder, os.Args[1:]))
	}
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// start runs the program as a process of its own, and returns once it has
// reported the given number of events.
func start(t *testing.T, events int, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	path := binary(t)
	cmd = exec.Command(path, append(args, "--json")...)
	stderr = &bytes.Buffer{}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for range events {
		if !lines.Scan() {
			break
		}
	}
	go func() { // an unread pipe would block the program
		for lines.Scan() {
		}
	}()
	return cmd, stderr
}

// TestKill kills the program at moments spread over all stages, ten in the long test, and resumes
// it after each. The files have the same bytes as an uninterrupted run, and no row of a table is
// lost or written twice.
func TestKill(t *testing.T) { kill(t, tiny) }

// TestKillMoving is TestKill for moving walls, inflows and gauges together.
func TestKillMoving(t *testing.T) {
	longtest.Only(t)
	undisturbed, out := kill(t, moving)
	for _, name := range []string{"wedge", "level"} {
		name = filepath.Join("gauges", name+".csv")
		want, err := os.ReadFile(filepath.Join(undisturbed, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}

// kill runs a scene undisturbed and with kills, and returns both folders.
func kill(t *testing.T, scene string) (undisturbed, out string) {
	t.Helper()
	longtest.NotShort(t)
	undisturbed, out = t.TempDir(), t.TempDir()
	do(t, "render", scene, "--out", undisturbed)
	most := 4
	if longtest.On() {
		most = 10
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for kills := 0; kills < most; {
		cmd, stderr := start(t, 1+rng.IntN(7), "render", scene, "--out", out)
		time.Sleep(time.Duration(rng.IntN(8000)) * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
		switch status := cmd.ProcessState; {
		case status.Exited() && status.ExitCode() != exitDone:
			t.Fatalf("exit %d: %s", status.ExitCode(), stderr)
		case status.Exited(): // it was quicker than the kill: from the start
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
		default:
			kills++
		}
	}
	do(t, "render", scene, "--out", out)
	same(t, digests(t, out), digests(t, undisturbed))
	checkStats(t, out)
	return undisturbed, out
}

// TestInterrupt presses Ctrl-C, asks the program to end, and closes its terminal.
func TestInterrupt(t *testing.T) {
	longtest.NotShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot send these signals to another process")
	}
	undisturbed, out := t.TempDir(), t.TempDir()
	// Frames that take long, so that the signal comes while one is under way.
	args := []string{"render", tiny, "--spacing", "0.03", "--quality", "good", "--out"}
	do(t, append(args, undisturbed)...)
	for _, c := range []struct {
		events int // before the signal; fewer from time to time, as less is left to do
		signal os.Signal
	}{{10, syscall.SIGHUP}, {5, syscall.SIGTERM}, {3, os.Interrupt}} {
		events, stop := c.events, c.signal
		if signal.Ignored(stop) { // under nohup, as the program that the test starts inherits
			stop = syscall.SIGTERM
		}
		cmd, stderr := start(t, events, append(args, out)...)
		begun := time.Now()
		if err := cmd.Process.Signal(stop); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitAgain {
			t.Fatalf("%v after %d events: exit %d, want %d\n%s", stop, events, code, exitAgain, stderr)
		}
		if d := time.Since(begun); d > 5*time.Second {
			t.Errorf("after %d events: it took %v to stop", events, d)
		}
		want := "To continue, run: breakwater render testdata/tiny.toml --out=" + out + " --quality=good --spacing=0.03"
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("it does not say how to go on, %q:\n%s", want, stderr)
		}
		err := fs.WalkDir(os.DirFS(out), ".", func(name string, d fs.DirEntry, err error) error {
			if strings.HasPrefix(filepath.Base(name), ".") && name != "." {
				t.Errorf("it leaves %s", name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	do(t, append(args, out)...)
	same(t, digests(t, out), digests(t, undisturbed))
}

// TestShell refuses what the shell's limit on memory leaves no room for,
// before the runtime finds out; closes standard output; and reads a few events
// alone.
func TestShell(t *testing.T) {
	longtest.NotShort(t)
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has ulimit -v and /dev/full")
	}
	path := binary(t)
	render := `"$0" render ` + tiny + ` --out "$1" `
	for _, c := range []struct {
		script string
		code   int
		says   string
	}{
		{`ulimit -v 3000000; "$0" check dam-break --spacing 0.006`, exitUsage, "but the limit on this shell's memory (ulimit -v) leaves"},
		{render + `--json >&-`, exitFailed, "standard output is closed"},
		{render + `--json >/dev/full`, exitDisk, "standard output: write /dev/stdout: no space left on device"},
		{render + `--json --force | head -n 1 >/dev/null; "$0" info "$1/manifest.json" 1>&2`, exitDone, "6 frames"},
		{`TERM=dumb; export TERM; ` + render + `>/dev/null`, exitDone, "All in"},
	} {
		out := t.TempDir()
		cmd := exec.Command("bash", "-o", "pipefail", "-c", c.script, path, out)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(stderr.String(), c.says) || strings.Contains(stderr.String(), "goroutine") {
			t.Errorf("%s: exit %d, want %d and %q\n%s", c.script, code, c.code, c.says, &stderr)
		}
	}
}

func TestThreads(t *testing.T) {
	for _, scene := range []string{tiny, moving} {
		var first map[string]string
		for _, threads := range longtest.Threads() {
			out := t.TempDir()
			do(t, "render", scene, "--out", out, "--threads", strconv.Itoa(threads))
			sums := digests(t, out)
			if first == nil {
				first = sums
				continue
			}
			same(t, sums, first)
			if t.Failed() {
				t.Fatalf("%s with %d threads", scene, threads)
			}
		}
	}
}

// TestDamage cuts files short, one of each kind. The next run makes these
// again and nothing else.
func TestDamage(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	do(t, "render", tiny, "--out", out)
	want := digests(t, out)
	for _, name := range []string{
		"particles/tiny_0002.ply", "particles/tiny_0005.ply", "surface/tiny_0003.ply", "mesh/tiny_0003.obj", "mesh/tiny_0004.ply", "frames/tiny_0005.png", "tiny.abc", "tiny.webm",
	} {
		path := filepath.Join(out, name)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, info.Size()*2/3)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got := made(do(t, "render", tiny, "--out", out))
	if got["sim"] != 2 || got["mesh"] != 2 || got["export"] != tinyFrames || got["draw"] != 1 || got["video"] != tinyFrames {
		t.Errorf("made %v", got)
	}
	same(t, digests(t, out), want)
}

func init() {
	force.Forces.Add("blast", "a fault: more than any step can take", "none", func() force.Force { return blast{} })
}

// blast is a force that no step can take.
type blast struct{}

func (blast) MaxDt() float64 { return math.Inf(1) }

func (blast) Add(a, _ []pairsum.Vec4, _ force.Particles) {
	for i := range a {
		a[i].X += 1e7
	}
}

// TestUnstable has a force that allows any step and throws the liquid away.
func TestUnstable(t *testing.T) {
	work := t.TempDir()
	scene, out := filepath.Join(work, "tiny.toml"), filepath.Join(work, "out")
	text, err := os.ReadFile(tiny)
	if err != nil {
		t.Fatal(err)
	}
	wild := string(text) + "\n[[force]]\nkind = \"blast\"\n"
	if err := os.WriteFile(scene, []byte(wild), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, "render", scene, "--out", out)
	if code != exitScene {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"breakwater: sim: frame 2:", "particle ", "lies among particles more than", "lower the solver's cfl", "frame 1, the last good one, is kept"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("it does not say %q:\n%s", want, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "particles", "tiny_0001.ply")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(out, "manifest.json")); err == nil {
		t.Error("there is a manifest of a run that failed")
	}
}

// TestAlarm has a broken dam that gains energy, because its tolerance is far too large. No
// particle gets too fast or too dense.
func TestAlarm(t *testing.T) {
	work := t.TempDir()
	scene, out := filepath.Join(work, "bed.toml"), filepath.Join(work, "out")
	text := "[time]\nduration = 0.1\nfps = 240\n[domain]\ndim = 2\n[liquid]\nspacing = \"6 mm\"\n" +
		"[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.38, 0.15, 0.1]\n[[fluid]]\nkind = \"box\"\nmin = [0.38, 0, 0]\nmax = [1, 0.038, 0.1]\n" +
		"[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 0.6, 0.1]\n[solver]\nkind = \"iisph\"\nmax_error = 0.01\n"
	if err := os.WriteFile(scene, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, "sim", scene, "--out", out)
	if code != exitScene {
		t.Fatalf("exit %d, want %d: %s", code, exitScene, stderr)
	}
	for _, want := range []string{"particle ", "the liquid has gained", "lower the solver's max_error", "the last good one, is kept"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("it does not say %q:\n%s", want, stderr)
		}
	}
	stats, err := os.ReadFile(filepath.Join(out, "stats.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(stats)).ReadAll()
	if err != nil || len(rows) < 3 || rows[0][len(rows[0])-2] != "surplus_j" {
		t.Fatalf("%v: %q", err, rows)
	}
	if surplus, err := strconv.ParseFloat(rows[len(rows)-1][len(rows[0])-2], 64); err != nil || surplus == 0 {
		t.Errorf("the last row has the surplus %g J, %v", surplus, err)
	}
	// A run that goes on from the last good frame has its surplus, and ends at the same step.
	again, _, text2 := call(t, "sim", scene, "--out", out)
	if again != exitScene || text2[strings.Index(text2, "unstable at"):] != stderr[strings.Index(stderr, "unstable at"):] {
		t.Errorf("resumed: exit %d:\n%s\nwant\n%s", again, text2, stderr)
	}
}

// TestGasUnstable has vortices far too strong for their size. Their places are no longer
// numbers, so the message says where the first was, and what the solver at hand can do.
func TestGasUnstable(t *testing.T) {
	work := t.TempDir()
	scene := filepath.Join(work, "ring.toml")
	text := "[time]\nduration = 0.2\nfps = 30\n[gas]\ncell = \"5 cm\"\n[[vortex]]\nkind = \"ring\"\nradius = 0.06\ncore = 0.05\ncirculation = 1e6\n[solver]\nkind = \"vortons\"\n"
	if err := os.WriteFile(scene, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, "sim", scene, "--out", filepath.Join(work, "out"))
	if code != exitScene {
		t.Errorf("exit %d, want %d", code, exitScene)
	}
	for _, want := range []string{"the place of vorton 0 is not a number at 0.0333333 s, and was [", "] m in the frame before", "a larger solver.core", "frame 2, the last good one, is kept"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("it does not say %q:\n%s", want, stderr)
		}
	}
	for _, bad := range []string{"NaN", "mollify"} {
		if strings.Contains(stderr, bad) {
			t.Errorf("it says %q:\n%s", bad, stderr)
		}
	}
}

// TestGasTooLarge has a gas that fills more nodes than its solver may have.
func TestGasTooLarge(t *testing.T) {
	work := t.TempDir()
	scene := filepath.Join(work, "ring.toml")
	text := "[time]\nduration = 0.2\nfps = 30\n[gas]\ncell = \"10 cm\"\n[[vortex]]\nkind = \"jet-ring\"\nradius = 0.3\nthickness = 0.2\n[solver]\nkind = \"mesh\"\nmost = 2000\n"
	if err := os.WriteFile(scene, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, "sim", scene, "--out", filepath.Join(work, "out"))
	if code != exitScene {
		t.Errorf("exit %d, want %d", code, exitScene)
	}
	for _, want := range []string{"breakwater: sim: frame 2:", "above solver.most", "a larger gas.cell; frame 1, the last good one, is kept"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("it does not say %q:\n%s", want, stderr)
		}
	}
}

func init() {
	surface.Methods.Add("torn", "a fault: meshes that no liquid can have", "none", func() surface.Method { return torn{} })
}

// torn is a surface method that finds a flaw in the mesh of any cloud.
type torn struct{ surface.Settings }

func (torn) Surface(dst *mesh.Mesh, c surface.Cloud) error {
	dst.Reset()
	return &surface.Flaw{At: c.X[0], Particle: 17, Cause: "a triangle is torn"}
}

func (torn) Counts() surface.Counts { return surface.Counts{} }

func (torn) Forget() {}

// TestFlaw makes meshes that no liquid can have, of a scene and of a file: the
// execute fails and says where and what to do, and no mesh is there.
func TestFlaw(t *testing.T) {
	work := t.TempDir()
	scene, outFolder := filepath.Join(work, "tiny.toml"), filepath.Join(work, "out")
	text, err := os.ReadFile(tiny)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(scene, append(text, "\n[surface]\nkind = \"torn\"\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(work, "p_3.csv")
	if err := os.WriteFile(file, particleCSV(6), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line  []string
		code  int
		wants []string
		none  string // that is not made
	}{
		{[]string{"render", scene, "--frames=1", "--out", outFolder}, exitScene,
			[]string{"mesh: frame 1: surface: the mesh is implausible for a liquid: near particle 17", "a triangle is torn", "the mesh was not kept: try another surface.cell, surface.kind or liquid.spacing"},
			filepath.Join(outFolder, "mesh", "*.obj")},
		{[]string{"mesh", file, "--radius=0.05", "--method=torn", "--out", filepath.Join(work, "meshes")}, exitFailed,
			[]string{file + ": surface: the mesh is implausible for a liquid: near particle 17", "try another --cell, --method or --radius", "1 of 1 files could not be meshed: " + file},
			filepath.Join(work, "meshes", "*")},
	} {
		code, _, stderr := call(t, c.line...)
		if code != c.code {
			t.Errorf("%q: exit %d", c.line, code)
		}
		for _, want := range c.wants {
			if !strings.Contains(stderr, want) {
				t.Errorf("%q does not say %q:\n%s", c.line, want, stderr)
			}
		}
		if files, _ := filepath.Glob(c.none); len(files) > 0 {
			t.Errorf("%q made %q", c.line, files)
		}
	}
	// The table says so too, once, also after another try.
	if code, _, _ := call(t, "mesh", scene, "--frames=1", "--out", outFolder); code != exitScene {
		t.Errorf("another try: exit %d", code)
	}
	if rows, err := os.ReadFile(filepath.Join(outFolder, "mesh.csv")); err != nil || strings.Count(string(rows), "\n1,0,0,0,0,") != 1 {
		t.Errorf("mesh.csv: %v\n%s", err, rows)
	}
}

// TestDisk asks for more than a disk has.
func TestDisk(t *testing.T) {
	longtest.Only(t)
	const terabyte = 1e12
	if free, ok := store.Free(t.TempDir()); !ok || free > terabyte {
		t.Skipf("the test needs less than 1 TB of free disk: %d bytes are free (known: %t)", free, ok)
	}
	scene := filepath.Join(t.TempDir(), "huge.toml")
	text := "extends = \"dam-break\"\n[liquid]\nspacing = 0.2\n[time]\nduration = 90\nfps = 1000\n[picture]\nsize = [8000, 8000]\n"
	if err := os.WriteFile(scene, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, "draw", scene, "--out", t.TempDir())
	if code != exitDisk || !strings.Contains(stderr, "the disk is too small") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
