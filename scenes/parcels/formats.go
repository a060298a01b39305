package parcels

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes/convert"
	"breakwater/scenes/mesher"
	"breakwater/scenes/stage"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/whitewater"
)

// stateFormat is the format of the state that the next frame is made from.
var stateFormat = out.State{Extension: "parcels"}

// volumes is the format of grids of the extinction of light by the parcels.
const volumes = "vdb"

// findFormats finds the formats by their names.
func (r *runner) findFormats() error {
	names := r.opt.Formats
	if len(names) == 0 {
		names = []string{"vtp"}
	}
	known := slices.Concat(out.PointFormats.Names(), []string{volumes}, pointArchives())
	add := func(from *registry.Set[out.PerFrame], name string) error {
		f, err := from.New(name, registry.None)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(r.formats, func(g out.PerFrame) bool { return g.Ext() == f.Ext() }) {
			r.formats = append(r.formats, f)
		}
		return nil
	}
	for _, name := range names {
		name = strings.ToLower(name)
		switch {
		case slices.Contains(out.PointFormats.Names(), name):
			if err := add(&out.PointFormats, name); err != nil {
				return err
			}
		case name == volumes:
			if err := add(&out.Formats, name); err != nil {
				return err
			}
		case slices.Contains(known, name):
			a, err := out.Archives.New(name, registry.None)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(r.archives, func(b out.Archive) bool { return b.Ext() == a.Ext() }) {
				continue
			}
			r.archives = append(r.archives, a)
			if l, ok := a.(out.Lister); ok {
				if err := add(&out.PointFormats, l.Lists()); err != nil {
					return err
				}
			}
		default:
			return usage("%q is not a format of whitewater; expected one of %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// pointArchives returns the names of the archives that particles can be written to.
func pointArchives() (names []string) {
	for _, e := range out.Archives.Entries() {
		if a, err := e.New(registry.None); err == nil && a.Holds()&out.NeedsParticles != 0 {
			names = append(names, e.Name)
		}
	}
	return names
}

// base returns the name that all files begin with.
func (r *runner) base() string {
	if name := mesher.CommonName(r.inputs); name != "" {
		return name + "_whitewater"
	}
	return "whitewater"
}

// fileName returns the name of a file of frame i.
func (r *runner) fileName(i int, f out.PerFrame) string {
	most := 0
	for _, n := range r.numbers {
		most = max(most, n)
	}
	return store.FrameName(r.base(), r.numbers[i], most, f.Ext())
}

// fingerprint stands for all that a file of frame i is made from.
func (r *runner) fingerprint(i int, f out.PerFrame) string {
	key := stage.After(r.keys[i], "format", f.Ext())
	if r.opt.Expand > 1 && f.Needs()&out.NeedsParticles != 0 {
		key = stage.After(key, "expand", strconv.Itoa(r.opt.Expand))
	}
	return key
}

// distinct returns an error if an output would overwrite an input.
func (r *runner) distinct() error {
	for i := range r.inputs {
		for _, f := range r.formats {
			to := filepath.Join(r.opt.Out, r.fileName(i, f))
			for _, in := range r.inputs {
				if filepath.Clean(in.Path) == filepath.Clean(to) {
					return usage("the whitewater of %s would overwrite %s; name another folder", r.inputs[i].Path, in.Path)
				}
			}
		}
	}
	return nil
}

// fresh reports whether a file of frame i is there, whole, and made from the same.
func (r *runner) fresh(i int, f out.PerFrame) bool {
	return !r.opt.Force && r.dir.Fresh(r.fileName(i, f), f, r.fingerprint(i, f)) == nil
}

// lacking returns the formats of which frame i has no files.
func (r *runner) lacking(i int) (list []out.PerFrame) {
	for _, f := range r.formats {
		if !r.fresh(i, f) {
			list = append(list, f)
		}
	}
	return list
}

// readState reads the state of frame i.
func (r *runner) readState(i int) (state *whitewater.State, err error) {
	err = r.dir.Read(r.fileName(i, stateFormat), func(file io.Reader) error {
		f, err := stateFormat.Decode(file)
		if err == nil {
			state, err = whitewater.ReadState(f.State)
		}
		return err
	})
	return state, err
}

// writeState writes the state of frame i.
func (r *runner) writeState(i int, state *whitewater.State) error {
	bytes, err := state.Append(nil)
	if err != nil {
		return err
	}
	return r.writeBytes(i, bytes)
}

// writeBytes writes the bytes of the state of frame i.
func (r *runner) writeBytes(i int, state []byte) error {
	return r.write(i, stateFormat, &out.Frame{Index: r.numbers[i], Time: r.times[i], State: state})
}

// write writes a file of frame i.
func (r *runner) write(i int, format out.PerFrame, f *out.Frame) (err error) {
	switch needs := format.Needs(); {
	case needs&out.NeedsVolume != 0:
		f = f.In(r.opt.Axes)
		if f.Volume, err = f.ParcelVolume(r.set.Spacing/2/r.opt.Axes.Length(), out.ParcelGrids); err != nil {
			return err
		}
	case needs&out.NeedsParticles != 0:
		if f, err = r.expanded(f); err != nil {
			return err
		}
	}
	f.Fingerprint = r.fingerprint(i, format)
	return r.dir.Write(r.fileName(i, format), func(w io.Writer) error { return format.Encode(w, f) })
}

// parcels returns a state as particles with fields.
func (r *runner) parcels(i int, state *whitewater.State) *out.Frame {
	return convert.Frame(r.numbers[i], state, r.set.Density)
}

// expanded returns the points of parcels as the files have them, in the axes of the particles.
func (r *runner) expanded(f *out.Frame) (*out.Frame, error) {
	f, err := convert.Expanded(f, r.opt.Expand, r.set.Spacing)
	if err != nil {
		return nil, err
	}
	return f.In(r.opt.Axes), nil
}

// archive makes an archive of the states of all frames.
func (r *runner) archive(ctx context.Context, a out.Archive) error {
	frames, first := len(r.inputs), mesher.FirstFrame(r.inputs)
	name := r.base() + "." + a.Ext()
	var made stage.Recipe
	made.Line("format", a.Ext())
	made.Line("last", r.keys[frames-1])
	made.Add("fps", r.fps)
	made.Add("first", first)
	if r.opt.Expand > 1 {
		made.Add("expand", r.opt.Expand)
	}
	mark := made.Sum()
	w := &stage.Whole{
		Dir: r.dir, Name: name, Event: stage.Event{Stage: stage.Export, What: name, Frames: frames}, First: 1,
		Time: func(i int) float64 { return r.times[i] }, Report: r.report,
	}
	if !r.opt.Force && r.dir.Fresh(name, a, mark) == nil {
		w.Keep()
		return nil
	}
	info := out.ArchiveInfo{
		Part: out.NeedsParticles, Frames: frames, First: first, FPS: r.fps, Speed: r.interval * r.fps, Axes: r.opt.Axes,
		Width: r.set.Spacing / r.opt.Axes.Length(), Fingerprint: mark, Time: w.Time,
	}
	if l, ok := a.(out.Lister); ok {
		k := slices.IndexFunc(r.formats, func(f out.PerFrame) bool { return f.Ext() == l.Lists() })
		info.File = func(i int) string { return r.fileName(i, r.formats[k]) }
	}
	return w.Write(ctx, func(f *store.File, read func(i int)) error {
		return a.Encode(ctx, f, info, func(i int) (*out.Frame, error) {
			state, err := r.readState(i)
			if damage := (*store.Damaged)(nil); errors.As(err, &damage) {
				err = errors.Join(fmt.Errorf("%w: it is removed; run the same command again to make it", err), r.dir.Remove(damage.Name))
			}
			if err != nil {
				return nil, err
			}
			read(i)
			return r.expanded(r.parcels(i, state))
		})
	})
}

// number numbers the frames: by their files, if these have ascending numbers, and otherwise
// from 1. It sets the times of the frames, with longer steps where files are missing.
func (r *runner) number() {
	r.fps = cmp.Or(r.opt.FPS, mesher.DefaultFPS)
	r.interval = cmp.Or(r.opt.Interval, 1/r.fps)
	step := 0
	ascend := true
	for i, in := range r.inputs {
		ascend = ascend && in.Number >= 0 && (i == 0 || in.Number > r.inputs[i-1].Number)
		if ascend && i > 0 {
			step = num.GCD(step, in.Number-r.inputs[i-1].Number)
		}
	}
	r.numbers, r.times = make([]int, len(r.inputs)), make([]float64, len(r.inputs))
	for i, in := range r.inputs {
		k := i
		r.numbers[i] = i + 1
		if ascend {
			r.numbers[i] = in.Number
			if i > 0 {
				k = (in.Number - r.inputs[0].Number) / step
			}
		}
		if r.opt.Interval == 0 {
			r.times[i] = float64(k) / r.fps
		} else {
			r.times[i] = float64(k) * r.interval
		}
	}
}
