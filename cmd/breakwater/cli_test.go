package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/scenes/run"
	"breakwater/sim/longtest"
)

// TestExit has command lines, their exit codes, and what they say.
func TestExit(t *testing.T) {
	longtest.NotShort(t)
	work := t.TempDir()
	faulty := filepath.Join(work, "faulty.toml")
	if err := os.WriteFile(faulty, []byte("[liquid]\nspacing = -1\ncolor = \"red\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := "--out=" + filepath.Join(work, "out")
	for _, c := range []struct {
		line string
		code int
		says string // on stderr, or on stdout if the code is 0
	}{
		{"", exitDone, "Usage: breakwater"},
		{"--help", exitDone, "Exit status"},
		{"render --help", exitDone, "in metres"},
		{"help", exitDone, "Exit status"},
		{"help render", exitDone, "in metres"},
		{"help rendr", exitUsage, "unexpected argument rendr"},
		{"--version", exitDone, "breakwater " + run.Version},
		{"version", exitDone, "breakwater " + run.Version},
		{"list", exitDone, "Bender and Koschier"},
		{"show dam-break", exitDone, "[[fluid]]"},
		{"check " + tiny, exitDone, "288"},
		{"sim " + tiny + " " + out + "-1 --frames -1 --quiet", exitDone, ""},
		{"sim " + tiny + " " + out + " --quiet -3", exitUsage, "--quiet"},

		{"rendre dam-break", exitUsage, "did you mean \"render\""},
		{"render", exitUsage, "expected \"<scene>\""},
		{"render dam-brake " + out, exitUsage, "did you mean \"dam-break\""},
		{"render missing.toml " + out, exitUsage, "missing.toml"},
		{"render dam-break --fsp 3", exitUsage, "did you mean \"--fps\""},
		{"render dam-break --frames 9-3 " + out, exitUsage, "ends before it begins"},
		{"render dam-break --frames a-b " + out, exitUsage, "as 10-20"},
		{"render " + tiny + " --frames 5-99 " + out, exitUsage, "frames 1-6"},
		{"render dam-break --threads 5000 " + out, exitUsage, "1 to 1024"},
		{"render dam-break --size 1280 " + out, exitUsage, "--size"},
		{"render dam-break --quality best " + out, exitUsage, "draft, good"},
		{"render dam-break --spacing 0 " + out, exitUsage, "--spacing"},
		{"render dam-break --quiet --json " + out, exitUsage, "can't be used together"},
		{"show nothing", exitUsage, "nothing"},

		{"check " + faulty, exitScene, "faulty.toml:2:"},
		{"render " + faulty + " " + out, exitScene, "color"},
		{"draw " + tiny + " " + out, exitAgain, "breakwater mesh " + tiny + " " + out},
		{"mesh " + tiny + " " + out, exitAgain, "and 5 more like it"},
		{"info " + tiny + ".ply", exitFailed, "no such file"},
		{"info " + faulty, exitUsage, "expected particles, a mesh"},
		{"info " + work, exitUsage, "no manifest.json"},

		{"bench --table speed", exitUsage, "must be one of"},
		{"bench --table phases --steps 3", exitUsage, "--steps applies to the tables size, threads, walls, bodies, liquids"},
		{"bench --table size --spacing 0.1", exitUsage, "--spacing applies to the tables stages, phases, threads"},
		{"bench --particles 0", exitUsage, "expected 1 or more"},
		{"bench --frames 91", exitUsage, "expected 2 to 90 for dam-break"},
		{"bench dam-brake", exitUsage, "did you mean"},

		{"validate dam-brake", exitUsage, "couette, crow, cylinder, dam-break, dam-energy"},
		{"validate hydrostatic --quick --threads 5000", exitUsage, "1 to 1024"},
		{"validate --solver iisphh", exitUsage, "unknown solver \"iisphh\" (have"},
		{"validate vortex-ring --solver wcsph", exitUsage, "the case vortex-ring has a solver of its own"},

		{"figure kernel", exitUsage, "gauges, gradients"},
		{"figure kernels --out " + filepath.Join(work, "k.jpg"), exitUsage, "a .png file"},
		{"figure stats --out " + filepath.Join(work, "s.png"), exitFailed, "name the folder"},
		{"figure kernels --dpi 20", exitUsage, "expected 72 to 1200"},
	} {
		t.Run(c.line, func(t *testing.T) {
			code, stdout, stderr := call(t, strings.Fields(c.line)...)
			if code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			said := stderr
			if c.code == exitDone {
				said = stdout
			} else if !strings.HasPrefix(stderr, "breakwater: ") {
				t.Errorf("the error does not start with the program's name")
			}
			if !strings.Contains(said, c.says) {
				t.Errorf("it does not say %q:\n%s%s", c.says, stdout, stderr)
			}
		})
	}
}

// TestPipe checks for plain lines without a terminal, and no output with --quiet.
func TestPipe(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	_, stdout, stderr := call(t, "render", tiny, "--out", out)
	if strings.Contains(stdout+stderr, "\r") || strings.Contains(stdout+stderr, "\x1b") {
		t.Errorf("control characters in %q", stdout+stderr)
	}
	for _, want := range []string{"sim ", "mesh ", "draw ", "video ", "made 6 frames", "All in " + out} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in\n%s", want, stderr)
		}
	}
	_, _, stderr = call(t, "render", tiny, "--out", out)
	if !strings.Contains(stderr, "sim   kept all 6 frames") {
		t.Errorf("it does not say what it kept:\n%s", stderr)
	}
	if _, stdout, stderr = call(t, "render", tiny, "--out", out, "--force", "--quiet"); stdout+stderr != "" {
		t.Errorf("quiet, it said %q", stdout+stderr)
	}
}

