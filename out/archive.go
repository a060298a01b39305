package out

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Archive is a format that keeps the meshes or the particles of all frames of a
// run in one file, with their times.
type Archive interface {
	store.Checker
	Ext() string // without the dot
	// Holds returns the parts of a frame that it can keep: NeedsMesh,
	// NeedsParticles or both.
	Holds() Part
	// Encode writes the info.Frames frames of a run to f. frame(i) returns
	// frame i in [0, info.Frames), whose memory is good until the next call: no
	// more than one is held at a time. It may be called more than once for a
	// frame. The same frames give the same bytes.
	Encode(ctx context.Context, f *store.File, info ArchiveInfo, frame func(i int) (*Frame, error)) error
}

// Staged is an archive that can keep materials, the camera and the light.
type Staged interface{ staged() }

// ArchiveInfo is the metadata of a whole archive.
type ArchiveInfo struct {
	Part        Part    // NeedsMesh or NeedsParticles: the contents
	Frames      int     // at least 1
	First       int     // number of the first frame, from 1
	FPS         float64 // of the film, 1/s, in [0.01, 1000]
	Speed       float64 // simulated seconds per second of the film: velocities are kept in metres per second of it, for motion blur
	Axes        Axes    // of the frames
	Width       float64 // of a particle, in the unit of Axes, where the frames have no field "width"
	Flat, Still bool    // the meshes have no normals, no velocities
	Fingerprint string  // of all that the archive was made from, hexadecimal

	Material *Material // of the liquid; nil for none
	Shot     *Shot     // nil for none

	// For archives that list files, File returns the name of frame i's own file
	// relative to the archive's folder. Bodies returns the name of its bodies' file,
	// and Time its simulated time in seconds. Bodies is nil in a scene without bodies.
	File, Bodies func(i int) string
	Time         func(i int) float64
}

// check returns an error if no archive like a can be made to i.
func (i *ArchiveInfo) check(a Archive) error {
	switch {
	case i.Part != NeedsMesh && i.Part != NeedsParticles || a.Holds()&i.Part == 0:
		return errors.New("an archive of neither meshes nor particles")
	case !(i.FPS > 0 && i.FPS <= 1000):
		return fmt.Errorf("%g frames per second: want more than 0, at most 1000", i.FPS)
	case !(i.Speed > 0 && i.Speed <= 1e6):
		return fmt.Errorf("%g simulated seconds per second: want more than 0", i.Speed)
	case i.Frames < 1 || i.First < 1:
		return fmt.Errorf("an archive of %d frames from frame %d", i.Frames, i.First)
	}
	return store.CheckFingerprint(i.Fingerprint)
}

// objects returns the names of the solids in a frame of meshes. It returns an error if
// the format cannot store them, or if they differ from like, the names in the first
// frame.
func (i *ArchiveInfo) objects(n int, f *Frame, like []string) (names []string, err error) {
	if i.Part != NeedsMesh {
		return nil, nil
	}
	for _, o := range f.Objects {
		if !validObject(o.Name) || slices.Contains(names, o.Name) {
			return nil, fmt.Errorf("frame %d: object %q: want a unique name of letters, digits, - and _", i.First+n, o.Name)
		}
		if err := checkMesh(o.Mesh); err != nil {
			return nil, fmt.Errorf("frame %d: object %s: %w", i.First+n, o.Name, err)
		}
		names = append(names, o.Name)
	}
	if n > 0 && !slices.Equal(names, like) {
		return nil, fmt.Errorf("frame %d has the objects %v, but the first frame %v", i.First+n, names, like)
	}
	return names, nil
}

// matrix returns the pose of the object as rows for row vectors: the axes, then the
// origin.
func (o *Object) matrix() [4][4]float64 {
	a := o.Body.Turn.Columns()
	x := o.Body.X
	return [4][4]float64{{a[0].X, a[0].Y, a[0].Z, 0}, {a[1].X, a[1].Y, a[1].Z, 0}, {a[2].X, a[2].Y, a[2].Z, 0}, {x.X, x.Y, x.Z, 1}}
}

