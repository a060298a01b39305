// Package run runs scenes stage by stage: particles, meshes, exports, frames, film.
//
//	run.go             a run and its end
//	stage.go           the loop over the frames of a stage
//	medium_*.go        what the sim stage moves
//	stage_sim.go … stage_film.go   the stages
//	stage_work.go      how much there is to do for each frame
//	batch.go           frames meshed and drawn together
//	materials.go       the file of materials beside mesh files
//	shot.go            the camera and the light, for archives
//	fingerprints.go    fingerprints of the products of particles, meshes and pictures
//	attributes.go      attributes of particles and vertices
//	frame_table.go, stats_sim.go, gauge_rows.go, measures.go   tables with rows of frames
//	table_parts.go     the rows of runs of files per frame
//	space.go           memory and disk, before a run
//	files.go          names of tables and pictures, for other packages
//	tidy.go, served.go stale files, and meshes that have served
//	mend.go            damaged files, made again
//	wait.go            files that another process makes
//	share.go           particles that two runs have in common
//	look.go            what of a scene is there
//	manifest.go, verify.go, redo.go   the list of all files, their check, and its faults made good
//	camera_follow.go, camera_path.go   a camera that follows the liquid
//	script.go          scripts that open a run in other programs
package run

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"breakwater/out/film"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/particle"
	"breakwater/sim/vortex"
)

// Options say how a scene is run.
type Options struct {
	Out      string          // folder for all that is made; renders/NAME if empty
	Stages   []stage.Name    // the stages to run, in any order; all if empty
	First    int             // first frame, from 1; 0 for 1
	Last     int             // last frame; 0 for the scene's last
	Force    bool            // make again even intact files
	Film     string          // the path of a further film, in the format of its name alone; "" for the scene's films
	PerFrame bool            // make files per frame only: no archives
	Wait     time.Duration   // for files of a stage that another process runs
	tables   bool            // a run with PerFrame writes to the tables, as other runs do
	Region   image.Rectangle // of the pictures that the draw stage makes, in a folder of their own; empty for all of each
}

// Folder returns the folder in which the output of s is kept.
func (o Options) Folder(s *scenes.Scene) string {
	if o.Out != "" {
		return o.Out
	}
	return filepath.Join("renders", s.Name)
}

// has reports whether the stage is to be run.
func (o Options) has(name stage.Name) bool {
	return len(o.Stages) == 0 || slices.Contains(o.Stages, name)
}

// Run makes the products of s, stage by stage, in the folder of opt. Existing frames that
// were made from the same settings are kept. A stage reads the files of the previous one,
// so that each can be run on its own. Only a run of all frames, which is not part of a larger
// one, writes the manifest, and only once all products are there.
//
// Several runs, of the same frames or of others, may use a folder at the same time. A run
// opens the files of its own frames only, and those that they are made from.
//
// report is called for one event at a time. When ctx is done, Run stops within a step
// of the solver or a frame of the other stages and returns an *stage.Interrupted. Every
// file that has its final name is whole, and the next Run goes on from there.
func Run(ctx context.Context, s *scenes.Scene, opt Options, report func(stage.Event)) error {
	r, err := newRunner(s, opt, report)
	if err != nil {
		return err
	}
	defer r.dir.Close()
	for _, text := range r.built.Warnings {
		r.report(stage.Event{Message: "warning: " + text})
	}
	for _, text := range r.built.Notes {
		r.report(stage.Event{Message: "note: " + text})
	}
	if opt.has(stage.Film) {
		if err := r.readyToFilm(ctx); err != nil {
			return err
		}
	}
	if err := r.space(ctx); err != nil {
		return err
	}
	if f := r.built.Flow; f != nil {
		f.Vortons, f.Tracers = vortex.Vortons{}, vortex.Tracers{} // the simulation makes its own
	}
	if err := r.foretell(); err != nil {
		return err
	}
	patience := newPatience(opt.Wait)
	for tries := (tries{}); ; {
		err := r.stages(ctx)
		if err == nil && r.settles() {
			return r.dir.Alone(r.writeManifest)
		}
		if err == nil {
			return nil
		}
		again, err := r.mends(err, tries)
		if !again {
			again, err = r.waits(ctx, err, patience)
		}
		if !again {
			return err
		}
	}
}

// stages runs the stages that are asked for.
func (r *runner) stages(ctx context.Context) error {
	frames := []staged{
		{stage.Mesh, []string{surfaceFolder, meshFolder, bodyFolder}, r.mesh},
		{stage.Export, []string{".", pointFolder, vortonFolder, volumeFolder, whitewaterFolder, sceneryFolder}, r.export},
		{stage.Draw, []string{frameFolder, detailFolder}, r.draw},
	}
	if r.scene.Meshless() {
		frames = frames[1:]
	}
	err := r.makeStages(ctx, []staged{
		{stage.Sim, []string{".", ParticleFolder, gaugeFolder}, r.sim},
		{stage.Whitewater, []string{".", whitewaterFolder}, r.whitewater},
	}, r.last)
	if err == nil {
		err = r.makeStages(ctx, frames, r.scene.Batch())
	}
	if err == nil {
		err = r.makeStages(ctx, []staged{{stage.Film, []string{"."}, r.film}}, r.last)
	}
	return err
}

