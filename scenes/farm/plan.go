package farm

import (
	"fmt"
	"math"
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
		if err := p.add(&in.Films[i], opt); err != nil {
			return nil, err
		}
	}
	p.divide()
	return p, nil
}

// add adds a film to the plan, and decides into how many segments and chunks it is divided.
func (p *Plan) add(in *Input, opt Options) error {
	s, e := in.Scene, &in.Costs
	f := Film{Folder: in.Folder, Frames: s.Time.Frames(), Costs: in.Costs, Tracks: s.Tracks(), Segments: opt.Segments, Chunk: opt.Chunk, scene: s}
	f.Simulates, f.Draws = []stage.Name{stage.Sim, stage.Whitewater}, []stage.Name{stage.Mesh, stage.Export, stage.Draw}
	if s.Whitewater == nil {
		f.Simulates = f.Simulates[:1]
	}
	if s.Meshless() {
		f.Draws = f.Draws[1:]
	}
	var err error
	if f.keys, err = s.Keys(); err != nil {
		return err
	}
	f.Fingerprint = last(f.keys)
	n := f.Frames
	if f.Segments == 0 {
		f.Segments = pieces((e.Sim + e.Whitewater) * p.share())
	}
	f.Segments = max(1, min(f.Segments, n))
	if same := slices.IndexFunc(p.Films, func(other Film) bool { return slices.Equal(other.keys.Particles, f.keys.Particles) }); same >= 0 {
		f.Shares, f.Segments = p.Films[same].Folder, p.Films[same].Segments
	}
	if f.Chunk == 0 {
		all := (e.Mesh + e.Draw) * p.share()
		f.Chunk = int(math.Ceil(float64(n) / max(float64(pieces(all)), all/mostSeconds)))
	}
	f.Chunk = max(1, min(f.Chunk, n), (n/f.Segments+mostChunks)/mostChunks)
	p.Films = append(p.Films, f)
	p.Memory = max(p.Memory, e.Memory)
	p.Disk += e.Disk
	return nil
}

// share returns how many times as long work takes on the processors of a task as on the planning machine.
func (p *Plan) share() float64 { return float64(p.Processors) / float64(p.CPUs) }

// divide makes the tasks of all films. They follow from the rest of the plan, so files need not
// list them, and a task of a long film reads no more than one of a short film.
func (p *Plan) divide() {
	p.Tasks = nil
	for film := range p.Films {
		p.divideFilm(film)
	}
	if p.Summary != nil {
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
}

// divideFilm makes the tasks of a film. The tasks of several films have names that begin with the
// number of the film.
func (p *Plan) divideFilm(film int) {
	f := &p.Films[film]
	n, segments, e := f.Frames, f.Segments, &f.Costs
	prefix := func(film int) string {
		if len(p.Films) == 1 {
			return ""
		}
		return fmt.Sprintf("v%d-", film+1)
	}
	simulate := (e.Sim + e.Whitewater) * p.share() / float64(n) // per frame
	draw := (e.Mesh + e.Draw) * p.share() / float64(n)
	same := p.shared(film)
	sim := f.Simulates
	of := film // the film whose tasks make the state of a segment
	if same >= 0 {
		simulate = e.Whitewater * p.share() / float64(n)
		switch {
		case f.Tracks: // each film has a path of its camera, which these tasks make of the particles
			simulate += pathSeconds
		case len(sim) == 1:
			of = same
		default:
			sim = sim[1:]
		}
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
		for from := before.First; from <= before.Last; from += f.Chunk {
			t := Task{Film: film, Stages: f.Draws, First: from, Last: min(from+f.Chunk-1, before.Last), After: []string{before.ID}}
			t.ID = fmt.Sprintf("%sframes-%d-%d", prefix(film), t.First, t.Last)
			t.Seconds = draw * float64(t.Last-t.First+1)
			p.Tasks = append(p.Tasks, t)
			ends = append(ends, t.ID)
		}
	}
	p.Tasks = append(p.Tasks, Task{Film: film, ID: prefix(film) + "finish", First: 1, Last: n, After: ends, Seconds: e.Film * p.share()})
}

// shared returns the film whose particles a film has, -1 if it has its own.
func (p *Plan) shared(film int) int {
	f := &p.Films[film]
	return slices.IndexFunc(p.Films[:film], func(other Film) bool { return f.Shares != "" && other.Folder == f.Shares })
}

// last returns the fingerprint of all that the last picture depends on.
func last(k *scenes.Keys) string { return k.Pictures[len(k.Pictures)-1] }
