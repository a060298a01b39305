package out

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"breakwater/out/ogawa"
	"breakwater/out/store"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

func init() {
	Archives.Add("abc", "Alembic: all frames in one file with normals, velocities and attributes, for Blender, Houdini, Maya, Cinema 4D, Unreal and Nuke",
		"Sony Pictures Imageworks and Industrial Light & Magic 2013", func() Archive { return &alembic{} })
}

// alembic writes the schemas AbcGeom_PolyMesh_v1 and AbcGeom_Points_v1, as the
// reference library does (lib/Alembic/AbcCoreOgawa, version 1.8). It writes the samples
// of all properties as the frames come, and then the tree that lists them.
//
// Frame n is at n/fps seconds, which programs show as their frame n.
// Alembic's faces turn clockwise seen from outside. Samples that are the same,
// such as the numbers of corners, are kept once.
type alembic struct{}

func (a *alembic) Ext() string { return "abc" }

func (a *alembic) Holds() Part { return NeedsMesh | NeedsParticles }

// abcType is the type of a property's values: its number in PlainOldDataType, and its
// size in bytes.
type abcType struct {
	pod    uint8
	size   int
	extent int // how many make an item
}

var (
	abcInt    = abcType{6, 4, 1}
	abcID     = abcType{7, 8, 1}
	abcFloat  = abcType{10, 4, 1}
	abcVector = abcType{10, 4, 3}
	abcBox    = abcType{11, 8, 6}
)

// abcProperty is a property of an object: samples, or other properties.
type abcProperty struct {
	name, meta string
	scalar     bool
	typ        abcType
	times      uint32 // index of its times
	sub        []*abcProperty

	samples     []uint64 // places
	first, last int      // samples that differ from the one before
	ones, alike bool     // all samples are of one item; of as many as the first
	items       int      // of the first sample
	previous    abcKey
	hash        ogawa.Digest // of all samples
}

// abcKey identifies a sample.
type abcKey struct {
	ogawa.Digest
	bytes int
}

// abcWriter writes one archive.
type abcWriter struct {
	*ogawa.Writer
	fps     float64
	start   float64 // time of the first sample, s
	written map[abcKey]uint64
	metas   []string // of properties and objects, by index
	buf     []byte
}

// The index of the times of an archive, and of those without any.
const abcTimed, abcTimeless = 1, 0

// abcMeta returns what describes a property or an object, with its keys in
// order.
func abcMeta(pairs ...string) string { return strings.Join(pairs, ";") }

func (a *alembic) Encode(ctx context.Context, f *store.File, info ArchiveInfo, frame func(i int) (*Frame, error)) error {
	if err := info.check(a); err != nil {
		return fmt.Errorf("abc: %w", err)
	}
	w := &abcWriter{
		Writer: ogawa.New(f), fps: info.FPS, start: float64(info.First) / info.FPS,
		written: map[abcKey]uint64{},
	}
	// The version of the layout, and of the library that it is of.
	root := []uint64{w.Data(make([]byte, 4)), w.Data(binary.LittleEndian.AppendUint32(nil, 10800))}

	var geom *abcGeom
	var bodies []*abcBody
	var names []string // of the bodies
	for i := range info.Frames {
		if err := ctx.Err(); err != nil {
			return err
		}
		got, err := frame(i)
		if err != nil {
			return err
		}
		var like []string
		if geom != nil {
			like = geom.names
		}
		c, err := info.checked(i, got, like)
		if err != nil {
			return fmt.Errorf("abc: %w", err)
		}
		if names, err = info.objects(i, got, names); err != nil {
			return fmt.Errorf("abc: %w", err)
		}
		if geom == nil {
			geom = newABCGeom(&info, &c, abcTimed)
			for k := range names {
				body, err := newABCBody(w, &got.Objects[k])
				if err != nil {
					return fmt.Errorf("abc: object %s: %w", names[k], err)
				}
				bodies = append(bodies, body)
			}
		}
		if err := geom.add(w, &c); err != nil {
			return fmt.Errorf("abc: frame %d: %w", info.First+i, err)
		}
		for k, body := range bodies {
			body.add(w, &got.Objects[k])
		}
		if w.Err != nil {
			return w.Err
		}
	}

	objects := []abcChild{geom.object(w)}
	for _, body := range bodies {
		objects = append(objects, body.object(w))
	}
	top := w.object(nil, objects)
	root = append(root, top.place)
	archive := []string{fmt.Sprintf("FramesPerTimeUnit=%g", info.FPS), "_ai_AlembicVersion=Alembic 1.8.0", "_ai_Application=Breakwater"}
	if info.Fingerprint != "" {
		archive = append(archive, abcFingerprint+info.Fingerprint)
	}
	root = append(root, w.Data([]byte(abcMeta(archive...))), w.Data(w.times(info.Frames)), w.Data(w.metaTable()))
	return w.Close(w.Group(root))
}

