package mesher

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/out/store"
	"breakwater/scenes/stage"
	"breakwater/sim/registry"
)

// DefaultFPS is the frame rate of archives: the frame rate of films.
const DefaultFPS = 24

// archiveFormats returns the formats of archives by their names and by the ends
// of their files' names.
func archiveFormats() (byExt map[string]out.Archive, exts []string) {
	byExt = map[string]out.Archive{}
	for e, a := range out.Archives.Defaults() {
		if a.Holds()&out.NeedsMesh != 0 {
			byExt[a.Ext()], byExt[e.Name] = a, a
			exts = append(exts, a.Ext())
		}
	}
	return byExt, exts
}

// addArchive notes that meshes of all files go to an archive of a format. It is
// made from files of their own: those that it lists, or files in PLY, which go
// into a folder that is removed if nobody has asked for them.
func (r *runner) addArchive(a out.Archive) error {
	if slices.Contains(r.archives, a) {
		return nil
	}
	source := "plymesh"
	list, lists := a.(out.Lister)
	if lists {
		source = list.Lists()
	}
	if r.opt.Quads && !lists {
		return usage("%s does not support quads; obj, ply and vtp do", a.Ext())
	}
	f, err := out.Formats.New(source, registry.None)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(r.formats, func(g out.PerFrame) bool { return g.Ext() == f.Ext() }); i >= 0 {
		f = r.formats[i]
	} else {
		r.formats = append(r.formats, f)
		if !lists {
			r.passing = f
		}
	}
	r.archives = append(r.archives, a)
	r.sources = append(r.sources, f)
	return nil
}

// timing checks the rate of archives and the time between files.
func (r *runner) timing() error {
	switch o := &r.opt; {
	case len(r.archives) == 0 && o.FPS != 0:
		return usage("a frame rate applies to archives: %s", strings.Join(r.archiveExts, ", "))
	case len(r.archives) == 0 && o.Interval != 0:
		return usage("the time between files applies to archives: %s", strings.Join(r.archiveExts, ", "))
	case o.FPS != 0 && !(o.FPS >= film.MinFPS && o.FPS <= film.MaxFPS):
		return usage("%g frames per second: expected %g to %d", o.FPS, film.MinFPS, film.MaxFPS)
	case o.Interval != 0 && !(o.Interval > 0 && o.Interval <= 1e6):
		return usage("%g s between files: expected more than 0", o.Interval)
	}
	if r.opt.FPS == 0 {
		r.opt.FPS = DefaultFPS
	}
	if r.opt.Interval == 0 {
		r.opt.Interval = 1 / r.opt.FPS
	}
	return nil
}

// archiveName returns the name of an archive: the name that the files share, if none is
// given.
func (r *runner) archiveName(a out.Archive) string {
	return cmp.Or(r.archive, CommonName(r.inputs), "meshes") + "." + a.Ext()
}

// passingFolder has the meshes that only archives are made from.
func (r *runner) passingFolder() string {
	return "." + r.archiveName(r.archives[0]) + ".breakwater-meshes"
}

// first returns the number of the first frame of an archive.
func (r *runner) first() int { return FirstFrame(r.inputs) }

// archiveFingerprint stands for all that an archive is made from.
func (r *runner) archiveFingerprint(k int) string {
	var made stage.Recipe
	made.Line("format", r.archives[k].Ext())
	made.Add("fps", r.opt.FPS)
	made.Add("interval", r.opt.Interval)
	made.Add("first", r.first())
	for i, in := range r.inputs {
		made.Line(strconv.Quote(stem(in.Path)), r.fingerprint(&job{in: in, sum: r.sums[i]}, r.sources[k]))
	}
	return made.Sum()
}

