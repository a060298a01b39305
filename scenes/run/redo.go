package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
)

// Redo makes the files again that Verify has found to be damaged or missing, and the rows
// that tables lack, and returns the names of all files that it has made. The folder must be
// of a run of s, with the same settings. Of a finished run it makes all that is not as it was
// written. Of another run it makes what frames have: an archive or a film comes with the end of
// the run.
func Redo(ctx context.Context, s *scenes.Scene, folder string, faults []Fault, report func(stage.Event)) (made []string, err error) {
	faults = slices.DeleteFunc(slices.Clone(faults), func(f Fault) bool { return f.Kind == FileExtra })
	before, finished, err := prepareRedo(s, folder, faults)
	if err != nil || len(faults) == 0 {
		return nil, err
	}
	parts := damagedParts(faults)
	if finished {
		parts = []Options{{}}
	}
	for _, part := range parts {
		part.Out = folder
		if err := Run(ctx, s, part, report); err != nil {
			return nil, err
		}
	}
	dir, err := store.OpenFrames(folder, runFolders...)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	after, err := writtenAt(dir)
	if err != nil {
		return nil, err
	}
	for name, is := range after {
		if path.Dir(name) == store.RecordFolder { // no file of the user's
			continue
		}
		if was, ok := before[name]; !ok || was != is {
			made = append(made, name)
		}
	}
	slices.Sort(made)
	return made, nil
}

// prepareRedo checks that the folder has files of s, and removes those with faults that a
// run would take for right. It returns when all files were written, and whether the run was
// finished.
func prepareRedo(s *scenes.Scene, folder string, faults []Fault) (before map[string]written, finished bool, err error) {
	r, err := newRunner(s, Options{Out: folder}, func(stage.Event) {})
	if err != nil {
		return nil, false, err
	}
	defer r.dir.Close()
	if err := r.sameSettings(faults); err != nil {
		return nil, false, err
	}
	_, gone := r.dir.Stat(manifestName)
	finished = gone == nil || slices.ContainsFunc(faults, func(f Fault) bool { return f.File == manifestName })
	if before, err = writtenAt(r.dir); err != nil {
		return nil, false, err
	}
	for _, f := range faults {
		switch {
		case path.Dir(f.File) == store.RecordFolder: // its rows are made again for the table
			if err := r.dir.Forget(f.File); err != nil {
				return nil, false, err
			}
		case f.remove:
			if err := r.dir.Remove(f.File); err != nil {
				return nil, false, err
			}
		}
	}
	return before, finished, nil
}

// written identifies a version of a file.
type written struct{ size, modified int64 }

// writtenAt returns the versions of all files that have a record and are there.
func writtenAt(dir *store.Dir) (map[string]written, error) {
	files := map[string]written{}
	names, err := dir.Names()
	for _, name := range names {
		if info, err := dir.Stat(name); err == nil {
			files[name] = written{info.Size(), info.ModTime().UnixNano()}
		}
	}
	return files, err
}

// sameSettings returns an error if the files of frames are not of these settings, but for
// those that have a fault.
func (r *runner) sameSettings(faults []Fault) error {
	bad := map[string]bool{}
	for _, f := range faults {
		bad[f.File] = true
	}
	has := len(bad) == 0
	for n := 1; n <= r.last; n++ {
		files := slices.Concat(r.particleFiles(n), r.whitewaterFiles(n), r.pictureFiles(n))
		if !r.scene.Meshless() {
			files = append(files, r.meshProducts(n)...)
		}
		for _, f := range files {
			var damaged *store.Damaged
			switch err := r.fresh(f); {
			case err == nil, bad[f.name], errors.As(err, &damaged):
				has = true
			case !errors.Is(err, fs.ErrNotExist):
				return fmt.Errorf("%w; give the scene, and the flags, that the run was made with", err)
			}
		}
	}
	if !has {
		return fmt.Errorf("%s has no files of the scene %s", r.dir.Path(), r.scene.Name)
	}
	return nil
}

// damagedParts returns the runs that make the files of frames again: first the simulation, up
// to the last frame that needs it, and then each range of frames.
func damagedParts(faults []Fault) (parts []Options) {
	var simulated, drawn []int
	for _, f := range faults {
		switch f.Stage {
		case "":
		case stage.Sim, stage.Whitewater:
			simulated = append(simulated, f.Frame)
		default:
			drawn = append(drawn, f.Frame)
		}
	}
	add := func(frames []int, apart bool, stages ...stage.Name) {
		slices.Sort(frames)
		for i, n := range frames {
			if i == 0 || apart && n > frames[i-1]+1 {
				parts = append(parts, Options{Stages: stages, First: n, PerFrame: true, tables: true})
			}
			parts[len(parts)-1].Last = n
		}
	}
	add(simulated, false, stage.Sim, stage.Whitewater)
	add(drawn, true, stage.Mesh, stage.Export, stage.Draw)
	return parts
}