const (
	abcFingerprint = noteFingerprint + "="
	abcRoots       = 6 // children of the root group
	abcArchiveMeta = 3 // the one that describes the archive
)

// times lists the time samplings: one for constant properties, and one with a sample per
// frame.
func (w *abcWriter) times(frames int) []byte {
	var b []byte
	for _, t := range []struct {
		most       int
		per, start float64
	}{{0, 1, 0}, {frames, 1 / w.fps, w.start}} {
		b = binary.LittleEndian.AppendUint32(b, uint32(t.most))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(t.per))
		b = binary.LittleEndian.AppendUint32(b, 1) // samples a cycle
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(t.start))
	}
	return b
}

// metaIndex returns the index of a description, which the archive keeps once.
func (w *abcWriter) metaIndex(meta string) uint32 {
	if meta == "" {
		return 0
	}
	for i, m := range w.metas {
		if m == meta {
			return uint32(i) + 1
		}
	}
	w.metas = append(w.metas, meta)
	return uint32(len(w.metas))
}

func (w *abcWriter) metaTable() []byte {
	var b []byte
	for _, m := range w.metas { // each of less than 256 bytes
		b = append(append(b, byte(len(m))), m...)
	}
	return b
}

// put adds a sample to p.
func (w *abcWriter) put(p *abcProperty, data []byte) {
	key := abcKey{ogawa.Murmur3(data), len(data)}
	n := len(p.samples)
	place, ok := w.written[key]
	if !ok {
		if len(data) == 0 {
			place = ogawa.DataBit
		} else {
			place = w.Data(key.Digest.Bytes(), data)
		}
		w.written[key] = place
	}
	items := len(data) / (p.typ.size * p.typ.extent)
	if n == 0 {
		p.items, p.ones, p.alike = items, true, true
	} else if key != p.previous {
		if p.first == 0 {
			p.first = n
		}
		p.last = n
	}
	p.ones, p.alike = p.ones && items == 1, p.alike && items == p.items
	p.previous = key
	p.samples = append(p.samples, place)

	hash := key.Digest
	if !p.scalar { // its length counts
		hash = ogawa.Spooky(append(binary.LittleEndian.AppendUint64(nil, uint64(items)), hash.Bytes()...))
	}
	if n == 0 {
		p.hash = hash
	} else {
		p.hash = p.hash.End(hash)
	}
}

// hashOf returns the hash of a property: of its samples, or of those in it,
// inner, with what describes it.
func (w *abcWriter) hashOf(p *abcProperty, inner []byte) ogawa.Digest {
	b := append([]byte(p.name), p.meta...)
	if p.sub != nil {
		return ogawa.Spooky(append(inner, b...))
	}
	b = append(b, p.typ.pod, uint8(p.typ.extent))
	if p.scalar {
		b = append(b, 0)
	}
	per, start := 1., 0.
	if p.times == abcTimed {
		per, start = 1/w.fps, w.start
	}
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(per))
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(start))
	if len(p.samples) > 0 {
		b = append(b, p.hash.Bytes()...)
	}
	return ogawa.Spooky(b)
}

