package run

import (
	"context"
	"strings"

	"breakwater/out"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/particle"
	"breakwater/sim/quantity"
)

// pointFolder has the particle files for other programs.
const pointFolder = "points"

// points makes the particle files from the cache.
func (r *runner) points(ctx context.Context) error {
	if len(r.built.Formats.Points) == 0 {
		return nil
	}
	if r.scene.Gas != nil {
		if err := r.vortons(ctx); err != nil {
			return err
		}
	}
	return r.run(ctx, work{
		stage: stage.Export, what: pointFolder + " as " + names(r.built.Formats.Points), files: r.pointFiles,
		from: r.particleFiles, fromWhat: stage.Sim,
		without: func(n int) bool { return !scenes.Keeps(r.scene.Points.Keep, n) },
		compute: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
			f, err := r.pointFrame(n)
			if err != nil {
				return nil, err
			}
			e.Particles = f.Particles.Len()
			return func() error { return r.writeFrame(r.pointFiles(n), *f) }, nil
		},
	}, r.from, r.to)
}

// names lists the names of formats.
func names(list []scenes.Named[out.PerFrame]) string {
	var s []string
	for _, f := range list {
		s = append(s, f.Name)
	}
	return strings.Join(s, ", ")
}

// pointFrame returns the particles of frame n that have left the nozzles, with
// the scene's attributes.
func (r *runner) pointFrame(n int) (*out.Frame, error) {
	return r.freeParticles(n, r.built.Formats.PointAttributes)
}

// freeParticles returns the particles of frame n that have left the nozzles,
// with the attributes given.
func (r *runner) freeParticles(n int, attributes []scenes.Named[quantity.Quantity]) (*out.Frame, error) {
	f, err := r.readFrame(r.particleFiles(n)[0])
	if err != nil {
		return nil, err
	}
	if r.scene.Gas != nil {
		f.Fields = tracerFields(f.Particles)
	} else if f.Fields, err = r.attributes(attributes, f); err != nil {
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

func (r *runner) pointFiles(n int) []product {
	var list []product
	for _, f := range r.built.Formats.Points {
		file := r.frameFile(pointFolder, n, f.As, "")
		file.axes = r.scene.Points.Axes(f.As)
		file.fingerprint = r.keys.points(n, f.Name, file.axes)
		list = append(list, file.gzipped(r.scene.Points.Gzip))
	}
	return list
}
