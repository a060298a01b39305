package run

import (
	"errors"
	"path"

	"breakwater/out/store"
	"breakwater/scenes/stage"
)

// lostFile is a file that a stage before has made, and that turned out to be
// damaged, to be gone, or to have other settings, when it was read.
type lostFile struct {
	name string
	err  error
}

func (e *lostFile) Error() string { return e.err.Error() }

func (e *lostFile) Unwrap() error { return e.err }

// tries counts how often the stages were run again for a file, or a stage, so
// that a disk that keeps nothing ends a run.
type tries map[string]int

const mostTries = 3

// mends reports whether to run the stages again after err. They find a damaged file,
// which is no longer trusted, or a file that another process has removed or replaced, and make it
// again. If this run does not make the file, mends returns an error that names the stage
// to run first.
func (r *runner) mends(err error, count tries) (again bool, _ error) {
	var lost *lostFile
	var lacks *NotMade
	name, st := "", stage.Name("")
	switch {
	case errors.As(err, &lost):
		name, st = lost.name, stageOf(lost.name)
		if st != "" && !r.opt.has(st) {
			return false, &NotMade{Stage: st, Frames: 1, file: name, err: lost.err}
		}
	case errors.As(err, &lacks):
		name, st = string(lacks.Stage), lacks.Stage
	}
	switch {
	case st == "" || !r.opt.has(st):
		return false, err
	case count[name] >= mostTries && lacks != nil:
		contested := *lacks
		contested.Contested = true
		return false, &contested
	case count[name] >= mostTries && errors.Is(err, store.ErrOther):
		return false, &NotMade{Stage: st, Frames: 1, Contested: true, file: name, err: lost.err}
	case count[name] >= mostTries:
		return false, err
	}
	count[name]++
	return true, nil
}

// stageOf returns the stage that makes the files of frames in the folder of the
// named one, "" if none does.
func stageOf(name string) stage.Name {
	switch path.Dir(name) {
	case ParticleFolder:
		return stage.Sim
	case whitewaterFolder:
		if ext := path.Ext(name); ext == "."+airborneFormat.Ext() || ext == "."+parcelFormat.Ext() {
			return stage.Whitewater
		}
		return stage.Export
	case surfaceFolder, meshFolder, bodyFolder:
		return stage.Mesh
	case pointFolder, volumeFolder:
		return stage.Export
	case frameFolder:
		return stage.Draw
	}
	return ""
}