// property writes p and returns its place and hash.
func (w *abcWriter) property(p *abcProperty) (place uint64, hash ogawa.Digest) {
	if p.sub != nil {
		place, hashes := w.properties(p.sub)
		return place, w.hashOf(p, hashes)
	}
	// The first sample, and those from the first to the last that change.
	var children []uint64
	for i, s := range p.samples {
		if i > 0 && (i < p.first || i > p.last || p.last == 0) {
			continue
		}
		if children = append(children, s); !p.scalar {
			children = append(children, ogawa.DataBit) // lengths follow from the data's
		}
	}
	return w.Group(children), w.hashOf(p, nil)
}

// properties writes the group of a compound property: its members, and what
// describes them. It returns its place and the hashes of the members.
func (w *abcWriter) properties(list []*abcProperty) (place uint64, hashes []byte) {
	var children []uint64
	var heads []byte
	for _, p := range list {
		place, hash := w.property(p)
		children, hashes = append(children, place), append(hashes, hash.Bytes()...)
		heads = w.head(heads, p)
	}
	if len(heads) > 0 {
		children = append(children, w.Data(heads))
	}
	return w.Group(children), hashes
}

// head appends what describes p: AbcCoreOgawa's WritePropertyInfo.
func (w *abcWriter) head(b []byte, p *abcProperty) []byte {
	meta := w.metaIndex(p.meta)
	n := uint32(len(p.samples))
	hint, wide := uint32(0), 1 // bytes of a number: 1, 2 or 4
	switch largest := max(len(p.meta), len(p.name), len(p.samples)); {
	case largest >= 1<<16:
		hint, wide = 2, 4
	case largest >= 1<<8:
		hint, wide = 1, 2
	}
	number := func(v uint32) { b = append(b, binary.LittleEndian.AppendUint32(nil, v)[:wide]...) }
	info := hint<<2 | meta<<20
	if p.sub != nil {
		b = binary.LittleEndian.AppendUint32(b, info)
	} else {
		const array, one, timed, range_, same, constant = 2, 1, 0x100, 0x200, 0x400, 0x800
		if !p.scalar {
			info |= array
		}
		if p.scalar || p.ones {
			info |= one
		}
		if p.alike {
			info |= same
		}
		if p.times != abcTimeless {
			info |= timed
		}
		whole := p.first == 1 && p.last == len(p.samples)-1
		switch {
		case p.last == 0:
			info |= constant
		case !whole:
			info |= range_
		}
		info |= uint32(p.typ.pod)<<4 | uint32(p.typ.extent)<<12
		b = binary.LittleEndian.AppendUint32(b, info)
		number(n)
		if info&range_ != 0 {
			number(uint32(p.first))
			number(uint32(p.last))
		}
		if p.times != abcTimeless {
			number(p.times)
		}
	}
	number(uint32(len(p.name)))
	return append(b, p.name...)
}

// abcChild is an object within another.
type abcChild struct {
	name, meta string
	place      uint64
	hash       ogawa.Digest
}

// abcObject is an object that was written.
type abcObject struct {
	place  uint64
	hashed []byte // what its hash is of, before its description
}

// hashWith returns the hash of the object with its description.
func (o *abcObject) hashWith(meta, name string) ogawa.Digest {
	return ogawa.Spooky(append(append(o.hashed, meta...), name...))
}

// object writes an object of properties and children, and what describes them.
func (w *abcWriter) object(list []*abcProperty, children []abcChild) (o abcObject) {
	props, hashes := w.properties(list)
	group := []uint64{props}
	var heads, below []byte
	for _, c := range children {
		group = append(group, c.place)
		heads = binary.LittleEndian.AppendUint32(heads, uint32(len(c.name)))
		heads = append(append(heads, c.name...), byte(w.metaIndex(c.meta)))
		below = append(below, c.hash.Bytes()...)
	}
	data := ogawa.Spooky(hashes)
	heads = append(heads, data.Bytes()...)
	var kids ogawa.Digest
	if len(children) > 0 {
		kids = ogawa.Spooky(below)
	}
	heads = append(heads, kids.Bytes()...)
	o.hashed = append(below, data.Bytes()...)
	o.place = w.Group(append(group, w.Data(heads)))
	return o
}

