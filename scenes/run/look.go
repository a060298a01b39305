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
	files := map[stage.Name]func(n int) []product{
		stage.Sim: l.r.particleFiles, stage.Whitewater: l.r.whitewaterFiles, stage.Export: l.r.exportedFiles, stage.Draw: l.r.pictureFiles,
		stage.Mesh: func(n int) []product {
			if l.r.scene.Meshless() || l.r.spent(n) {
				return nil
			}
			return l.r.meshProducts(n)
		},
	}
	for n := first; n <= last; n++ {
		for _, st := range stages {
			if of := files[st]; of != nil && l.r.fresh(of(n)...) != nil {
				frames++
				break
			}
		}
	}
	return frames
}

// Ended reports whether there are the films and the archives of all frames, and the
// manifest.
func (l *Look) Ended() bool {
	all := l.r.filmFiles(l.r.first, l.r.last)
	for _, a := range l.r.ours() {
		all = append(all, a.product)
	}
	_, err := l.r.dir.Stat(manifestName)
	return err == nil && l.r.fresh(all...) == nil
}
