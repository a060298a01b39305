package run

import (
	"context"
	"slices"

	"breakwater/out"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/vec"
	"breakwater/surface/voxel"
)

// volumeFolder has the volume files.
const volumeFolder = "volumes"

// volumes makes the volume files from the cache and the meshes.
func (r *runner) volumes(ctx context.Context) error {
	v := &r.scene.Volume
	if len(v.Formats) == 0 {
		return nil
	}
	w := work{stage: stage.Export, what: volumeFolder + " as " + names(r.built.Formats.Volume), files: r.volumeFiles, from: r.particleFiles, fromWhat: stage.Sim}
	if v.HasSurface() {
		w.fromWhat = stage.Mesh
		w.from = func(n int) []product { return append(r.particleFiles(n), r.surfaceFile(n)) }
	}
	w.without = func(n int) bool { return !scenes.Keeps(v.Keep, n) }
	w.compute = func(_ context.Context, n int, e *stage.Event) (func() error, error) {
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
	if v.HasSurface() {
		m, err := r.readFrame(r.surfaceFile(n))
		if err != nil {
			return nil, err
		}
		f.Mesh = m.Mesh
	}
	f = f.In(axes)
	if r.scene.Gas != nil {
		f.Vortons, f.Carried = nil, nil // which are the cache's own
		f.Volume = r.gasVolume(f, axes.Unit)
		return f, nil
	}
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
	for _, f := range r.built.Formats.Volume {
		file := r.frameFile(volumeFolder, n, f.As, "")
		file.axes = r.scene.Volume.Axes(f.As)
		file.fingerprint = r.keys.volume(n, f.Name, file.axes)
		list = append(list, file)
	}
	return list
}

// gasVolume returns the grids of a gas, whose tracers f has in a unit of length in m. A
// tracer stands for the gas in the cube between its neighbours at the start.
func (r *runner) gasVolume(f *out.Frame, unit float64) *voxel.Volume {
	s := r.scene
	apart := s.TracerSpacing() / unit
	puffs := voxel.Puffs{X: f.Particles.X, Width: min(apart, s.Gas.Cell/unit), Edge: s.Volume.Voxel * s.Gas.Cell / unit}
	of := map[string][]float64{}
	for _, field := range f.Fields {
		of[field.Name] = field.Scalar
	}
	for _, name := range s.Volume.Grids {
		switch name {
		case "temperature":
			puffs.Means = append(puffs.Means, voxel.Mean{Name: name, Of: of[name], Outside: s.Gas.Temperature})
		case "velocity", "vel":
			puffs.V = append([]vec.Vec3{}, f.Particles.V...) // not nil, even without tracers
		default:
			share := of[map[string]string{"density": "smoke", "flame": "flame", "fuel": "fuel"}[name]]
			amount := make([]float64, len(share))
			for i, x := range share {
				amount[i] = x * apart * apart * apart
			}
			puffs.Amounts = append(puffs.Amounts, voxel.Amount{Name: name, Of: amount})
		}
	}
	made := map[string]*voxel.Grid{}
	for _, g := range puffs.Grids() {
		made[g.Name] = g
	}
	v := &voxel.Volume{Edge: puffs.Edge}
	for _, name := range s.Volume.Grids {
		g := made[name]
		if name == "vel" {
			as := *made["velocity"]
			as.Name, g = name, &as
		}
		v.Grids = append(v.Grids, g)
	}
	return v
}
