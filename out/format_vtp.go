package out

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"breakwater/out/numbers"
	"breakwater/out/particles"
	"breakwater/out/vtk"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Formats.Add("vtp", "liquid surfaces with normals, velocities and attributes for ParaView, as VTK's XML PolyData",
		"Kitware, VTK File Formats, 1993–2023", func() PerFrame { return &vtp{} })
}

// vtp writes arrays appended as they are, which is fastest to write and to
// read.
type vtp struct{}

func (p *vtp) Needs() Part { return NeedsMesh | NeedsVelocities | NeedsFields }

func (p *vtp) Ext() string { return "vtp" }

func (p *vtp) quads() {}

// vtpEnd is the text after the arrays.
const vtpEnd = "\n</AppendedData>\n</VTKFile>\n"

// vtpBegin is the text before the arrays.
const vtpBegin = "<AppendedData encoding=\"raw\">\n_"

// vtpFile is a frame as VTP stores it: points with quantities, and cells of some of them.
type vtpFile struct {
	points  int
	columns []pointColumn // beside the positions
	at      rowColumn     // the positions
	kind    string        // of the cells: Polys or Verts
	cells   int
	quads   int               // the first of them, which have 4 corners
	corners int               // of each of the others
	corner  func(k int) int32 // of all, cell by cell
	data    string            // of the whole, as the file has it
}

// end returns how many corners cells 0 to i have.
func (v *vtpFile) end(i int) int { return 4*min(i+1, v.quads) + v.corners*max(0, i+1-v.quads) }

// vtpArray is an array of a file: of the points, or of the cells.
type vtpArray struct {
	rowColumn
	cells func(b []byte, i int) // writes row i of the cells
	rows  int
	bytes int // of a row
}

func (p *vtp) Encode(w io.Writer, f *Frame) error {
	m := f.Mesh
	if err := checkMesh(m); err != nil {
		return fmt.Errorf("vtp: %w", err)
	}
	v := vtpFile{points: len(m.Pos), at: rowColumn{vector: m.Pos, exact: f.Exact}, kind: "Polys", corners: 3}
	quads, tris := f.faces()
	v.cells, v.quads = len(quads)+len(tris), len(quads)
	v.corner = func(k int) int32 {
		if k < 4*len(quads) {
			return quads[k/4][k%4]
		}
		k -= 4 * len(quads)
		return tris[k/3][k%3]
	}
	taken := []string{"Normals", "velocity"}
	if len(m.Nrm) > 0 {
		v.columns = append(v.columns, pointColumn{rowColumn{vector: m.Nrm}, "Normals"})
	}
	if len(m.Vel) > 0 {
		v.columns = append(v.columns, pointColumn{rowColumn{vector: m.Vel}, "velocity"})
	}
	for _, field := range f.Fields {
		name, err := fieldName(field, len(m.Pos), taken)
		if err != nil {
			return fmt.Errorf("vtp: %w", err)
		}
		taken = append(taken, name)
		v.columns = append(v.columns, pointColumn{columnOf(field), name})
	}
	return v.write(w, f)
}

func (v *vtpFile) write(w io.Writer, f *Frame) error {
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("vtp: %w", err)
	}
	if err := vtpFits(v.end(v.cells - 1)); err != nil {
		return err
	}
	var head strings.Builder
	head.WriteString("<?xml version=\"1.0\"?>\n")
	for _, n := range notes {
		fmt.Fprintf(&head, "<!-- %s %s -->\n", n.key, n.value)
	}
	head.WriteString("<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n")
	head.WriteString(v.data)
	count := map[string]int{v.kind: v.cells}
	fmt.Fprintf(&head, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n", v.points, count["Verts"], count["Polys"])

	var arrays []vtpArray
	offset := 0
	array := func(name, typ string, width int, a vtpArray) {
		parts := ""
		if width > 1 {
			parts = fmt.Sprintf(" NumberOfComponents=\"%d\"", width)
		}
		fmt.Fprintf(&head, "<DataArray type=%q Name=%q%s format=\"appended\" offset=\"%d\"/>\n", typ, name, parts, offset)
		arrays = append(arrays, a)
		offset += 8 + a.rows*a.bytes
	}
	points := func(name string, c rowColumn) {
		typ, width := "Float32", 1
		switch {
		case c.number != nil:
			typ = "UInt32"
		case c.whole:
			typ = "Int32"
		case c.exact:
			typ = "Float64"
		}
		if c.vector != nil {
			width = 3
		}
		array(name, typ, width, vtpArray{rowColumn: c, rows: v.points, bytes: c.size()})
	}
	head.WriteString("<PointData>\n")
	for _, c := range v.columns {
		points(c.name, c.rowColumn)
	}
	head.WriteString("</PointData>\n<Points>\n")
	if v.at.vector == nil {
		v.at.vector = []vec.Vec3{} // an empty vector is one
	}
	points("Points", v.at)
	fmt.Fprintf(&head, "</Points>\n<%s>\n", v.kind)
	array("connectivity", "Int32", 1, vtpArray{rows: v.end(v.cells - 1), bytes: 4, cells: func(b []byte, k int) {
		binary.LittleEndian.PutUint32(b, uint32(v.corner(k)))
	}})
	array("offsets", "Int32", 1, vtpArray{rows: v.cells, bytes: 4, cells: func(b []byte, i int) {
		binary.LittleEndian.PutUint32(b, uint32(v.end(i)))
	}})
	fmt.Fprintf(&head, "</%s>\n</Piece>\n</PolyData>\n%s", v.kind, vtpBegin)
	if _, err := io.WriteString(w, head.String()); err != nil {
		return err
	}
	for _, a := range arrays {
		if err := a.write(w); err != nil {
			return fmt.Errorf("vtp: %w", err)
		}
	}
	_, err = io.WriteString(w, vtpEnd)
	return err
}

