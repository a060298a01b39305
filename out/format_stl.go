package out

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"breakwater/out/store"
	"breakwater/sim/vec"
)

func init() {
	Formats.Add("stl", "liquid surfaces as bare triangles, z up and in millimetres, for CAD and 3D printing, as binary STL",
		"3D Systems, StereoLithography Interface Specification, 1988", func() PerFrame { return &stl{} })
}

// stl writes triangles with corners of their own and the normals of their
// planes; the format has nothing else. See readSTL.
type stl struct{}

func (s *stl) Needs() Part { return NeedsMesh }

func (s *stl) Ext() string { return "stl" }

// Axes returns the axes of programs for printing and milling.
func (s *stl) Axes() Axes { return Axes{ZUp: true, Unit: 0.001} }

// stlMark begins the head of our files, which has room for it and a fingerprint and for
// no other note. It does not begin with solid, which marks text files.
const stlMark = "breakwater "

func (s *stl) Encode(w io.Writer, f *Frame) error {
	m := f.Mesh
	if err := checkMesh(m); err != nil {
		return fmt.Errorf("stl: %w", err)
	}
	if _, err := f.notes(); err != nil {
		return fmt.Errorf("stl: %w", err)
	}
	if err := stlFits(len(m.Tri)); err != nil {
		return err
	}
	head := make([]byte, stlHead)
	if n := copy(head[:80], stlMark+f.Fingerprint); n < len(stlMark+f.Fingerprint) {
		return fmt.Errorf("stl: a fingerprint of %d letters", len(f.Fingerprint))
	}
	binary.LittleEndian.PutUint32(head[80:], uint32(len(m.Tri)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	return writeRows(w, len(m.Tri), stlRow, func(b []byte, i int) error {
		t := m.Tri[i]
		corners := [3]vec.Vec3{m.Pos[t[0]].Round(), m.Pos[t[1]].Round(), m.Pos[t[2]].Round()}
		var normal vec.Vec3
		if n := corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0])); n.Len() > 0 {
			normal = n.Unit()
		}
		for k, v := range [4]vec.Vec3{normal, corners[0], corners[1], corners[2]} {
			c := rowColumn{vector: []vec.Vec3{v}}
			if !c.put(b[12*k:], 0) {
				return fmt.Errorf("stl: triangle %d: a value is not finite", i)
			}
		}
		b[48], b[49] = 0, 0
		return nil
	})
}

// stlFits returns an error if the number of triangles exceeds 32 bits.
func stlFits(triangles int) error {
	if triangles > math.MaxUint32 {
		return fmt.Errorf("stl: %d triangles are more than the %d that a file can count; write plymesh or abc, or choose a larger spacing", triangles, uint32(math.MaxUint32))
	}
	return nil
}

func (s *stl) Check(r io.ReaderAt, size int64) (string, error) {
	var head [stlHead]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return "", errors.New("stl: cut short in its header")
	}
	mark, ok := strings.CutPrefix(strings.TrimRight(string(head[:80]), "\x00"), stlMark)
	if !ok || store.CheckFingerprint(mark) != nil {
		return "", errors.New("stl: not a file written by this program")
	}
	want := stlHead + stlRow*int64(binary.LittleEndian.Uint32(head[80:]))
	switch {
	case size < want:
		return "", fmt.Errorf("stl: cut short at byte %d of %d", size, want)
	case size > want:
		return "", fmt.Errorf("stl: %d bytes after its end", size-want)
	}
	return mark, nil
}

// PointBytes implements Sized.
func (s *stl) PointBytes(Part, int) float64 { return 2 * stlRow }
