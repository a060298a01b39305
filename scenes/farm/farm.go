// Package farm divides the run of a scene into tasks that run on many machines with a
// shared folder, and hands them to a program that distributes work, an engine. It has no
// server: the files show which tasks are done.
//
//	farm.go      the plan: tasks, and what each needs
//	plan.go      the tasks of a scene
//	cost.go      what films cost; critical path and node hours
//	program.go   the version of this program
//	task.go      one task, on the machine that runs it
//	mark.go      who runs a task, and how it ended
//	status.go    which tasks are done, from the files
//	progress.go  when the others are
//	engine.go    what an engine is
//	engine_*.go  the engines, whose files are in scripts
package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/scenes/wedge"
)

// Folder is the subfolder of a run with its plan.
const Folder = "farm"

const (
	planFile = "plan.json"

	// sceneFolder is the subfolder of the plan with the scene and its files as they were.
	sceneFolder = "scene"
)

// Plan is the run of a scene as tasks, or of all variants of a wedge. Tasks come after those
// that they depend on. The file of a plan has no list of them: its size does not grow with the film.
type Plan struct {
	Name       string `json:"name"`       // of the scene or the wedge
	Films      []Film `json:"films"`      // of the scene, or of the variants
	Program    string `json:"program"`    // that planned: its version, and the revision of its source where the build tells
	Arithmetic string `json:"arithmetic"` // of the planning machine; see canary.Sum
	Processors int    `json:"processors"` // of the planning machine
	Engine     string `json:"engine"`
	CPUs       int    `json:"cpus"`   // processors of a task
	Memory     int64  `json:"memory"` // of a task, bytes
	Disk       int64  `json:"disk"`   // of all files, bytes

	Summary *wedge.Summary `json:"summary,omitempty"` // of a wedge

	Tasks []Task `json:"-"` // follow from the rest; see divide
}

// Film is a scene that a plan runs.
type Film struct {
	Folder      string `json:"folder,omitempty"` // of its run, in the folder of the plan's; "" for that
	Scene       string `json:"scene"`            // its file, in the folder of the plan
	Frames      int    `json:"frames"`
	Fingerprint string `json:"fingerprint"`      // of the last picture
	Shares      string `json:"shares,omitempty"` // the folder of the film whose particles it has
	Costs       Costs  `json:"costs"`            // on the planning machine, without a farm

	Segments  int          `json:"segments"`         // of the simulation
	Chunk     int          `json:"chunk"`            // frames that a task meshes and draws
	Simulates []stage.Name `json:"simulates"`        // stages of a segment
	Draws     []stage.Name `json:"draws"`            // stages of a chunk
	Tracks    bool         `json:"tracks,omitempty"` // its camera has a path that depends on the particles

	scene *scenes.Scene // of a plan that New has made
	keys  *scenes.Keys
}

// Task is a part of a run, in a process of its own.
type Task struct {
	ID      string       `json:"id"`
	Film    int          `json:"film,omitempty"`   // index of the film, from 0
	Stages  []stage.Name `json:"stages,omitempty"` // all if empty
	Sums    bool         `json:"sums,omitempty"`   // it makes what all films of a wedge have in common, and no stage
	First   int          `json:"first"`            // frame
	Last    int          `json:"last"`
	After   []string     `json:"after,omitempty"`   // tasks that must be done before
	Seconds float64      `json:"seconds,omitempty"` // estimated for CPUs processors of the planning machine; 0 if unknown
}

// Frames returns the number of frames of all films.
func (p *Plan) Frames() (n int) {
	for _, f := range p.Films {
		n += f.Frames
	}
	return n
}

// Write writes the plan to the folder of the run, with the script that submits all tasks,
// and returns the path of the script. It keeps a copy of the scene, so that later changes of
// its files do not change the plan. It forgets how tasks of an older plan ended.
func (p *Plan) Write(out string) (script string, err error) {
	dir, err := store.OpenDir(filepath.Join(out, Folder))
	if err != nil {
		return "", err
	}
	defer dir.Close()
	for _, old := range []string{markFolder, sceneFolder} {
		if err := os.RemoveAll(filepath.Join(dir.Path(), old)); err != nil {
			return "", err
		}
	}
	for i := range p.Films {
		if err := p.freeze(dir, out, i); err != nil {
			return "", err
		}
	}
	if err := dir.WriteJSON(planFile, p); err != nil {
		return "", err
	}
	return p.writeScripts(dir, p.Tasks)
}

// freeze keeps a copy of the scene of a film, and links its particles to those that it shares.
func (p *Plan) freeze(dir *store.Dir, out string, film int) error {
	f := &p.Films[film]
	folder := path.Join(sceneFolder, f.Folder)
	name, err := f.scene.Freeze(func(name string, data []byte) error {
		return dir.Write(path.Join(folder, name), func(w io.Writer) error { _, err := w.Write(data); return err })
	})
	if err != nil {
		return err
	}
	f.Scene = path.Join(folder, name)
	if _, err := p.load(out, film); err != nil {
		return fmt.Errorf("the copy of the scene differs from it: %w", err)
	}
	if f.Shares == "" {
		return nil
	}
	if err := run.ShareParticles(filepath.Join(out, f.Shares), filepath.Join(out, f.Folder)); err != nil {
		return err
	}
	link := filepath.Join(out, f.Folder, run.ParticleFolder)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return fmt.Errorf("%s must be a link to the particles of %s: remove it, or plan into another folder, on a disk that has links", link, f.Shares)
	}
	return nil
}

// Read reads the plan of the run in a folder.
func Read(out string) (*Plan, error) {
	file := filepath.Join(out, Folder, planFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no plan: make one with breakwater farm plan SCENE --out %s", out, out)
	}
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s: %w; plan again", file, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w; plan again", file, err)
	}
	p.divide()
	return p, nil
}

// check returns an error if the plan cannot be divided.
func (p *Plan) check() error {
	if len(p.Films) == 0 || p.CPUs < 1 || p.Processors < 1 {
		return errors.New("it lacks films or processors")
	}
	for i, f := range p.Films {
		if f.Frames < 1 || f.Segments < 1 || f.Segments > f.Frames || f.Chunk < 1 || len(f.Simulates) == 0 || len(f.Draws) == 0 {
			return fmt.Errorf("film %d has %d frames in %d segments and chunks of %d", i+1, f.Frames, f.Segments, f.Chunk)
		}
		if f.Shares == "" {
			continue
		}
		if other := p.shared(i); other < 0 || p.Films[other].Segments != f.Segments || p.Films[other].Frames != f.Frames {
			return fmt.Errorf("film %d cannot have the particles of %s", i+1, f.Shares)
		}
	}
	return nil
}

// Task returns the task with an ID.
func (p *Plan) Task(id string) (Task, error) {
	i := slices.IndexFunc(p.Tasks, func(t Task) bool { return t.ID == id })
	if i < 0 {
		return Task{}, fmt.Errorf("the plan has no task %q; breakwater farm status lists all", id)
	}
	return p.Tasks[i], nil
}
