package farm

import (
	"fmt"
	"math"
	"regexp"
	"runtime"

	"breakwater/scenes"
	"breakwater/scenes/canary"
	"breakwater/scenes/stage"
	"breakwater/sim/registry"
)

// Options say how a run is divided.
type Options struct {
	Engine   string
	Segments int // of the simulation, 0 for as many as take a minute each, and at most 20
	Chunk    int // frames that a task meshes and draws, 0 for as many as take one to ten minutes
	CPUs     int // processors of a task, 0 for as many as this machine has
}

// Tasks should be long enough that their beginning, a few seconds, does not count, and
// short enough that little is lost with a machine.
const (
	leastSeconds = 60
	mostSeconds  = 600
	fewPieces    = 20   // more only if tasks would take longer; each segment is submitted for itself
	mostChunks   = 1000 // of a segment: Slurm's arrays have 1001 elements by default
)

// pieces returns in how many pieces to divide work that takes some seconds, 0 if unknown.
func pieces(seconds float64) int {
	if seconds == 0 {
		return fewPieces / 2
	}
	return max(1, min(fewPieces, int(seconds/leastSeconds)))
}

// taskID is how the names of tasks look, which are words of shell scripts.
var taskID = regexp.MustCompile(`^[a-z]+(-[0-9]+)*$`)

// New divides the run of s, whose cost is e.
//
// The simulation is a chain of segments. When one is done, its frames are meshed and
// drawn in chunks, while the next goes on. A last task makes what has all frames.
func New(s *scenes.Scene, e *scenes.Estimate, opt Options) (*Plan, error) {
	if _, err := Engines.New(opt.Engine, registry.None); err != nil {
		return nil, err
	}
	p := &Plan{Name: s.Name, scene: s, Frames: s.Time.Frames(), Engine: opt.Engine, CPUs: opt.CPUs, Memory: e.Memory, Disk: e.Disk()}
	here := runtime.GOMAXPROCS(0)
	if p.CPUs == 0 {
		p.CPUs = here
	}
	var err error
	if p.Fingerprint, err = fingerprint(s); err != nil {
		return nil, err
	}
	if p.Arithmetic, err = canary.Sum(); err != nil {
		return nil, err
	}
	n := p.Frames
	share := float64(here) / float64(p.CPUs) / float64(n)
	simulate := (e.SimTime + e.WhitewaterTime) * share // per frame
	draw := (e.MeshTime + e.DrawTime) * share

	segments, chunk := opt.Segments, opt.Chunk
	if segments == 0 {
		segments = pieces(simulate * float64(n))
	}
	segments = max(1, min(segments, n))
	if chunk == 0 {
		all := draw * float64(n)
		chunk = int(math.Ceil(float64(n) / max(float64(pieces(all)), all/mostSeconds)))
	}
	chunk = max(1, min(chunk, n), (n/segments+mostChunks)/mostChunks)

	sim, frames := []stage.Name{stage.Sim, stage.Whitewater}, []stage.Name{stage.Mesh, stage.Export, stage.Draw}
	if s.Whitewater == nil {
		sim = sim[:1]
	}
	if s.Gas != nil {
		frames = frames[1:]
	}
	segment := func(k int) Task {
		t := Task{ID: fmt.Sprintf("sim-%d", k+1), Stages: sim, First: n*k/segments + 1, Last: n * (k + 1) / segments}
		if k > 0 {
			t.After = []string{fmt.Sprintf("sim-%d", k)}
		}
		t.Seconds = simulate * float64(t.Last-t.First+1)
		return t
	}
	var ends []string
	p.Tasks = append(p.Tasks, segment(0))
	for k := range segments {
		if k+1 < segments { // first, as the others wait for it
			p.Tasks = append(p.Tasks, segment(k+1))
		}
		before := segment(k)
		for from := before.First; from <= before.Last; from += chunk {
			t := Task{Stages: frames, First: from, Last: min(from+chunk-1, before.Last), After: []string{before.ID}}
			t.ID = fmt.Sprintf("frames-%d-%d", t.First, t.Last)
			t.Seconds = draw * float64(t.Last-t.First+1)
			p.Tasks = append(p.Tasks, t)
			ends = append(ends, t.ID)
		}
	}
	p.Tasks = append(p.Tasks, Task{ID: "finish", First: 1, Last: n, After: ends, Seconds: e.FilmTime * float64(here) / float64(p.CPUs)})
	return p, nil
}

// fingerprint returns the fingerprint of all that the last picture of s depends on.
func fingerprint(s *scenes.Scene) (string, error) {
	b, err := s.Plan()
	if err != nil {
		return "", err
	}
	keys, err := scenes.NewKeys(s, b)
	if err != nil {
		return "", err
	}
	return keys.Pictures[len(keys.Pictures)-1], nil
}
