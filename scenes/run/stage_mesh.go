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
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// meshFile is the table of the mesh stage.
const meshFile = "mesh.csv"

// volumeError is the column of meshFile from which the manifest takes the
// worst.
const volumeError = "volume_error"

// mesh makes the liquid's surface from the particles of each frame, and the mesh files for
// other programs from the surface. If only those are missing, the surface is read. A mesh
// that is not closed, manifold and oriented is reported and kept: the film may do with it.
// A mesh with a [surface.Flaw] ends the run.
func (r *runner) mesh(ctx context.Context) error {
	book, err := r.meshTable()
	if err != nil {
		return err
	}
	m := &meshMaker{runner: r, book: book, reads: map[int]bool{}}
	defer r.built.Surface.Forget() // pictures need the memory
	err = r.run(ctx, work{
		stage: stage.Mesh, files: r.meshProducts,
		from: m.from, fromWhat: stage.Sim,
		lacks:   m.lacks,
		without: func(n int) bool { return !r.opt.Force && r.spent(n) && !m.lacks(n) },
		begin: func(todo []int) (notice string, err error) {
			if err := r.materials(); err != nil {
				return "", err
			}
			again := 0 // frames whose meshes are there, or have served
			for _, n := range todo {
				m.reads[n] = m.has(n) // later the table is written meanwhile
				if m.lacks(n) && (r.fresh(r.meshProducts(n)...) == nil || r.spent(n)) {
					again++
				}
			}
			if again > 0 {
				notice = fmt.Sprintf("mesh  %s lacks rows: meshing %s again for them", meshFile, toml.Count(again, "frame"))
			}
			return notice, nil
		},
		compute: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
			if m.reads[n] {
				return m.export(n, e)
			}
			return m.surface(n, e)
		},
	}, r.from, r.to)
	if err != nil || !r.settles() {
		return err
	}
	return book.settle(r.keys.Meshes)
}

// meshMaker makes the files of the mesh stage.
type meshMaker struct {
	*runner
	book  *frameTable
	reads map[int]bool // frames whose surfaces are there, and not all mesh files
	both  [2]mesh.Mesh // one is written while the other is made
	next  int          // of both
}

// lacks reports whether the table has no row of frame n, and this run is to add it.
func (m *meshMaker) lacks(n int) bool { return !m.apart() && !m.book.has(n, m.keys.Meshes[n]) }

// has reports whether the surface of frame n is there and is not to be made again.
func (m *meshMaker) has(n int) bool {
	return !m.opt.Force && !m.lacks(n) && m.fresh(m.surfaceFile(n)) == nil
}

// from lists the files that the missing files of frame n are made from.
func (m *meshMaker) from(n int) []product {
	if !m.has(n) {
		return m.meshInputs(n)
	}
	files := []product{m.surfaceFile(n)}
	if m.carries(m.missing(n)) {
		files = append(files, m.meshInputs(n)...)
	}
	return files
}

// missing lists the mesh files of frame n for other programs that are to be made.
func (m *meshMaker) missing(n int) (files []product) {
	for _, f := range m.meshFiles(n) {
		if m.fresh(f) != nil {
			files = append(files, f)
		}
	}
	return files
}

// carries reports whether any of the files has attributes of the particles or the foam.
func (r *runner) carries(files []product) bool {
	return len(r.scene.Mesh.Attributes) > 0 && slices.ContainsFunc(files, func(f product) bool {
		return f.format.(out.PerFrame).Needs()&out.NeedsFields != 0
	})
}

