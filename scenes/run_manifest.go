package scenes

import (
	"math"
	"slices"

	"breakwater/out/store"
)

// Version is the version of the program.
const Version = "0.1.0"

// manifestName is the file that a run writes last: if it is there, all the
// files in it are whole and belong together.
const manifestName = "manifest.json"

// Manifest lists what a scene has made. It tells nothing of the machine or
// of the time, so that equal runs have equal manifests. Its stages' fingerprints
// are those of the last frame, which stand for all that the stage depends on.
type Manifest struct {
	store.Manifest
	Title       string        `json:"title,omitempty"`
	Frames      int           `json:"frames"`
	FPS         float64       `json:"fps"`
	Duration    float64       `json:"duration"`               // of the film, s
	Spacing     float64       `json:"spacing"`                // of the particles, m
	Particles   int           `json:"particles"`              // at the start
	VolumeError *float64      `json:"volume_error,omitempty"` // of all meshes the largest |mesh volume / particle volume − 1|, where mesh.csv has all
	Made        map[Stage]int `json:"made"`                   // frames that are there, as the scene is now
}

// writeManifest lists all files that were made from the scene as it is now,
// by this run or an earlier one.
func (r *runner) writeManifest() error {
	s, n := r.scene, r.scene.Time.Frames()
	m := Manifest{
		Manifest: store.Manifest{Scene: s.Name, Version: Version, Stages: map[string]string{}},
		Title:    s.Title, Frames: n, FPS: s.Time.FPS, Duration: s.Time.Duration,
		Spacing: s.Liquid.Spacing, Particles: r.built.Start,
		Made: map[Stage]int{},
	}
	var err error
	if m.VolumeError, err = r.worstVolume(); err != nil {
		return err
	}
	var names []string
	add := func(stage Stage, frames int, files []product) {
		if r.fresh(files...) != nil {
			return
		}
		m.Made[stage] += frames
		for _, f := range files {
			names = append(names, f.name)
		}
	}
	for _, stage := range []struct {
		name  Stage
		files func(n int) []product
		keys  []string
	}{
		{SimStage, r.particleFiles, r.keys.particles},
		{MeshStage, r.meshFiles, r.keys.meshes},
		{DrawStage, r.pictureFiles, r.keys.pictures},
	} {
		m.Stages[string(stage.name)] = stage.keys[n]
		for i := 1; i <= n; i++ {
			add(stage.name, 1, stage.files(i))
		}
	}
	for i := 1; i <= n; i++ {
		for _, f := range slices.Concat(r.pointFiles(i), r.volumeFiles(i)) {
			if r.fresh(f) == nil {
				names = append(names, f.name)
			}
		}
	}
	// Tables are left out where they are not as they were written, and no stage
	// of this run has made them again.
	for _, t := range []struct {
		stage Stage
		names []string
	}{{SimStage, append(r.gaugeFiles(), statsName)}, {MeshStage, []string{meshFile}}} {
		for _, name := range t.names {
			served := t.stage == MeshStage && m.Made[DrawStage] > 0 // and their meshes may not be kept
			if (m.Made[t.stage] > 0 || served) && r.dir.Intact(name) == nil {
				names = append(names, name)
			}
		}
	}
	// So do archives.
	for _, of := range [][2]int{{1, n}, {r.first, r.last}} {
		archives, err := r.archives(of[0], of[1])
		if err != nil {
			return err
		}
		var files []product
		for _, a := range archives {
			files = append(files, a.product)
		}
		if len(files) > 0 && m.Made[ExportStage] == 0 {
			m.Stages[string(ExportStage)] = files[0].fingerprint
			add(ExportStage, of[1]-of[0]+1, files)
		}
	}
	// The film shows all frames, or else those of this run.
	for _, of := range [][2]int{{1, n}, {r.first, r.last}} {
		films, err := r.filmFiles(of[0], of[1])
		if err != nil {
			return err
		}
		if len(films) > 0 && m.Made[FilmStage] == 0 {
			m.Stages[string(FilmStage)] = films[0].fingerprint
			add(FilmStage, of[1]-of[0]+1, films)
		}
	}
	if m.Files, err = r.dir.Sum(names...); err != nil {
		return err
	}
	return r.dir.WriteJSON(manifestName, m)
}

// worstVolume returns the largest volume error of the scene's meshes, nil if
// there are none, or if the ledger does not have them all.
func (r *runner) worstVolume() (*float64, error) {
	book, err := r.meshLedger()
	if err != nil {
		return nil, err
	}
	var worst *float64
	for n := 1; n < len(r.keys.meshes); n++ {
		if r.fresh(r.meshFiles(n)...) != nil {
			continue
		}
		v, ok := book.value(n, r.keys.meshes[n], volumeError)
		if !ok {
			return nil, nil
		}
		if v = math.Abs(v); worst == nil || v > *worst {
			worst = &v
		}
	}
	return worst, nil
}
