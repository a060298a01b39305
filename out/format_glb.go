package out

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breakwater/out/store"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Formats.Add("glb", "liquid surfaces with normals and materials, and with velocities and attributes as _VELOCITY and similar, for the web and 3D programs, as binary glTF",
		"Khronos Group, glTF 2.0 Specification, 2021", func() PerFrame { return &glb{} })
}

// glb writes a scene of a node for the liquid, and one for each solid that moves,
// each with a mesh of float32 and uint32 arrays, one after the other. A surface
// of nothing is a node without a mesh, since arrays of glTF are not empty. See
// gltf_material.go for materials.
type glb struct{}

func (g *glb) Needs() Part { return NeedsMesh | NeedsVelocities | NeedsFields | NeedsMaterials }

func (g *glb) Ext() string { return "glb" }

// The constants of the specification: GLB (section 4.4), accessors (3.6.2.2) and buffer
// targets (3.6.2.4).
const (
	glbMagic    = 0x46546C67 // glTF
	glbJSON     = 0x4E4F534A
	glbBin      = 0x004E4942
	gltfFloat   = 5126
	gltfUint    = 5125
	gltfVertex  = 34962
	gltfIndices = 34963
)

// The parts of a document that are used here.
type (
	gltf struct {
		Asset       gltfAsset      `json:"asset"`
		Extensions  []string       `json:"extensionsUsed,omitempty"`
		Scene       int            `json:"scene"`
		Scenes      []gltfScene    `json:"scenes"`
		Nodes       []gltfNode     `json:"nodes"`
		Meshes      []gltfMesh     `json:"meshes,omitempty"`
		Materials   []gltfMaterial `json:"materials,omitempty"`
		Accessors   []gltfAccessor `json:"accessors,omitempty"`
		BufferViews []gltfView     `json:"bufferViews,omitempty"`
		Buffers     []gltfBuffer   `json:"buffers,omitempty"`
	}
	gltfAsset struct {
		Version   string            `json:"version"`
		Generator string            `json:"generator"`
		Extras    map[string]string `json:"extras"` // in the order of its keys, as json writes maps
	}
	gltfScene struct {
		Nodes []int `json:"nodes"`
	}
	gltfNode struct {
		Name        string    `json:"name"`
		Mesh        *int      `json:"mesh,omitempty"`
		Translation []float32 `json:"translation,omitempty"`
		Rotation    []float32 `json:"rotation,omitempty"` // x, y, z, w
	}
	gltfMesh struct {
		Name       string          `json:"name"`
		Primitives []gltfPrimitive `json:"primitives"`
	}
	gltfPrimitive struct {
		Attributes map[string]int `json:"attributes"`
		Indices    int            `json:"indices"`
		Material   *int           `json:"material,omitempty"`
	}
	gltfAccessor struct {
		BufferView    int       `json:"bufferView"`
		ComponentType int       `json:"componentType"`
		Count         int       `json:"count"`
		Type          string    `json:"type"`
		Min           []float32 `json:"min,omitempty"`
		Max           []float32 `json:"max,omitempty"`
	}
	gltfView struct {
		Buffer     int   `json:"buffer"`
		ByteOffset int64 `json:"byteOffset"`
		ByteLength int64 `json:"byteLength"`
		Target     int   `json:"target"`
	}
	gltfBuffer struct {
		ByteLength int64 `json:"byteLength"`
	}
)

// array adds an array at the end of the buffer and returns its number.
func (d *gltf) array(a gltfAccessor, size, target int) int {
	if len(d.Buffers) == 0 {
		d.Buffers = []gltfBuffer{{}}
	}
	length := int64(a.Count) * int64(size)
	a.BufferView = len(d.BufferViews)
	d.Accessors = append(d.Accessors, a)
	d.BufferViews = append(d.BufferViews, gltfView{ByteOffset: d.Buffers[0].ByteLength, ByteLength: length, Target: target})
	d.Buffers[0].ByteLength += length
	return a.BufferView
}