// TestInfo asks about one file of each kind.
func TestInfo(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	do(t, "render", tiny, "--out", out)
	for name, want := range map[string]string{
		"particles/tiny_0001.ply": "288",
		"surface/tiny_0002.ply":   "closed, manifold, oriented",
		"mesh/tiny_0002.obj":      "closed, manifold, oriented",
		"mesh/tiny_0002.ply":      "closed, manifold, oriented",
		"frames/tiny_0003.png":    "96 × 54 pixels",
		"tiny.webm":               "webm",
		"manifest.json":           "6 frames",
	} {
		code, stdout, stderr := call(t, "info", filepath.Join(out, name))
		if code != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit %d, no %q in\n%s%s", name, code, want, stdout, stderr)
		}
	}
}

// TestInfoChecksMeshes asks about a sound mesh and one with a hole.
func TestInfoChecksMeshes(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	do(t, "sim", tiny, "--out", out)
	do(t, "mesh", tiny, "--out", out)
	good := filepath.Join(out, "mesh/tiny_0002.obj")
	code, stdout, stderr := call(t, "info", good, "--json", "--check")
	var got struct {
		Sound  bool
		Pieces []struct {
			Volume float64 `json:"volume_m3"`
		}
		Volume float64 `json:"volume_m3"`
		Angle  float64 `json:"min_angle_mean_deg"`
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitDone || !got.Sound || len(got.Pieces) == 0 || !(got.Volume > 0) || !(got.Angle > 40) {
		t.Errorf("exit %d, %v, %+v: %s%s", code, err, got, stdout, stderr)
	}
	if code, stdout, _ := call(t, "info", good); code != exitDone || !strings.Contains(stdout, "sphericity") && !strings.Contains(stdout, "cavities") {
		t.Errorf("exit %d:\n%s", code, stdout)
	}
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	// Its first triangle turns round.
	turned := filepath.Join(out, "turned.obj")
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		if f := strings.Fields(l); len(f) == 4 && f[0] == "f" {
			lines[i] = "f " + f[1] + " " + f[3] + " " + f[2]
			break
		}
	}
	if err := os.WriteFile(turned, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := call(t, "info", turned, "--check"); code != exitFailed || !strings.Contains(stderr, "not closed") || !strings.Contains(stdout, "two of opposite orientation") {
		t.Errorf("with a turned triangle: exit %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := call(t, "info", filepath.Join(out, "particles/tiny_0001.ply"), "--check"); code != exitUsage || !strings.Contains(stderr, "for meshes") {
		t.Errorf("particles: exit %d\n%s", code, stderr)
	}
}

// TestFigure plots a run into its own folder, and overwrites nothing there.
func TestFigure(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	do(t, "sim", tiny, "--out", out)
	stats, err := os.ReadFile(filepath.Join(out, "stats.csv"))
	if err != nil {
		t.Fatal(err)
	}
	code, _, stderr := call(t, "figure", "stats", out, "--out", filepath.Join(out, "stats.png"))
	if code != exitDone || !strings.Contains(stderr, "stats_points.csv") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if after, err := os.ReadFile(filepath.Join(out, "stats.csv")); err != nil || string(after) != string(stats) {
		t.Errorf("the figure changed stats.csv: %v", err)
	}
	for _, name := range []string{"stats.png", "stats_points.csv", "stats.svg", "stats.pdf"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBench makes all tables of a tiny scene, as Markdown and as JSON.
func TestBench(t *testing.T) {
	longtest.Only(t)
	args := []string{"bench", tiny, "--size", "64x36", "--particles", "100,300", "--steps", "2", "--threads", "3"}
	code, stdout, stderr := call(t, args...)
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{
		version() + " |\n", "breakwater bench " + tiny + " --table phases\n", "288 particles 0.05 m apart, 17 steps, 6 frames of 64 × 36 pixels",
		"\n| sim | ", "\n| mesh | ", "\n| draw | ", "\n| video | ", "\n| divergence solve | ", "\n| **step** | ", "\n| 100 | ", "\n| 300 | ", "\n| 1 | ", "\n| 2 | ", "\n| 3 | ", "\n| mesh of 10,092 triangles | ", "\n| 1 of 224 triangles | ", "\n| surface tension | ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	for _, want := range []string{"sim   made 6 frames", "phases frame 2/6", "size: 100 particles, 2 steps", "threads: 3, 2 steps"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in the progress\n%s", want, stderr)
		}
	}

	code, stdout, stderr = call(t, append(args, "--json", "--quiet")...)
	if code != exitDone || stderr != "" {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	rows := map[string]int{}
	for line := range strings.Lines(stdout) {
		var x table
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rows[x.Name] = len(x.Rows)
		for _, row := range x.Rows {
			if len(row) != len(x.Columns) {
				t.Errorf("%s: %d values in %d columns", x.Name, len(row), len(x.Columns))
			}
		}
	}
	if want := (map[string]int{"machine": 1, "stages": 6, "phases": 8, "size": 2, "threads": 3, "walls": 13, "bodies": 2, "liquids": 4, "vortex": 8, "gas": 2}); !maps.Equal(rows, want) {
		t.Errorf("rows %v, want %v", rows, want)
	}

	// The tables that are asked for, and no others.
	_, stdout, _ = call(t, "bench", tiny, "--table", "threads", "--steps", "1", "--threads", "1")
	if strings.Count(stdout, "## ") != 2 || !strings.Contains(stdout, "## Speed by threads") {
		t.Errorf("asked for threads, it made\n%s", stdout)
	}
}

// TestBenchInterrupt stops before each table is done.
func TestBenchInterrupt(t *testing.T) {
	longtest.Only(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"stages", "phases", "size", "threads", "walls", "bodies", "liquids", "vortex", "gas"} {
		var stdout, stderr bytes.Buffer
		code := execute(ctx, []string{"bench", tiny, "--table", name}, &stdout, &stderr)
		if code != exitFailed || !strings.Contains(stderr.String(), "interrupted") || strings.Count(stdout.String(), "## ") != 1 {
			t.Errorf("%s: exit %d\n%s%s", name, code, &stdout, &stderr)
		}
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

func TestThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.001234: "0.00123", 1.005: "1.00", 12.34: "12.3", 999.4: "999", 999.6: "1,000", 1234567: "1,234,567", -3: "-3.00"} {
		if got := threeDigits(x); got != want {
			t.Errorf("%g is written %s, want %s", x, got, want)
		}
	}
	if got := threeDigits(none); got != "–" {
		t.Errorf("nothing is written %s", got)
	}
}

func TestFrameRange(t *testing.T) {
	for text, want := range map[string]frameRange{"10-20": {first: 10, last: 20}, "7": {first: 7, last: 7}, "10-": {first: 10}, "-20": {last: 20}} {
		var r frameRange
		if err := r.UnmarshalText([]byte(text)); err != nil || r != want {
			t.Errorf("%s: got %v, %v", text, r, err)
		}
		if r.String() != text {
			t.Errorf("%s is written %s", text, r)
		}
	}
	for _, text := range []string{"", "0", "0-4", "x", "3-1", "1-2-3", "1.5", "--2", "-", "+1", "1-+2", " 1"} {
		var r frameRange
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %v", text, r)
		}
	}
}
