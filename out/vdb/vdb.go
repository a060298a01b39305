// Package vdb reads the volumes of OpenVDB files, as Blender, Houdini, EmberGen and
// Breakwater write them.
//
//	vdb.go        the file, and the places of its grids
//	transform.go  from the voxels of a grid to its world
//	box.go        blocks of voxels, and their bounds
//	tree.go       the nodes of a grid
//	values.go     the values of a node
//	blosc.go      chunks of the compressor Blosc
//	lz4.go        blocks of LZ4
//
// It reads versions 218 to 225 of the format, of 2012 to 2026, and grids of float, half or
// vec3s in trees of the usual 5_4_3 nodes (Museth 2013). The memory that it takes is
// proportional to the size of the file.
package vdb

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Side is the number of voxels along an edge of a Leaf, and Count how many it has.
const (
	Side  = 8
	Count = Side * Side * Side
)

// File is an OpenVDB file.
type File struct {
	Creator string // the program that wrote it, "" if it does not say
	Grids   []*Grid

	src     io.ReaderAt
	size    int64
	version uint32
	packing uint32 // compression of all grids, in versions before 222
}

// Grid is a sparse grid of numbers or vectors. Its voxels are empty until File.Load.
type Grid struct {
	Name, Type, Class string // Type is the kind of the tree, such as Tree_float_5_4_3
	Width             int    // numbers of a value: 1, or 3 of a vector; 0 of a Type that is not read
	Map               Map
	Background        [3]float32 // of voxels that are in no leaf and no tile
	Leaves            []Leaf     // those with an active voxel
	Tiles             []Tile     // the active ones

	id, parent       string // unique names: its own, and of the grid that has its voxels
	saved16, all16   bool   // float16 are the values that are stored, or all values
	loaded           bool
	begin, tree, end int64 // bytes of the file
	packing          uint32
}

// Leaf is a cube of voxels. Number x·64 + y·8 + z has the coordinates (x, y, z) in it.
type Leaf struct {
	At     [3]int32           // coordinates of its first voxel, multiples of Side
	Active [Count / 64]uint64 // which voxels are active
	Values []float32          // Count of them, Width numbers each
}

// Tile is a cube of voxels that all have one value.
type Tile struct {
	At    [3]int32 // coordinates of its first voxel
	Side  int32    // voxels along an edge: 8, 128 or 4096
	Value [3]float32
}

// Error is a fault of a file.
type Error struct {
	Grid string // "" for the head of the file
	At   int64  // byte
	What string
}

func (e *Error) Error() string {
	if e.Grid == "" {
		return fmt.Sprintf("vdb: byte %d: %s", e.At, e.What)
	}
	return fmt.Sprintf("vdb: grid %s, byte %d: %s", e.Grid, e.At, e.What)
}

// The numbers of the format (openvdb/version.h, openvdb/io/Compression.h).
const (
	magic         = 0x56444220
	oldestVersion = 218
	newestVersion = 225

	versionTransforms = 219 // transforms are maps
	versionPacking    = 220 // the file says whether it is compressed
	versionMasks      = 222 // each grid says how; inactive values are left out

	packedZip   = 1
	packedMask  = 2
	packedBlosc = 4
)

// mostText bounds the length of names and of texts that are read.
const mostText = 1 << 16

// Open reads what the file says of its grids. A file without places of its grids is read
// as a whole.
func Open(src io.ReaderAt, size int64) (*File, error) {
	f := &File{src: src, size: size}
	r := f.reader(0, size, "")
	if r.i64() != magic {
		return nil, &Error{What: "not an OpenVDB file; expected one that a program saved as .vdb"}
	}
	f.version = r.u32()
	if r.err == nil && (f.version < oldestVersion || f.version > newestVersion) {
		return nil, &Error{At: 8, What: fmt.Sprintf("the file has version %d of the format; expected %d to %d, so save it with another version of the program that made it", f.version, oldestVersion, newestVersion)}
	}
	r.skip(8) // version of the library
	seekable := r.byte() != 0
	f.packing = packedZip
	if f.version >= versionPacking && f.version < versionMasks && r.byte() == 0 {
		f.packing = 0
	}
	r.skip(36) // a number that identifies the file
	f.Creator = r.meta()["creator"]
	n := int64(r.u32())
	if least := int64(3*4 + 3*8); n > (size-r.at)/least {
		r.fail("%d grids do not fit into the file; it is damaged or cut short", n)
	}
	for range n {
		if r.err != nil {
			break
		}
		g, err := f.grid(r, seekable)
		if err != nil {
			return nil, err
		}
		f.Grids = append(f.Grids, g)
	}
	if r.err != nil {
		return nil, r.err
	}
	return f, nil
}

