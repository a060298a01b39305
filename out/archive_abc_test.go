package out

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/out/ogawa"
	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// ogawaNode is a group or a leaf of a file, read by the layout alone.
type ogawaNode struct {
	data     []byte
	children []*ogawaNode
}

// readOgawa returns the root of a file. Its nodes must lie side by side, with
// nothing between them.
func readOgawa(t *testing.T, file string) *ogawaNode {
	t.Helper()
	type span struct{ from, to uint64 }
	spans := []span{{0, 16}}
	number := func(at uint64) uint64 {
		if at > uint64(len(file))-8 {
			t.Fatalf("a number at byte %d of %d", at, len(file))
		}
		return binary.LittleEndian.Uint64([]byte(file[at : at+8]))
	}
	if file[:5] != "Ogawa" || file[5] != 0xff || file[6] != 0 || file[7] != 1 {
		t.Fatalf("head % x", file[:8])
	}
	seen := map[uint64]*ogawaNode{}
	var read func(place uint64) *ogawaNode
	read = func(place uint64) *ogawaNode {
		if n := seen[place]; n != nil {
			return n
		}
		n := &ogawaNode{}
		seen[place] = n
		at := place &^ (1 << 63)
		leaf := place != at
		if at == 0 {
			return n
		}
		count := number(at)
		if leaf {
			n.data = []byte(file[at+8 : at+8+count])
			spans = append(spans, span{at, at + 8 + count})
			return n
		}
		spans = append(spans, span{at, at + 8 + 8*count})
		for i := range count {
			n.children = append(n.children, read(number(at+8+8*i)))
		}
		return n
	}
	root := read(number(8))
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	end := uint64(0)
	for _, s := range spans {
		if s.from != end {
			t.Fatalf("a node at byte %d after one that ends at %d", s.from, end)
		}
		end = s.to
	}
	if end != uint64(len(file)) {
		t.Fatalf("the last node ends at byte %d of %d", end, len(file))
	}
	return root
}

// abcRead is a property as read from a file.
type abcRead struct {
	meta    string
	pod     int
	extent  int
	scalar  bool
	samples [][]byte
}

// abcObjectRead is an object of an archive.
type abcObjectRead struct {
	name, meta string
	frames     int
	start, per float64
	hash, kids string // of the properties, of the children
	props      map[string]*abcRead
	children   []*abcObjectRead
}

// readABC reads an archive with one object by the layout of AbcCoreOgawa.
func readABC(t *testing.T, file string) *abcObjectRead {
	t.Helper()
	top := readABCTop(t, file)
	if len(top.children) != 1 {
		t.Fatalf("the top object has %d children, want one", len(top.children))
	}
	return top.children[0]
}

// readABCTop reads an archive and returns the object that has all others.
func readABCTop(t *testing.T, file string) *abcObjectRead {
	t.Helper()
	root := readOgawa(t, file)
	if len(root.children) != 6 {
		t.Fatalf("the root has %d children", len(root.children))
	}
	metas := []string{""}
	for b := root.children[5].data; len(b) > 0; b = b[1+b[0]:] {
		metas = append(metas, string(b[1:1+b[0]]))
	}
	times := root.children[4].data
	if len(times) != 2*24 {
		t.Fatalf("%d bytes of times", len(times))
	}
	second := times[24:]
	top := &abcObjectRead{
		frames: int(binary.LittleEndian.Uint32(second)),
		per:    math.Float64frombits(binary.LittleEndian.Uint64(second[4:])),
		start:  math.Float64frombits(binary.LittleEndian.Uint64(second[16:])),
	}
	top.read(t, metas, root.children[2])
	return top
}

// read reads an object: its properties, its children, and what names them.
func (o *abcObjectRead) read(t *testing.T, metas []string, node *ogawaNode) {
	t.Helper()
	last := len(node.children) - 1
	o.props = map[string]*abcRead{}
	o.properties(t, metas, "", node.children[0])
	b := node.children[last].data
	for _, child := range node.children[1:last] {
		n := binary.LittleEndian.Uint32(b)
		c := &abcObjectRead{name: string(b[4 : 4+n]), meta: metas[b[4+n]], frames: o.frames, start: o.start, per: o.per}
		b = b[5+n:]
		c.read(t, metas, child)
		o.children = append(o.children, c)
	}
	if len(b) != 32 {
		t.Fatalf("%d bytes of hashes of the object %q", len(b), o.name)
	}
	o.hash, o.kids = hex.EncodeToString(b[:16]), hex.EncodeToString(b[16:])
}

