package out

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"breakwater/out/numbers"
	"breakwater/surface/voxel"
)

func init() {
	Formats.Add("vdb", "volumes of density, velocity and distance, z up, for Blender, Houdini, Maya and Unreal, as OpenVDB",
		"Museth 2013", func() PerFrame { return &vdb{} })
}

// vdb writes version 224 of the format, which programs read since OpenVDB 4 of
// 2016 (openvdb/io/Archive.cc, tree/InternalNode.h, tree/LeafNode.h of
// OpenVDB 10). A tree has leaves of 8³ voxels in nodes of 16³ leaves in nodes of
// 32³ of these. Only values that are on are kept, and for those that are off,
// which are the background or, in a level set, minus that.
type vdb struct{}

func (v *vdb) Needs() Part { return NeedsVolume }

func (v *vdb) Ext() string { return "vdb" }

// Axes returns the axes of Blender, which reads volumes without conversion.
func (v *vdb) Axes() Axes { return Axes{ZUp: true} }

// The numbers of the format.
const (
	vdbMagic      = 0x56444220
	vdbVersion    = 224
	vdbActiveMask = 2 // of compression: only values that are on
	vdbGenerator  = "Breakwater"

	// The inactive values of a node, io::Compression.h.
	vdbOffBackground = 0
	vdbOffMinus      = 1
	vdbOffMixed      = 3 // a mask of those that are not minus follows

	vdbLeafBits  = 3 // of a coordinate
	vdbLowBits   = 4 // of a lower node, in leaves
	vdbHighBits  = 5 // of an upper node, in lower ones
	vdbLowShift  = vdbLeafBits
	vdbHighShift = vdbLeafBits + vdbLowBits
	vdbRootShift = vdbHighShift + vdbHighBits
)

// vdbBuffer writes numbers as the format has them.
type vdbBuffer struct{ bytes.Buffer }

func (b *vdbBuffer) u32(v uint32) { b.Write(binary.LittleEndian.AppendUint32(nil, v)) }
func (b *vdbBuffer) i64(v int64)  { b.Write(binary.LittleEndian.AppendUint64(nil, uint64(v))) }
func (b *vdbBuffer) f64(v float64) {
	b.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
}
func (b *vdbBuffer) text(s string) {
	b.u32(uint32(len(s)))
	b.WriteString(s)
}

// vdbMeta is an entry of the file's or a grid's metadata.
type vdbMeta struct {
	name, typ string
	data      []byte
}

func vdbText(name, value string) vdbMeta { return vdbMeta{name, "string", []byte(value)} }

func (b *vdbBuffer) meta(list ...vdbMeta) {
	b.u32(uint32(len(list)))
	for _, m := range list {
		b.text(m.name)
		b.text(m.typ)
		b.u32(uint32(len(m.data)))
		b.Write(m.data)
	}
}

func (v *vdb) Encode(w io.Writer, f *Frame) error {
	if f.Volume == nil {
		return errors.New("vdb: the frame has no volume")
	}
	if len(f.Volume.Grids) == 0 || !(f.Volume.Edge > 0) {
		return fmt.Errorf("vdb: %d grids with a voxel edge of %g", len(f.Volume.Grids), f.Volume.Edge)
	}
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("vdb: %w", err)
	}
	var head vdbBuffer
	head.i64(vdbMagic)
	head.u32(vdbVersion)
	head.u32(10) // version of the library
	head.u32(0)
	head.WriteByte(1) // places of the grids are given
	head.WriteString(vdbUUID(f))
	meta := []vdbMeta{vdbText("creator", vdbGenerator)}
	for _, n := range notes {
		meta = append(meta, vdbText(n.key, n.value))
	}
	head.meta(meta...)
	head.u32(uint32(len(f.Volume.Grids)))
	at := int64(head.Len())
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	var taken []string
	for _, g := range f.Volume.Grids {
		if g.Width != 1 && g.Width != 3 || slices.Contains(taken, g.Name) {
			return fmt.Errorf("vdb: a grid %q of %d numbers, or a second grid of that name", g.Name, g.Width)
		}
		taken = append(taken, g.Name)
		n, err := newVDBTree(g).write(w, at, f.Volume.Edge)
		if err != nil {
			return fmt.Errorf("vdb: grid %s: %w", g.Name, err)
		}
		at += n
	}
	return nil
}

