package out

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breakwater/out/numbers"
	"breakwater/out/particles"
	"breakwater/out/ply"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Formats.Add("plymesh", "liquid surfaces with normals and velocities, as binary PLY", "Turk 1994", func() PerFrame { return &plyMesh{} })
}

type plyMesh struct{}

func (p *plyMesh) Needs() Part { return NeedsMesh | NeedsVelocities | NeedsFields }

func (p *plyMesh) Ext() string { return "ply" }

func (p *plyMesh) quads() {}

// Axes returns the axes of Blender, which reads PLY without conversion.
func (p *plyMesh) Axes() Axes { return Axes{ZUp: true} }

func (p *plyMesh) Encode(w io.Writer, f *Frame) error {
	m := f.Mesh
	if err := checkMesh(m); err != nil {
		return fmt.Errorf("plymesh: %w", err)
	}
	rows := meshRows{}
	var head strings.Builder
	vector := func(typ string, names [3]string, v []vec.Vec3) {
		for _, name := range names {
			fmt.Fprintf(&head, "property %s %s\n", typ, name)
		}
		rows.add(v, nil, typ == "double")
	}
	fmt.Fprintf(&head, "element vertex %d\n", len(m.Pos))
	position := "float"
	if f.Exact {
		position = "double"
	}
	vector(position, [3]string{"x", "y", "z"}, m.Pos)
	if len(m.Nrm) > 0 {
		vector("float", [3]string{"nx", "ny", "nz"}, m.Nrm)
	}
	if len(m.Vel) > 0 {
		vector("float", [3]string{"vx", "vy", "vz"}, m.Vel)
	}
	taken := []string{"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"}
	for _, field := range f.Fields {
		name, err := fieldName(field, len(m.Pos), taken)
		if err != nil {
			return fmt.Errorf("plymesh: %w", err)
		}
		taken = append(taken, name)
		if field.Vector != nil {
			vector("float", [3]string{name + "_x", name + "_y", name + "_z"}, field.Vector)
		} else {
			fmt.Fprintf(&head, "property float %s\n", name)
			rows.add(nil, field.Scalar, false)
		}
	}
	quads, tris := f.faces()
	if len(quads) > 0 {
		fmt.Fprintf(&head, "comment %s %d\n", ply.QuadsKey, len(quads))
	}
	fmt.Fprintf(&head, "element face %d\nproperty list uchar int vertex_indices\n", len(quads)+len(tris))
	head.WriteString(plyBodyHead(len(f.Objects)))
	e, err := startPLY(w, f, head.String())
	if err != nil {
		return fmt.Errorf("plymesh: %w", err)
	}
	if err := e.Flush(); err != nil {
		return err
	}
	if err := rows.write(w, len(m.Pos)); err != nil {
		return err
	}
	face := func(b []byte, corners []int32) {
		b[0] = byte(len(corners))
		for k, v := range corners {
			binary.LittleEndian.PutUint32(b[1+4*k:], uint32(v))
		}
	}
	err = writeRows(w, len(quads), 1+4*4, func(b []byte, i int) error { face(b, quads[i][:]); return nil })
	if err != nil {
		return err
	}
	err = writeRows(w, len(tris), 1+3*4, func(b []byte, i int) error { face(b, tris[i][:]); return nil })
	if err != nil {
		return err
	}
	var bodies []particle.Body
	for _, o := range f.Objects {
		bodies = append(bodies, o.Body)
	}
	if err := writePLYBodies(e, bodies); err != nil {
		return fmt.Errorf("plymesh: %w", err)
	}
	return e.Flush()
}

// faces returns the faces of the frame's mesh.
func (f *Frame) faces() (quads [][4]int32, tris [][3]int32) {
	if f.Quads {
		return f.Mesh.Quads()
	}
	return nil, f.Mesh.Tri
}

// checkMesh returns an error if m is not a mesh that can be written.
func checkMesh(m *mesh.Mesh) error {
	if m == nil {
		return errors.New("the frame has no mesh")
	}
	return m.CheckData()
}

func (p *plyMesh) Verify(r io.Reader) error { return verify(p, r) }

func (p *plyMesh) Check(r io.ReaderAt, size int64) (string, error) {
	return checkPLY(r, size, "vertex", "face")
}

