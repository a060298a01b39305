package scenes

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
	"breakwater/scenes/toml"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
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
	lacks := func(n int) bool { return !book.has(n, r.keys.meshes[n]) }
	// One mesh is written while the other is made.
	var both [2]mesh.Mesh
	next := 0
	err = r.run(ctx, work{
		stage: MeshStage, files: r.meshFiles,
		from: r.particleFiles, fromWhat: SimStage,
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
		make: func(_ context.Context, n int, e *Event) (func() error, error) {
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
			objects := r.built.objects(p.Bodies)
			cloud := r.cloud(p, n, f.Time, velocities)
			err = method.Surface(m, cloud)
			found := method.Tally()
			row := func(sound int) string {
				return book.row(n, r.keys.meshes[n], e.Time, len(m.Pos), len(m.Tri), sound, m.Volume(), r.volumeError(m, len(cloud.X)), found.Strays, found.StrayParticles, found.Cavities, found.Filled)
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
				m.Round() // what is told of it is told of the file
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
	if err != nil || !r.whole() {
		return err
	}
	return book.prune(r.keys.meshes)
}

// cloud returns what the surface of frame n, at time t, is made from.
func (r *runner) cloud(p *particle.Set, n int, t float64, velocities bool) surface.Cloud {
	cloud := surface.Cloud{X: p.X, ID: p.ID, Spacing: r.scene.Liquid.Spacing, Walls: r.built.Solids}
	if velocities {
		cloud.V = p.V
	}
	if len(r.scene.Inflow) > 0 {
		// What is in the nozzles is not seen; nor are densities those of
		// the liquid without it.
		r.freed(&cloud, p, t)
	} else if n > 1 { // the first frame comes before densities are summed
		cloud.Rho, cloud.Rho0 = r.sums(p), r.scene.Liquid.Density
	}
	return cloud
}

// freed sets c to the particles of p that have left the nozzles at time t.
func (r *runner) freed(c *surface.Cloud, p *particle.Set, t float64) {
	var x, v []vec.Vec3
	var ids []uint32
	for i, id := range p.ID {
		if !r.built.World.InBuffer(id, t) {
			x, v, ids = append(x, p.X[i]), append(v, p.V[i]), append(ids, id)
		}
	}
	c.X, c.ID = x, ids
	if len(c.V) > 0 {
		c.V = v
	}
}

// sums returns the densities of p less what the walls have added to them.
func (r *runner) sums(p *particle.Set) []float64 {
	rho := slices.Clone(p.Rho)
	par.For(len(rho), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for _, w := range r.built.World.Walls {
				share, _ := w.Mirror(p.X[i])
				rho[i] -= share * r.scene.Liquid.Density
			}
		}
	})
	return rho
}

func (r *runner) meshLedger() (*ledger, error) {
	return openLedger(r.dir, meshFile, "time_s", "vertices", "triangles", "sound", "volume_m3", volumeError, "strays", "stray_particles", "cavities", "filled")
}

// volumeError returns how much larger the volume of m is than that of the
// particles, as a share of theirs.
func (r *runner) volumeError(m *mesh.Mesh, particles int) float64 {
	d := r.scene.Liquid.Spacing
	if particles == 0 {
		return 0
	}
	return m.Volume()/(float64(particles)*d*d*d) - 1
}

// meshFormats returns the formats of the mesh files: OBJ first, which the
// frames are drawn from.
func (r *runner) meshFormats() []string {
	names := []string{"obj"}
	for _, name := range r.scene.Mesh.Formats {
		if isArchive(name) {
			name = archiveSource(name)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (r *runner) meshFiles(n int) []product {
	var list []product
	for _, name := range r.meshFormats() {
		file := r.frameFile(meshFolder, n, name, "")
		file.axes = r.scene.Mesh.axes(file.format)
		file.fingerprint = r.keys.mesh(n, name, file)
		list = append(list, file.gzipped(r.scene.Mesh.Gzip))
	}
	if len(r.scene.Body) > 0 && slices.Contains(r.meshFormats(), "vtp") {
		list = append(list, r.bodyFile(n))
	}
	return list
}

// bodyFile names the file of frame n that has the bodies for ParaView, whose
// files of meshes have no objects.
func (r *runner) bodyFile(n int) product {
	file := r.frameFile(bodyFolder, n, "vtp", "")
	file.axes = r.scene.Mesh.axes(file.format)
	file.format = out.BodiesVTP{}
	file.fingerprint = r.keys.mesh(n, "vtp of bodies", file)
	return file.gzipped(r.scene.Mesh.Gzip)
}

// frameFile names the file of frame n in a format.
func (r *runner) frameFile(folder string, n int, format, fingerprint string) product {
	f, err := out.Formats.New(format, registry.None)
	if err != nil {
		panic(err) // the scene was checked
	}
	return product{name: path.Join(folder, store.FrameName(r.scene.Name, n, r.scene.Time.Frames(), f.Ext())), format: f, fingerprint: fingerprint}
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
