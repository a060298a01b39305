package out

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"

	"breakwater/out/numbers"
	"breakwater/sim/par"
)

func init() {
	Formats.Add("obj", "liquid surfaces with normals and a smoothing group, y up, as Wavefront OBJ, which every 3D program reads; their materials are in one MTL file", "", func() PerFrame { return &obj{} })
}

// obj writes positions to as many decimals as a float32 has at the largest of them. It
// writes normals to 5, which turns them by less than a thousandth of a degree.
type obj struct{}

func (o *obj) Needs() Part { return NeedsMesh }

func (o *obj) Ext() string { return "obj" }

func (o *obj) quads() {}

// libraried implements Libraried.
func (o *obj) libraried() {}

// objBegin comes after the notes.
const objBegin = "o liquid\n"

// objEnd is the last line of a whole file.
const objEnd = "# end\n"

func (o *obj) Encode(w io.Writer, f *Frame) error {
	m := f.Mesh
	if err := checkMesh(m); err != nil {
		return fmt.Errorf("obj: %w", err)
	}
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("obj: %w", err)
	}
	largest := 0.0
	for i, p := range m.Pos {
		if !p.Round().Finite() {
			return fmt.Errorf("obj: vertex %d is at %v", i, p)
		}
		largest = max(largest, math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z))
	}
	for i, n := range m.Nrm {
		if !(math.Abs(n.X) <= 2 && math.Abs(n.Y) <= 2 && math.Abs(n.Z) <= 2) {
			return fmt.Errorf("obj: normal %d is %v", i, n)
		}
	}
	head := fmt.Appendf(nil, "# %s\n", f.Axes)
	if f.Foreign {
		head = nil
	}
	for _, n := range notes {
		head = fmt.Appendf(head, "# %s %s\n", n.key, n.value)
	}
	if f.Library != "" {
		head = fmt.Appendf(head, "mtllib %s\n", f.Library)
	}
	if _, err := w.Write(append(head, objBegin...)); err != nil {
		return err
	}
	decimals := objDecimals(largest, 24)
	if f.Exact {
		if decimals = objDecimals(largest, 50); decimals < 0 { // with more bits, the digits would not fit an int64
			decimals = allDigits
		}
	}
	err = writeLines(w, len(m.Pos), func(b []byte, v int) []byte {
		p := m.Pos[v]
		b = appendDecimal(append(b, "v "...), p.X, decimals)
		b = appendDecimal(append(b, ' '), p.Y, decimals)
		b = appendDecimal(append(b, ' '), p.Z, decimals)
		return append(b, '\n')
	})
	if err != nil {
		return err
	}
	err = writeLines(w, len(m.Nrm), func(b []byte, v int) []byte {
		n := m.Nrm[v]
		b = appendFixed(append(b, "vn "...), n.X)
		b = appendFixed(append(b, ' '), n.Y)
		b = appendFixed(append(b, ' '), n.Z)
		return append(b, '\n')
	})
	if err != nil {
		return err
	}
	if _, err := w.Write(f.objFaces(f.Material, len(m.Nrm) > 0)); err != nil {
		return err
	}
	corners := objCorners(len(m.Pos), len(m.Nrm) > 0)
	defer corners.free()
	quads, tris := f.faces()
	err = writeLines(w, len(quads), func(b []byte, i int) []byte {
		b = append(b, 'f')
		for _, v := range quads[i] {
			b = corners.text[v].appendTo(b)
		}
		return append(b, '\n')
	})
	if err != nil {
		return err
	}
	err = writeLines(w, len(tris), func(b []byte, i int) []byte {
		b = append(b, 'f')
		for _, v := range tris[i] {
			b = corners.text[v].appendTo(b)
		}
		return append(b, '\n')
	})
	if err != nil {
		return err
	}
	if err := writeObjects(w, f, decimals, len(m.Pos), len(m.Nrm)); err != nil {
		return fmt.Errorf("obj: %w", err)
	}
	_, err = io.WriteString(w, objEnd)
	return err
}

