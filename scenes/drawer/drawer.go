// Package drawer draws the volume files of any program: smoke and flames.
//
//	drawer.go    the files, one after the other, and the film of them
//	picture.go   the scene that the pictures are of
//	grids.go     the grids of a file, and their visible parts
//	sampler.go   values between voxels
//	resample.go  the voxels that are drawn
//
// The files are surveyed first, so that the camera, the floor and the scale of the
// temperatures are for the whole film. A picture has a fingerprint of its file and of
// all settings, and is kept if it is there.
package drawer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/out/pace"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/memory"
	"breakwater/scenes/mesher"
	"breakwater/scenes/stage"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Options are the inputs, the settings and the outputs of a run.
type Options struct {
	Files       []string // and patterns; see mesher.Find
	First, Last int      // numbers of files, −1 for any
	Scene       string   // of a gas, with everything but that gas; "" for a floor and a camera that shows all files
	Overrides   scenes.Overrides
	Grids       map[string]string // names of grids by their quantities
	Up          string            // axis of the files, y or z; "" as their program has it
	Unit        float64           // of length in the files, m; 0 for 1
	Scale       Scale
	Floor       *float64 // height of the floor, m; nil for the bottom of all that is seen
	Voxel       float64  // edge of the voxels that are drawn, m; 0 for the files' own
	Out         string   // folder, "" for renders/NAME
	Force       bool     // make again even intact files
}

// Scale are the values of the grids in SI units.
type Scale struct {
	Density, Flame float64 // share of the space that smoke and flames fill, at a value of 1
	Cold, Hot      float64 // temperatures at the values 0 and 1, K; both 0 to find out
	Velocity       float64 // speed at a value of 1, in units of length per second; 0 for 1, or for no blur where that is unknown
}

// UsageError is a fault of the options.
type UsageError struct{ error }

// Unwrap returns the fault.
func (e UsageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Run draws the files of opt and makes the films that the scene asks for. It returns the
// folder of the output. report is called for one event at a time.
func Run(ctx context.Context, opt Options, report func(stage.Event)) (folder string, err error) {
	r := &runner{opt: opt, report: report}
	if err := r.prepare(ctx); err != nil {
		return "", err
	}
	if r.dir, err = store.OpenRun(r.opt.Out, frameFolder); err != nil {
		return "", err
	}
	defer r.dir.Close()
	if err := r.dir.Clean(".", frameFolder); err != nil {
		return "", err
	}
	if err := r.draw(ctx); err != nil {
		return "", err
	}
	return r.opt.Out, r.films(ctx)
}

// frameFolder has the pictures, as in the run of a scene.
const frameFolder = "frames"

// runner is one run.
type runner struct {
	opt    Options
	report func(stage.Event)

	inputs  []mesher.Input
	surveys []survey
	name    string
	lattice lattice
	scale   Scale

	scene   *scenes.Scene
	built   *scenes.Built
	numbers []int // of the pictures
	keys    []string

	dir *store.Dir
}

// say reports a message for the user.
func (r *runner) say(format string, args ...any) {
	r.report(stage.Event{Stage: stage.Draw, Message: "draw  " + fmt.Sprintf(format, args...)})
}

// prepare finds out all that the pictures depend on.
func (r *runner) prepare(ctx context.Context) error {
	if r.opt.Unit == 0 {
		r.opt.Unit = 1
	}
	for name := range r.opt.Grids {
		if !slices.Contains(quantityNames(), name) {
			return usage("--grids %s=%s: expected one of %s before the =", name, r.opt.Grids[name], strings.Join(quantityNames(), ", "))
		}
	}
	list, notices, err := mesher.Find(r.opt.Files)
	if err != nil {
		return UsageError{err}
	}
	if r.inputs, err = mesher.InRange(list, r.opt.First, r.opt.Last); err != nil {
		return UsageError{err}
	}
	if s := mesher.Ends(r.inputs, r.opt.First, r.opt.Last); s != "" {
		notices = append(notices, s)
	}
	for _, s := range notices {
		r.say("%s", s)
	}
	if r.name = mesher.CommonName(r.inputs); r.name == "" {
		r.name = "volume"
	}
	if r.opt.Out == "" {
		r.opt.Out = filepath.Join("renders", r.name)
	}
	r.number()
	// The settings are checked before the files, which may take long to read. Where the floor
	// is, is then not known: it is lower than any camera.
	if err := r.setScene(vec.Box{Min: vec.New(0, -1e6, 0), Max: vec.New(1, 1, 1)}, false); err != nil {
		return err
	}
	for _, movie := range r.built.Formats.Movies {
		if err := film.Ready(ctx, movie.As, r.scene.Video.Encoder); err != nil {
			return stage.Elsewhere{Err: fmt.Errorf("%s: %w", stage.Film, err)}
		}
	}
	if err := r.surveyAll(ctx); err != nil {
		return err
	}
	return r.settle()
}

// surveyAll surveys the files, some at a time.
func (r *runner) surveyAll(ctx context.Context) error {
	r.surveys = make([]survey, len(r.inputs))
	faults := make([]error, len(r.inputs))
	var mu sync.Mutex
	done := 0
	par.Each(len(r.inputs), func(i int) {
		if ctx.Err() != nil {
			return
		}
		r.surveys[i], faults[i] = r.surveyOf(r.inputs[i].Path)
		mu.Lock()
		defer mu.Unlock()
		if done++; done%100 == 0 && done < len(r.inputs) {
			r.say("%d of %d files surveyed", done, len(r.inputs))
		}
	})
	if ctx.Err() != nil {
		return &stage.Interrupted{Stage: stage.Draw, File: r.inputs[0].Path, Frame: 1, Last: len(r.inputs)}
	}
	var bad []string
	for i, err := range faults {
		if err != nil {
			bad = append(bad, fmt.Sprintf("%s: %v", r.inputs[i].Path, err))
		}
	}
	const most = 5
	if n := len(bad); n > most {
		bad = append(slices.Clip(bad[:most]), fmt.Sprintf("and %d more", n-most))
	}
	if len(bad) > 0 {
		return fmt.Errorf("nothing is drawn, as files cannot be:\n\t%s", strings.Join(bad, "\n\t"))
	}
	return nil
}

func (r *runner) surveyOf(path string) (survey, error) {
	s, err := r.open(path)
	if err != nil {
		return survey{}, err
	}
	defer s.close()
	v, err := s.survey()
	if err != nil {
		return v, err
	}
	h := sha256.New()
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return v, err
	}
	if _, err := io.Copy(h, s.file); err != nil {
		return v, err
	}
	v.sum = hex.EncodeToString(h.Sum(nil))
	return v, nil
}

