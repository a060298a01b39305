package out

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/out/particles"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// glbFile is a file read by the specification alone: the document as it is, and
// the numbers of each accessor.
type glbFile struct {
	doc    map[string]any
	arrays [][]float64
}

// readGLB reads a file, whose chunks and views must lie as section 4.4 of the
// specification requires.
func readGLB(t *testing.T, data []byte) *glbFile {
	t.Helper()
	le := binary.LittleEndian
	if string(data[:4]) != "glTF" || le.Uint32(data[4:]) != 2 || int(le.Uint32(data[8:])) != len(data) {
		t.Fatalf("head % x of %d bytes", data[:12], len(data))
	}
	chunks := map[string][]byte{}
	for at := 12; at < len(data); {
		n := int(le.Uint32(data[at:]))
		if n%4 != 0 || at%4 != 0 {
			t.Fatalf("a chunk of %d bytes at %d", n, at)
		}
		chunks[strings.TrimRight(string(data[at+4:at+8]), "\x00")] = data[at+8 : at+8+n]
		at += 8 + n
	}
	f := &glbFile{}
	if err := json.Unmarshal(chunks["JSON"], &f.doc); err != nil {
		t.Fatal(err)
	}
	list := func(key string) []any { l, _ := f.doc[key].([]any); return l }
	number := func(m map[string]any, key string) int { v, _ := m[key].(float64); return int(v) }
	for _, a := range list("accessors") {
		a := a.(map[string]any)
		view := list("bufferViews")[number(a, "bufferView")].(map[string]any)
		bytes := chunks["BIN"][number(view, "byteOffset"):][:number(view, "byteLength")]
		width := map[any]int{"SCALAR": 1, "VEC3": 3}[a["type"]]
		if len(bytes) != 4*width*number(a, "count") || number(view, "byteOffset")%4 != 0 {
			t.Fatalf("%d bytes for %v", len(bytes), a)
		}
		var v []float64
		for ; len(bytes) > 0; bytes = bytes[4:] {
			if n := le.Uint32(bytes); number(a, "componentType") == 5126 {
				v = append(v, float64(math.Float32frombits(n)))
			} else {
				v = append(v, float64(n))
			}
		}
		f.arrays = append(f.arrays, v)
	}
	if len(list("buffers")) == 1 {
		if n := number(list("buffers")[0].(map[string]any), "byteLength"); n != len(chunks["BIN"]) {
			t.Fatalf("a buffer of %d bytes in a chunk of %d", n, len(chunks["BIN"]))
		}
	}
	return f
}

// primitive returns the parts of the one mesh.
func (f *glbFile) primitive() (attributes map[string]any, indices []float64) {
	m := f.doc["meshes"].([]any)[0].(map[string]any)
	p := m["primitives"].([]any)[0].(map[string]any)
	return p["attributes"].(map[string]any), f.arrays[int(p["indices"].(float64))]
}

func inRows(v []vec.Vec3) (all []float64) {
	for _, x := range v {
		x = x.Round()
		all = append(all, x.X, x.Y, x.Z)
	}
	return all
}

func TestGLBBack(t *testing.T) {
	f := testFrame(3, 4)
	f.Fields = []particles.Field{{Name: "speed"}, {Name: "vorticity"}}
	for i := range f.Mesh.Pos {
		f.Fields[0].Scalar = append(f.Fields[0].Scalar, float64(i)/4)
		f.Fields[1].Vector = append(f.Fields[1].Vector, vec.New(float64(i), 0.5, -1))
	}
	file := readGLB(t, encode(t, &glb{}, f))
	attributes, indices := file.primitive()
	for name, want := range map[string][]float64{
		"POSITION": inRows(f.Mesh.Pos), "NORMAL": inRows(f.Mesh.Nrm), "_VELOCITY": inRows(f.Mesh.Vel), "_SPEED": f.Fields[0].Scalar, "_VORTICITY": inRows(f.Fields[1].Vector),
	} {
		at, ok := attributes[name].(float64)
		if !ok || !slices.Equal(file.arrays[int(at)], want) {
			t.Errorf("%s is not what was written", name)
		}
	}
	if len(attributes) != 5 {
		t.Errorf("attributes %v", attributes)
	}
	var corners []float64
	for _, tri := range f.Mesh.Tri {
		corners = append(corners, float64(tri[0]), float64(tri[1]), float64(tri[2]))
	}
	if !slices.Equal(indices, corners) {
		t.Error("other triangles than were written")
	}
	position := file.doc["accessors"].([]any)[0].(map[string]any)
	box := f.Mesh.Bounds()
	for key, want := range map[string]vec.Vec3{"min": box.Min, "max": box.Max} {
		got := position[key].([]any)
		if len(got) != 3 || float32(got[0].(float64)) != float32(want.X) || float32(got[1].(float64)) != float32(want.Y) || float32(got[2].(float64)) != float32(want.Z) {
			t.Errorf("%s %v, want %v", key, got, want)
		}
	}
}

// Arrays of glTF are not empty, so an empty mesh is left out.
func TestGLBNothing(t *testing.T) {
	data := encode(t, &glb{}, &Frame{Mesh: &mesh.Mesh{}, Fingerprint: "c0ffee"})
	file := readGLB(t, data)
	for _, key := range []string{"meshes", "accessors", "bufferViews", "buffers"} {
		if v, there := file.doc[key]; there {
			t.Errorf("%s: %v", key, v)
		}
	}
	if mark, err := (&glb{}).Check(bytes.NewReader(data), int64(len(data))); mark != "c0ffee" || err != nil {
		t.Errorf("fingerprint %q, %v", mark, err)
	}
}

func TestGLBFails(t *testing.T) {
	for what, change := range map[string]func(f *Frame){
		"a corner beyond float32":   func(f *Frame) { f.Mesh.Pos[3].Y = 1e39 },
		"a velocity of no number":   func(f *Frame) { f.Mesh.Vel[3].Y = math.NaN() },
		"a field of another length": func(f *Frame) { f.Fields = []particles.Field{{Name: "speed", Scalar: make([]float64, 3)}} },
		"a field called velocity": func(f *Frame) {
			f.Fields = []particles.Field{{Name: "Velocity", Scalar: make([]float64, len(f.Mesh.Pos))}}
		},
	} {
		f := testFrame(1, 4)
		change(f)
		if err := (&glb{}).Encode(io.Discard, f); err == nil {
			t.Errorf("wrote %s", what)
		}
	}
}
