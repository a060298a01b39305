package scenes

import (
	"context"
	"path"
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
)

// pointFolder has the particle files for other programs.
const pointFolder = "points"

// points makes the particle files from the cache.
func (r *runner) points(ctx context.Context) error {
	if len(r.pointFormats()) == 0 {
		return nil
	}
	return r.run(ctx, work{
		stage: ExportStage, what: pointFolder + " as " + strings.Join(r.pointFormats(), ", "), files: r.pointFiles,
		from: r.particleFiles, fromWhat: SimStage,
		without: func(n int) bool { return !keeps(r.scene.Points.Keep, n) },
		make: func(_ context.Context, n int, e *Event) (func() error, error) {
			f, err := r.pointFrame(n)
			if err != nil {
				return nil, err
			}
			e.Particles = f.Particles.Len()
			return func() error { return r.writeFrame(r.pointFiles(n), *f) }, nil
		},
	}, r.from, r.to)
}

// pointFrame returns the particles of frame n that have left the nozzles, with
// the scene's attributes.
func (r *runner) pointFrame(n int) (*out.Frame, error) {
	return r.freeParticles(n, r.scene.Points.Attributes)
}

// freeParticles returns the particles of frame n that have left the nozzles,
// with the attributes named.
func (r *runner) freeParticles(n int, attributes []string) (*out.Frame, error) {
	f, err := r.readFrame(r.particleFiles(n)[0])
	if err != nil {
		return nil, err
	}
	if f.Fields, err = r.attributes(attributes, f); err != nil {
		return nil, err
	}
	f.Particles.Attr, f.Rows = nil, nil // which are the cache's own
	if len(r.scene.Inflow) > 0 {
		var free []int
		for i, id := range f.Particles.ID {
			if !r.built.World.InBuffer(id, f.Time) {
				free = append(free, i)
			}
		}
		p := f.Particles
		f.Particles = &particle.Set{X: picked(p.X, free), V: picked(p.V, free), Rho: picked(p.Rho, free), ID: picked(p.ID, free)}
		for k := range f.Fields {
			field := &f.Fields[k]
			if field.Vector != nil {
				field.Vector = picked(field.Vector, free)
			} else {
				field.Scalar = picked(field.Scalar, free)
			}
		}
	}
	return f, nil
}

// picked returns the values with the indices i.
func picked[T any](v []T, i []int) []T {
	all := make([]T, len(i))
	for k, j := range i {
		all[k] = v[j]
	}
	return all
}

// pointFormats returns the formats of the particle files.
func (r *runner) pointFormats() []string {
	var names []string
	for _, name := range r.scene.Points.Formats {
		if isArchive(name) {
			a, err := out.Archives.New(name, registry.None)
			if err != nil {
				panic(err) // the scene was checked
			}
			list, ok := a.(out.Lister)
			if !ok {
				continue // it is made from the cache
			}
			name = list.Lists()
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (r *runner) pointFiles(n int) []product {
	var list []product
	for _, name := range r.pointFormats() {
		f, err := out.PointFormats.New(name, registry.None)
		if err != nil {
			panic(err) // the scene was checked
		}
		file := product{name: path.Join(pointFolder, store.FrameName(r.scene.Name, n, r.scene.Time.Frames(), f.Ext())), format: f}
		file.axes = r.scene.Points.axes(f)
		file.fingerprint = r.keys.points(n, name, file.axes)
		list = append(list, file.gzipped(r.scene.Points.Gzip))
	}
	return list
}