// number numbers the pictures as their files, if these have ascending numbers from 1 or
// more, and otherwise from 1.
func (r *runner) number() {
	r.numbers = make([]int, len(r.inputs))
	ascend := true
	for i, in := range r.inputs {
		ascend = ascend && in.Number >= 1 && (i == 0 || in.Number > r.inputs[i-1].Number)
		r.numbers[i] = in.Number
	}
	if !ascend {
		for i := range r.numbers {
			r.numbers[i] = i + 1
		}
	}
}

// pictureName returns the name of picture i in the folder of the output.
func (r *runner) pictureName(i int) string {
	return frameFolder + "/" + store.FrameName(r.name, r.numbers[i], r.numbers[len(r.numbers)-1], r.built.Formats.Picture.Ext())
}

func (r *runner) fresh(i int) bool {
	return r.dir.Fresh(r.pictureName(i), r.built.Formats.Picture, r.keys[i]) == nil
}

// draw draws the pictures that are not there.
func (r *runner) draw(ctx context.Context) error {
	defer memory.Collect(memory.SmokeCollection)()
	var todo []int
	var sizes []float64
	for i := range r.inputs {
		if r.opt.Force || !r.fresh(i) {
			todo = append(todo, i)
			sizes = append(sizes, fileSize(r.inputs[i].Path))
		}
	}
	n := len(r.inputs)
	l := stage.Loop{
		Event: stage.Event{Stage: stage.Draw, Frames: n, Kept: n - len(todo)}, Pace: pace.Of(sizes), Report: r.report,
		Interrupted: func(k int) *stage.Interrupted {
			return &stage.Interrupted{Stage: stage.Draw, File: r.inputs[todo[k]].Path, Frame: todo[k] + 1, Last: n}
		},
	}
	r.report(l.Event)
	err := l.Run(ctx, len(todo), func(k int, e *stage.Event) (func() error, error) {
		i := todo[k]
		e.File, e.Frame, e.Time = r.inputs[i].Path, i+1, r.scene.Time.At(i+1)
		picture, err := r.picture(i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.inputs[i].Path, err)
		}
		return func() error {
			f := &out.Frame{Index: r.numbers[i], Time: r.scene.Time.At(i + 1), Image: picture, Fingerprint: r.keys[i]}
			return r.dir.Write(r.pictureName(i), func(w io.Writer) error { return r.built.Formats.Picture.Encode(w, f) })
		}, nil
	})
	if err != nil {
		return err
	}
	e := l.Event
	e.Frame, e.Done = n, true
	e.Seconds = l.Pace.Seconds()
	r.report(e)
	return nil
}

func fileSize(path string) float64 {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return float64(info.Size())
	}
	return 1
}

// readPicture reads picture i back.
func (r *runner) readPicture(i int) (f *out.Frame, err error) {
	name := r.pictureName(i)
	err = r.dir.Read(name, func(in io.Reader) error {
		f, err = r.built.Formats.Picture.(out.Decoder).Decode(in)
		return err
	})
	if damage := (*store.Damaged)(nil); errors.As(err, &damage) {
		err = errors.Join(fmt.Errorf("%w: it is removed; run the same command again to make it", err), r.dir.Remove(name))
	}
	return f, err
}
