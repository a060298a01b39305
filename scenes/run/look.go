package run

import (
	"slices"

	"breakwater/scenes"
	"breakwater/scenes/stage"
)

// Look looks at what a folder has of a scene. It changes nothing.
type Look struct {
	r     *runner
	paths pathRows
}

// NewLook returns a look at the folder of a run of all frames of s.
func NewLook(s *scenes.Scene, folder string) (*Look, error) {
	r, err := newRunner(s, Options{Out: folder}, func(stage.Event) {})
	if err != nil {
		return nil, err
	}
	return &Look{r: r}, nil
}

// Close ends the look.
func (l *Look) Close() error { return l.r.dir.Close() }

// Lacks returns how many of the frames first … last lack files that the stages make per
// frame, or of the sim stage what a camera that follows needs to draw them.
func (l *Look) Lacks(stages []stage.Name, first, last int) (frames int) {
	for n := first; n <= last; n++ {
		if l.r.lacks(stages, n, n) > 0 || slices.Contains(stages, stage.Sim) && l.lost(n) {
			frames++
		}
	}
	return frames
}

// lost reports whether the picture of frame n is to be drawn and a task would have to look for its
// camera in all frames before.
func (l *Look) lost(n int) bool {
	if !l.r.tracks() || l.r.fresh(l.r.pictureFiles(n)...) == nil {
		return false
	}
	_, ok, err := l.paths.at(l.r, n)
	return !ok || err != nil
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
		if a.staged() {
			files = append(files, r.skyFile())
		}
	}
	return files
}

// allMade reports whether all products of the scene are there, with whole tables, whichever runs
// have made them.
func (r *runner) allMade() bool {
	for _, name := range r.tableFiles() {
		if r.dir.Intact(name) != nil {
			return false
		}
	}
	if f, needed := r.materialFile(); needed && r.fresh(f) != nil {
		return false
	}
	return r.fresh(r.wholeFiles()...) == nil && r.lacks(stage.All(), r.first, r.last) == 0
}
