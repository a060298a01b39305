package out

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// wedge is a body without symmetry, so that a wrongly turned or mirrored one differs.
func wedge() *mesh.Mesh {
	return &mesh.Mesh{
		Pos: []vec.Vec3{{X: -0.25, Y: -0.25, Z: -0.125}, {X: 0.75, Y: -0.25, Z: -0.125}, {X: -0.25, Y: 0.25, Z: -0.125}, {X: -0.25, Y: -0.25, Z: 0.375}},
		Tri: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
}

// withBodies returns frame i of a liquid in which a body falls and turns and
// another stays.
func withBodies(i int) *Frame {
	f := archiveFrame(i, NeedsMesh)
	moving := particle.Body{X: vec.New(0.5, 2-0.25*float64(i), 1), Turn: vec.Turn(vec.New(0.3, 0.4*float64(i), -0.2))}
	moving.Round()
	ball := mesh.Sphere(vec.Vec3{}, 0.5, 8)
	f.Objects = []Object{{Name: "box-2", Mesh: wedge(), Body: moving}, {Name: "ball", Mesh: ball, Body: particle.Body{X: vec.New(-1, 0, 0.5), Turn: vec.NoTurn}}}
	return f
}

// moved returns p after a matrix for rows.
func moved(p vec.Vec3, m []float64) vec.Vec3 {
	at := func(k int) float64 { return p.X*m[k] + p.Y*m[4+k] + p.Z*m[8+k] + m[12+k] }
	return vec.New(at(0), at(1), at(2))
}

// samePlace checks that a mesh moved by a matrix lies at the object's place.
func samePlace(t *testing.T, what string, o *Object, pos []vec.Vec3, m []float64) {
	t.Helper()
	want := o.Placed()
	if len(pos) != len(want.Pos) {
		t.Fatalf("%s: %d points, want %d", what, len(pos), len(want.Pos))
	}
	for k, p := range pos {
		if got := moved(p, m); got.Sub(want.Pos[k]).Len() > 1e-6*max(1, want.Pos[k].Len()) {
			t.Fatalf("%s: point %d is at %v, want %v", what, k, got, want.Pos[k])
		}
	}
}

// bodyAxes are those that archives with bodies are tried in.
var bodyAxes = []Axes{{}, {ZUp: true, Unit: 0.01}}

func writeBodyArchive(t *testing.T, a Archive, axes Axes) string {
	t.Helper()
	d := outtest.Dir(t, store.OpenDir)
	info := archiveInfo(NeedsMesh, 5)
	info.First, info.Axes = 3, axes
	if err := writeArchive(t.Context(), d, "a", a, info, func(i int) (*Frame, error) { return withBodies(i).In(axes), nil }); err != nil {
		t.Fatal(err)
	}
	return outtest.Contents(t, d, "a")
}

// abcBodyHashes are the hashes of the properties and of the children of the bodies, as
// Alembic 1.8.12 writes them.
var abcBodyHashes = [][2]string{
	{"e4e85d8e35b5286bf0e08e8cb41abe31", "d0b76dfe6718d35b3e7146df2c0f99aa"},
	{"fdb46b6f9a891a15fd24e5976a758021", "532fe6ac9656fd9be6cfdfcbd82ab55f"},
}

// Alembic has a transform for each body, with a sample a frame, and below it a
// mesh that stays as it is.
func TestAlembicBodies(t *testing.T) {
	for _, axes := range bodyAxes {
		top := readABCTop(t, writeBodyArchive(t, &alembic{}, axes))
		var names []string
		for _, o := range top.children {
			names = append(names, o.name)
		}
		if !slices.Equal(names, []string{"liquid", "box-2", "ball"}) {
			t.Fatalf("objects %v", names)
		}
		for k, o := range top.children[1:] {
			if o.meta != "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform" || len(o.children) != 1 {
				t.Fatalf("%s: %s, %d children", o.name, o.meta, len(o.children))
			}
			if got := [2]string{o.hash, o.kids}; axes.Ours() && got != abcBodyHashes[k] {
				t.Errorf("%s has the hashes %v, want %v", o.name, got, abcBodyHashes[k])
			}
			shape := o.children[0]
			if shape.name != o.name+"Shape" || !strings.HasPrefix(shape.meta, "schema=AbcGeom_PolyMesh_v1;") || len(shape.props[".geom/P"].samples) != 1 {
				t.Errorf("%s: %s, %s", o.name, shape.name, shape.meta)
			}
			if ops := o.props[".xform/.ops"]; ops.pod != 1 || ops.extent != 1 || len(ops.samples) != 5 || ops.samples[0][0] != 0x30 {
				t.Errorf("%s: operations %+v", o.name, ops)
			}
			for i := range 5 {
				want := withBodies(i).In(axes).Objects[k]
				var m []float64
				for _, v := range o.props[".xform/.vals"].ints(i, 8) {
					m = append(m, math.Float64frombits(v))
				}
				if len(m) != 16 {
					t.Fatalf("a matrix of %d numbers", len(m))
				}
				samePlace(t, fmt.Sprintf("%s, frame %d", o.name, i), &want, shape.props[".geom/P"].vectors(0), m)
				if in := o.props[".xform/.inherits"].samples[i]; !slices.Equal(in, []byte{1}) {
					t.Errorf("%s: inherits %v", o.name, in)
				}
			}
			var corners []uint64
			for _, tri := range withBodies(0).Objects[k].Mesh.Tri {
				corners = append(corners, uint64(tri[2]), uint64(tri[1]), uint64(tri[0])) // clockwise
			}
			if got := shape.props[".geom/.faceIndices"].ints(0, 4); !slices.Equal(got, corners) {
				t.Errorf("%s: corners %v, want %v", o.name, got, corners)
			}
			if animated := o.props[".xform/.animChans"]; (animated != nil) != (o.name == "box-2") {
				t.Errorf("%s: channels that change %v", o.name, animated)
			}
			if o.props[".xform/isNotConstantIdentity"] == nil {
				t.Errorf("%s stands where it was built", o.name)
			}
		}
	}
}

// USD has an Xform for each body, with a sample a frame, and below it a Mesh
// without.
func TestUSDBodies(t *testing.T) {
	for _, axes := range bodyAxes {
		u := readUSD(t, writeBodyArchive(t, &usda{}, axes))
		for k, name := range []string{"box_2", "ball"} {
			path := "/liquid/" + name
			if u.prims[path] != "Xform" || u.prims[path+"/surface"] != "Mesh" {
				t.Fatalf("prims %v", u.prims)
			}
			if got := u.attrs["token[] "+path+".xformOpOrder"][-1]; got != `[ "xformOp:transform" ]` {
				t.Errorf("order %q", got)
			}
			var pos []vec.Vec3
			at := u.numbers("point3f[] "+path+"/surface.points", -1)
			for ; len(at) > 0; at = at[3:] {
				pos = append(pos, vec.New(at[0], at[1], at[2]))
			}
			matrix := "matrix4d " + path + ".xformOp:transform"
			if len(u.attrs[matrix]) != 5 {
				t.Errorf("%d samples", len(u.attrs[matrix]))
			}
			for i := range 5 {
				want := withBodies(i).In(axes).Objects[k]
				samePlace(t, fmt.Sprintf("%s, frame %d", name, i), &want, pos, u.numbers(matrix, 3+i))
			}
			var corners []float64
			for _, tri := range withBodies(0).Objects[k].Mesh.Tri {
				corners = append(corners, float64(tri[0]), float64(tri[1]), float64(tri[2]))
			}
			if got := u.numbers("int[] "+path+"/surface.faceVertexIndices", -1); !slices.Equal(got, corners) {
				t.Errorf("corners %v, want %v", got, corners)
			}
			if got := u.attrs["token "+path+"/surface.orientation"][-1]; got != `"rightHanded"` {
				t.Errorf("orientation %s", got)
			}
		}
	}
	if got := usdName("2-a", []string{"_2_a"}); got != "_2_a_" {
		t.Errorf("2-a is called %s", got)
	}
}

// glTF has a node for each body, turned and moved; what it is of is a mesh of its
// own.
func TestGLBBodies(t *testing.T) {
	for _, liquid := range []*mesh.Mesh{mesh.Sphere(vec.Vec3{}, 1, 12), {}} {
		f := withBodies(2)
		f.Mesh, f.Fields = liquid, nil
		file := readGLB(t, encode(t, &glb{}, f))
		var doc struct {
			Scenes []struct{ Nodes []int }
			Nodes  []struct {
				Name                  string
				Mesh                  *int
				Translation, Rotation []float64
			}
			Meshes []struct {
				Primitives []struct {
					Attributes map[string]int
					Indices    int
				}
			}
		}
		text, err := json.Marshal(file.doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Nodes) != 3 || !slices.Equal(doc.Scenes[0].Nodes, []int{0, 1, 2}) {
			t.Fatalf("nodes %v", doc.Nodes)
		}
		if (doc.Nodes[0].Mesh != nil) != (len(liquid.Tri) > 0) {
			t.Error("the liquid has a mesh of nothing, or none")
		}
		for k, node := range doc.Nodes[1:] {
			want := &f.Objects[k]
			if node.Name != want.Name || node.Mesh == nil {
				t.Fatalf("node %+v", node)
			}
			prim := doc.Meshes[*node.Mesh].Primitives[0]
			q := vec.Quat{X: node.Rotation[0], Y: node.Rotation[1], Z: node.Rotation[2], W: node.Rotation[3]}.Columns()
			x := node.Translation
			m := []float64{q[0].X, q[0].Y, q[0].Z, 0, q[1].X, q[1].Y, q[1].Z, 0, q[2].X, q[2].Y, q[2].Z, 0, x[0], x[1], x[2], 1}
			var pos []vec.Vec3
			for at := file.arrays[prim.Attributes["POSITION"]]; len(at) > 0; at = at[3:] {
				pos = append(pos, vec.New(at[0], at[1], at[2]))
			}
			samePlace(t, node.Name, want, pos, m)
			var corners []float64
			for _, tri := range want.Mesh.Tri {
				corners = append(corners, float64(tri[0]), float64(tri[1]), float64(tri[2]))
			}
			if got := file.arrays[prim.Indices]; !slices.Equal(got, corners) {
				t.Errorf("%s: corners %v, want %v", node.Name, got, corners)
			}
		}
	}
}

// Bodies that cannot be kept are named, and those that are other in a later frame.
func TestBodiesFail(t *testing.T) {
	for says, change := range map[string]func(i int, f *Frame){
		"frame 3 has the objects [box-2], but the first frame [box-2 ball]": func(i int, f *Frame) {
			if i == 2 {
				f.Objects = f.Objects[:1]
			}
		},
		"a unique name":         func(_ int, f *Frame) { f.Objects[1].Name = "box-2" },
		"letters, digits":       func(_ int, f *Frame) { f.Objects[1].Name = "a b" },
		"an index out of range": func(_ int, f *Frame) { f.Objects[0].Mesh.Tri[3][1] = 9 },
	} {
		for _, a := range []Archive{&alembic{}, &usda{}} {
			err := writeArchive(t.Context(), outtest.Dir(t, store.OpenDir), "a", a, archiveInfo(NeedsMesh, 4), func(i int) (*Frame, error) {
				f := withBodies(i)
				change(i, f)
				return f, nil
			})
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %s", a.Ext(), err, says)
			}
		}
	}
}

// A quarter turn about z takes x to y.
func TestObjectMatrix(t *testing.T) {
	o := Object{Body: particle.Body{X: vec.New(1, 2, 3), Turn: vec.Turn(vec.New(0, 0, math.Pi/2))}}
	m := o.matrix()
	for i, want := range [4][4]float64{{0, 1, 0, 0}, {-1, 0, 0, 0}, {0, 0, 1, 0}, {1, 2, 3, 1}} {
		for j := range want {
			if math.Abs(m[i][j]-want[j]) > 1e-15 {
				t.Errorf("row %d is %v, want %v", i, m[i], want)
			}
		}
	}
}