// surface makes the surface of frame n, and returns a function that writes it.
func (m *meshMaker) surface(n int, e *stage.Event) (func() error, error) {
	dst := &m.both[m.next]
	m.next = 1 - m.next
	f, err := m.readLiquid(n)
	if err != nil {
		return nil, err
	}
	p := f.Particles
	for _, w := range m.built.World.Walls {
		w.Move(e.Time)
	}
	if err := m.built.World.PlaceBodies(p.Bodies); err != nil {
		return nil, err
	}
	objects := m.built.Objects(p.Bodies)
	cloud := m.scene.Cloud(m.built, p, n, f.Time)
	err = m.built.Surface.Surface(dst, cloud)
	found := m.built.Surface.Counts()
	row := func(sound int) string {
		return m.book.row(n, m.keys.Meshes[n], e.Time, len(dst.Pos), len(dst.Tri), sound, dst.Volume(), m.volumeError(dst, len(cloud.X)), found.Strays, found.StrayParticles, found.Cavities, found.Filled)
	}
	if flaw := (*surface.Flaw)(nil); errors.As(err, &flaw) {
		return func() error {
			return cmp.Or(m.book.add(row(0)), fmt.Errorf("%w; the mesh was not kept: try another surface.cell, surface.kind or liquid.spacing, and report the error with the scene", err))
		}, nil
	}
	if err != nil {
		return nil, err
	}
	dst.Round() // the results, and the files for other programs, describe the file
	files := m.meshProducts(n)
	frame := out.Frame{Index: n, Time: e.Time, Mesh: dst, Objects: objects}
	var attributes []particles.Field
	if m.carries(files) {
		if attributes, err = m.carried(dst, f, n); err != nil {
			return nil, err
		}
	}
	return func() error {
		sound := 1
		if err := dst.Check(); err != nil {
			sound = 0
			e.Message = fmt.Sprintf("mesh  frame %d: %v", n, err)
		}
		if err := m.book.add(row(sound)); err != nil {
			return err
		}
		e.Particles, e.Triangles = p.Len(), len(dst.Tri)
		e.Strays, e.Cavities, e.Filled = found.Strays, found.Cavities, found.Filled
		if !m.opt.Force && m.spent(n) { // it was meshed for its row
			return nil
		}
		return m.writeMesh(files, frame, attributes)
	}, nil
}

// export returns a function that writes the missing mesh files of frame n, whose surface
// is there.
func (m *meshMaker) export(n int, e *stage.Event) (func() error, error) {
	files := m.missing(n)
	f, err := m.readFrame(m.surfaceFile(n))
	if err != nil {
		return nil, err
	}
	f.Objects = m.named(f.Objects)
	var attributes []particles.Field
	if m.carries(files) {
		p, err := m.readLiquid(n)
		if err != nil {
			return nil, err
		}
		if attributes, err = m.carried(f.Mesh, p, n); err != nil {
			return nil, err
		}
	}
	return func() error {
		e.Triangles = len(f.Mesh.Tri)
		return m.writeMesh(files, *f, attributes)
	}, nil
}

// writeMesh writes mesh files of a frame, and the surface file if it is among them. Only
// the others have the attributes that the scene asks for, and quads.
func (m *meshMaker) writeMesh(files []product, f out.Frame, attributes []particles.Field) error {
	export := f
	export.Fields, export.Quads = slices.Concat(f.Fields, attributes), m.scene.Mesh.Quads
	export.Material, export.Library = &m.built.Material, m.library()
	for _, file := range files {
		of := &export
		if path.Dir(file.name) == surfaceFolder {
			of = &f
		}
		if err := m.writeTurned(file, of.In(file.axes)); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) meshTable() (*frameTable, error) {
	return r.frameTable(meshFile, "time_s", "vertices", "triangles", "sound", "volume_m3", volumeError, "strays", "stray_particles", "cavities", "filled")
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

// surfaceFile names the file of frame n's surface in Breakwater's own axes, with
// velocities and the places of bodies. Pictures, volumes and archives are made from it.
func (r *runner) surfaceFile(n int) product {
	return r.frameFile(surfaceFolder, n, r.built.Formats.Surface, r.keys.Meshes[n])
}

// meshProducts lists all files of frame n that the mesh stage makes.
func (r *runner) meshProducts(n int) []product {
	return append([]product{r.surfaceFile(n)}, r.meshFiles(n)...)
}

// meshFiles lists the mesh files of frame n for other programs.
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