// objFaces returns what comes before the faces of one material. Without a smoothing group
// programs show the faces flat even if they have normals.
func (f *Frame) objFaces(m *Material, smooth bool) (b []byte) {
	if f.Library != "" && m != nil {
		b = fmt.Appendf(b, "usemtl %s\n", m.Name)
	}
	if smooth {
		b = append(b, "s 1\n"...)
	}
	return b
}

// objDecimals returns the number of decimals for numbers up to largest in size.
// Neighbouring numbers of the given bits of precision, such as 24 for a float32, must
// differ. −1 stands for as many as each number needs.
func objDecimals(largest float64, bits int) int {
	if !(largest > 1e-7 && largest < 1e8) {
		return -1 // digits that would not fit an int64, or nothing
	}
	_, exp := math.Frexp(largest)
	step := math.Ldexp(1, exp-bits)
	decimals := 0
	for numbers.PowersOfTen[decimals]*step < 1 {
		decimals++
	}
	return decimals
}

// allDigits stands for as many decimals as a float64 needs.
const allDigits = -2

// appendDecimal appends v with the given number of decimals, without trailing zeros.
func appendDecimal(b []byte, v float64, decimals int) []byte {
	if decimals == allDigits {
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	if decimals < 0 {
		return strconv.AppendFloat(b, float64(float32(v)), 'f', -1, 32)
	}
	n := int64(math.Round(v * numbers.PowersOfTen[decimals]))
	if n == 0 {
		return append(b, '0')
	}
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	one := int64(numbers.PowersOfTen[decimals])
	b = strconv.AppendInt(b, n/one, 10)
	if n %= one; n == 0 {
		return b
	}
	for n%10 == 0 {
		n, decimals = n/10, decimals-1
	}
	b = append(b, ".0000000000000000000000"[:1+decimals]...)
	for i := len(b) - 1; n > 0; i-- {
		b[i], n = byte('0'+n%10), n/10
	}
	return b
}

// appendFixed appends v, |v| ≤ 2, rounded to 5 decimals.
func appendFixed(b []byte, v float64) []byte {
	n := int(math.Round(v * 100_000))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	return append(b, byte('0'+n/100_000), '.', byte('0'+n/10_000%10), byte('0'+n/1000%10), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
}

// objCorner is how a vertex stands in a face: " 12//12".
type objCorner struct {
	text [23]byte // two int32 and the characters between them
	n    uint8
}

func (c *objCorner) appendTo(b []byte) []byte {
	n := len(b)
	b = append(b, c.text[:]...) // of a fixed length, which is faster
	return b[:n+int(c.n)]
}

// cornerList holds all corners of a mesh: six faces or so use each.
type cornerList struct{ text []objCorner }

var cornerLists = sync.Pool{New: func() any { return new(cornerList) }}

func objCorners(n int, normals bool) *cornerList {
	l := cornerLists.Get().(*cornerList)
	if n > cap(l.text) {
		l.text = make([]objCorner, n+n/8)
	}
	l.text = l.text[:n]
	par.For(n, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			c := &l.text[v]
			b := strconv.AppendInt(append(c.text[:0], ' '), int64(v)+1, 10)
			if normals {
				b = append(append(b, "//"...), b[1:]...)
			}
			c.n = uint8(len(b))
		}
	})
	return l
}

func (l *cornerList) free() { cornerLists.Put(l) }

func (o *obj) Verify(r io.Reader) error { return verify(o, r) }

func (o *obj) Check(r io.ReaderAt, size int64) (string, error) {
	tail := make([]byte, len(objEnd))
	if _, err := r.ReadAt(tail, max(0, size-int64(len(tail)))); err != nil || string(tail) != objEnd {
		return "", errors.New("obj: cut short, or not a file written by this program")
	}
	head := make([]byte, 1<<10)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	var f Frame
	for line := range bytes.Lines(head[:n]) {
		if line[0] != '#' {
			break
		}
		if err := f.readNote(string(line[1:])); err != nil {
			return "", fmt.Errorf("obj: %w", err)
		}
	}
	return f.Fingerprint, nil
}

// PointBytes implements Sized; it was measured.
func (o *obj) PointBytes(Part, int) float64 { return 145 }