// archived reports whether all archives are there, whole, and made from the
// same. The files are read for it only if archives of this program are there.
func (r *runner) archived() bool {
	if len(r.archives) == 0 || r.opt.Force {
		return false
	}
	for _, a := range r.archives {
		f, err := r.dir.Open(r.archiveName(a))
		if err != nil {
			return false
		}
		info, err := f.Stat()
		if err == nil {
			_, err = a.Check(f, info.Size())
		}
		f.Close()
		if err != nil {
			return false
		}
	}
	for i, in := range r.inputs {
		sum, err := sumOf(in.Path)
		if err != nil {
			return false // reported when it is read
		}
		r.sums[i] = sum
	}
	for k, a := range r.archives {
		if r.dir.Fresh(r.archiveName(a), a, r.archiveFingerprint(k)) != nil {
			return false
		}
	}
	return true
}

// sumOf returns the sum of a file as read has it.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// makeArchives makes those whose meshes are all there now.
func (r *runner) makeArchives(ctx context.Context) error {
	for k, a := range r.archives {
		if err := r.makeArchive(ctx, k, a); err != nil {
			return err
		}
	}
	return r.leavePassing(true)
}

func (r *runner) makeArchive(ctx context.Context, k int, a out.Archive) error {
	frames, name := len(r.inputs), r.archiveName(a)
	mark := r.archiveFingerprint(k)
	w := &stage.Whole{
		Dir: r.dir, Name: name, Event: stage.Event{Stage: stage.Export, What: name, Frames: frames}, First: 1,
		Time: func(i int) float64 { return float64(i) * r.opt.Interval }, Report: r.report,
	}
	if !r.opt.Force && r.dir.Fresh(name, a, mark) == nil {
		w.Keep()
		return nil
	}
	r.say("%s: frames %d to %d, %g per second, %g s of simulated time apart", name, r.first(), r.first()+frames-1, r.opt.FPS, r.opt.Interval)
	frame := func(i int) (*out.Frame, error) { return r.readBack(i, r.sources[k]) }
	info := out.ArchiveInfo{
		Part: out.NeedsMesh, Frames: frames, First: r.first(), FPS: r.opt.FPS, Speed: r.opt.Interval * r.opt.FPS, Fingerprint: mark,
		File: func(i int) string { return r.meshName(r.inputs[i], r.sources[k]) },
		Time: w.Time,
	}
	if _, staged := a.(out.Staged); staged {
		water := out.Water()
		info.Material = &water
	}
	if _, lists := a.(out.Lister); !lists {
		if err := r.hasOf(&info, frame); err != nil {
			return err
		}
	}
	return w.Write(ctx, func(f *store.File, read func(i int)) error {
		return a.Encode(ctx, f, info, func(i int) (*out.Frame, error) {
			got, err := frame(i)
			if err == nil {
				read(i)
			}
			return got, err
		})
	})
}

// readBack reads the mesh of an input from its file.
func (r *runner) readBack(i int, format out.PerFrame) (f *out.Frame, err error) {
	err = r.dir.Read(r.meshName(r.inputs[i], format), func(file io.Reader) error {
		f, err = format.(out.Decoder).Decode(file)
		return err
	})
	return f, err
}

// hasOf finds out from the first mesh that is not empty whether meshes have
// normals and velocities.
func (r *runner) hasOf(info *out.ArchiveInfo, frame func(i int) (*out.Frame, error)) error {
	for i := range info.Frames {
		f, err := frame(i)
		if err != nil {
			return err
		}
		if m := f.Mesh; len(m.Pos) > 0 {
			info.Flat, info.Still = len(m.Nrm) == 0, len(m.Vel) == 0
			return nil
		}
	}
	info.Flat, info.Still = r.opt.Flat, r.opt.Still
	return nil
}

// leavePassing lets go of the folder with the meshes that only archives are made
// from. If they are made, the last process that uses it removes it.
func (r *runner) leavePassing(made bool) error {
	leave := r.leave
	if leave == nil {
		return nil
	}
	r.leave = nil
	return leave(made)
}
