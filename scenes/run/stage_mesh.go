package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// meshFile is the ledger of the mesh stage.
const meshFile = "mesh.csv"

// volumeError is the column of meshFile from which the manifest takes the
// worst.
const volumeError = "volume_error"

// mesh makes the liquid's surface from the particles of each frame. A mesh that
// is not closed, manifold and oriented is reported and kept: the film may do
// with it. A mesh with a [surface.Flaw] ends the run.
func (r *runner) mesh(ctx context.Context) error {
	book, err := r.meshLedger()
	if err != nil {
		return err
	}
	method := r.built.Surface
	defer method.Forget() // pictures need the memory
	velocities := slices.ContainsFunc(r.meshFiles(1), func(p product) bool {
		return p.format.(out.PerFrame).Needs()&out.NeedsVelocities != 0
	})
	lacks := func(n int) bool { return !book.has(n, r.keys.Meshes[n]) }
	// One mesh is written while the other is made.
	var both [2]mesh.Mesh
	next := 0
	err = r.run(ctx, work{
		stage: stage.Mesh, files: r.meshFiles,
		from: r.particleFiles, fromWhat: stage.Sim,
		lacks:   lacks,
		without: func(n int) bool { return !r.opt.Force && r.spent(n) && !lacks(n) },
		begin: func(todo []int) (news string, err error) {
			again := 0 // frames whose meshes are there, or have served
			for _, n := range todo {
				if lacks(n) && (r.fresh(r.meshFiles(n)...) == nil || r.spent(n)) {
					again++
				}
			}
			if again > 0 {
				news = fmt.Sprintf("mesh  %s lacks rows: meshing %s again for them", meshFile, toml.Count(again, "frame"))
			}
			return news, nil
		},
		make: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
			m := &both[next]
			next = 1 - next
			f, err := r.readFrame(r.particleFiles(n)[0])
			if err != nil {
				return nil, err
			}
			p := f.Particles
			for _, w := range r.built.World.Walls {
				w.Move(e.Time)
			}
			if err := r.built.World.PlaceBodies(p.Bodies); err != nil {
				return nil, err
			}
			objects := r.built.Objects(p.Bodies)
			cloud := r.scene.Cloud(r.built, p, n, f.Time, velocities)
			err = method.Surface(m, cloud)
			found := method.Tally()
			row := func(sound int) string {
				return book.row(n, r.keys.Meshes[n], e.Time, len(m.Pos), len(m.Tri), sound, m.Volume(), r.volumeError(m, len(cloud.X)), found.Strays, found.StrayParticles, found.Cavities, found.Filled)
			}
			if flaw := (*surface.Flaw)(nil); errors.As(err, &flaw) {
				return func() error {
					return cmp.Or(book.add(row(0)), fmt.Errorf("%w; the mesh was not kept: try another surface.cell, surface.kind or liquid.spacing, and report the error with the scene", err))
				}, nil
			}
			if err != nil {
				return nil, err
			}
			fields, err := r.carried(m.Pos, f)
			if err != nil {
				return nil, err
			}
			return func() error {
				m.Round() // the results describe the file
				sound := 1
				if err := m.Check(); err != nil {
					sound = 0
					e.Message = fmt.Sprintf("mesh  frame %d: %v", n, err)
				}
				if err := book.add(row(sound)); err != nil {
					return err
				}
				e.Particles, e.Triangles = p.Len(), len(m.Tri)
				e.Strays, e.Cavities, e.Filled = found.Strays, found.Cavities, found.Filled
				if !r.opt.Force && r.spent(n) { // it was meshed for its row
					return nil
				}
				return r.writeFrame(r.meshFiles(n), out.Frame{Index: n, Time: e.Time, Mesh: m, Fields: fields, Objects: objects, Quads: r.scene.Mesh.Quads})
			}, nil
		},
	}, r.from, r.to)
	if err != nil || !r.complete() {
		return err
	}
	return book.prune(r.keys.Meshes)
}

func (r *runner) meshLedger() (*ledger, error) {
	return openLedger(r.dir, meshFile, "time_s", "vertices", "triangles", "sound", "volume_m3", volumeError, "strays", "stray_particles", "cavities", "filled")
}

// volumeError returns how much larger the volume of m is than the particles' volume,
// relative to it.
func (r *runner) volumeError(m *mesh.Mesh, particles int) float64 {
	d := r.scene.Liquid.Spacing
	if particles == 0 {
		return 0
	}
	return m.Volume()/(float64(particles)*d*d*d) - 1
}

func (r *runner) meshFiles(n int) []product {
	var list []product
	for _, f := range r.built.Formats.Mesh {
		file := r.frameFile(meshFolder, n, f.As, "")
		file.axes = r.scene.Mesh.Axes(file.format)
		file.fingerprint = r.keys.mesh(n, f.Name, file)
		list = append(list, file.gzipped(r.scene.Mesh.Gzip))
	}
	if len(r.scene.Body) > 0 && indexOf(r.built.Formats.Mesh, "vtp") >= 0 {
		list = append(list, r.bodyFile(n))
	}
	return list
}

// bodyFile names the file of frame n that has the bodies for ParaView, whose
// files of meshes have no objects.
func (r *runner) bodyFile(n int) product {
	file := r.frameFile(bodyFolder, n, out.BodiesVTP{}, "")
	file.axes = r.scene.Mesh.Axes(file.format)
	file.fingerprint = r.keys.mesh(n, "vtp of bodies", file)
	return file.gzipped(r.scene.Mesh.Gzip)
}

// frameFile names the file of frame n in a format.
func (r *runner) frameFile(folder string, n int, format out.PerFrame, fingerprint string) product {
	return product{name: path.Join(folder, store.FrameName(r.scene.Name, n, r.scene.Time.Frames(), format.Ext())), format: format, fingerprint: fingerprint}
}

// writeFrame writes the files of a frame.
func (r *runner) writeFrame(files []product, f out.Frame) error {
	for _, file := range files {
		if err := r.writeTurned(file, f.In(file.axes)); err != nil {
			return err
		}
	}
	return nil
}

// writeTurned writes a file of a frame that is in its axes.
func (r *runner) writeTurned(file product, f *out.Frame) error {
	f.Fingerprint = file.fingerprint
	return r.dir.Write(file.name, func(w io.Writer) error { return file.format.(out.PerFrame).Encode(w, f) })
}
