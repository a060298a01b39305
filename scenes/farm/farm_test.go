package farm

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"breakwater/out/programs"
	"breakwater/scenes"
	"breakwater/scenes/estimate"
	"breakwater/scenes/stage"
	"breakwater/scenes/wedge"
	"breakwater/sim/longtest"
)

var update = flag.Bool("update", false, "write the golden scripts anew")

// example returns a plan of a shipped scene that takes the given times, in seconds.
func example(t *testing.T, fps string, opt Options, e estimate.Estimate) (*Plan, *scenes.Scene) {
	t.Helper()
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override(scenes.Overrides{FPS: fps}); err != nil {
		t.Fatal(err)
	}
	p, err := New(Inputs{Name: s.Name, Films: []Input{{Scene: s, Costs: CostsOf(&e)}}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

// taskID is how the names of tasks look, which are words of shell scripts.
var taskID = regexp.MustCompile(`^(v[0-9]+-)?[a-z]+(-[0-9]+)*$`)

// inOrder returns an error if a task has a bad name, occurs twice, or comes before one that it
// depends on.
func inOrder(p *Plan) error {
	seen := map[string]bool{}
	for _, t := range p.Tasks {
		if t.Film < 0 || t.Film >= len(p.Films) || !taskID.MatchString(t.ID) || seen[t.ID] || slices.ContainsFunc(t.After, func(id string) bool { return !seen[id] }) {
			return fmt.Errorf("task %+v is out of order", t)
		}
		seen[t.ID] = true
	}
	return nil
}

// TestNew divides films: each frame is simulated once, in order, and then meshed and drawn
// once, by tasks that come after those that they depend on.
func TestNew(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		fps             string
		segments, chunk int
	}{{"", 0, 0}, {"", 1, 1}, {"", 4, 7}, {"", 1000, 1000}, {"1000", 2, 1}} {
		p, s := example(t, c.fps, Options{Engine: "shell", Segments: c.segments, Chunk: c.chunk}, estimate.Estimate{SimTime: 7200, MeshTime: 3000, DrawTime: 4000, FilmTime: 30})
		if err := errors.Join(p.check(), inOrder(p)); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		n := s.Time.Frames()
		simulated, drawn := 0, make([]int, n+1)
		ends := map[string]int{}
		for _, task := range p.Tasks {
			switch {
			case slices.Contains(task.Stages, stage.Sim):
				if task.First != simulated+1 || len(task.After) > 0 && ends[task.After[0]] != simulated {
					t.Errorf("%v: task %+v after frame %d", c, task, simulated)
				}
				simulated = task.Last
				ends[task.ID] = simulated
			case slices.Contains(task.Stages, stage.Draw):
				for i := task.First; i <= task.Last; i++ {
					drawn[i]++
				}
				if len(task.After) != 1 || ends[task.After[0]] < task.Last {
					t.Errorf("%v: task %+v begins before its frames are simulated", c, task)
				}
			}
		}
		if simulated != n || slices.Min(drawn[1:]) != 1 || slices.Max(drawn) != 1 {
			t.Errorf("%v: %d of %d frames are simulated; drawn %v", c, simulated, n, drawn)
		}
		if last := p.Tasks[len(p.Tasks)-1]; last.ID != "finish" || len(last.Stages) > 0 {
			t.Errorf("%v: the last task is %+v", c, last)
		}
		if work := p.Cost().Work; math.Abs(work-14230) > 1 || c.chunk == 0 && (p.Tasks[0].Seconds < leastSeconds || p.Tasks[0].Seconds > mostSeconds) {
			t.Errorf("%v: the first task takes %g s, all %g s", c, p.Tasks[0].Seconds, work)
		}
	}
}

func TestCost(t *testing.T) {
	p := &Plan{Tasks: []Task{
		{ID: "a", Seconds: 10}, {ID: "b", Seconds: 20, After: []string{"a"}},
		{ID: "c", Seconds: 5, After: []string{"a"}}, {ID: "d", Seconds: 5, After: []string{"a"}}, {ID: "e", Seconds: 1, After: []string{"b", "c", "d"}},
	}}
	if got, want := p.Cost(), (Cost{Path: 31, Work: 41, Nodes: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestScripts compares the scripts of all engines with golden ones, for all tasks and for
// some, and has Bash read them.
func TestScripts(t *testing.T) {
	p, _ := example(t, "", Options{Segments: 3, Chunk: 20, CPUs: 8, Engine: "shell"}, estimate.Estimate{Memory: 3e9, SimTime: 7200, MeshTime: 3000, DrawTime: 4000, FilmTime: 30})
	for i := range p.Tasks { // they depend on the processors of this machine
		p.Tasks[i].Seconds = math.Round(float64(p.Tasks[i].Last-p.Tasks[i].First+1) * 60)
	}
	for e, engine := range Engines.Defaults() {
		for part, tasks := range map[string][]Task{"": p.Tasks, "retry-": p.Tasks[2:]} {
			for _, s := range engine.Scripts(p, tasks) {
				name := filepath.Join("testdata", part+s.Name)
				if same := filepath.Join("scripts", filepath.Base(s.Name)); isFile(same, s.Text) { // for all plans
					name = same
				}
				got := strings.ReplaceAll(s.Text, quote(programPath()), "/opt/breakwater")
				got = strings.ReplaceAll(got, "arch\": \""+runtime.GOARCH, "arch\": \"amd64")
				got = strings.ReplaceAll(got, `"arm64"`, `"x86_64"`)
				if *update {
					if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(name)
				if err != nil || got != string(want) {
					t.Errorf("%s: %s differs; go test -update writes it: %v", e.Name, name, err)
				}
				if filepath.Ext(name) == ".sh" {
					t.Run(part+s.Name, func(t *testing.T) { programs.Run(t, nil, "bash", "-n", name) })
				}
			}
		}
	}
}

func isFile(name, text string) bool {
	data, err := os.ReadFile(name)
	return err == nil && string(data) == text
}

// TestLongFilm has no array that Slurm refuses by default.
func TestLongFilm(t *testing.T) {
	longtest.NotShort(t)
	p, _ := example(t, "1000", Options{Engine: "slurm", Segments: 1, Chunk: 1, CPUs: 1}, estimate.Estimate{})
	script := slurm{}.Scripts(p, p.Tasks)[0].Text
	if n := p.Frames(); n < 2500 || strings.Count(script, "--array=0-") < 1 {
		t.Fatalf("%d frames, %s", n, script[:1000])
	}
	for line := range strings.Lines(script) {
		if _, rest, ok := strings.Cut(line, "--array=0-"); ok && len(strings.Fields(rest)[0]) > 3 {
			t.Errorf("%.200s", line)
		}
	}
}

// TestMark begins and ends a task.
func TestMark(t *testing.T) {
	out := t.TempDir()
	end, err := Begin(out, "sim-1")
	if err != nil {
		t.Fatal(err)
	}
	m := readMark(out, "sim-1")
	if m == nil || m.Exit >= 0 || m.PID != os.Getpid() || time.Since(m.Seen) > time.Minute || m.gone() {
		t.Errorf("%+v", m)
	}
	dead := *m
	dead.PID = 1 << 29 // above the largest that a system has
	elsewhere := dead
	elsewhere.Host += "-other"
	if runtime.GOOS != "windows" && !dead.gone() || elsewhere.gone() {
		t.Errorf("gone: %t here, %t elsewhere", dead.gone(), elsewhere.gone())
	}
	if err := end(4, os.ErrInvalid); err != nil {
		t.Fatal(err)
	}
	if m := readMark(out, "sim-1"); m == nil || m.Exit != 4 || m.Error != os.ErrInvalid.Error() {
		t.Errorf("%+v", m)
	}
	// The next try goes on counting.
	first := readMark(out, "sim-1")
	if end, err = Begin(out, "sim-1"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Millisecond)
	if err := end(0, nil); err != nil {
		t.Fatal(err)
	}
	if m := readMark(out, "sim-1"); m == nil || first.Tries != 1 || m.Tries != 2 || m.Exit != 0 || m.Error != "" || m.Seconds < first.Seconds+0.01 {
		t.Errorf("%+v after %+v", m, first)
	}
	if m := readMark(out, "sim-2"); m != nil {
		t.Errorf("%+v", m)
	}
}

// TestStatusOfKilled has tasks of another host: one that was touched not long ago runs, and
// one that was not has been killed.
func TestStatusOfKilled(t *testing.T) {
	p, _ := example(t, "", Options{Engine: "shell", Segments: 1, Chunk: 45}, estimate.Estimate{SimTime: 10})
	out := t.TempDir()
	if _, err := p.Write(out); err != nil {
		t.Fatal(err)
	}
	for id, age := range map[string]time.Duration{"sim-1": 20 * time.Second, "frames-1-45": 80 * time.Second} {
		end, err := Begin(out, id)
		if err != nil {
			t.Fatal(err)
		}
		defer end(0, nil)
		file := filepath.Join(out, Folder, markFolder, id+".json")
		m := readMark(out, id)
		m.Host += "-other"
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(file, text, 0o666), os.Chtimes(file, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := p.Status(out)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Condition{Running, Waiting, Waiting, Waiting} {
		if list[i].Condition != want {
			t.Errorf("%s is %s, want %s", list[i].ID, list[i].Condition, want)
		}
	}
}

// TestRead reads plans that are not as this program writes them.
func TestRead(t *testing.T) {
	out := t.TempDir()
	if err := os.Mkdir(filepath.Join(out, Folder), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(out); err == nil || !strings.Contains(err.Error(), "has no plan") {
		t.Error(err)
	}
	const film = `{"folder": "a", "frames": 4, "segments": 2, "chunk": 1, "simulates": ["sim"], "draws": ["draw"]`
	for text, want := range map[string]string{
		"{":                             "plan again",
		`{"cpus": 1, "processors": 1}`:  "lacks films",
		`{"films": [` + film + `}]}`:    "processors",
		`{"films": [{"frames": 1e99}]}`: "plan again",
		`{"cpus": 1, "processors": 1, "films": [{"frames": 4, "segments": 5, "chunk": 1, "simulates": ["sim"], "draws": ["draw"]}]}`: "5 segments",
		`{"cpus": 1, "processors": 1, "films": [{"frames": 4, "segments": 2, "chunk": 0, "simulates": ["sim"], "draws": ["draw"]}]}`: "chunks of 0",
		`{"cpus": 1, "processors": 1, "films": [` + film + `, "shares": "b"}]}`:                                                      "the particles of b",
		`{"cpus": 1, "processors": 1, "films": [` + film + `}, ` + film + `, "shares": "a"}]}`:                                       "",
	} {
		if err := os.WriteFile(filepath.Join(out, Folder, planFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := Read(out)
		if (err == nil) != (want == "") || err != nil && !(strings.Contains(err.Error(), want) && strings.Contains(err.Error(), "plan again")) {
			t.Errorf("%s: %v", text, err)
		}
		if err == nil {
			if err := inOrder(p); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestReadDivides reads plans of a short and a long film: the tasks are as New made them, and the
// file of the longer film is not larger.
func TestReadDivides(t *testing.T) {
	longtest.NotShort(t)
	var sizes []int64
	for _, fps := range []string{"", "1000"} {
		p, _ := example(t, fps, Options{Engine: "shell", Segments: 7, Chunk: 2, CPUs: 3}, estimate.Estimate{SimTime: 7200, MeshTime: 3000, DrawTime: 4000, FilmTime: 30})
		out := t.TempDir()
		if _, err := p.Write(out); err != nil {
			t.Fatal(err)
		}
		read, err := Read(out)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(read.Tasks, p.Tasks) {
			t.Errorf("%d tasks read, %d made, or others", len(read.Tasks), len(p.Tasks))
		}
		info, err := os.Stat(filepath.Join(out, Folder, planFile))
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	if sizes[1] > sizes[0]+10 { // digits
		t.Errorf("plans have %d bytes", sizes)
	}
}

// TestArithmetic has a task refuse a machine with other bits before it writes.
func TestArithmetic(t *testing.T) {
	longtest.NotShort(t)
	p, _ := example(t, "", Options{Engine: "shell"}, estimate.Estimate{SimTime: 10})
	out := t.TempDir()
	if _, err := p.Write(out); err != nil {
		t.Fatal(err)
	}
	p.Arithmetic = "other"
	err := p.Run(t.Context(), out, p.Tasks[0], nil)
	var elsewhere stage.Elsewhere
	if !errors.As(err, &elsewhere) || !strings.Contains(err.Error(), "other bits") {
		t.Errorf("a task of another machine ends with %v", err)
	}
	if made, err := filepath.Glob(filepath.Join(out, "*")); err != nil || len(made) != 1 || filepath.Base(made[0]) != Folder {
		t.Errorf("it wrote %v: %v", made, err)
	}
}

// TestNewWedge plans three variants of a scene with whitewater. The second has the particles
// of the first, and makes its whitewater alone, of each segment after the first has simulated it.
func TestNewWedge(t *testing.T) {
	var films []Input
	for i, set := range []string{"picture.size=[320, 180]", "whitewater.onset=0.2", "liquid.spacing=0.03"} {
		s, err := scenes.Load("dam-break")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Override(scenes.Overrides{Set: []string{set}}); err != nil {
			t.Fatal(err)
		}
		films = append(films, Input{Scene: s, Costs: Costs{Sim: 600, Whitewater: 90, Draw: 500, Memory: int64(i)}, Folder: []string{"a", "b", "c"}[i]})
	}
	p, err := New(Inputs{Name: "wedge", Films: films, Summary: &wedge.Summary{Keys: []string{"a"}}}, Options{Engine: "shell", Segments: 2, Chunk: 45, CPUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.check(), inOrder(p)); err != nil {
		t.Error(err)
	}
	tasks := map[string]Task{}
	for _, task := range p.Tasks {
		tasks[task.ID] = task
	}
	if len(tasks) != 16 || p.Films[1].Shares != "a" || p.Films[2].Shares != "" || p.Memory != 2 {
		t.Fatalf("%d tasks, films %+v", len(tasks), p.Films)
	}
	for id, want := range map[string]Task{
		"v1-sim-2":        {Film: 0, Stages: []stage.Name{stage.Sim, stage.Whitewater}, After: []string{"v1-sim-1"}},
		"v2-sim-1":        {Film: 1, Stages: []stage.Name{stage.Whitewater}, After: []string{"v1-sim-1"}},
		"v2-sim-2":        {Film: 1, Stages: []stage.Name{stage.Whitewater}, After: []string{"v2-sim-1", "v1-sim-2"}},
		"v3-sim-1":        {Film: 2, Stages: []stage.Name{stage.Sim, stage.Whitewater}},
		"v2-frames-46-90": {Film: 1, Stages: []stage.Name{stage.Mesh, stage.Export, stage.Draw}, After: []string{"v2-sim-2"}},
		"summary":         {Sums: true, After: []string{"v1-finish", "v2-finish", "v3-finish"}},
		"v3-finish":       {Film: 2, After: []string{"v3-frames-1-45", "v3-frames-46-90"}},
	} {
		got := tasks[id]
		if got.Sums != want.Sums || got.Film != want.Film || !slices.Equal(got.Stages, want.Stages) || !slices.Equal(got.After, want.After) {
			t.Errorf("%s: %+v, want %+v", id, got, want)
		}
	}
	// Engines that go through the list make the first tasks of all films first.
	if p.Tasks[0].ID != "v1-sim-1" || p.Tasks[1].ID != "v3-sim-1" {
		t.Errorf("the first tasks are %s and %s", p.Tasks[0].ID, p.Tasks[1].ID)
	}
	for e, engine := range Engines.Defaults() {
		if list := engine.Scripts(p, p.Tasks); len(list) == 0 || !strings.Contains(list[0].Text+list[len(list)-1].Text+list[min(1, len(list)-1)].Text, "v2-sim-2") {
			t.Errorf("%s lacks v2-sim-2", e.Name)
		}
	}
	if err := checkOpenJD(openJD{}.Scripts(p, p.Tasks)[1].Text); err != nil {
		t.Error(err)
	}
}

// TestGoesOn has tasks in all conditions.
func TestGoesOn(t *testing.T) {
	is := func(id string, c Condition, exit int, after ...string) Status {
		return Status{Task: Task{ID: id, After: after}, Condition: c, Mark: &Mark{Exit: exit}}
	}
	for _, c := range []struct {
		list []Status
		want bool
	}{
		{[]Status{is("a", Done, 0), is("b", Done, 0, "a")}, false},
		{[]Status{is("a", Done, 0), is("b", Waiting, 0, "a")}, true},
		{[]Status{is("a", Failed, 4), is("b", Waiting, 0, "a"), is("c", Waiting, 0, "b")}, false},
		{[]Status{is("a", Failed, 75), is("b", Waiting, 0, "a")}, true},
		{[]Status{is("a", Failed, 5), is("b", Waiting, 0, "a"), is("c", Running, -1)}, true},
		{[]Status{is("a", Failed, 5), is("b", Done, 0, "a"), is("c", Waiting, 0, "b")}, true},
	} {
		if got := GoesOn(c.list); got != c.want {
			t.Errorf("%+v: %t", c.list, got)
		}
	}
}

// TestProgress has plans that have come some way: frames are counted by what becomes of them, and
// the end is predicted by the pace of tasks so far.
func TestProgress(t *testing.T) {
	simulate, draw := []stage.Name{stage.Sim}, []stage.Name{stage.Draw}
	is := func(id string, stages []stage.Name, first, last int, c Condition, lacks int, seconds float64, after ...string) Status {
		s := Status{Task: Task{ID: id, Stages: stages, First: first, Last: last, After: after}, Condition: c, Lacks: lacks}
		if c != Waiting {
			s.Mark = &Mark{Exit: -1, Seconds: seconds}
		}
		return s
	}
	p := &Plan{Films: []Film{{Frames: 8}}}
	list := []Status{
		is("sim-1", simulate, 1, 4, Done, 0, 40),
		is("sim-2", simulate, 5, 8, Running, 3, 10, "sim-1"),
		is("frames-1-4", draw, 1, 4, Running, 1, 6, "sim-1"),
		is("frames-5-8", draw, 5, 8, Waiting, 4, 0, "sim-2"),
		is("finish", nil, 1, 8, Waiting, 0, 0, "frames-1-4", "frames-5-8"),
	}
	// 10 s per frame are left for 3 frames, then 2 s for 4.
	want := Progress{Frames: 8, Made: 3, Running: 1, Later: 4, Path: 38, Work: 40, AtOnce: 2, Ends: 38}
	if got := p.Progress(list); got != want || list[1].Ends != 30 || list[2].Ends != 2 || list[3].Ends != 38 || list[0].Ends != 0 {
		t.Errorf("got %+v, want %+v, and %+v", got, want, list)
	}
	// With nothing that runs, one task at a time is assumed.
	list[1].Condition, list[2].Condition = Waiting, Waiting
	if got := p.Progress(list); got.Ends != 40 || got.AtOnce != 1 || got.Running != 0 || got.Later != 5 {
		t.Errorf("got %+v", got)
	}
	// A task that failed for good does not end, and its frames have failed.
	list[1].Condition, list[1].Mark.Exit = Failed, 4
	if got := p.Progress(list); got.Ends != 0 || got.Failed != 4 || got.Later != 1 || got.Made != 3 {
		t.Errorf("got %+v", got)
	}
	// Without a pace, it is as planned; without a plan of times, unknown.
	fresh := []Status{is("sim-1", simulate, 1, 8, Waiting, 8, 0), is("frames-1-8", draw, 1, 8, Waiting, 8, 0, "sim-1")}
	if got := p.Progress(fresh); got.Ends != 0 || got.Path != 0 || got.Later != 8 {
		t.Errorf("got %+v", got)
	}
	fresh[0].Seconds, fresh[1].Seconds = 80, 20
	if got := p.Progress(fresh); got.Ends != 100 || got.Path != 100 {
		t.Errorf("got %+v", got)
	}
}
