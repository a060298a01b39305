package scenes

import (
	"context"
	"path"
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/voxel"
)

// volumeFolder has the volume files.
const volumeFolder = "volumes"

// volumeGrids are what volume.grids may list.
var volumeGrids = []string{"density", "velocity", "surface"}

// surface reports whether the files have the distance to the mesh.
func (v *Volume) surface() bool { return slices.Contains(v.Grids, "surface") }

// volumes makes the volume files from the cache and the meshes.
func (r *runner) volumes(ctx context.Context) error {
	v := &r.scene.Volume
	if len(v.Formats) == 0 {
		return nil
	}
	w := work{stage: ExportStage, what: volumeFolder + " as " + strings.Join(v.Formats, ", "), files: r.volumeFiles, from: r.particleFiles, fromWhat: SimStage}
	if v.surface() {
		w.fromWhat = MeshStage
		w.from = func(n int) []product { return append(r.particleFiles(n), r.meshFiles(n)[0]) }
	}
	w.without = func(n int) bool { return !keeps(v.Keep, n) }
	w.make = func(_ context.Context, n int, e *Event) (func() error, error) {
		files := r.volumeFiles(n)
		var frames []*out.Frame
		for _, file := range files {
			f, err := r.volumeFrame(n, file.axes)
			if err != nil {
				return nil, err
			}
			e.Particles = f.Particles.Len()
			frames = append(frames, f)
		}
		return func() error {
			for k, f := range frames {
				if err := r.writeTurned(files[k], f); err != nil {
					return err
				}
			}
			return nil
		}, nil
	}
	return r.run(ctx, w, r.from, r.to)
}

// volumeFrame returns the volume of frame n in the axes given.
func (r *runner) volumeFrame(n int, axes out.Axes) (*out.Frame, error) {
	v := &r.scene.Volume
	f, err := r.freeParticles(n, nil)
	if err != nil {
		return nil, err
	}
	if v.surface() {
		m, err := r.readFrame(r.meshFiles(n)[0])
		if err != nil {
			return nil, err
		}
		f.Mesh = m.Mesh
	}
	f = f.In(axes)
	spacing := r.scene.Liquid.Spacing / axes.Unit
	volume := &voxel.Volume{Edge: v.Voxel * spacing}
	var moving []vec.Vec3
	if slices.Contains(v.Grids, "velocity") {
		moving = f.Particles.V
	}
	var density, velocity *voxel.Grid
	if slices.Contains(v.Grids, "density") || moving != nil {
		density, velocity = voxel.FromParticles(f.Particles.X, moving, spacing, volume.Edge)
	}
	if velocity == nil { // of no particles
		velocity = &voxel.Grid{Name: "velocity", Class: voxel.Field, Width: 3}
	}
	for _, name := range v.Grids {
		switch name {
		case "density":
			volume.Grids = append(volume.Grids, density)
		case "velocity":
			volume.Grids = append(volume.Grids, velocity)
		case "surface":
			volume.Grids = append(volume.Grids, voxel.FromMesh(f.Mesh, volume.Edge))
		}
	}
	f.Volume = volume
	return f, nil
}

func (r *runner) volumeFiles(n int) []product {
	var list []product
	for _, name := range r.scene.Volume.Formats {
		f, err := out.Formats.New(name, registry.None)
		if err != nil {
			panic(err) // the scene was checked
		}
		file := product{name: path.Join(volumeFolder, store.FrameName(r.scene.Name, n, r.scene.Time.Frames(), f.Ext())), format: f}
		file.axes = r.scene.Volume.axes(f)
		file.fingerprint = r.keys.volume(n, name, file.axes)
		list = append(list, file)
	}
	return list
}