// Decode reads a mesh from any kind of PLY file. Faces with more than three
// corners are cut into fans. Normals and velocities are read if the vertices
// have all of nx, ny, nz and vx, vy, vz. Other numbers of theirs become fields,
// and three that end in _x, _y and _z one field of vectors. Of objects in the
// liquid it keeps where they are.
func (p *plyMesh) Decode(r io.Reader) (*Frame, error) {
	f := &Frame{}
	h, rows, err := ply.Open(r, f.readNote)
	if err != nil {
		return nil, fmt.Errorf("plymesh: %w", err)
	}
	face := h.Element("face")
	if face == nil || face.List("vertex_indices", "vertex_index") < 0 {
		return nil, errors.New("plymesh: no faces with vertex_indices")
	}
	vertex := h.Element("vertex")
	n := ply.RowsIn(r, vertex)
	m := &mesh.Mesh{Pos: make([]vec.Vec3, 0, n), Tri: make([][3]int32, 0, ply.RowsIn(r, face))}
	f.Exact = vertex.Props[vertex.Number("x")].Type == numbers.Float64
	var bodies []particle.Body
	err = rows.ReadAll(h, map[string]ply.Row{
		"vertex": vertexRow(vertex, f, m),
		"face":   faceRow(face, int32(vertex.Rows), m),
		"body":   bodyRow(h, &bodies),
	})
	if err != nil {
		return nil, fmt.Errorf("plymesh: %w", err)
	}
	for _, b := range bodies {
		f.Objects = append(f.Objects, Object{Body: b})
	}
	f.Mesh = m
	return f, nil
}

// vertexRow returns what appends vertices of e to m, and fields to f.
func vertexRow(e *ply.Element, f *Frame, m *mesh.Mesh) ply.Row {
	triple := func(x, y, z string) [3]int { return [3]int{e.Number(x), e.Number(y), e.Number(z)} }
	pos, nrm, vel := triple("x", "y", "z"), triple("nx", "ny", "nz"), triple("vx", "vy", "vz")
	reserve := func(dst *[]vec.Vec3, k [3]int) {
		if min(k[0], k[1], k[2]) >= 0 && cap(m.Pos) > 0 {
			*dst = make([]vec.Vec3, 0, cap(m.Pos))
		}
	}
	reserve(&m.Nrm, nrm)
	reserve(&m.Vel, vel)
	var scalars, vectors []int // column of each field, or of its first part
	used := []string{"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"}
	for k := 0; k < len(e.Props); k++ {
		name := e.Props[k].Name
		if e.Props[k].List || slices.Contains(used, name) {
			continue
		}
		part := func(i int, end string) bool {
			return k+i < len(e.Props) && !e.Props[k+i].List && e.Props[k+i].Name == end
		}
		base, first := strings.CutSuffix(name, "_x")
		if first && part(1, base+"_y") && part(2, base+"_z") {
			f.Fields = append(f.Fields, particles.Field{Name: base, Vector: []vec.Vec3{}})
			scalars, vectors = append(scalars, -1), append(vectors, k)
			k += 2
		} else {
			f.Fields = append(f.Fields, particles.Field{Name: name, Scalar: []float64{}})
			scalars, vectors = append(scalars, k), append(vectors, -1)
		}
	}
	get := func(dst []vec.Vec3, num []float64, k [3]int) ([]vec.Vec3, error) {
		if min(k[0], k[1], k[2]) < 0 {
			return dst, nil
		}
		v := vec.New(num[k[0]], num[k[1]], num[k[2]])
		if !v.Finite() {
			return dst, fmt.Errorf("%v is not finite", v)
		}
		return append(dst, v), nil
	}
	return func(_ int, num []float64, _ [][]float64) (err error) {
		if m.Pos, err = get(m.Pos, num, pos); err != nil {
			return err
		}
		if m.Nrm, err = get(m.Nrm, num, nrm); err != nil {
			return err
		}
		if m.Vel, err = get(m.Vel, num, vel); err != nil {
			return err
		}
		for i := range f.Fields {
			if k := scalars[i]; k >= 0 {
				f.Fields[i].Scalar = append(f.Fields[i].Scalar, num[k])
			} else {
				k := vectors[i]
				f.Fields[i].Vector = append(f.Fields[i].Vector, vec.Vec3{X: num[k], Y: num[k+1], Z: num[k+2]})
			}
		}
		return nil
	}
}

// faceRow returns what appends faces of e, with indices below n, to m.
func faceRow(e *ply.Element, n int32, m *mesh.Mesh) ply.Row {
	corners := e.List("vertex_indices", "vertex_index")
	var face []int32
	return func(_ int, _ []float64, list [][]float64) error {
		face = face[:0]
		for _, v := range list[corners] {
			if !(v >= 0 && v < float64(n) && v == math.Trunc(v)) {
				return fmt.Errorf("vertex %g of %d", v, n)
			}
			face = append(face, int32(v))
		}
		if len(face) < 3 {
			return fmt.Errorf("%d corners", len(face))
		}
		m.Tri = appendFan(m.Tri, face)
		return nil
	}
}

// appendFan appends a polygon as triangles that share its first corner.
func appendFan(dst [][3]int32, corners []int32) [][3]int32 {
	for k := 2; k < len(corners); k++ {
		dst = append(dst, [3]int32{corners[0], corners[k-1], corners[k]})
	}
	return dst
}

// PointBytes implements Sized: a triangle has a byte for its number of corners.
func (p *plyMesh) PointBytes(_ Part, numbers int) float64 {
	return float64(vertexBytes + 2 + 4*numbers)
}
