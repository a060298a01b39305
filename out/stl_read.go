package out

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"breakwater/out/numbers"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// ReadMesh reads a mesh from a file, of the format that the end of its name
// says: .obj, .ply or .stl.
func ReadMesh(name string, r io.Reader) (*mesh.Mesh, error) {
	var f *Frame
	var err error
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".obj":
		f, err = (&obj{}).Decode(r)
	case ".ply":
		f, err = (&plyMesh{}).Decode(r)
	case ".stl":
		return readSTL(r)
	default:
		return nil, fmt.Errorf("%q is not a mesh format that can be read; expected .obj, .ply or .stl", ext)
	}
	if err != nil {
		return nil, err
	}
	return f.Mesh, nil
}

// A binary STL file (3D Systems, StereoLithography Interface Specification, 1988) has
// 80 bytes of anything and the number of triangles. Each triangle has a normal and
// three corners, in little-endian float32, and two bytes of anything.
const (
	stlHead = 84
	stlRow  = 50
)

// readSTL reads a binary STL file or one of text. Every triangle gets corners of its
// own, without normals: the file's normals belong to the triangles.
func readSTL(r io.Reader) (*mesh.Mesh, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	m := &mesh.Mesh{}
	if binarySTL(data) {
		n := int(binary.LittleEndian.Uint32(data[80:]))
		if have := (len(data) - stlHead) / stlRow; n > have {
			return nil, fmt.Errorf("stl: cut short: %d of %d triangles", have, n)
		}
		for i := range n {
			row := data[stlHead+i*stlRow+12:]
			var p [3]vec.Vec3
			for k := range p {
				at := func(j int) float64 {
					return float64(math.Float32frombits(binary.LittleEndian.Uint32(row[12*k+4*j:])))
				}
				p[k] = vec.New(at(0), at(1), at(2))
				if !p[k].Finite() {
					return nil, fmt.Errorf("stl: triangle %d: corner %v is not finite", i, p[k])
				}
			}
			appendTriangle(m, p)
		}
		return m, nil
	}
	if err := readTextSTL(m, data); err != nil {
		return nil, fmt.Errorf("stl: %w", err)
	}
	return m, nil
}

// binarySTL reports whether the file is binary. Text begins with solid; but so
// do some binary files, which have then just the length that their number of
// triangles says.
func binarySTL(data []byte) bool {
	if len(data) >= stlHead {
		n := int64(binary.LittleEndian.Uint32(data[80:]))
		if int64(len(data)) == stlHead+n*stlRow {
			return true
		}
	}
	return len(data) >= stlHead && !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("solid"))
}

func readTextSTL(m *mesh.Mesh, data []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(data))
	var corner []vec.Vec3
	solid, ended := false, false
	for line := 1; lines.Scan(); line++ {
		word, rest := numbers.CutWord(lines.Bytes())
		switch strings.ToLower(string(word)) {
		case "solid":
			solid, ended = true, false
		case "endsolid":
			ended = true
		case "vertex":
			v, err := vector(rest)
			if err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			corner = append(corner, v)
		case "endloop":
			if len(corner) != 3 {
				return fmt.Errorf("line %d: a face with %d corners, want 3", line, len(corner))
			}
			appendTriangle(m, [3]vec.Vec3(corner))
			corner = corner[:0]
		}
	}
	switch {
	case lines.Err() != nil:
		return lines.Err()
	case !solid:
		return errors.New("not an STL file: it does not begin with solid, and is too short for a binary one")
	case !ended:
		return errors.New("cut short: it has no endsolid")
	}
	return nil
}

func appendTriangle(m *mesh.Mesh, p [3]vec.Vec3) {
	n := int32(len(m.Pos))
	m.Pos = append(m.Pos, p[:]...)
	m.Tri = append(m.Tri, [3]int32{n, n + 1, n + 2})
}