// vdbUUID returns the number by which programs identify files, made from the frame's
// contents.
func vdbUUID(f *Frame) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", f.Fingerprint, f.Index))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // RFC 9562, version 8
	x := hex.EncodeToString(sum[:16])
	return x[:8] + "-" + x[8:12] + "-" + x[12:16] + "-" + x[16:20] + "-" + x[20:]
}

// vdbTree is a grid as a tree: its leaves in the order of the file.
type vdbTree struct {
	*voxel.Grid
	leaves []*voxel.Leaf
}

func newVDBTree(g *voxel.Grid) *vdbTree {
	t := &vdbTree{Grid: g}
	for i := range g.Leaves {
		t.leaves = append(t.leaves, &g.Leaves[i])
	}
	slices.SortFunc(t.leaves, func(a, b *voxel.Leaf) int {
		for _, n := range []vdbNode{vdbRoot, vdbHigh, vdbLow} {
			x, y := n.of(a.At), n.of(b.At)
			if c := slices.Compare(x[:], y[:]); c != 0 {
				return c
			}
		}
		return 0
	})
	return t
}

// vdbNode is a kind of node by what a coordinate loses in it, and how many
// children it has along an edge, both in bits.
type vdbNode struct{ shift, bits uint }

var (
	vdbRoot = vdbNode{vdbRootShift, 0}
	vdbHigh = vdbNode{vdbHighShift, vdbHighBits}
	vdbLow  = vdbNode{vdbLowShift, vdbLowBits}
)

// of returns the coordinates, in children of the node, of the child with a
// voxel. Children are in their order, x slowest.
func (n vdbNode) of(at [3]int32) [3]int32 {
	return [3]int32{at[0] >> n.shift, at[1] >> n.shift, at[2] >> n.shift}
}

// index returns the number of the child with a voxel.
func (n vdbNode) index(at [3]int32) int {
	mask := int32(1)<<n.bits - 1
	c := n.of(at)
	return int(c[0]&mask)<<(2*n.bits) | int(c[1]&mask)<<n.bits | int(c[2]&mask)
}

// corner returns the first voxel of child i of the node with a voxel.
func (n vdbNode) corner(at [3]int32, i int) (c [3]int32) {
	mask := 1<<n.bits - 1
	for a, k := range [3]int{i >> (2 * n.bits), i >> n.bits & mask, i & mask} {
		c[a] = at[a]>>(n.shift+n.bits)<<(n.shift+n.bits) + int32(k)<<n.shift
	}
	return c
}

// groups calls f with the runs of leaves that are in one child of n each.
func (n vdbNode) groups(leaves []*voxel.Leaf, f func(leaves []*voxel.Leaf)) {
	for len(leaves) > 0 {
		k := 1
		for k < len(leaves) && n.of(leaves[k].At) == n.of(leaves[0].At) {
			k++
		}
		f(leaves[:k])
		leaves = leaves[k:]
	}
}

