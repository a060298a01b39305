package scenes

import (
	"slices"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/sim/quantity"
	"breakwater/sim/registry"
)

// Named is a variant with its name in scene files.
type Named[T any] struct {
	Name string
	As   T
}

// Resolve returns the variants of the names, each once.
func Resolve[T any](set *registry.Set[T], names []string) ([]Named[T], error) {
	var list []Named[T]
	for _, name := range names {
		if slices.ContainsFunc(list, func(x Named[T]) bool { return x.Name == name }) {
			continue
		}
		v, err := set.New(name, registry.None)
		if err != nil {
			return nil, err
		}
		list = append(list, Named[T]{name, v})
	}
	return list, nil
}

// Formats are the formats of the files that a scene asks for, and the attributes
// that the files have.
type Formats struct {
	Particles out.PerFrame          // the cache
	Surface   out.PerFrame          // of the surface cache, which later stages read
	Picture   out.PerFrame          // of each frame
	Mesh      []Named[out.PerFrame] // of each frame, made from the surface cache
	Points    []Named[out.PerFrame]
	Parcels   []Named[out.PerFrame] // of whitewater: points, and vdb if it has grids
	Volume    []Named[out.PerFrame]
	Movies    []Named[film.Format]

	MeshArchives   []Named[out.Archive]
	PointArchives  []Named[out.Archive]
	ParcelArchives []Named[out.Archive]

	MeshAttributes  []Named[quantity.Quantity]
	MeshFoam        []string // attributes of meshes that are of the foam: foamAttributes
	PointAttributes []Named[quantity.Quantity]
}

// formats finds the formats and attributes that s names.
func (s *Scene) formats() (f Formats, err error) {
	var mesh, points []string
	if f.MeshArchives, mesh, err = archives(s.Mesh.Formats, s.Mesh.ArchiveSource); err != nil {
		return f, err
	}
	listed := func(a out.Archive) string {
		if l, ok := a.(out.Lister); ok {
			return l.Lists()
		}
		return "" // it is made from the cache
	}
	if f.PointArchives, points, err = archives(s.Points.Formats, listed); err != nil {
		return f, err
	}
	if s.Whitewater != nil {
		if err := f.whitewater(s.Whitewater, listed); err != nil {
			return f, err
		}
	}
	for name, to := range map[string]*out.PerFrame{"ply": &f.Particles, "plymesh": &f.Surface, "png": &f.Picture} {
		if *to, err = out.Formats.New(name, registry.None); err != nil {
			return f, err
		}
	}
	if f.Mesh, err = Resolve(&out.Formats, mesh); err != nil {
		return f, err
	}
	if f.Points, err = Resolve(&out.PointFormats, points); err != nil {
		return f, err
	}
	if f.Volume, err = Resolve(&out.Formats, s.Volume.Formats); err != nil {
		return f, err
	}
	if f.Movies, err = Resolve(&film.Formats, s.Video.Formats); err != nil {
		return f, err
	}
	var carried []string
	for _, name := range s.Mesh.Attributes {
		if slices.Contains(foamAttributes, name) {
			f.MeshFoam = append(f.MeshFoam, name)
		} else {
			carried = append(carried, name)
		}
	}
	if f.MeshAttributes, err = Resolve(&quantity.Quantities, carried); err != nil {
		return f, err
	}
	f.PointAttributes, err = Resolve(&quantity.Quantities, s.Points.Attributes)
	return f, err
}

// whitewater finds the formats that w names.
func (f *Formats) whitewater(w *Whitewater, listed func(out.Archive) string) (err error) {
	var points, volumes []string
	if f.ParcelArchives, points, err = archives(w.Formats, listed); err != nil {
		return err
	}
	if f.Parcels, err = Resolve(&out.PointFormats, points); err != nil {
		return err
	}
	if len(w.Volumes) > 0 {
		volumes = []string{"vdb"}
	}
	grids, err := Resolve(&out.Formats, volumes)
	f.Parcels = append(f.Parcels, grids...)
	return err
}

// archives returns the archives among the named formats. files has the others, and the
// formats of the files that the archives are made from.
func archives(names []string, source func(out.Archive) string) (list []Named[out.Archive], files []string, err error) {
	for _, name := range names {
		if isArchive(name) {
			a, err := out.Archives.New(name, registry.None)
			if err != nil {
				return nil, nil, err
			}
			list = append(list, Named[out.Archive]{name, a})
			if name = source(a); name == "" {
				continue
			}
		}
		files = append(files, name)
	}
	return list, files, nil
}

// isArchive reports whether a format keeps all frames in one file.
func isArchive(name string) bool { return slices.Contains(out.Archives.Names(), name) }

// ArchiveSource returns the format of the mesh files that an archive is made from, or ""
// if it is made from the surface cache, which lacks attributes.
func (m *Mesh) ArchiveSource(a out.Archive) string {
	if l, ok := a.(out.Lister); ok {
		return l.Lists()
	}
	if len(m.Attributes) > 0 {
		return "plymesh"
	}
	return ""
}

// liquidGrids are the values of volume.grids for a liquid, and gasGrids those for a gas.
var (
	liquidGrids = []string{"density", "velocity", "surface"}
	gasGrids    = []string{"density", "temperature", "flame", "fuel", "velocity", "vel"}
)

// volumeGrids returns the values that volume.grids may have.
func (s *Scene) volumeGrids() []string {
	if s.Gas != nil {
		return gasGrids
	}
	return liquidGrids
}

// HasSurface reports whether the volume files have the distance to the mesh.
func (v *Volume) HasSurface() bool { return slices.Contains(v.Grids, "surface") }

// Axes returns the axes of the mesh files of a format.
func (m *Mesh) Axes(format any) out.Axes { return axes(format, m.Up, m.Unit) }

// Axes returns the axes of the particle files of a format.
func (p *Points) Axes(format any) out.Axes { return axes(format, p.Up, p.Unit) }

// Axes returns the axes of the volume files of a format.
func (v *Volume) Axes(format any) out.Axes { return axes(format, v.Up, v.Unit) }

// axes returns the axes of the files of a format: the scene's, or else the axes that
// programs that read them expect.
func axes(format any, up, unit string) out.Axes {
	a := out.AxesOf(format)
	if a.Unit == 0 {
		a.Unit = 1
	}
	switch up {
	case "y":
		a.ZUp = false
	case "z":
		a.ZUp = true
	}
	switch unit {
	case "m":
		a.Unit = 1
	case "cm":
		a.Unit = 0.01
	case "mm":
		a.Unit = 0.001
	}
	return a
}