// abcGeom is the geometry of an archive: its properties.
type abcGeom struct {
	name, schema string
	names        []string // of attributes
	bounds, pos  *abcProperty
	corners      *abcProperty // of a mesh
	counts       *abcProperty
	normals      *abcProperty
	ids          *abcProperty // of particles
	widths       *abcProperty
	width        float64
	velocities   *abcProperty
	fields       []*abcProperty
}

// abcParam describes an attribute of the scope and the type given.
func abcParam(scope, interpretation string, t abcType) string {
	pod := "float32_t"
	if t == abcInt {
		pod = "int32_t"
	}
	meta := []string{"arrayExtent=1", "geoScope=" + scope, "interpretation=" + interpretation, "isGeomParam=true", fmt.Sprintf("podExtent=%d", t.extent), "podName=" + pod}
	if interpretation == "" {
		meta = append(meta[:2], meta[3:]...)
	}
	return abcMeta(meta...)
}

// newABCGeom returns a geometry like c, whose samples have the times of an
// index.
func newABCGeom(info *ArchiveInfo, c *cloud, times uint32) *abcGeom {
	timed := func(name, meta string, t abcType) *abcProperty {
		return &abcProperty{name: name, meta: meta, typ: t, times: times}
	}
	scope := "vtx"
	if info.Part == NeedsParticles {
		scope = "var"
	}
	g := &abcGeom{
		names: c.names, width: info.Width,
		bounds: timed(".selfBnds", "interpretation=box", abcBox),
		pos:    timed("P", abcMeta("geoScope="+scope, "interpretation=point"), abcVector),
	}
	g.bounds.scalar = true
	if !info.Still {
		g.velocities = timed(".velocities", "interpretation=vector", abcVector)
	}
	if info.Part == NeedsMesh {
		g.name, g.schema = "liquid", "AbcGeom_PolyMesh_v1"
		g.corners, g.counts = timed(".faceIndices", "", abcInt), timed(".faceCounts", "", abcInt)
		if !info.Flat {
			g.normals = timed("N", abcParam("vtx", "normal", abcVector), abcVector)
		}
	} else {
		g.name, g.schema = "particles", "AbcGeom_Points_v1"
		g.ids = timed(".pointIds", "geoScope=var", abcID)
		of := "con"
		if c.varies {
			of = "var"
		}
		g.widths = timed(".widths", abcParam(of, "", abcFloat), abcFloat)
	}
	for k, f := range c.Fields {
		t, what := abcFloat, ""
		switch {
		case f.Vector != nil:
			t, what = abcVector, "vector"
		case f.Whole:
			t = abcInt
		}
		g.fields = append(g.fields, timed(c.names[k], abcParam(scope, what, t), t))
	}
	return g
}

// compound returns the property of the object that has all others.
func (g *abcGeom) compound() *abcProperty {
	p := &abcProperty{name: ".geom", meta: abcMeta("schema="+g.schema, "schemaBaseType=AbcGeom_GeomBase_v1")}
	for _, q := range []*abcProperty{g.bounds, g.pos, g.corners, g.counts, g.ids, g.velocities, g.normals, g.widths} {
		if q != nil {
			p.sub = append(p.sub, q)
		}
	}
	if len(g.fields) > 0 {
		p.sub = append(p.sub, &abcProperty{name: ".arbGeomParams", sub: g.fields})
	}
	return p
}

// object writes the geometry, once it has all samples.
func (g *abcGeom) object(w *abcWriter) abcChild {
	meta := abcMeta("schema="+g.schema, "schemaBaseType=AbcGeom_GeomBase_v1", "schemaObjTitle="+g.schema+":.geom")
	o := w.object([]*abcProperty{g.compound()}, nil)
	return abcChild{name: g.name, meta: meta, place: o.place, hash: o.hashWith(meta, g.name)}
}

