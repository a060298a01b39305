package out

import (
	"bytes"
	"fmt"
	"io"
)

// objObject is how a line begins that starts an object, after another.
const objObject = "\no "

// writeObjects writes the solids of f after a liquid of the given numbers of vertices and
// normals. Each is an object in its place, with a comment that describes its motion to
// there.
func writeObjects(w io.Writer, f *Frame, decimals, vertices, normals int) error {
	for _, o := range f.Objects {
		if !validObject(o.Name) {
			return fmt.Errorf("object %q: expected a name of letters, digits, - and _", o.Name)
		}
		m := o.Placed()
		if err := checkMesh(m); err != nil {
			return fmt.Errorf("object %s: %w", o.Name, err)
		}
		var b []byte
		b = fmt.Appendf(b, "o %s\n", o.Name)
		q := o.Body.Turn
		b = fmt.Appendf(b, "# moved by %.8g %.8g %.8g, turned by the quaternion %.8g %.8g %.8g %.8g, real part first\n", o.Body.X.X, o.Body.X.Y, o.Body.X.Z, q.W, q.X, q.Y, q.Z)
		for i, p := range m.Pos {
			if !p.Round().Finite() {
				return fmt.Errorf("object %s: vertex %d is at %v", o.Name, i, p)
			}
			b = appendDecimal(append(b, "v "...), p.X, decimals)
			b = appendDecimal(append(b, ' '), p.Y, decimals)
			b = append(appendDecimal(append(b, ' '), p.Z, decimals), '\n')
		}
		for _, n := range m.Nrm {
			b = appendFixed(append(b, "vn "...), n.X)
			b = appendFixed(append(b, ' '), n.Y)
			b = append(appendFixed(append(b, ' '), n.Z), '\n')
		}
		parts, err := o.painted()
		if err != nil {
			return fmt.Errorf("object %s: %w", o.Name, err)
		}
		for _, part := range parts {
			b = append(b, f.objFaces(part.material, len(m.Nrm) > 0)...)
			for _, t := range part.tri {
				b = append(b, 'f')
				for _, v := range t {
					if len(m.Nrm) > 0 {
						b = fmt.Appendf(b, " %d//%d", vertices+int(v)+1, normals+int(v)+1)
					} else {
						b = fmt.Appendf(b, " %d", vertices+int(v)+1)
					}
				}
				b = append(b, '\n')
			}
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		vertices, normals = vertices+len(m.Pos), normals+len(m.Nrm)
	}
	return nil
}

// validObject reports whether an object may have the name.
func validObject(name string) bool {
	for _, c := range []byte(name) {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return name != ""
}

// withoutObjects returns one of our files without the solids in the liquid, in its own
// memory. Other files are returned unchanged.
func withoutObjects(data []byte) []byte {
	const longest = 1 << 10 // of the notes
	begin := bytes.Index(data[:min(len(data), longest)], []byte("\n"+objBegin))
	if begin < 0 || data[0] != '#' || !bytes.HasSuffix(data, []byte(objEnd)) {
		return data
	}
	begin += len(objBegin)
	at := bytes.Index(data[begin:], []byte(objObject))
	if at < 0 {
		return data
	}
	end := begin + at + 1
	return data[:end+copy(data[end:], objEnd)]
}
