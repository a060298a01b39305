package scenes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"breakwater/out"
	"breakwater/out/pace"
	"breakwater/out/store"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
)

// archive is a file of all frames' meshes or particles.
type archive struct {
	product
	part     out.Part
	axes     out.Axes
	from     func(n int) product // frame n's own file, which fromWhat makes
	fromWhat Stage
	frame    func(n int) (*out.Frame, error) // frame n, in our axes
}

// export makes the particle and the volume files, and then the archives of this run's frames
// from the files of the frames, as films are made: a run that was stopped makes
// those anew.
func (r *runner) export(ctx context.Context) error {
	if err := r.points(ctx); err != nil {
		return err
	}
	if err := r.volumes(ctx); err != nil {
		return err
	}
	archives := r.ours()
	if err := r.dropOldArchives(archives); err != nil {
		return err
	}
	for _, a := range archives {
		if err := r.exportTo(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// archives lists those that the scene asks for, of frames first … last.
func (r *runner) archives(first, last int) ([]archive, error) {
	var list []archive
	add := func(part out.Part, names []string) error {
		for _, name := range names {
			if !isArchive(name) {
				continue
			}
			a, err := r.archive(name, part, first, last)
			if err != nil {
				return err
			}
			list = append(list, a)
		}
		return nil
	}
	return list, cmp.Or(add(out.NeedsMesh, r.scene.Mesh.Formats), add(out.NeedsParticles, r.scene.Points.Formats))
}

// exportFiles lists what the stage makes of frame n, all archives among it.
func (r *runner) exportFiles(n int) []product {
	var files []product
	if keeps(r.scene.Points.Keep, n) {
		files = append(files, r.pointFiles(n)...)
	}
	if keeps(r.scene.Volume.Keep, n) {
		files = append(files, r.volumeFiles(n)...)
	}
	for _, a := range r.ours() {
		files = append(files, a.product)
	}
	return files
}

// isArchive reports whether a format keeps all frames in one file.
func isArchive(name string) bool { return slices.Contains(out.Archives.Names(), name) }

// archive names an archive of frames first … last.
func (r *runner) archive(name string, part out.Part, first, last int) (archive, error) {
	format, err := out.Archives.New(name, registry.None)
	if err != nil {
		return archive{}, err
	}
	a := archive{part: part, axes: r.scene.Mesh.axes(format)}
	a.format = format
	a.name = r.scene.Name + "." + format.Ext()
	list, isList := format.(out.Lister)
	switch {
	case part == out.NeedsMesh:
		i := slices.Index(r.meshFormats(), archiveSource(name))
		a.fromWhat = MeshStage
		a.from = func(n int) product { return r.meshFiles(n)[max(0, i)] }
		a.frame = func(n int) (*out.Frame, error) {
			f, err := r.readFrame(a.from(n))
			if err == nil {
				f.Objects = r.named(f.Objects)
			}
			return f, err
		}
	default:
		a.axes, a.name = r.scene.Points.axes(format), r.scene.Name+"_particles."+format.Ext()
		a.fromWhat, a.frame = SimStage, r.pointFrame
		a.from = func(n int) product { return r.particleFiles(n)[0] }
		if !isList {
			break
		}
		if i := slices.Index(r.pointFormats(), list.Lists()); i >= 0 { // else it is one that is not asked for
			a.fromWhat = ExportStage
			a.from = func(n int) product { return r.pointFiles(n)[i] }
		}
	}
	a.fingerprint = r.keys.archive(name, a, first, last)
	return a, nil
}

// named returns bodies, of which a file says where they are, with their names and
// meshes.
func (r *runner) named(list []out.Object) []out.Object {
	if len(list) != len(r.built.afloat) { // of a file whose maker is not this program
		return nil
	}
	var at []particle.Body
	for _, o := range list {
		at = append(at, o.Body)
	}
	return r.built.objects(at)
}

// archiveSource returns the format of the meshes that an archive is made from.
func archiveSource(name string) string {
	a, err := out.Archives.New(name, registry.None)
	if err != nil {
		panic(err) // the scene was checked
	}
	if l, ok := a.(out.Lister); ok {
		return l.Lists()
	}
	return "plymesh" // which keeps velocities and attributes
}

func (r *runner) exportTo(ctx context.Context, a archive) error {
	frames := r.last - r.first + 1
	e := Event{Stage: ExportStage, What: a.name, Frames: frames}
	if !r.opt.Force && r.fresh(a.product) == nil {
		e.Frame, e.Kept, e.Done = frames, frames, true
		r.report(e)
		return nil
	}
	var all []int
	for n := r.first; n <= r.last; n++ {
		all = append(all, n)
	}
	if err := r.need(work{from: func(n int) []product { return []product{a.from(n)} }, fromWhat: a.fromWhat}, all); err != nil {
		return err
	}
	r.sayDamaged(ExportStage, a.product)
	if err := r.dir.Remove(manifestName); err != nil {
		return err
	}
	r.report(e)
	p := pace.New(frames)
	info := out.ArchiveInfo{
		Part: a.part, Frames: frames, First: r.first, FPS: r.scene.Time.FPS, Speed: r.scene.Time.Speed,
		Axes: a.axes, Width: r.scene.Liquid.Spacing / a.axes.Unit, Fingerprint: a.fingerprint,
		File: func(i int) string { return a.from(r.first + i).name },
		Time: func(i int) float64 { return r.scene.Time.At(r.first + i) },
	}
	if a.part == out.NeedsMesh && len(r.scene.Body) > 0 {
		info.Bodies = func(i int) string { return r.bodyFile(r.first + i).name }
	}
	err := r.dir.WriteFile(a.name, func(f *store.File) error {
		return a.format.(out.Archive).Encode(ctx, f, info, func(i int) (*out.Frame, error) {
			frame, err := a.frame(r.first + i)
			if err != nil {
				return nil, err
			}
			if i >= e.Made { // it may be read more than once
				e.Made = i + 1
				e.Frame, e.Time, e.Seconds, e.ETA = e.Made, r.scene.Time.At(r.first+i), p.Next(), p.ETA()
				r.report(e)
			}
			return frame.In(a.axes), nil
		})
	})
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return &Interrupted{ExportStage, r.first, r.last}
		}
		return err
	}
	e.Frame, e.Made, e.Seconds, e.ETA, e.Done = frames, frames, p.Seconds(), 0, true
	r.report(e)
	return nil
}

// dropOldArchives removes archives of the scene in formats that are not wanted
// now. What another program has put there is left alone.
func (r *runner) dropOldArchives(wanted []archive) error {
	for _, part := range []out.Part{out.NeedsMesh, out.NeedsParticles} {
		if err := r.dropArchivesOf(part, wanted); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) dropArchivesOf(part out.Part, wanted []archive) error {
	for _, name := range out.Archives.Names() {
		a, err := r.archive(name, part, r.first, r.last)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(wanted, func(w archive) bool { return w.name == a.name }) || !r.isOurs(a.product) {
			continue
		}
		r.report(Event{Stage: ExportStage, Message: fmt.Sprintf("export %s: removed, because the scene no longer asks for it", a.name)})
		if err := r.dir.Remove(a.name); err != nil {
			return err
		}
	}
	return nil
}