// properties reads those in a compound.
func (o *abcObjectRead) properties(t *testing.T, metas []string, path string, group *ogawaNode) {
	t.Helper()
	last := len(group.children) - 1
	if last < 0 {
		return // of nothing
	}
	b := group.children[last].data
	for k := range last {
		info := binary.LittleEndian.Uint32(b)
		b = b[4:]
		number := func() (v uint32) {
			switch info >> 2 & 3 {
			case 0:
				v, b = uint32(b[0]), b[1:]
			case 1:
				v, b = uint32(binary.LittleEndian.Uint16(b)), b[2:]
			default:
				v, b = binary.LittleEndian.Uint32(b), b[4:]
			}
			return v
		}
		kind, meta := info&3, metas[info>>20&0xff]
		var count, first, end uint32
		if kind != 0 {
			count = number()
			switch {
			case info&0x800 != 0: // all the same
			case info&0x200 != 0:
				first, end = number(), number()
			default:
				first, end = 1, count-1
			}
			if info&0x100 != 0 {
				if ts := number(); ts != 1 {
					t.Errorf("times %d", ts)
				}
			}
		}
		size := number()
		name := path + string(b[:size])
		b = b[size:]
		node := group.children[k]
		if kind == 0 {
			o.props[name] = &abcRead{meta: meta}
			o.properties(t, metas, name+"/", node)
			continue
		}
		p := &abcRead{meta: meta, pod: int(info >> 4 & 15), extent: int(info >> 12 & 0xff), scalar: kind == 1}
		o.props[name] = p
		step := 2 // an array has its lengths beside the data
		if p.scalar {
			step = 1
		}
		for i := range count {
			at := uint32(0)
			if i >= first && first > 0 {
				at = min(i, end) - first + 1
			}
			raw := node.children[int(at)*step].data
			if len(raw) == 0 {
				p.samples = append(p.samples, nil)
				continue
			}
			key := ogawa.Murmur3(raw[16:])
			if string(key.Bytes()) != string(raw[:16]) {
				t.Errorf("%s: sample %d has the key %x, want %x", name, i, raw[:16], key.Bytes())
			}
			p.samples = append(p.samples, raw[16:])
		}
	}
	if len(b) != 0 {
		t.Errorf("%d bytes after the properties of %q", len(b), path)
	}
}

// vectors returns a sample as vectors.
func (p *abcRead) vectors(i int) (list []vec.Vec3) {
	b := p.samples[i]
	f := func() float64 {
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		b = b[4:]
		return v
	}
	for len(b) > 0 {
		list = append(list, vec.Vec3{X: f(), Y: f(), Z: f()})
	}
	return list
}

// ints returns a sample as whole numbers of size bytes.
func (p *abcRead) ints(i, size int) (list []uint64) {
	for b := p.samples[i]; len(b) > 0; b = b[size:] {
		var v [8]byte
		copy(v[:], b[:size])
		list = append(list, binary.LittleEndian.Uint64(v[:]))
	}
	return list
}

