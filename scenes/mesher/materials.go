package mesher

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes/stage"
)

// library returns the name of the file of the materials, which all meshes of a folder share,
// "" if no format needs it.
func (r *runner) library() string {
	if !slices.ContainsFunc(r.formats, out.NeedsLibrary) {
		return ""
	}
	return out.LibraryName(cmp.Or(r.name, CommonName(r.inputs), "meshes"))
}

// materials makes the file of materials, unless it is there. Particles do not say what
// they are, so it is water's.
func (r *runner) materials() error {
	name := r.library()
	if name == "" {
		return nil
	}
	water := []out.Material{out.Water()}
	var made stage.Recipe
	made.Add("version", version)
	made.Line("materials", fmt.Sprintf("%+v", water))
	mark := made.Sum()
	err := r.dir.Fresh(name, out.MTL{}, mark)
	if err == nil && !r.opt.Force {
		return nil
	}
	if damaged := (*store.Damaged)(nil); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &damaged) && !r.dir.Ours(name, out.MTL{}) {
		return fmt.Errorf("%s: not made by Breakwater, but this run would overwrite it; move it away, or choose another folder", name)
	}
	return r.dir.Write(name, func(w io.Writer) error { return out.MTL{}.Encode(w, mark, water) })
}
