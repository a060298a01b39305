package farm

import (
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"

	"breakwater/scenes"
	"breakwater/scenes/canary"
	"breakwater/scenes/stage"
	"breakwater/scenes/wedge"
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

// pathSeconds is about how long it takes to read the particles of a frame for the path of a camera.
const pathSeconds = 0.1

// pieces returns in how many pieces to divide work that takes some seconds, 0 if unknown.
func pieces(seconds float64) int {
	if seconds == 0 {
		return fewPieces / 2
	}
	return max(1, min(fewPieces, int(seconds/leastSeconds)))
}

// taskID is how the names of tasks look, which are words of shell scripts.
var taskID = regexp.MustCompile(`^(v[0-9]+-)?[a-z]+(-[0-9]+)*$`)

// Inputs are the films to plan: of a scene, or of the variants of a wedge.
type Inputs struct {
	Name    string // of the scene or the wedge
	Films   []Input
	Summary *wedge.Summary // nil for a scene
}

// Input is a film to plan, and what it costs.
type Input struct {
	Scene  *scenes.Scene
	Costs  Costs
	Folder string // see Film
}

// New divides the runs of some films: of one scene, or of the variants of a wedge.
//
// The simulation of a film is a chain of segments. When one is done, its frames are meshed and
// drawn in chunks, while the next goes on. A last task makes what has all frames. Films with
// the same particles simulate once. The last task of a wedge makes its tables and its contact
// sheet.
func New(in Inputs, opt Options) (*Plan, error) {
	if _, err := Engines.New(opt.Engine, registry.None); err != nil {
		return nil, err
	}
	p := &Plan{Name: in.Name, Program: program(), Processors: runtime.GOMAXPROCS(0), Engine: opt.Engine, CPUs: opt.CPUs, Summary: in.Summary}
	if p.CPUs == 0 {
		p.CPUs = runtime.GOMAXPROCS(0)
	}
	var err error
	if p.Arithmetic, err = canary.Sum(); err != nil {
		return nil, err
	}
	for i := range in.Films {
		if err := p.add(&in.Films[i], opt, len(in.Films) > 1); err != nil {
			return nil, err
		}
	}
	if in.Summary != nil {
		last := Task{ID: "summary", Sums: true}
		for _, t := range p.Tasks {
			if len(t.Stages) == 0 {
				last.After = append(last.After, t.ID)
			}
		}
		p.Tasks = append(p.Tasks, last)
	}
	// Engines hand tasks over in this order, so the films go on side by side.
	depth := map[string]int{}
	for _, t := range p.Tasks {
		for _, id := range t.After {
			depth[t.ID] = max(depth[t.ID], depth[id]+1)
		}
	}
	slices.SortStableFunc(p.Tasks, func(a, b Task) int { return depth[a.ID] - depth[b.ID] })
	return p, nil
}

// add divides the run of a film. The tasks of several films have names that begin with the number of
// the film.
func (p *Plan) add(in *Input, opt Options, several bool) error {
	s, e := in.Scene, &in.Costs
	f := Film{Folder: in.Folder, Frames: s.Time.Frames(), Costs: in.Costs, scene: s}
	var err error
	if f.keys, err = s.Keys(); err != nil {
		return err
	}
	f.Fingerprint = last(f.keys)
	here := runtime.GOMAXPROCS(0)
	n := f.Frames
	share := float64(here) / float64(p.CPUs) / float64(n)
	simulate := (e.Sim + e.Whitewater) * share // per frame
	draw := (e.Mesh + e.Draw) * share

	film := len(p.Films)
	prefix := func(film int) string {
		if !several {
			return ""
		}
		return fmt.Sprintf("v%d-", film+1)
	}
	same := slices.IndexFunc(p.Films, func(other Film) bool { return slices.Equal(other.keys.Particles, f.keys.Particles) })
	segments, chunk := opt.Segments, opt.Chunk
	if segments == 0 {
		segments = pieces(simulate * float64(n))
	}
	segments = max(1, min(segments, n))
	if same >= 0 {
		f.Shares, segments = p.Films[same].Folder, p.Films[same].segments
		simulate = e.Whitewater * share
	}
	f.segments = segments
	if chunk == 0 {
		all := draw * float64(n)
		chunk = int(math.Ceil(float64(n) / max(float64(pieces(all)), all/mostSeconds)))
	}
	chunk = max(1, min(chunk, n), (n/segments+mostChunks)/mostChunks)

	sim, frames := []stage.Name{stage.Sim, stage.Whitewater}, []stage.Name{stage.Mesh, stage.Export, stage.Draw}
	if s.Whitewater == nil {
		sim = sim[:1]
	}
	if s.Meshless() {
		frames = frames[1:]
	}
	of := film // the film whose tasks make the state of a segment
	switch {
	case same < 0:
	case s.Tracks(): // each film has a path of its camera, which these tasks make of the particles
		simulate += pathSeconds
	case s.Whitewater == nil:
		of = same
	default:
		sim = sim[1:]
	}
	segment := func(k int) Task {
		t := Task{Film: film, ID: fmt.Sprintf("%ssim-%d", prefix(of), k+1), Stages: sim, First: n*k/segments + 1, Last: n * (k + 1) / segments}
		if k > 0 {
			t.After = append(t.After, fmt.Sprintf("%ssim-%d", prefix(of), k))
		}
		if same >= 0 {
			t.After = append(t.After, fmt.Sprintf("%ssim-%d", prefix(same), k+1))
		}
		t.Seconds = simulate * float64(t.Last-t.First+1)
		return t
	}
	simulated := func(t Task) {
		if of == film {
			p.Tasks = append(p.Tasks, t)
		}
	}
	var ends []string
	simulated(segment(0))
	for k := range segments {
		if k+1 < segments { // first, as the others wait for it
			simulated(segment(k + 1))
		}
		before := segment(k)
		for from := before.First; from <= before.Last; from += chunk {
			t := Task{Film: film, Stages: frames, First: from, Last: min(from+chunk-1, before.Last), After: []string{before.ID}}
			t.ID = fmt.Sprintf("%sframes-%d-%d", prefix(film), t.First, t.Last)
			t.Seconds = draw * float64(t.Last-t.First+1)
			p.Tasks = append(p.Tasks, t)
			ends = append(ends, t.ID)
		}
	}
	p.Tasks = append(p.Tasks, Task{Film: film, ID: prefix(film) + "finish", First: 1, Last: n, After: ends, Seconds: e.Film * float64(here) / float64(p.CPUs)})
	p.Films = append(p.Films, f)
	p.Memory = max(p.Memory, e.Memory)
	p.Disk += e.Disk
	return nil
}

// last returns the fingerprint of all that the last picture depends on.
func last(k *scenes.Keys) string { return k.Pictures[len(k.Pictures)-1] }