// write writes the grid, which begins at byte at, and returns its length.
func (t *vdbTree) write(w io.Writer, at int64, edge float64) (int64, error) {
	typ := map[int]string{1: "Tree_float_5_4_3", 3: "Tree_vec3s_5_4_3"}[t.Width]
	if t.Half {
		typ += "_HalfFloat"
	}
	var head vdbBuffer
	head.text(t.Name)
	head.text(typ)
	head.text("") // of which grid it is an instance
	begin := at + int64(head.Len()) + 3*8

	var body vdbBuffer
	body.u32(vdbActiveMask)
	body.meta(t.meta()...)
	body.text("UniformScaleMap")
	for _, x := range []float64{edge, edge, 1 / edge, 1 / (edge * edge), 0.5 / edge} {
		for range 3 {
			body.f64(x)
		}
	}
	body.u32(1) // buffers
	for range t.Width {
		body.u32(math.Float32bits(t.Background))
	}
	body.u32(0) // tiles of the root
	roots := 0
	vdbRoot.groups(t.leaves, func([]*voxel.Leaf) { roots++ })
	body.u32(uint32(roots))
	vdbRoot.groups(t.leaves, func(leaves []*voxel.Leaf) {
		for _, c := range vdbHigh.corner(leaves[0].At, 0) {
			body.u32(uint32(c))
		}
		t.node(&body, vdbHigh, leaves)
		vdbHigh.groups(leaves, func(leaves []*voxel.Leaf) {
			t.node(&body, vdbLow, leaves)
			for _, l := range leaves {
				for _, m := range l.On {
					body.i64(int64(m))
				}
			}
		})
	})
	blocks := begin + int64(body.Len())
	size := int64(0)
	for _, l := range t.leaves {
		size += t.leafSize(l)
	}
	head.i64(begin)
	head.i64(blocks)
	head.i64(blocks + size)
	if _, err := w.Write(append(head.Bytes(), body.Bytes()...)); err != nil {
		return 0, err
	}
	var buf []byte
	for _, l := range t.leaves {
		if len(l.Values) != t.Width*voxel.Count {
			return 0, fmt.Errorf("a leaf of %d numbers", len(l.Values))
		}
		var ok bool
		if buf, ok = t.leaf(buf[:0], l); !ok {
			return 0, fmt.Errorf("a value near voxel %v is not finite", l.At)
		}
		if _, err := w.Write(buf); err != nil {
			return 0, err
		}
	}
	return blocks + size - at, nil
}