// grid reads the description of the next grid, and leaves r behind the grid.
func (f *File) grid(r *reader, seekable bool) (*Grid, error) {
	g := &Grid{id: r.text(), Type: r.text(), parent: r.text(), begin: r.i64()}
	r.i64()
	g.end = r.i64()
	if r.err != nil {
		return nil, r.err
	}
	g.Name, _, _ = strings.Cut(g.id, "\x1e") // grids of one name have numbers behind it
	var kind string
	kind, g.saved16 = strings.CutSuffix(g.Type, "_HalfFloat")
	g.Width = map[string]int{"Tree_float_5_4_3": 1, "Tree_vec3s_5_4_3": 3, "Tree_half_5_4_3": 1}[kind]
	if g.all16 = kind == "Tree_half_5_4_3"; g.all16 {
		g.saved16 = false
	}
	if seekable && (g.begin < r.at || g.end < g.begin || g.end > f.size) {
		return nil, &Error{g.Name, r.at, fmt.Sprintf("the grid lies from byte %d to %d of %d; the file is damaged or cut short", g.begin, g.end, f.size)}
	}
	head := r
	if seekable {
		head = f.reader(g.begin, g.end, g.Name)
	}
	head.grid = g.Name
	g.packing = f.packing
	if f.version >= versionMasks {
		g.packing = head.u32()
	}
	meta := head.meta()
	g.Class = cmp.Or(meta["class"], "unknown")
	if g.Width > 0 || !seekable { // others may have transforms that are not read
		g.Map = head.transform(f.version)
	}
	g.tree = head.at
	if head.err != nil {
		return nil, head.err
	}
	if seekable {
		r.seek(g.end)
		return g, nil
	}
	if err := f.load(g, head); err != nil {
		return nil, err
	}
	r.grid = ""
	return g, nil
}

// Load reads the voxels of g, a grid of f.
func (f *File) Load(g *Grid) error { return f.load(g, f.reader(g.tree, g.end, g.Name)) }

func (f *File) load(g *Grid, r *reader) error {
	if g.loaded {
		return nil
	}
	if g.Width == 0 {
		return &Error{g.Name, g.tree, fmt.Sprintf("the grid is a %s; expected Tree_float_5_4_3, Tree_half_5_4_3 or Tree_vec3s_5_4_3, so save it with floats or vectors of floats", g.Type)}
	}
	if g.parent != "" {
		return f.share(g)
	}
	t := &tree{reader: r, grid: g, masked: f.version >= versionMasks}
	if err := t.read(); err != nil {
		return err
	}
	g.loaded = true
	return nil
}

// share gives g, an instance, the voxels of its parent.
func (f *File) share(g *Grid) error {
	for _, p := range f.Grids {
		if p.id != g.parent || p.parent != "" {
			continue
		}
		if err := f.Load(p); err != nil {
			return err
		}
		g.Width, g.Background, g.Leaves, g.Tiles, g.loaded = p.Width, p.Background, p.Leaves, p.Tiles, true
		return nil
	}
	return &Error{g.Name, g.tree, fmt.Sprintf("the grid has the voxels of the grid %q, which the file lacks; save it again", g.parent)}
}

// reader reads a part of a file. After an error it returns zeros.
type reader struct {
	src     io.ReaderAt
	at, end int64
	grid    string
	err     error

	buf   []byte // of the file from the byte from on
	from  int64
	block []byte // the last bytes that were asked for
}

func (f *File) reader(from, to int64, grid string) *reader {
	return &reader{src: f.src, at: from, end: to, grid: grid, from: from}
}

// fail notes a fault at the place of the reader, unless there is one already.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &Error{r.grid, r.at, fmt.Sprintf(format, args...)}
	}
}

// ahead is how much of a file is read at a time.
const ahead = 1 << 18

// bytes returns the next n bytes, which are valid until the next call.
func (r *reader) bytes(n int64) []byte {
	if n < 0 || n > r.end-r.at {
		r.fail("%d bytes are missing; the file is damaged or cut short, so write it again", max(n-(r.end-r.at), 1))
	}
	if r.err != nil {
		if n > ahead || n < 0 {
			n = 0
		}
		return make([]byte, n)
	}
	if have := r.from + int64(len(r.buf)); r.at < r.from || r.at+n > have {
		size := min(max(n, ahead), r.end-r.at)
		if int64(cap(r.block)) < size {
			r.block = make([]byte, size)
		}
		r.buf, r.from = r.block[:size], r.at
		if k, err := r.src.ReadAt(r.buf, r.at); k < len(r.buf) {
			r.buf = nil
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			r.fail("%v", err)
			return make([]byte, min(n, ahead))
		}
	}
	b := r.buf[r.at-r.from:][:n]
	r.at += n
	return b
}

func (r *reader) byte() byte { return r.bytes(1)[0] }

func (r *reader) u32() uint32 { return binary.LittleEndian.Uint32(r.bytes(4)) }

func (r *reader) i64() int64 { return int64(binary.LittleEndian.Uint64(r.bytes(8))) }

func (r *reader) text() string {
	n := int64(r.u32())
	if n > mostText {
		r.fail("a name of %d letters; the file is damaged", n)
		return ""
	}
	return string(r.bytes(n))
}

// skip passes n bytes.
func (r *reader) skip(n int64) {
	if n < 0 || n > r.end-r.at {
		r.fail("%d bytes are missing; the file is damaged or cut short, so write it again", max(n-(r.end-r.at), 1))
		return
	}
	r.at += n
}

func (r *reader) seek(at int64) { r.at = at }

// meta reads metadata, and returns the short texts among it.
func (r *reader) meta() map[string]string {
	texts := map[string]string{}
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		name, kind := r.text(), r.text()
		size := int64(r.u32())
		if kind == "string" && size <= mostText {
			texts[name] = string(r.bytes(size))
		} else {
			r.skip(size)
		}
	}
	return texts
}
