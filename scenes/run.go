package scenes

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"sync"

	"breakwater/out/film"
	"breakwater/out/store"
	"breakwater/sim/particle"
)

// Options say how a scene is run.
type Options struct {
	Out    string          // folder for all that is made; renders/NAME if empty
	Stages []Stage         // the stages to run, in any order; all if empty
	First  int             // first frame, from 1; 0 for 1
	Last   int             // last frame; 0 for the scene's last
	Force  bool            // make again what is there and intact
	Film   string          // where the film goes too, which is made in the format of its name alone; "" for those of the scene
	Region image.Rectangle // of the pictures that the draw stage makes, in a folder of their own; empty for all of each
}

// Folder returns the folder in which the output of s is kept.
func (o Options) Folder(s *Scene) string {
	if o.Out != "" {
		return o.Out
	}
	return filepath.Join("renders", s.Name)
}

// has reports whether the stage is to be run.
func (o Options) has(name Stage) bool { return len(o.Stages) == 0 || slices.Contains(o.Stages, name) }

// Run makes what s describes, stage by stage, in the folder of opt. Frames
// that are there and were made from the same settings are kept; a stage reads
// what the one before has written, so that each can be run on its own.
//
// report is called for one event at a time. When ctx is done, Run stops
// within a step of the solver or a frame of the other stages and returns an
// *Interrupted; every file that has its final name is whole, and the next Run
// goes on from there.
func Run(ctx context.Context, s *Scene, opt Options, report func(Event)) error {
	r, err := newRunner(s, opt, report)
	if err != nil {
		return err
	}
	defer r.dir.Close()
	if opt.has(FilmStage) {
		if err := r.readyToFilm(ctx); err != nil {
			return err
		}
	}
	if err := r.space(ctx); err != nil {
		return err
	}
	if err := r.foretell(); err != nil {
		return err
	}
	for tries := (tries{}); ; {
		err := r.stages(ctx)
		if err == nil {
			return r.writeManifest()
		}
		if again, err := r.mends(err, tries); !again {
			return err
		}
	}
}

// stages runs the stages that are asked for.
func (r *runner) stages(ctx context.Context) error {
	frames := []staged{
		{MeshStage, []string{meshFolder, bodyFolder}, r.mesh},
		{ExportStage, []string{".", pointFolder, volumeFolder}, r.export},
		{DrawStage, []string{frameFolder, detailFolder}, r.draw},
	}
	err := r.makeStages(ctx, []staged{{SimStage, []string{".", particleFolder, gaugeFolder}, r.sim}}, r.last)
	if err == nil {
		err = r.makeStages(ctx, frames, r.scene.batch())
	}
	if err == nil {
		err = r.makeStages(ctx, []staged{{FilmStage, []string{"."}, r.film}}, r.last)
	}
	return err
}

// runner is one run of a scene.
type runner struct {
	scene       *Scene
	built       *Built
	opt         Options
	dir         *store.Dir
	report      func(Event)
	keys        *keys
	movies      []string // formats of the films
	first, last int      // frames of this run
	from, to    int      // of them, those of this batch

	// ours are the archives of this run: of their names and fingerprints those of
	// all frames are made, so they are found out once.
	ours   func() []archive
	camera *follower
}

func newRunner(s *Scene, opt Options, report func(Event)) (*runner, error) {
	r := &runner{scene: s, opt: opt, report: report, movies: movieFormats(s.Video)}
	if opt.Film != "" {
		format := film.FormatOf(opt.Film)
		if format == "" {
			return nil, fmt.Errorf("scenes: %s is not a film", opt.Film)
		}
		r.movies = []string{format}
	}
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
	if r.keys, err = newKeys(s, r.built); err != nil {
		return nil, err
	}
	r.built.World.Set = particle.Set{Bodies: r.built.World.Bodies} // the stages make their own particles, or read them
	if r.dir, err = store.OpenRun(opt.Folder(s), runFolders...); err != nil {
		return nil, err
	}
	r.from, r.to = r.first, r.last
	r.camera = &follower{runner: r}
	r.ours = sync.OnceValue(func() []archive {
		list, err := r.archives(r.first, r.last)
		if err != nil {
			panic(err) // the scene was checked
		}
		return list
	})
	return r, nil
}

// whole reports whether this run has all frames of the scene.
func (r *runner) whole() bool { return r.first == 1 && r.last == r.scene.Time.Frames() }

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

// Interrupted says where a run was stopped from outside.
type Interrupted struct {
	Stage       Stage
	Frame, Last int // the first frame that was not made, and the last that should be
}

func (e *Interrupted) Error() string {
	return fmt.Sprintf("interrupted at frame %d of %d; finished files are kept", e.Frame, e.Last)
}

// NotMade says that a stage lacks what the stage before has to make.
type NotMade struct {
	Stage  Stage // the stage before
	Frames int   // how many are missing
	err    error // what the first lacks
}

func (e *NotMade) Error() string {
	s := e.err.Error()
	if e.Frames > 1 {
		s += fmt.Sprintf(", and %d more like it", e.Frames-1)
	}
	return s + fmt.Sprintf("; run the stage %q first", e.Stage)
}

func (e *NotMade) Unwrap() error { return e.err }
