package farm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"breakwater/scenes"
	"breakwater/scenes/canary"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
)

// inputWait is how long a task waits for files that were made on another machine: network
// file systems show them late.
const inputWait = 2 * time.Minute

// load returns the scene of a film in the folder of a run, as it was when it was planned.
// A scene, or a program, that makes other files than planned is an error.
func (p *Plan) load(out string, film int) (*scenes.Scene, error) {
	f := p.Films[film]
	file := filepath.Join(out, Folder, filepath.FromSlash(f.Scene))
	s, err := scenes.Load(file)
	if err != nil {
		return nil, err
	}
	keys, err := s.Keys()
	if err != nil {
		return nil, err
	}
	if last(keys) != f.Fingerprint || s.Time.Frames() != f.Frames {
		return nil, stage.Elsewhere{Err: fmt.Errorf("%s is not as planned, or this program has another version: plan again", file)}
	}
	return s, nil
}

// Planned returns the scene of the run in a folder that has a plan, or that is the folder of a
// film in one, as it was when it was planned; nil without a plan.
func Planned(folder string) (*scenes.Scene, error) {
	folder = filepath.Clean(folder)
	for _, at := range []string{folder, filepath.Dir(folder)} {
		if _, err := os.Stat(filepath.Join(at, Folder, planFile)); err != nil {
			continue
		}
		p, err := Read(at)
		if err != nil {
			return nil, err
		}
		for i, f := range p.Films {
			if filepath.Join(at, f.Folder) == folder {
				return p.here(at, i)
			}
		}
	}
	return nil, nil
}

// here returns the scene of a film, unless this program is another than the one that planned, or this
// machine computes other bits than the planning one.
func (p *Plan) here(out string, film int) (*scenes.Scene, error) {
	if err := p.checkProgram(); err != nil {
		return nil, err
	}
	s, err := p.load(out, film)
	if err != nil {
		return nil, err
	}
	sum, err := canary.Sum()
	if err != nil {
		return nil, err
	}
	if sum != p.Arithmetic {
		return nil, stage.Elsewhere{Err: fmt.Errorf("this machine computes other bits (%s) than the one that planned (%s), so its frames would not fit the others: run the task on machines of one kind, or plan on this one", sum, p.Arithmetic)}
	}
	return s, nil
}

// Run runs a task of the plan in the folder of the run. It refuses, before it writes
// anything, a machine that computes other bits than the planning one.
func (p *Plan) Run(ctx context.Context, out string, t Task, report func(stage.Event)) error {
	s, err := p.here(out, t.Film)
	if err != nil {
		return err
	}
	if t.Sums {
		return p.sum(out)
	}
	return run.Run(ctx, s, run.Options{Out: filepath.Join(out, p.Films[t.Film].Folder), Stages: t.Stages, First: t.First, Last: t.Last, PerFrame: len(t.Stages) > 0, Wait: inputWait}, report)
}

// sum makes the tables and the contact sheet of a wedge.
func (p *Plan) sum(out string) error {
	var list []*scenes.Scene
	for i := range p.Films {
		s, err := p.load(out, i)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	return p.Summary.Write(out, list, 0)
}
