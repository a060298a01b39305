package vdb

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"testing"

	"breakwater/out/numbers"
)

// oldFile writes a grid of one leaf and one tile of 8 voxels as programs of its time did.
type oldFile struct {
	bytes.Buffer
	version uint32
	zip     bool
}

func (f *oldFile) put(values ...any) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			f.put(uint32(len(s)))
			f.WriteString(s)
		} else if err := binary.Write(f, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
}

// values writes the values of a node.
func (f *oldFile) values(v []float32) {
	if !f.zip {
		f.put(v)
		return
	}
	var plain, packed bytes.Buffer
	binary.Write(&plain, binary.LittleEndian, v)
	z := zlib.NewWriter(&packed)
	z.Write(plain.Bytes())
	z.Close()
	if packed.Len() >= plain.Len() {
		f.put(-int64(plain.Len()), v)
		return
	}
	f.put(int64(packed.Len()), packed.Bytes())
}

// oldVolume returns a file of a version before 222. The voxel (x, y, z) of the leaf has the
// value x·64 + y·8 + z, and the first half of them is active. The tile beside it has 0.5.
func oldVolume(version uint32, zip bool) []byte {
	f := &oldFile{version: version, zip: zip || version < versionPacking}
	f.put(int64(magic), version, uint32(2), uint32(0), byte(1))
	if version >= versionPacking {
		f.put(map[bool]byte{true: 1, false: 0}[f.zip])
	}
	f.WriteString("01234567-89ab-cdef-0123-456789abcdef")
	f.put(uint32(0)) // metadata
	f.put(uint32(1), "density", "Tree_float_5_4_3", "")
	places := f.Len()
	f.put(int64(0), int64(0), int64(0))
	begin := f.Len()
	f.put(uint32(1), "class", "string", "fog volume")
	if version < versionTransforms {
		scale := func(s float64, t float64) [16]float64 {
			return [16]float64{s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, t, t, t, 1}
		}
		f.put("LinearTransform", [6]int32{}, scale(0.5, 1), scale(2, -2), scale(0.5, 0), scale(2, 0))
	} else {
		f.put("ScaleTranslateMap", [18]float64{1, 1, 1, 0.25, 0.25, 0.25})
	}
	f.put(uint32(1), float32(0), uint32(0), uint32(1), [3]int32{})
	upperMask, lowerMask, tileMask := make([]uint64, 32768/64), make([]uint64, 4096/64), make([]uint64, 4096/64)
	upperMask[0], lowerMask[0], tileMask[0] = 1, 1, 2
	f.put(upperMask, make([]uint64, 32768/64))
	f.values(make([]float32, 32767)) // of all but the child
	tiles := make([]float32, 4095)
	tiles[0] = 0.5
	f.put(lowerMask, tileMask)
	f.values(tiles)
	leaf := [8]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
	values := make([]float32, Count)
	for i := range values {
		values[i] = float32(i)
	}
	f.put(leaf)
	f.put(leaf, [3]int32{}, byte(2)) // and a second set of values that no program read
	f.values(values)
	f.values(make([]float32, Count))
	b := f.Bytes()
	binary.LittleEndian.PutUint64(b[places:], uint64(begin))
	binary.LittleEndian.PutUint64(b[places+16:], uint64(len(b)))
	return b
}

// TestOldVersions reads files of versions that left out other things than today's.
func TestOldVersions(t *testing.T) {
	for version := uint32(oldestVersion); version < versionMasks; version++ {
		for _, zip := range []bool{false, true} {
			data := oldVolume(version, zip)
			f, err := Open(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatalf("version %d: %v", version, err)
			}
			g := f.Grids[0]
			if err := f.Load(g); err != nil {
				t.Fatalf("version %d: %v", version, err)
			}
			v, on := at(g, [3]int32{3, 2, 1})
			w, off := at(g, [3]int32{7, 2, 1})
			tile, in := at(g, [3]int32{0, 7, 15})
			if v[0] != 209 || !on || w[0] != 465 || off || tile[0] != 0.5 || !in || count(g) != 256+512 {
				t.Errorf("version %d: %g, %g, %g, %d voxels", version, v[0], w[0], tile[0], count(g))
			}
			want := [3]float64{1.25, 1.5, 1.75} // a quarter as large, and moved by 1
			if x := g.Map.At([3]float64{1, 2, 3}); x != want {
				t.Errorf("version %d: the voxel 1, 2, 3 is at %v, want %v", version, x, want)
			}
		}
	}
}

// TestMap goes from voxels to the world and back.
func TestMap(t *testing.T) {
	m := Map{Axes: [3][3]float64{{0.1, 0.02, 0}, {0, 0, 0.3}, {0.01, -0.2, 0.05}}, Origin: [3]float64{5, -7, 1}}
	back := m.Inverse()
	for _, p := range [][3]float64{{}, {1, 2, 3}, {-40, 0.5, 9}} {
		q := back.At(m.At(p))
		for a := range q {
			if math.Abs(q[a]-p[a]) > 1e-11 {
				t.Fatalf("%v becomes %v", p, q)
			}
		}
	}
	if det := m.Det(); math.Abs(det-1/math.Abs(back.Det())) > 1e-12 && math.Abs(det+1/math.Abs(back.Det())) > 1e-12 {
		t.Errorf("volumes %g and %g", det, back.Det())
	}
}

// halfVolume returns a file of version 225, whose grid has float16 even in memory. The leaf
// has the values of oldVolume over 1024, and its inactive voxels are left out but for one value.
func halfVolume() []byte {
	f := &oldFile{}
	f.put(int64(magic), uint32(225), uint32(13), uint32(0), byte(1))
	f.WriteString("01234567-89ab-cdef-0123-456789abcdef")
	f.put(uint32(0), uint32(1), "density", "Tree_half_5_4_3", "")
	places := f.Len()
	f.put(int64(0), int64(0), int64(0))
	begin := f.Len()
	f.put(uint32(packedMask), uint32(0), "UniformScaleMap", [15]float64{0.25, 0.25, 0.25}, uint32(1))
	half := func(v float32) uint16 { return numbers.ToHalf(v) }
	f.put(half(0.5), uint32(1), uint32(1), [3]int32{4096, 0, 0}, half(0.75), byte(1), [3]int32{})
	upperMask, lowerMask := make([]uint64, 32768/64), make([]uint64, 4096/64)
	upperMask[0], lowerMask[0] = 1, 1
	f.put(upperMask, make([]uint64, 32768/64), byte(0))
	f.put(lowerMask, make([]uint64, 4096/64), byte(0))
	leaf := [8]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
	f.put(leaf, leaf, byte(offOne), half(0.125))
	for i := range Count / 2 {
		f.put(half(float32(i) / 1024))
	}
	b := f.Bytes()
	binary.LittleEndian.PutUint64(b[places:], uint64(begin))
	binary.LittleEndian.PutUint64(b[places+16:], uint64(len(b)))
	return b
}

// TestHalfGrid reads a grid of float16, as programs write them since OpenVDB 13.
func TestHalfGrid(t *testing.T) {
	data := halfVolume()
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	g := f.Grids[0]
	if err := f.Load(g); err != nil {
		t.Fatal(err)
	}
	for p, want := range map[[3]int32]float32{{3, 2, 1}: 209. / 1024, {7, 2, 1}: 0.125, {4096, 9, 9}: 0.75, {-1, 0, 0}: 0.5} {
		if v, _ := at(g, p); v[0] != want {
			t.Errorf("%g at %v, want %g", v[0], p, want)
		}
	}
}
