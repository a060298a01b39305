// Package out writes frames to files, and reads back the data that later stages need. One
// file of the package holds one format:
//
//	format_png.go      pictures
//	format_state.go    data that only this program reads
//	format_ply.go      particles: the cache a run is resumed from
//	format_obj.go      liquid surfaces, for every 3D program
//	mtl.go             the materials beside them
//	format_plymesh.go  liquid surfaces with velocities: the cache that pictures are drawn from
//	format_vtp.go      the same, for ParaView
//	bodies_vtp.go      the bodies beside them
//	format_glb.go      the same, for the web and 3D programs
//	format_stl.go      liquid surfaces as bare triangles
//	format_vdb.go      volumes
//	points_NAME.go     particles for other programs
//	parcels.go         what particles of whitewater have, and volumes of them
//	archive_abc.go     all meshes or particles of a run, as Alembic
//	archive_usda.go    the same, as USD
//	archive_pvd.go     a list of the files of all frames, for ParaView
//
// material.go, note.go, axes.go, rows.go, lines.go, size.go and gzip.go are shared by formats.
// Package store has the folder that files go to, film has films, particles reads
// the particles of other programs, and ply, vtk, ogawa, pngfile and numbers are
// containers of formats.
package out

import (
	"image"
	"io"
	"slices"
	"strings"

	"breakwater/out/film"
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"breakwater/surface/voxel"
)

// Frame is all that may be written of one frame. A nil part was not made.
type Frame struct {
	Index       int     // 1 is the first
	Time        float64 // simulated, s
	Dt          float64 // last step of the solver, s: a run resumed here goes on from it
	Fingerprint string  // of all that the frame was made from, hexadecimal
	Image       image.Image
	Mesh        *mesh.Mesh
	Fields      []particles.Field // of the mesh's vertices, beside their normals and velocities
	Foreign     bool              // of another program's particles, whose axes and units may be any
	Axes        Axes              // of all that has a direction or a length
	Quads       bool              // pairs of triangles are written as quads where a format has them, see Quaded
	Exact       bool              // positions of the mesh are written as float64, for objects far from the origin
	Particles   *particle.Set
	Vortons     *particle.Set // the vortex particles of a gas, whose tracers are Particles; nil for a liquid
	Carried     []float64     // what a gas or a liquid needs besides its particles to go on
	Volume      *voxel.Volume // along Axes, in their unit
	Material    *Material     // of the liquid; nil for none
	Objects     []Object      // that a mesh is written with
	Library     string        // the file of the materials, for formats that keep them apart; "" for none, see Libraried
	Rows        []Row         // of tables about the frame, which formats with notes keep
	State       []byte        // what only this program reads, see State
}

// Row is a row of a table about a run's frames, such as a gauge's.
type Row struct {
	Table string // name of its file
	Text  string // as it stands there
}

// Object is a solid that moves freely in the liquid.
type Object struct {
	Name string     // [A-Za-z0-9_-]+
	Mesh *mesh.Mesh // as it was before Body moved it, about the origin
	Body particle.Body

	Materials []Material
	Of        []int32 // the materials of the triangles; nil for the first
}

// Placed returns the mesh where the body is.
func (o *Object) Placed() *mesh.Mesh {
	axis := o.Body.Turn.Columns()
	turn := func(v vec.Vec3) vec.Vec3 { return axis[0].Mul(v.X).Add(axis[1].Mul(v.Y)).Add(axis[2].Mul(v.Z)) }
	m := &mesh.Mesh{Tri: o.Mesh.Tri}
	for _, x := range o.Mesh.Pos {
		m.Pos = append(m.Pos, turn(x).Add(o.Body.X))
	}
	for _, n := range o.Mesh.Nrm {
		m.Nrm = append(m.Nrm, turn(n))
	}
	return m
}

// Part is a part of a frame that a format needs, so that nothing else is made.
type Part uint8

// The parts of a frame that a format may need.
const (
	NeedsImage Part = 1 << iota
	NeedsMesh
	NeedsParticles
	NeedsVelocities // of the mesh
	NeedsFields
	NeedsVolume
	NeedsMaterials
)

// PerFrame is a format that keeps every frame in a file of its own. Its
// methods are safe for concurrent use.
type PerFrame interface {
	store.Checker
	Needs() Part
	Ext() string // without the dot
	// Encode writes f. The same frame gives the same bytes.
	Encode(w io.Writer, f *Frame) error
}

// Decoder is a PerFrame that can be read back.
type Decoder interface {
	store.Verifier
	// Decode returns the frame that Encode wrote, or an error that says where the file
	// is cut short or wrong. It needs memory in proportion to the file's size, whatever
	// the file claims.
	Decode(r io.Reader) (*Frame, error)
}

// verify implements Verifier for d.
func verify(d Decoder, r io.Reader) error {
	_, err := d.Decode(r)
	return err
}

// otherEnds are how files of films, pictures, meshes and documents end that
// other programs make.
var otherEnds = strings.Fields(`3ds 3g2 3gp asf avif bmp blend dae dv dxf exr f4v fbx flv gltf h264 h265 heic hevc hdr hip
	ivf jpeg jpg m1v m2ts m2v m4a m4v mjpeg mjpg mpe mpeg mpg mtl mts mxf ogg ogv pdf ppm ps qt rm step stp svg tga tif tiff ts
	toml txt usd usdc usdz vob webp wmv x3d y4m yuv zip`)

// FileEnd reports whether name ends as a file does that this program or
// another one makes, so that nobody who gives it means a folder.
func FileEnd(name string) bool {
	ext := particles.Ext(name)
	if ext == "" {
		return false
	}
	if film.FormatOf(name) != "" || slices.Contains(otherEnds, ext) || slices.Contains(particles.Exts(), ext) {
		return true
	}
	for _, f := range Formats.Defaults() {
		if f.Ext() == ext {
			return true
		}
	}
	for _, a := range Archives.Defaults() {
		if a.Ext() == ext {
			return true
		}
	}
	return false
}

// Libraried is a format of meshes that names their materials, which are in an MTL file
// beside the meshes.
type Libraried interface{ libraried() }

// NeedsLibrary reports whether f is a Libraried format.
func NeedsLibrary(f PerFrame) bool {
	_, ok := f.(Libraried)
	return ok
}

// Quaded is a format of meshes whose faces may be quads.
type Quaded interface{ quads() }

// Formats are the known formats of single frames.
var Formats = registry.Set[PerFrame]{Kind: "format"}