// runner is one run of a scene.
type runner struct {
	scene       *scenes.Scene
	built       *scenes.Built
	opt         Options
	dir         *store.Dir
	report      func(stage.Event)
	keys        *fingerprints
	movies      []scenes.Named[film.Format]
	first, last int // frames of this run
	from, to    int // the frames of this batch

	// ours returns the archives that hold the frames of this run. Their names and fingerprints depend on all
	// frames, so they are computed once.
	ours   func() []archive
	camera *follower
}

func newRunner(s *scenes.Scene, opt Options, report func(stage.Event)) (*runner, error) {
	r := &runner{scene: s, opt: opt, report: report}
	n := s.Time.Frames()
	r.first, r.last = max(1, opt.First), n
	if opt.Last > 0 {
		r.last = opt.Last
	}
	if r.first > r.last || r.last > n {
		return nil, &RangeError{r.first, r.last, n}
	}
	if size := s.Picture.Size; !opt.Region.In(image.Rect(0, 0, size[0], size[1])) {
		return nil, &RegionError{opt.Region, size}
	}
	var err error
	if r.built, err = s.Build(); err != nil {
		return nil, err
	}
	keys, err := scenes.NewKeys(s, r.built)
	if err != nil {
		return nil, err
	}
	r.keys = &fingerprints{keys, s, r.built}
	if r.movies = r.built.Formats.Movies; opt.Film != "" {
		if r.movies, err = scenes.Resolve(&film.Formats, []string{film.FormatOf(opt.Film)}); err != nil {
			return nil, fmt.Errorf("%s is not a film: %w", opt.Film, err)
		}
	}
	r.built.World.Set = particle.Set{Bodies: r.built.World.Bodies} // the stages make their own particles, or read them
	if r.dir, err = store.OpenFrames(opt.Folder(s), runFolders...); err != nil {
		return nil, err
	}
	r.from, r.to = r.first, r.last
	r.camera = &follower{runner: r}
	r.ours = sync.OnceValue(func() []archive {
		if opt.PerFrame { // the meshes of frames are kept for them
			return r.archives(1, n)
		}
		return r.archives(r.first, r.last)
	})
	return r, nil
}

// complete reports whether this run has all frames of the scene.
func (r *runner) complete() bool { return r.first == 1 && r.last == r.scene.Time.Frames() }

// apart reports whether the rows of this run stay apart from the tables until a run of all frames.
func (r *runner) apart() bool { return r.opt.PerFrame && !r.opt.tables }

// settles reports whether this run completes the tables, and drops rows of other settings.
func (r *runner) settles() bool { return r.complete() && !r.opt.PerFrame }

// RangeError says that a range of frames is not in the scene.
type RangeError struct{ First, Last, Frames int }

func (e *RangeError) Error() string {
	if e.First == e.Last {
		return fmt.Sprintf("frame %d does not exist: the scene has frames 1-%d", e.First, e.Frames)
	}
	return fmt.Sprintf("frames %d-%d: the scene has frames 1-%d", e.First, e.Last, e.Frames)
}

// RegionError says that a part of a picture is not in it.
type RegionError struct {
	Region image.Rectangle
	Size   [2]int
}

func (e *RegionError) Error() string {
	r := e.Region
	return fmt.Sprintf("a region from (%d, %d) to (%d, %d) exceeds the picture of %d × %d pixels", r.Min.X, r.Min.Y, r.Max.X, r.Max.Y, e.Size[0], e.Size[1])
}

// NotMade is the error of a stage that lacks the products of the previous stage.
type NotMade struct {
	Stage  stage.Name // the stage before
	Frames int        // how many are missing
	// Contested reports whether this run made them, and each time another program removed
	// or replaced them.
	Contested bool
	file      string // the first of them
	err       error  // its fault
}

func (e *NotMade) Error() string {
	s, them := e.err.Error(), "it"
	if e.Frames > 1 {
		them = "them"
		s += fmt.Sprintf(", and %d more like it", e.Frames-1)
	}
	if e.Contested {
		return s + fmt.Sprintf(", though the stage %q has made %s %d times; another program works in this folder: wait until it ends, or choose another folder", e.Stage, them, mostTries+1)
	}
	return s + fmt.Sprintf("; run the stage %q first", e.Stage)
}

func (e *NotMade) Unwrap() error { return e.err }