// Archives are the known formats of archives.
var Archives = registry.Set[Archive]{Kind: "archive format"}

// cloud is the part of a frame that an archive keeps: vertices and triangles, or
// particles.
type cloud struct {
	*Frame
	part  Part
	names []string // of the fields, as files have them
	speed float64  // see ArchiveInfo

	// The width of each particle, if the frame has a field of this name; then the
	// fields have the radii in its place.
	varies bool
	widths []float64
}

// The field that is the width of each particle, and the one that is its radius, as
// Houdini has it: programs differ in whether an archive's widths are diameters.
const (
	widthField  = "width"
	radiusField = "pscale"
)

// radii returns the field of the radii of particles with given widths.
func radii(widths []float64) particles.Field {
	f := particles.Field{Name: radiusField, Scalar: make([]float64, len(widths)), Length: true}
	for i, w := range widths {
		f.Scalar[i] = w / 2
	}
	return f
}

// checked returns frame i as an archive keeps it, or an error if it cannot be
// kept, or is not like the first, which had the fields named like.
func (i *ArchiveInfo) checked(n int, f *Frame, like []string) (c cloud, err error) {
	if err := i.whole(f); err != nil {
		return c, fmt.Errorf("frame %d: %w", i.First+n, err)
	}
	points := 0
	if i.Part == NeedsMesh {
		points = len(f.Mesh.Pos)
	} else {
		points = f.Particles.Len()
	}
	kept := *f
	c.Frame, c.part, c.speed = &kept, i.Part, i.Speed
	kept.Fields = nil
	for _, field := range f.Fields {
		name, err := fieldName(field, points, c.names)
		if name == widthField && field.Vector == nil && i.Part == NeedsParticles {
			c.varies, c.widths = true, field.Scalar
			field = radii(field.Scalar)
			name, err = fieldName(field, points, c.names)
		}
		if err != nil {
			return c, fmt.Errorf("frame %d: %w", i.First+n, err)
		}
		c.names, kept.Fields = append(c.names, name), append(kept.Fields, field)
	}
	if n > 0 && !slices.Equal(c.names, like) {
		return c, fmt.Errorf("frame %d has the attributes %v, but the first frame %v", i.First+n, c.names, like)
	}
	return c, nil
}

// whole returns an error if f lacks a part that the archive needs.
func (i *ArchiveInfo) whole(f *Frame) error {
	if i.Part == NeedsMesh {
		if err := checkMesh(f.Mesh); err != nil {
			return err
		}
		has := func(v []vec.Vec3, none bool) bool { return none && len(v) == 0 || !none && len(v) == len(f.Mesh.Pos) }
		if n := len(f.Mesh.Pos); !has(f.Mesh.Nrm, i.Flat) || !has(f.Mesh.Vel, i.Still) {
			return fmt.Errorf("%d vertices, %d normals, %d velocities", n, len(f.Mesh.Nrm), len(f.Mesh.Vel))
		}
		return nil
	}
	return checkParticles(f.Particles)
}

// points returns positions, and velocities in time of the film.
func (c *cloud) points() (x, v []vec.Vec3) {
	if c.part == NeedsMesh {
		x, v = c.Mesh.Pos, c.Mesh.Vel
	} else {
		x, v = c.Particles.X, c.Particles.V
	}
	if c.speed == 1 {
		return x, v
	}
	film := make([]vec.Vec3, len(v))
	par.For(len(v), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			film[i] = v[i].Mul(c.speed)
		}
	})
	return x, film
}

// normals returns the normals of a mesh.
func (c *cloud) normals() []vec.Vec3 {
	if c.part == NeedsMesh {
		return c.Mesh.Nrm
	}
	return nil
}

// checkParticles returns an error if s cannot be written.
func checkParticles(s *particle.Set) error {
	if s == nil {
		return errors.New("the frame has no particles")
	}
	n := len(s.X)
	if len(s.V) != n || len(s.Rho) != n || len(s.ID) != n {
		return fmt.Errorf("%d positions, %d velocities, %d densities, %d numbers", n, len(s.V), len(s.Rho), len(s.ID))
	}
	return nil
}