// meta describes the grid.
func (t *vdbTree) meta() []vdbMeta {
	count := int64(0)
	lo, hi := [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}, [3]int32{math.MinInt32, math.MinInt32, math.MinInt32}
	for _, l := range t.leaves {
		count += int64(l.Len())
		for i := range voxel.Count {
			if !l.IsOn(i) {
				continue
			}
			for a, c := range [3]int32{int32(i >> 6), int32(i >> 3 & 7), int32(i & 7)} {
				lo[a], hi[a] = min(lo[a], l.At[a]+c), max(hi[a], l.At[a]+c)
			}
		}
	}
	if count == 0 {
		lo, hi = [3]int32{}, [3]int32{}
	}
	corner := func(c [3]int32) (b []byte) {
		for _, x := range c {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		return b
	}
	class := map[voxel.Class]string{voxel.Fog: "fog volume", voxel.LevelSet: "level set", voxel.Field: "unknown"}[t.Class]
	meta := []vdbMeta{
		vdbText("class", class),
		{"file_bbox_max", "vec3i", corner(hi)},
		{"file_bbox_min", "vec3i", corner(lo)},
		vdbText("file_compression", "active values"),
		{"file_voxel_count", "int64", binary.LittleEndian.AppendUint64(nil, uint64(count))},
	}
	if t.Half {
		meta = append(meta, vdbMeta{"is_saved_as_half_float", "bool", []byte{1}})
	}
	meta = append(meta, vdbText("name", t.Name))
	if t.Width == 3 { // velocities, which turn and scale with the grid but do not move with it
		meta = append(meta, vdbText("vector_type", "contravariant relative"))
	}
	return meta
}

// node writes what a node of leaves has itself: which of its children there
// are, and how the space of the others is filled.
func (t *vdbTree) node(b *vdbBuffer, n vdbNode, leaves []*voxel.Leaf) {
	count := 1 << (3 * n.bits)
	children := make([]uint64, count/64)
	for _, l := range leaves {
		i := n.index(l.At)
		children[i/64] |= 1 << (i % 64)
	}
	for _, m := range children {
		b.i64(int64(m))
	}
	b.Write(make([]byte, count/8)) // no tile is on
	t.off(b, count, func(i int) (off, minus bool) {
		off = children[i/64]>>(i%64)&1 == 0
		return off, off && t.Inside != nil && t.Inside(n.corner(leaves[0].At, i))
	})
}

// off writes the values of n inactive voxels, which are only inside or outside.
func (t *vdbTree) off(b *vdbBuffer, n int, is func(i int) (off, minus bool)) {
	if t.Inside == nil {
		b.WriteByte(vdbOffBackground)
		return
	}
	plus := make([]uint64, n/64)
	someMinus, somePlus := false, false
	for i := range n {
		off, minus := is(i)
		if !minus {
			plus[i/64] |= 1 << (i % 64)
		}
		someMinus, somePlus = someMinus || minus, somePlus || off && !minus
	}
	switch {
	case !someMinus:
		b.WriteByte(vdbOffBackground)
	case !somePlus:
		b.WriteByte(vdbOffMinus)
	default:
		b.WriteByte(vdbOffMixed)
		for _, m := range plus {
			b.i64(int64(m))
		}
	}
}

// leafOff writes what the values of a leaf are that are not on.
func (t *vdbTree) leafOff(b *vdbBuffer, l *voxel.Leaf) {
	t.off(b, voxel.Count, func(i int) (off, minus bool) { return !l.IsOn(i), !l.IsOn(i) && l.Values[i] < 0 })
}

// leafSize returns the bytes of a leaf's values.
func (t *vdbTree) leafSize(l *voxel.Leaf) int64 {
	var b vdbBuffer
	t.leafOff(&b, l)
	size := 4
	if t.Half {
		size = 2
	}
	return int64(voxel.Count/8 + b.Len() + size*t.Width*l.Len())
}

// leaf appends a leaf's values, and reports whether they are finite.
func (t *vdbTree) leaf(dst []byte, l *voxel.Leaf) ([]byte, bool) {
	for _, m := range l.On {
		dst = binary.LittleEndian.AppendUint64(dst, m)
	}
	var b vdbBuffer
	t.leafOff(&b, l)
	dst = append(dst, b.Bytes()...)
	for i := range voxel.Count {
		if !l.IsOn(i) {
			continue
		}
		for _, v := range l.Values[t.Width*i : t.Width*(i+1)] {
			if v-v != 0 {
				return dst, false
			}
			if t.Half {
				dst = binary.LittleEndian.AppendUint16(dst, numbers.ToHalf(v))
			} else {
				dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
			}
		}
	}
	return dst, true
}

// vdbHead reads the parts of a file that describe its contents.
type vdbHead struct {
	r    io.ReaderAt
	size int64
	at   int64
	err  error
}

// bytes returns the next n bytes, and at least 8; after an error they are 0.
func (h *vdbHead) bytes(n int64) []byte {
	if n < 0 || n > 1<<16 || n > h.size-h.at {
		h.err = errors.New("cut short, or not a file written by this program")
		n = 0
	}
	b := make([]byte, max(8, n))
	if h.err == nil {
		_, h.err = h.r.ReadAt(b[:n], h.at)
		h.at += n
	}
	return b
}

func (h *vdbHead) u32() int64 { return int64(binary.LittleEndian.Uint32(h.bytes(4))) }
func (h *vdbHead) i64() int64 { return int64(binary.LittleEndian.Uint64(h.bytes(8))) }

func (h *vdbHead) text() string {
	n := h.u32()
	b := h.bytes(n)
	if h.err != nil {
		return ""
	}
	return string(b[:n])
}

func (v *vdb) Check(r io.ReaderAt, size int64) (string, error) {
	h := &vdbHead{r: r, size: size}
	magic, version := h.i64(), h.u32()
	h.bytes(4 + 4 + 1 + 36)
	ours := false
	var f Frame
	for range min(h.u32(), 64) {
		name, _, value := h.text(), h.text(), h.text()
		ours = ours || name == "creator" && value == vdbGenerator
		if h.err == nil {
			h.err = f.readNote(name + " " + value)
		}
	}
	for range min(h.u32(), 64) { // grids, one behind the other
		h.text()
		h.text()
		h.text()
		h.i64()
		h.i64()
		if end := h.i64(); end < h.at || end > size {
			h.bytes(-1)
		} else {
			h.at = end
		}
	}
	if h.err == nil && (magic != vdbMagic || version != vdbVersion || !ours || h.at != size) {
		h.err = errors.New("not a file written by this program, or with data after its end")
	}
	if h.err != nil {
		return "", fmt.Errorf("vdb: %w", h.err)
	}
	return f.Fingerprint, nil
}
