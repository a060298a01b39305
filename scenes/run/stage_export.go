package run

import (
	"context"
	"fmt"
	"slices"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/particle"
)

// archive is a file of all frames' meshes, particles or whitewater.
type archive struct {
	product
	of       archived
	axes     out.Axes
	from     func(n int) product // frame n's own file, which fromWhat makes
	fromWhat stage.Name
	frame    func(n int) (*out.Frame, error) // frame n, in our axes
}

// archived is what archives hold of a run.
type archived uint8

const (
	ofMeshes archived = iota
	ofParticles
	ofParcels
)

// part returns the part of the frames that such archives hold.
func (c archived) part() out.Part {
	if c == ofMeshes {
		return out.NeedsMesh
	}
	return out.NeedsParticles
}

// staged reports whether the archive has the camera and the light of the film.
func (a *archive) staged() bool {
	_, can := a.format.(out.Staged)
	return can && a.of != ofParcels
}

// export makes the particle and the volume files. Then it makes the archives of this
// run's frames from the files of the frames, as films are made, unless files of single
// frames are enough. After a stop the archives are made anew.
func (r *runner) export(ctx context.Context) error {
	if err := r.points(ctx); err != nil {
		return err
	}
	if err := r.volumes(ctx); err != nil {
		return err
	}
	if err := r.parcels(ctx); err != nil {
		return err
	}
	if r.opt.PerFrame {
		return nil
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
func (r *runner) archives(first, last int) (list []archive) {
	for _, a := range r.built.Formats.MeshArchives {
		list = append(list, r.archive(a, ofMeshes, first, last))
	}
	for _, a := range r.built.Formats.PointArchives {
		list = append(list, r.archive(a, ofParticles, first, last))
	}
	for _, a := range r.built.Formats.ParcelArchives {
		list = append(list, r.archive(a, ofParcels, first, last))
	}
	return list
}

// exportFiles lists the stage's files of frame n, with all archives.
func (r *runner) exportFiles(n int) []product {
	files := r.exportedFiles(n)
	for _, a := range r.ours() {
		files = append(files, a.product)
	}
	return files
}

// exportedFiles lists the stage's files of frame n alone.
func (r *runner) exportedFiles(n int) (files []product) {
	if scenes.Keeps(r.scene.Points.Keep, n) {
		files = append(files, r.pointFiles(n)...)
		if r.scene.Gas != nil {
			files = append(files, r.vortonFiles(n)...)
		}
	}
	if scenes.Keeps(r.scene.Volume.Keep, n) {
		files = append(files, r.volumeFiles(n)...)
	}
	if r.keepsParcels(n) {
		files = append(files, r.parcelFiles(n)...)
	}
	return files
}

// archive names an archive of frames first … last.
func (r *runner) archive(f scenes.Named[out.Archive], of archived, first, last int) archive {
	format := f.As
	a := archive{of: of, axes: r.scene.Mesh.Axes(format)}
	a.format = format
	a.name = r.scene.Name + "." + format.Ext()
	list, isList := format.(out.Lister)
	switch of {
	case ofMeshes:
		a.fromWhat, a.from = stage.Mesh, r.surfaceFile
		if i := indexOf(r.built.Formats.Mesh, r.scene.Mesh.ArchiveSource(format)); i >= 0 {
			a.from = func(n int) product { return r.meshFiles(n)[i] }
		}
		a.frame = func(n int) (*out.Frame, error) {
			f, err := r.readFrame(a.from(n))
			if err == nil {
				f.Objects = r.named(f.Objects)
			}
			return f, err
		}
	case ofParcels:
		a.name = r.scene.Name + "_whitewater." + format.Ext()
		a.from = func(int) product { return product{} }
		if r.scene.Whitewater == nil {
			break // it has a name only
		}
		a.axes, a.fromWhat, a.frame = r.scene.Whitewater.Axes(format), stage.Whitewater, r.parcelPoints
		a.from = func(n int) product { return r.whitewaterFiles(n)[1] }
		if !isList {
			break
		}
		if i := indexOf(r.built.Formats.Parcels, list.Lists()); i >= 0 {
			a.fromWhat = stage.Export
			a.from = func(n int) product { return r.parcelFiles(n)[i] }
		}
	case ofParticles:
		a.axes, a.name = r.scene.Points.Axes(format), r.scene.Name+"_particles."+format.Ext()
		a.fromWhat, a.frame = stage.Sim, r.pointFrame
		a.from = func(n int) product { return r.particleFiles(n)[0] }
		if !isList {
			break
		}
		if i := indexOf(r.built.Formats.Points, list.Lists()); i >= 0 { // else it is one that is not asked for
			a.fromWhat = stage.Export
			a.from = func(n int) product { return r.pointFiles(n)[i] }
		}
	}
	a.fingerprint = r.keys.archive(f.Name, a, first, last)
	return a
}

// indexOf returns the index of the format with a name, or −1.
func indexOf(list []scenes.Named[out.PerFrame], name string) int {
	return slices.IndexFunc(list, func(f scenes.Named[out.PerFrame]) bool { return f.Name == name })
}

// named returns bodies, of which a file says where they are, with their names and
// meshes.
func (r *runner) named(list []out.Object) []out.Object {
	if len(list) != len(r.built.Afloat) { // of a file whose maker is not this program
		return nil
	}
	var at []particle.Body
	for _, o := range list {
		at = append(at, o.Body)
	}
	return r.built.Objects(at)
}

func (r *runner) exportTo(ctx context.Context, a archive) error {
	w, err := r.whole(stage.Export, a.product, func(n int) []product { return []product{a.from(n)} }, a.fromWhat)
	if err == nil && a.staged() {
		err = r.sky()
	}
	if w == nil || err != nil {
		return err
	}
	info := out.ArchiveInfo{
		Part: a.of.part(), Frames: w.Event.Frames, First: r.first, FPS: r.scene.Time.FPS, Speed: r.scene.Time.Speed,
		Axes: a.axes, Width: r.scene.Spacing() / a.axes.Unit, Fingerprint: a.fingerprint,
		File: func(i int) string { return a.from(r.first + i).name },
		Time: w.Time,
	}
	if a.of == ofMeshes && len(r.scene.Body) > 0 {
		info.Bodies = func(i int) string { return r.bodyFile(r.first + i).name }
	}
	if a.staged() {
		if info.Shot, err = r.shot(); err != nil {
			return err
		}
		if r.scene.Gas == nil {
			info.Material = &r.built.Material
		}
	}
	return w.Write(ctx, func(f *store.File, read func(i int)) error {
		return a.format.(out.Archive).Encode(ctx, f, info, func(i int) (*out.Frame, error) {
			frame, err := a.frame(r.first + i)
			if err != nil {
				return nil, err
			}
			read(i)
			return frame.In(a.axes), nil
		})
	})
}

// dropOldArchives removes archives of the scene in formats that are not wanted
// now. Files of other programs are left alone.
func (r *runner) dropOldArchives(wanted []archive) error {
	for _, of := range []archived{ofMeshes, ofParticles, ofParcels} {
		if err := r.dropArchivesOf(of, wanted); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) dropArchivesOf(of archived, wanted []archive) error {
	all, err := scenes.Resolve(&out.Archives, out.Archives.Names())
	if err != nil {
		return err
	}
	for _, f := range all {
		a := r.archive(f, of, r.first, r.last)
		if slices.ContainsFunc(wanted, func(w archive) bool { return w.name == a.name }) || !r.isOurs(a.product) {
			continue
		}
		r.report(stage.Event{Stage: stage.Export, Message: fmt.Sprintf("export %s: removed, because the scene no longer asks for it", a.name)})
		if err := r.dir.Remove(a.name); err != nil {
			return err
		}
	}
	return nil
}