// add writes the samples of a frame.
func (g *abcGeom) add(w *abcWriter, c *cloud) error {
	pos, vel := c.points()
	for _, v := range []struct {
		p *abcProperty
		v []vec.Vec3
	}{{g.pos, pos}, {g.velocities, vel}, {g.normals, c.normals()}} {
		if v.p == nil {
			continue
		}
		if err := w.rows(v.p, len(pos), rowColumn{vector: v.v}); err != nil {
			return err
		}
	}
	for k, f := range c.Fields {
		if err := w.rows(g.fields[k], len(pos), columnOf(f)); err != nil {
			return err
		}
	}
	w.put(g.bounds, boundsOf(pos))
	if g.corners != nil {
		tri := c.Mesh.Tri
		b := w.room(12 * len(tri))
		par.For(len(tri), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for k, v := range tri[i] { // clockwise
					binary.LittleEndian.PutUint32(b[12*i+4*(2-k):], uint32(v))
				}
			}
		})
		w.put(g.corners, b)
		b = w.room(4 * len(tri))
		for i := range tri {
			binary.LittleEndian.PutUint32(b[4*i:], 3)
		}
		w.put(g.counts, b)
		return nil
	}
	ids := c.Particles.ID
	b := w.room(8 * len(ids))
	for i, id := range ids {
		binary.LittleEndian.PutUint64(b[8*i:], uint64(id))
	}
	w.put(g.ids, b)
	if c.varies {
		return w.rows(g.widths, len(pos), rowColumn{scalar: c.widths})
	}
	w.put(g.widths, binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(g.width))))
	return nil
}

// room returns memory for a sample, good until the next call.
func (w *abcWriter) room(n int) []byte {
	if n > cap(w.buf) {
		w.buf = make([]byte, n+n/8)
	}
	return w.buf[:n]
}

// rows adds a sample of n rows of c to p.
func (w *abcWriter) rows(p *abcProperty, n int, c rowColumn) error {
	if c.vector == nil && c.scalar == nil {
		c.vector = []vec.Vec3{} // of nothing
	}
	size := c.size()
	b := w.room(n * size)
	bad := par.Max(n, -1, func(lo, hi int) float64 {
		worst := -1.
		for i := lo; i < hi; i++ {
			if !c.put(b[i*size:][:size:size], i) {
				worst = max(worst, float64(i))
			}
		}
		return worst
	})
	if bad >= 0 {
		return fmt.Errorf("%s: value %d is not finite", p.name, int(bad))
	}
	w.put(p, b)
	return nil
}

// boundsOf returns the least and the greatest coordinates of x as float64;
// without any, the box that includes nothing.
func boundsOf(x []vec.Vec3) []byte {
	box := vec.Box{Min: vec.New(1, 1, 1).Mul(math.MaxFloat64), Max: vec.New(-1, -1, -1).Mul(math.MaxFloat64)}
	for _, p := range x {
		box = box.Include(p.Round())
	}
	var b []byte
	for _, v := range []float64{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// Check tests that the root group is the end of the file.
func (a *alembic) Check(r io.ReaderAt, size int64) (string, error) {
	meta, err := ogawa.RootData(r, size, abcRoots, abcArchiveMeta)
	if err != nil {
		return "", fmt.Errorf("abc: %w", err)
	}
	for pair := range strings.SplitSeq(string(meta), ";") {
		if mark, ok := strings.CutPrefix(pair, abcFingerprint); ok {
			if err := store.CheckFingerprint(mark); err != nil {
				return "", fmt.Errorf("abc: %w", err)
			}
			return mark, nil
		}
	}
	return "", errors.New("abc: not a file written by this program")
}

// PointBytes implements Sized: triangles have a number of corners, and particles
// a number of 8 bytes.
func (a *alembic) PointBytes(part Part, numbers int) float64 {
	if part == NeedsMesh {
		return float64(vertexBytes + 2*4 + 4*numbers)
	}
	return float64(particleBytes + 4 + 4*numbers)
}