// vtpFits returns an error if a file cannot have the given number of corners of cells,
// which readers count in 32 bits.
func vtpFits(corners int) error {
	if corners > math.MaxInt32 {
		return fmt.Errorf("vtp: %d corners are more than the %d that a file can count; write plymesh or abc, or choose a larger spacing", corners, math.MaxInt32)
	}
	return nil
}

// write writes the array after its size.
func (a *vtpArray) write(w io.Writer) error {
	if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(a.rows*a.bytes))); err != nil {
		return err
	}
	return writeRows(w, a.rows, a.bytes, func(b []byte, i int) error {
		if a.cells != nil {
			a.cells(b, i)
		} else if !a.put(b, i) {
			return fmt.Errorf("point %d: a value is not finite", i)
		}
		return nil
	})
}

func (p *vtp) Verify(r io.Reader) error { return verify(p, r) }

// Check tests that the arrays end where the last one says, and that the end follows.
func (p *vtp) Check(r io.ReaderAt, size int64) (string, error) {
	const longestHead = 1 << 16
	head := make([]byte, min(size, longestHead))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return "", err
	}
	k := bytes.Index(head, []byte(vtpBegin))
	if k < 0 {
		return "", errors.New("vtp: cut short, or not a file written by this program")
	}
	var f Frame
	v, err := vtk.Read(append(head[:k:k], vtpBegin+vtpEnd...), f.readNote)
	if err != nil {
		return "", fmt.Errorf("vtp: %w", err)
	}
	if len(v.Pieces) != 1 || len(v.Pieces[0].Arrays) == 0 {
		return "", errors.New("vtp: not a file written by this program")
	}
	piece := &v.Pieces[0]
	last := piece.Arrays[len(piece.Arrays)-1]
	want := int64(k) + int64(len(vtpBegin)) + int64(last.Offset) + 8 + 4*int64(piece.Polys+piece.Verts) + int64(len(vtpEnd))
	switch {
	case size < want:
		return "", fmt.Errorf("vtp: cut short at byte %d of %d", size, want)
	case size > want:
		return "", fmt.Errorf("vtp: %d bytes after its end", size-want)
	}
	tail := make([]byte, len(vtpEnd))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil || string(tail) != vtpEnd {
		return "", errors.New("vtp: its end is missing")
	}
	return f.Fingerprint, nil
}

// Decode reads the triangles and polygons of any file of this kind.
func (p *vtp) Decode(r io.Reader) (*Frame, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	f, err := decodeVTP(data)
	if err != nil {
		return nil, fmt.Errorf("vtp: %w", err)
	}
	return f, nil
}

func decodeVTP(data []byte) (*Frame, error) {
	f := &Frame{}
	v, err := vtk.Read(data, f.readNote)
	if err != nil {
		return nil, err
	}
	if v.Kind != "PolyData" || len(v.Pieces) != 1 {
		return nil, fmt.Errorf("%.40s of %d pieces, want PolyData of one", v.Kind, len(v.Pieces))
	}
	piece := &v.Pieces[0]
	all, err := particles.FromVTK(v, piece, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	f.Mesh = &mesh.Mesh{Pos: all.X}
	for _, x := range all.X {
		if !x.Finite() {
			return nil, fmt.Errorf("a vertex at %v", x)
		}
	}
	for _, field := range all.Fields {
		switch {
		case field.Name == "Normals" && field.Vector != nil:
			f.Mesh.Nrm = field.Vector
		case field.Name == "velocity" && field.Vector != nil:
			f.Mesh.Vel = field.Vector
		default:
			f.Fields = append(f.Fields, field)
		}
	}
	var corners, ends numbers.Column
	for i := range piece.Arrays {
		a := &piece.Arrays[i]
		if a.Section == "Points" {
			f.Exact = a.Type == numbers.Float64
		}
		if a.Section == "Polys" && a.Name == "offsets" {
			cols, err := v.Array(a, piece.Polys)
			if err != nil {
				return nil, err
			}
			ends = cols[0]
		}
	}
	if ends == nil && piece.Polys > 0 {
		return nil, errors.New("no polygons")
	}
	count := 0
	if piece.Polys > 0 {
		last := ends(piece.Polys - 1)
		if !(last >= 0 && last <= float64(len(data))) {
			return nil, fmt.Errorf("%g corners", last)
		}
		count = int(last)
	}
	for i := range piece.Arrays {
		if a := &piece.Arrays[i]; a.Section == "Polys" && a.Name == "connectivity" {
			cols, err := v.Array(a, count)
			if err != nil {
				return nil, err
			}
			corners = cols[0]
		}
	}
	if corners == nil && count > 0 {
		return nil, errors.New("no corners of the polygons")
	}
	var face []int32
	at := 0
	for i := range piece.Polys {
		end := ends(i)
		if !(end >= float64(at) && end <= float64(count)) {
			return nil, fmt.Errorf("polygon %d ends at corner %g of %d", i, end, count)
		}
		face = face[:0]
		for ; at < int(end); at++ {
			c := corners(at)
			if !(c >= 0 && c < float64(len(all.X)) && c == math.Trunc(c)) {
				return nil, fmt.Errorf("polygon %d has vertex %g of %d", i, c, len(all.X))
			}
			face = append(face, int32(c))
		}
		f.Mesh.Tri = appendFan(f.Mesh.Tri, face)
	}
	return f, nil
}

// PointBytes implements Sized: a triangle has its end beside its corners.
func (p *vtp) PointBytes(_ Part, numbers int) float64 { return float64(vertexBytes + 2*4 + 4*numbers) }
