package out

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"breakwater/sim/plug"
	"breakwater/sim/vec"
)

func init() {
	Formats.Register(plug.Entry[PerFrame]{
		Name: "glb",
		Doc:  "liquid surfaces with normals, and velocities and attributes as _VELOCITY and the like, for the web and 3D programs, as binary glTF",
		Cite: "Khronos Group, glTF 2.0 Specification, 2021",
		New: func(d plug.Decode) (PerFrame, error) {
			f := &glb{}
			return f, d(f)
		},
	})
}

// glb writes a scene of one node with one mesh of float32 and uint32 arrays,
// one after the other. A surface of nothing is a node without a mesh, since
// arrays of glTF are not empty.
type glb struct{}

func (g *glb) Needs() Part { return NeedsMesh | NeedsVelocities | NeedsFields }

func (g *glb) Ext() string { return "glb" }

// The numbers of the specification: of GLB (section 4.4), of accessors
// (3.6.2.2) and of what buffers are for (3.6.2.4).
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
		Scene       int            `json:"scene"`
		Scenes      []gltfScene    `json:"scenes"`
		Nodes       []gltfNode     `json:"nodes"`
		Meshes      []gltfMesh     `json:"meshes,omitempty"`
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
		Name string `json:"name"`
		Mesh *int   `json:"mesh,omitempty"`
	}
	gltfMesh struct {
		Name       string          `json:"name"`
		Primitives []gltfPrimitive `json:"primitives"`
	}
	gltfPrimitive struct {
		Attributes map[string]int `json:"attributes"`
		Indices    int            `json:"indices"`
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
	var columns []rowColumn
	prim := gltfPrimitive{Attributes: map[string]int{}}
	add := func(name string, c rowColumn) {
		a := gltfAccessor{ComponentType: gltfFloat, Count: len(m.Pos), Type: "SCALAR"}
		if c.vector != nil {
			a.Type = "VEC3"
		}
		if name == "POSITION" { // section 3.7.2.1 wants its bounds
			box := m.Bounds()
			a.Min, a.Max = float32s(box.Min), float32s(box.Max)
		}
		prim.Attributes[name] = doc.array(a, c.size(), gltfVertex)
		columns = append(columns, c)
	}
	if len(m.Tri) > 0 {
		if bad := notFinite(m.Pos); bad >= 0 { // JSON has no bounds for it
			return fmt.Errorf("glb: vertex %d is at %v", bad, m.Pos[bad])
		}
		add("POSITION", rowColumn{vector: m.Pos})
		if len(m.Nrm) > 0 {
			add("NORMAL", rowColumn{vector: m.Nrm})
		}
		var taken []string
		if len(m.Vel) > 0 {
			taken = []string{"velocity"}
			add("_VELOCITY", rowColumn{vector: m.Vel})
		}
		for _, field := range f.Fields {
			name, err := fieldName(field, len(m.Pos), taken)
			if err == nil && prim.Attributes["_"+strings.ToUpper(name)] != 0 {
				err = fmt.Errorf("field %q differs from another by the case of its letters only", field.Name)
			}
			if err != nil {
				return fmt.Errorf("glb: %w", err)
			}
			taken = append(taken, name)
			add("_"+strings.ToUpper(name), rowColumn{vector: field.Vector, scalar: field.Scalar})
		}
		prim.Indices = doc.array(gltfAccessor{ComponentType: gltfUint, Count: 3 * len(m.Tri), Type: "SCALAR"}, 4, gltfIndices)
		doc.Meshes = []gltfMesh{{Name: "liquid", Primitives: []gltfPrimitive{prim}}}
		doc.Nodes[0].Mesh = new(int)
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
	if len(m.Tri) == 0 {
		return nil
	}
	for k := range columns {
		c := &columns[k]
		err := writeRows(w, len(m.Pos), c.size(), func(b []byte, i int) error {
			if !c.put(b, i) {
				return fmt.Errorf("glb: vertex %d: a value is not finite", i)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return writeRows(w, len(m.Tri), 12, func(b []byte, i int) error {
		for k, v := range m.Tri[i] {
			binary.LittleEndian.PutUint32(b[4*k:], uint32(v))
		}
		return nil
	})
}

// glbFits returns an error if a file cannot have so many bytes, which it counts
// in 32 bits.
func glbFits(size int64) error {
	if size > math.MaxUint32 {
		return fmt.Errorf("glb: %.2f GB are more than the 4.29 that a file has at most; write plymesh, vtp or abc, or choose a larger spacing", float64(size)/1e9)
	}
	return nil
}

func float32s(v vec.Vec3) []float32 { return []float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// longestGLTF bounds the document of a file of ours.
const longestGLTF = 1 << 16

func (g *glb) Check(r io.ReaderAt, size int64) (string, error) {
	var head [20]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return "", errors.New("glb: cut short in its head")
	}
	word := func(k int) int64 { return int64(binary.LittleEndian.Uint32(head[4*k:])) }
	if word(0) != glbMagic || word(1) != 2 || word(4) != glbJSON || word(3) > longestGLTF {
		return "", errors.New("glb: not a file that this program wrote")
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
		return "", errors.New("glb: not a file that this program wrote")
	}
	mark := doc.Asset.Extras[noteFingerprint]
	if err := checkFingerprint(mark); err != nil {
		return "", fmt.Errorf("glb: %w", err)
	}
	return mark, nil
}

// PointBytes implements Sized.
func (g *glb) PointBytes(_ Part, numbers int) float64 { return float64(vertexBytes + 4*numbers) }