// An archive of meshes has them all, frame by frame, turned clockwise, with the
// hashes that Alembic 1.8.12 gives the same samples.
func TestAlembicMeshes(t *testing.T) {
	const frames = 5
	d := outtest.Dir(t, store.OpenDir)
	info := archiveInfo(NeedsMesh, frames)
	info.Speed = 1
	frame := func(i int) (*Frame, error) { return archiveFrame(i, NeedsMesh), nil }
	if err := writeArchive(t.Context(), d, "a.abc", &alembic{}, info, frame); err != nil {
		t.Fatal(err)
	}
	o := readABC(t, outtest.Contents(t, d, "a.abc"))
	if o.name != "liquid" || !strings.HasPrefix(o.meta, "schema=AbcGeom_PolyMesh_v1;") || o.frames != frames || o.per != 1./24 || o.start != 1./24 {
		t.Errorf("object %s, %s; %d frames from %g s, each %g s", o.name, o.meta, o.frames, o.start, o.per)
	}
	if want := "cce1e45c982a7dda891ea52651006a36"; o.hash != want {
		t.Errorf("the hash of the properties is %s, want %s", o.hash, want)
	}
	for i := range frames {
		want := archiveFrame(i, NeedsMesh)
		m := want.Mesh
		for name, v := range map[string][]vec.Vec3{".geom/P": m.Pos, ".geom/N": m.Nrm, ".geom/.velocities": m.Vel, ".geom/.arbGeomParams/vorticity": want.Fields[1].Vector} {
			if got := o.props[name].vectors(i); !slices.Equal(got, v) {
				t.Errorf("frame %d: %s is %v, want %v", i, name, got, v)
			}
		}
		var corners, counts []uint64
		for _, tri := range m.Tri {
			corners = append(corners, uint64(tri[2]), uint64(tri[1]), uint64(tri[0]))
			counts = append(counts, 3)
		}
		if got := o.props[".geom/.faceIndices"].ints(i, 4); !slices.Equal(got, corners) {
			t.Errorf("frame %d: corners %v, want %v", i, got, corners)
		}
		if got := o.props[".geom/.faceCounts"].ints(i, 4); !slices.Equal(got, counts) {
			t.Errorf("frame %d: counts %v, want %v", i, got, counts)
		}
		box := m.Bounds()
		for k, want := range []float64{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z} {
			if got := math.Float64frombits(o.props[".geom/.selfBnds"].ints(i, 8)[k]); got != want {
				t.Errorf("frame %d: bound %d is %g, want %g", i, k, got, want)
			}
		}
	}
}

func TestAlembicParticles(t *testing.T) {
	const frames = 6
	d := outtest.Dir(t, store.OpenDir)
	info := archiveInfo(NeedsParticles, frames)
	info.First = 11
	frame := func(i int) (*Frame, error) { return archiveFrame(i, NeedsParticles), nil }
	if err := writeArchive(t.Context(), d, "a.abc", &alembic{}, info, frame); err != nil {
		t.Fatal(err)
	}
	o := readABC(t, outtest.Contents(t, d, "a.abc"))
	if o.name != "particles" || !strings.HasPrefix(o.meta, "schema=AbcGeom_Points_v1;") || o.start != 11./24 {
		t.Errorf("object %s, %s; from %g s", o.name, o.meta, o.start)
	}
	for i := range frames {
		s := archiveFrame(i, NeedsParticles).Particles
		if got := o.props[".geom/P"].vectors(i); !slices.Equal(got, s.X) {
			t.Errorf("frame %d: positions %v, want %v", i, got, s.X)
		}
		if got := o.props[".geom/.velocities"].vectors(i); !slices.Equal(got, inFilm(s.V)) {
			t.Errorf("frame %d: velocities %v, want %v", i, got, inFilm(s.V))
		}
		var ids []uint64
		for _, id := range s.ID {
			ids = append(ids, uint64(id))
		}
		if got := o.props[".geom/.pointIds"].ints(i, 8); !slices.Equal(got, ids) {
			t.Errorf("frame %d: numbers %v, want %v", i, got, ids)
		}
		if got := math.Float32frombits(uint32(o.props[".geom/.widths"].ints(i, 4)[0])); got != 0.02 {
			t.Errorf("frame %d: width %g", i, got)
		}
	}
}

// Equal samples are kept once, and frames that stand still between others that
// move are all there.
func TestAlembicStill(t *testing.T) {
	longtest.NotShort(t)
	for _, order := range [][]int{{0}, {2, 2, 2}, {2, 2, 3, 3, 3}, {1, 2, 2, 3, 1, 1}, make([]int, 300), append(make([]int, 300), 1)} {
		t.Run(fmt.Sprint(len(order)), func(t *testing.T) {
			d := outtest.Dir(t, store.OpenDir)
			frame := func(i int) (*Frame, error) { return archiveFrame(order[i], NeedsMesh), nil }
			if err := writeArchive(t.Context(), d, "a.abc", &alembic{}, archiveInfo(NeedsMesh, len(order)), frame); err != nil {
				t.Fatal(err)
			}
			file := outtest.Contents(t, d, "a.abc")
			if len(file) > 40<<10 {
				t.Errorf("%d bytes for %d frames, most of them the same", len(file), len(order))
			}
			o := readABC(t, file)
			for i, n := range order {
				if got, want := o.props[".geom/P"].vectors(i), archiveFrame(n, NeedsMesh).Mesh.Pos; !slices.Equal(got, want) {
					t.Fatalf("frame %d: positions %v, want %v", i, got, want)
				}
			}
		})
	}
}
