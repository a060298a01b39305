package run

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
)

// library returns the name of the file of the materials that mesh files of all frames
// share.
func (r *runner) library() string { return out.LibraryName(r.scene.Name) }

// materialFile names the file of materials in the folder of the meshes. It returns false if
// there are no mesh files that need it.
func (r *runner) materialFile() (file product, needed bool) {
	needed = scenes.Kept(r.scene.Mesh.Keep, r.scene.Time.Frames()) > 0 &&
		slices.ContainsFunc(r.built.Formats.Mesh, func(f scenes.Named[out.PerFrame]) bool { return out.NeedsLibrary(f.As) })
	return product{name: path.Join(meshFolder, r.library()), format: out.MTL{}, fingerprint: r.keys.materials()}, needed
}

// materials makes the file of materials, unless it is there.
func (r *runner) materials() error {
	file, needed := r.materialFile()
	if !needed {
		return nil
	}
	err := r.fresh(file)
	if err == nil && !r.opt.Force {
		return nil
	}
	if damaged := (*store.Damaged)(nil); errors.As(err, &damaged) {
		r.report(stage.Event{Stage: stage.Mesh, Message: fmt.Sprintf("%-5s %s is damaged: made again", stage.Mesh, file.name)})
	}
	if err := r.dir.Remove(manifestName); err != nil {
		return err
	}
	return r.dir.Write(file.name, func(w io.Writer) error {
		return out.MTL{}.Encode(w, file.fingerprint, r.built.Materials())
	})
}
