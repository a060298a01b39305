package run

import (
	"breakwater/scenes"
	"breakwater/scenes/stage"
)

// Look looks at what a folder has of a scene. It changes nothing.
type Look struct{ r *runner }

// NewLook returns a look at the folder of a run of all frames of s.
func NewLook(s *scenes.Scene, folder string) (*Look, error) {
	r, err := newRunner(s, Options{Out: folder}, func(stage.Event) {})
	if err != nil {
		return nil, err
	}
	return &Look{r}, nil
}

// Close ends the look.
func (l *Look) Close() error { return l.r.dir.Close() }

// Lacks returns how many of the frames first … last lack files that the stages make per
// frame.
func (l *Look) Lacks(stages []stage.Name, first, last int) (frames int) {
	return l.r.lacks(stages, first, last)
}

// Ended reports whether there are the films and the archives of all frames, and the
// manifest.
func (l *Look) Ended() bool {
	_, err := l.r.dir.Stat(manifestName)
	return err == nil && l.r.fresh(l.r.wholeFiles()...) == nil
}

func (r *runner) lacks(stages []stage.Name, first, last int) (frames int) {
	files := map[stage.Name]func(n int) []product{
		stage.Sim: r.particleFiles, stage.Whitewater: r.whitewaterFiles, stage.Export: r.exportedFiles, stage.Draw: r.pictureFiles,
		stage.Mesh: func(n int) []product {
			if r.scene.Meshless() || r.spent(n) {
				return nil
			}
			return r.meshProducts(n)
		},
	}
	for n := first; n <= last; n++ {
		for _, st := range stages {
			if of := files[st]; of != nil && r.fresh(of(n)...) != nil {
				frames++
				break
			}
		}
	}
	return frames
}

// wholeFiles lists the films and archives of this run.
func (r *runner) wholeFiles() []product {
	files := r.filmFiles(r.first, r.last)
	for _, a := range r.ours() {
		files = append(files, a.product)
	}
	return files
}

// allMade reports whether all products of the scene are there, whichever runs have made them.
func (r *runner) allMade() bool {
	if f, needed := r.materialFile(); needed && r.fresh(f) != nil {
		return false
	}
	return r.fresh(r.wholeFiles()...) == nil && r.lacks(stage.All(), r.first, r.last) == 0
}
