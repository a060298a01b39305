package run

import (
	"math"
	"slices"

	"breakwater/out/store"
	"breakwater/scenes/stage"
)

// Version is the version of the program.
const Version = "0.1.0"

// manifestName is the file that a run of all frames writes last, once all products of the
// scene are there: all the files in it are whole and belong together.
const manifestName = "manifest.json"

// Manifest lists the products of a scene. It depends neither on the machine nor on the
// time, so that equal runs have equal manifests. Its stages' fingerprints are the last
// frame's, which include everything that the stage depends on.
type Manifest struct {
	store.Manifest
	Title       string             `json:"title,omitempty"`
	Frames      int                `json:"frames"`
	FPS         float64            `json:"fps"`
	Duration    float64            `json:"duration"`               // of the film, s
	Spacing     float64            `json:"spacing"`                // of the particles, m
	Particles   int                `json:"particles"`              // at the start
	Sources     []string           `json:"sources,omitempty"`      // of whitewater
	VolumeError *float64           `json:"volume_error,omitempty"` // of all meshes the largest |mesh volume / particle volume − 1|, where mesh.csv has all
	Made        map[stage.Name]int `json:"made"`                   // frames that are there, as the scene is now
}

// writeManifest lists all files that were made from the scene as it is now, by this run or an
// earlier one, if none of its products is missing. So of the commands that make one stage each,
// the last writes it.
func (r *runner) writeManifest() error {
	if !r.allMade() {
		return nil
	}
	s, n := r.scene, r.scene.Time.Frames()
	m := Manifest{
		Manifest: store.Manifest{Scene: s.Name, Version: Version, Stages: map[string]string{}},
		Title:    s.Title, Frames: n, FPS: s.Time.FPS, Duration: s.Time.Duration,
		Spacing: s.Liquid.Spacing, Particles: r.built.Start,
		Made: map[stage.Name]int{},
	}
	if s.Whitewater != nil {
		m.Sources = s.Whitewater.Sources
	}
	var err error
	if m.VolumeError, err = r.worstVolume(); err != nil {
		return err
	}
	var names []string
	add := func(st stage.Name, frames int, files []product) {
		if r.fresh(files...) != nil {
			return
		}
		m.Made[st] += frames
		for _, f := range files {
			names = append(names, f.name)
		}
	}
	for _, st := range []struct {
		name  stage.Name
		files func(n int) []product
		keys  []string
	}{
		{stage.Sim, r.particleFiles, r.keys.Particles},
		{stage.Whitewater, r.whitewaterFiles, r.keys.Parcels},
		{stage.Mesh, r.meshProducts, r.keys.Meshes},
		{stage.Draw, r.pictureFiles, r.keys.Pictures},
	} {
		if len(st.keys) == 0 { // a scene without whitewater
			continue
		}
		m.Stages[string(st.name)] = st.keys[n]
		for i := 1; i <= n; i++ {
			add(st.name, 1, st.files(i))
		}
	}
	if f, needed := r.materialFile(); needed && r.fresh(f) == nil {
		names = append(names, f.name)
	}
	for i := 1; i <= n; i++ {
		for _, f := range slices.Concat(r.pointFiles(i), r.volumeFiles(i), r.parcelFiles(i)) {
			if r.fresh(f) == nil {
				names = append(names, f.name)
			}
		}
	}
	names = append(names, r.tableFiles()...)
	var archives []product
	for _, a := range r.archives(1, n) {
		archives = append(archives, a.product)
		if a.staged() && !slices.ContainsFunc(archives, func(f product) bool { return f.name == r.skyFile().name }) {
			archives = append(archives, r.skyFile())
		}
	}
	if len(archives) > 0 {
		m.Stages[string(stage.Export)] = archives[0].fingerprint
		add(stage.Export, n, archives)
	}
	if films := r.filmFiles(1, n); len(films) > 0 {
		m.Stages[string(stage.Film)] = films[0].fingerprint
		add(stage.Film, n, films)
	}
	if m.Files, err = r.dir.Sum(names...); err != nil {
		return err
	}
	return r.dir.WriteJSON(manifestName, m)
}

// tableFiles names the tables of a run of all stages.
func (r *runner) tableFiles() []string {
	names := append(r.gaugeFiles(), statsName)
	if r.tracks() {
		names = append(names, trackName)
	}
	if r.scene.Whitewater != nil {
		names = append(names, whitewaterTable)
	}
	if !r.scene.Meshless() {
		names = append(names, meshFile)
	}
	return names
}

// worstVolume returns the largest volume error of the scene's meshes, or nil without
// meshes or if the table lacks some.
func (r *runner) worstVolume() (*float64, error) {
	table, err := r.meshTable()
	if err != nil {
		return nil, err
	}
	var worst *float64
	for n := 1; n < len(r.keys.Meshes); n++ {
		if r.fresh(r.surfaceFile(n)) != nil {
			continue
		}
		v, ok := table.value(n, r.keys.Meshes[n], volumeError)
		if !ok {
			return nil, nil
		}
		if v = math.Abs(v); worst == nil || v > *worst {
			worst = &v
		}
	}
	return worst, nil
}
