package out

import (
	"fmt"
	"io"
	"strings"

	"breakwater/surface/mesh"
)

// BodiesVTP writes the solids in the liquid at their poses, as VTK's XML PolyData next
// to the liquid's file. PolyData has no objects, so each point has the number of its
// body, from 1, and a list of strings, "names", has the names.
type BodiesVTP struct{}

// Needs implements Format: a frame's objects are enough.
func (p BodiesVTP) Needs() Part { return 0 }

// Ext implements Format.
func (p BodiesVTP) Ext() string { return "vtp" }

// Encode writes the objects of f, with the velocities of their surfaces.
func (p BodiesVTP) Encode(w io.Writer, f *Frame) error {
	all := &mesh.Mesh{}
	var of []uint32
	var names strings.Builder
	for k, o := range f.Objects {
		if !validObject(o.Name) {
			return fmt.Errorf("vtp: object %q: expected a name of letters, digits, - and _", o.Name)
		}
		m := o.Placed()
		if err := checkMesh(m); err != nil {
			return fmt.Errorf("vtp: object %s: %w", o.Name, err)
		}
		from := int32(len(all.Pos))
		for _, x := range m.Pos {
			of = append(of, uint32(k+1))
			all.Vel = append(all.Vel, o.Body.V.Add(o.Body.Spin.Cross(x.Sub(o.Body.X))))
		}
		all.Pos = append(all.Pos, m.Pos...)
		for _, t := range m.Tri {
			all.Tri = append(all.Tri, [3]int32{t[0] + from, t[1] + from, t[2] + from})
		}
		for _, c := range []byte(o.Name + "\x00") {
			fmt.Fprintf(&names, "%d ", c)
		}
	}
	v := vtpFile{
		points: len(all.Pos), at: rowColumn{vector: all.Pos}, kind: "Polys", cells: len(all.Tri), corners: 3,
		corner: func(k int) int32 { return all.Tri[k/3][k%3] },
		columns: []pointColumn{
			{rowColumn{vector: all.Vel}, "velocity"},
			{rowColumn{number: of}, "body"},
		},
	}
	if len(all.Pos) > 0 {
		v.data = fmt.Sprintf("<FieldData>\n<Array type=\"String\" Name=\"names\" NumberOfTuples=\"%d\" format=\"ascii\">\n%s\n</Array>\n</FieldData>\n", len(f.Objects), strings.TrimRight(names.String(), " "))
	}
	return v.write(w, f)
}

// Check implements Checker.
func (p BodiesVTP) Check(r io.ReaderAt, size int64) (string, error) { return (&vtp{}).Check(r, size) }