func (g *glb) Encode(w io.Writer, f *Frame) error {
	m := f.Mesh
	if err := checkMesh(m); err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	notes, err := f.notes()
	if err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	doc := gltf{
		Asset:  gltfAsset{Version: "2.0", Generator: "Breakwater", Extras: map[string]string{}},
		Scenes: []gltfScene{{Nodes: []int{0}}}, Nodes: []gltfNode{{Name: "liquid"}},
	}
	for _, n := range notes {
		doc.Asset.Extras[n.key] = n.value
	}
	if err := checkMaterials(f.Materials()); err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	var parts []glbPart
	if len(m.Tri) > 0 {
		var taken []string
		part, err := doc.part("liquid", m)
		if err != nil {
			return err
		}
		if len(m.Vel) > 0 {
			taken = []string{"velocity"}
			part.add("_VELOCITY", rowColumn{vector: m.Vel})
		}
		for _, field := range f.Fields {
			name, err := fieldName(field, len(m.Pos), taken)
			if err == nil && part.attributes["_"+strings.ToUpper(name)] != 0 {
				err = fmt.Errorf("field %q differs from another one only by case", field.Name)
			}
			if err != nil {
				return fmt.Errorf("glb: %w", err)
			}
			taken = append(taken, name)
			part.add("_"+strings.ToUpper(name), rowColumn{vector: field.Vector, scalar: field.Scalar})
		}
		doc.Nodes[0].Mesh = part.end([]painted{{material: f.Material, tri: m.Tri}}, f.Axes.unit())
		parts = append(parts, *part)
	}
	for _, o := range f.Objects {
		part, err := doc.object(&o, f.Axes.unit())
		if err != nil {
			return err
		}
		if part != nil {
			parts = append(parts, *part)
		}
	}
	text, err := json.Marshal(&doc)
	if err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	size := int64(12 + 8 + len(text))
	if len(doc.Buffers) > 0 {
		size += 8 + doc.Buffers[0].ByteLength
	}
	if err := glbFits(size); err != nil {
		return err
	}
	var head []byte
	for _, v := range []uint32{glbMagic, 2, uint32(size), uint32(len(text)), glbJSON} {
		head = binary.LittleEndian.AppendUint32(head, v)
	}
	head = append(head, text...)
	if len(doc.Buffers) > 0 {
		head = binary.LittleEndian.AppendUint32(head, uint32(doc.Buffers[0].ByteLength))
		head = binary.LittleEndian.AppendUint32(head, glbBin)
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, part := range parts {
		if err := part.write(w); err != nil {
			return err
		}
	}
	return nil
}

// glbPart is a mesh of a document, with its arrays in the order in which they
// lie.
type glbPart struct {
	doc        *gltf
	name       string
	mesh       *mesh.Mesh
	columns    []rowColumn
	attributes map[string]int
	painted    []painted // the triangles
}

// part begins a mesh, which has triangles, with its positions and normals.
func (d *gltf) part(name string, m *mesh.Mesh) (*glbPart, error) {
	if bad := notFinite(m.Pos); bad >= 0 { // JSON has no bounds for it
		return nil, fmt.Errorf("glb: %s: vertex %d is at %v", name, bad, m.Pos[bad])
	}
	p := &glbPart{doc: d, name: name, mesh: m, attributes: map[string]int{}}
	p.add("POSITION", rowColumn{vector: m.Pos})
	if len(m.Nrm) > 0 {
		p.add("NORMAL", rowColumn{vector: m.Nrm})
	}
	return p, nil
}

// add adds an attribute of the vertices.
func (p *glbPart) add(name string, c rowColumn) {
	a := gltfAccessor{ComponentType: gltfFloat, Count: len(p.mesh.Pos), Type: "SCALAR"}
	if c.vector != nil {
		a.Type = "VEC3"
	}
	if name == "POSITION" { // section 3.7.2.1 requires its bounds
		box := p.mesh.Bounds()
		a.Min, a.Max = float32s(box.Min), float32s(box.Max)
	}
	p.attributes[name] = p.doc.array(a, c.size(), gltfVertex)
	p.columns = append(p.columns, c)
}

// end adds the triangles by their materials, for a mesh in a unit of length, and returns the
// number of the mesh.
func (p *glbPart) end(triangles []painted, unit float64) *int {
	m := gltfMesh{Name: p.name}
	for _, part := range triangles {
		primitive := gltfPrimitive{
			Attributes: p.attributes,
			Indices:    p.doc.array(gltfAccessor{ComponentType: gltfUint, Count: 3 * len(part.tri), Type: "SCALAR"}, 4, gltfIndices),
		}
		if part.material != nil {
			primitive.Material = p.doc.material(gltfMaterialOf(part.material, p.mesh, unit))
		}
		m.Primitives = append(m.Primitives, primitive)
	}
	p.painted = triangles
	p.doc.Meshes = append(p.doc.Meshes, m)
	n := len(p.doc.Meshes) - 1
	return &n
}

// material adds a material and returns its number.
func (d *gltf) material(m gltfMaterial) *int {
	n := len(d.Materials)
	d.Materials = append(d.Materials, m)
	d.Extensions = append(d.Extensions, m.Extensions.used()...)
	slices.Sort(d.Extensions)
	d.Extensions = slices.Compact(d.Extensions)
	return &n
}

// object adds a node for a solid, turned and moved to where it is, with a mesh
// unless it has no triangles.
func (d *gltf) object(o *Object, unit float64) (part *glbPart, err error) {
	x, q := o.Body.X, o.Body.Turn
	if !validObject(o.Name) {
		return nil, fmt.Errorf("glb: object %q: expected a name of letters, digits, - and _", o.Name)
	}
	if !x.Round().Finite() {
		return nil, fmt.Errorf("glb: object %s is at %v", o.Name, x)
	}
	if err := checkMesh(o.Mesh); err != nil {
		return nil, fmt.Errorf("glb: object %s: %w", o.Name, err)
	}
	node := gltfNode{Name: o.Name, Translation: float32s(x), Rotation: []float32{float32(q.X), float32(q.Y), float32(q.Z), float32(q.W)}}
	if len(o.Mesh.Tri) > 0 {
		if part, err = d.part(o.Name, o.Mesh); err != nil {
			return nil, err
		}
		triangles, err := o.painted()
		if err != nil {
			return nil, fmt.Errorf("glb: object %s: %w", o.Name, err)
		}
		node.Mesh = part.end(triangles, unit)
	}
	d.Scenes[0].Nodes = append(d.Scenes[0].Nodes, len(d.Nodes))
	d.Nodes = append(d.Nodes, node)
	return part, nil
}

// write writes the arrays.
func (p *glbPart) write(w io.Writer) error {
	for k := range p.columns {
		c := &p.columns[k]
		err := writeRows(w, len(p.mesh.Pos), c.size(), func(b []byte, i int) error {
			if !c.put(b, i) {
				return fmt.Errorf("glb: %s: vertex %d: a value is not finite", p.name, i)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, part := range p.painted {
		err := writeRows(w, len(part.tri), 12, func(b []byte, i int) error {
			for k, v := range part.tri[i] {
				binary.LittleEndian.PutUint32(b[4*k:], uint32(v))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// glbFits returns an error if the number of bytes exceeds the 32 bits of a file's
// header.
func glbFits(size int64) error {
	if size > math.MaxUint32 {
		return fmt.Errorf("glb: %.2f GB are more than the 4.29 GB that a file can hold; write plymesh, vtp or abc, or choose a larger spacing", float64(size)/1e9)
	}
	return nil
}

func float32s(v vec.Vec3) []float32 { return []float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// longestGLTF bounds the document of a file of ours.
const longestGLTF = 1 << 22

func (g *glb) Check(r io.ReaderAt, size int64) (string, error) {
	var head [20]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return "", errors.New("glb: cut short in its header")
	}
	word := func(k int) int64 { return int64(binary.LittleEndian.Uint32(head[4*k:])) }
	if word(0) != glbMagic || word(1) != 2 || word(4) != glbJSON || word(3) > longestGLTF {
		return "", errors.New("glb: not a file written by this program")
	}
	switch want := word(2); {
	case size < want:
		return "", fmt.Errorf("glb: cut short at byte %d of %d", size, want)
	case size > want:
		return "", fmt.Errorf("glb: %d bytes after its end", size-want)
	}
	text := make([]byte, word(3))
	if _, err := r.ReadAt(text, int64(len(head))); err != nil {
		return "", errors.New("glb: cut short in its document")
	}
	var doc gltf
	if err := json.Unmarshal(text, &doc); err != nil {
		return "", fmt.Errorf("glb: its document: %w", err)
	}
	want := int64(len(head) + len(text))
	if len(doc.Buffers) == 1 {
		want += 8 + doc.Buffers[0].ByteLength
	}
	if want != size || doc.Asset.Generator != "Breakwater" {
		return "", errors.New("glb: not a file written by this program")
	}
	mark := doc.Asset.Extras[noteFingerprint]
	if err := store.CheckFingerprint(mark); err != nil {
		return "", fmt.Errorf("glb: %w", err)
	}
	return mark, nil
}

// PointBytes implements Sized.
func (g *glb) PointBytes(_ Part, numbers int) float64 { return float64(vertexBytes + 4*numbers) }
