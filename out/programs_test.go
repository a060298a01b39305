package out

import (
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"breakwater/out/programs"
	"breakwater/out/store"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// ball is a sphere about a point off every axis, so that a turned or mirrored file
// differs.
func ball() *Frame {
	m := mesh.Sphere(vec.New(1, 0.5, 0.25), 0.125, 24)
	for _, p := range m.Pos {
		m.Vel = append(m.Vel, vec.New(p.Y, 2*p.X, -1))
	}
	return &Frame{Index: 1, Mesh: m, Fingerprint: "c0ffee"}
}

// blenderSees is what testdata/blender.py prints of a file.
type blenderSees struct {
	File    string
	Fault   string
	Objects []blenderObject
}

type blenderObject struct {
	Name, Fault         string
	Vertices, Triangles int
	Volume              float64
	Min, Max            [3]float64
	Normals, Smooth     bool
	Materials           []blenderMaterial
	Of                  []int // the materials of the triangles
	Grids               map[string]string
	Sequence            bool
	Frames, Start       int
}

// blenderMaterial is a material as Cycles takes it.
type blenderMaterial struct {
	Name                                                      string
	Color, Glow                                               [3]float64
	Index, Transmission, Roughness, Metallic, Alpha, Specular float64

	Left    [3]float64 // of the inside
	Density float64
}

func blender(t *testing.T, files ...string) []blenderSees {
	t.Helper()
	args := append([]string{"-b", "--factory-startup", "--python-exit-code", "1", "--python", filepath.Join("testdata", "blender.py"), "--"}, files...)
	got := programs.Seen[blenderSees](t, programs.Run(t, nil, "blender", args...))
	if len(got) != len(files) {
		t.Fatalf("Blender has seen %d of %d files", len(got), len(files))
	}
	return got
}

// Blender opens the mesh formats the right way up, in metres, turned outward.
func TestBlenderMeshes(t *testing.T) {
	f := ball()
	folder := t.TempDir()
	want := map[string]struct {
		vertices int
		normals  bool // that Blender 3.4 takes
	}{
		"obj": {len(f.Mesh.Pos), true}, "plymesh": {len(f.Mesh.Pos), false}, "stl": {len(f.Mesh.Pos), false}, "glb": {len(f.Mesh.Pos), true},
	}
	var names, files []string
	for name := range want {
		format := registrytest.New(t, &Formats, name)
		path := filepath.Join(folder, name+"."+format.Ext())
		axes := AxesOf(format)
		if name == "stl" {
			axes.Unit = 1 // its own are millimetres, which Blender takes for metres
		}
		if err := os.WriteFile(path, encode(t, format, f.In(axes)), 0o666); err != nil {
			t.Fatal(err)
		}
		names, files = append(names, name), append(files, path)
	}
	box := f.In(Axes{ZUp: true}).Mesh.Bounds()
	for i, got := range blender(t, files...) {
		name := names[i]
		if got.Fault != "" || len(got.Objects) != 1 {
			t.Errorf("%s: %d objects, %s", name, len(got.Objects), got.Fault)
			continue
		}
		o := got.Objects[0]
		if o.Vertices != want[name].vertices || o.Triangles != len(f.Mesh.Tri) {
			t.Errorf("%s: %d vertices and %d triangles, want %d and %d", name, o.Vertices, o.Triangles, want[name].vertices, len(f.Mesh.Tri))
		}
		if math.Abs(o.Volume/f.Mesh.Volume()-1) > 1e-3 {
			t.Errorf("%s: a volume of %g m³, want %g", name, o.Volume, f.Mesh.Volume())
		}
		low, high := vec.New(o.Min[0], o.Min[1], o.Min[2]), vec.New(o.Max[0], o.Max[1], o.Max[2])
		if low.Sub(box.Min).Len() > 1e-5 || high.Sub(box.Max).Len() > 1e-5 {
			t.Errorf("%s: from %v to %v, want %v", name, low, high, box)
		}
		if o.Normals != want[name].normals {
			t.Errorf("%s: it has normals of its own: %v, want %v", name, o.Normals, want[name].normals)
		}
	}
}

// Blender opens volumes as the frames of one, with the grids that it knows by
// these names.
func TestBlenderVolumes(t *testing.T) {
	folder := t.TempDir()
	for i := range 3 {
		f := &Frame{Index: i + 1, Volume: ballVolume([3]int32{int32(i), 2, 3}, 5), Fingerprint: "c0ffee"}
		if err := os.WriteFile(filepath.Join(folder, store.FrameName("ball", i+1, 3, "vdb")), encode(t, &vdb{}, f), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := blender(t, filepath.Join(folder, "ball_0001.vdb"))[0]
	if got.Fault != "" || len(got.Objects) != 1 {
		t.Fatalf("%d objects, %s", len(got.Objects), got.Fault)
	}
	o := got.Objects[0]
	if !o.Sequence || o.Frames != 3 || o.Start != 1 || o.Fault != "" {
		t.Errorf("saw %+v, want a sequence of 3 frames from 1", o)
	}
	if want := map[string]string{"density": "FLOAT", "velocity": "VECTOR_FLOAT", "surface": "FLOAT"}; !maps.Equal(o.Grids, want) {
		t.Errorf("grids %v, want %v", o.Grids, want)
	}
}

// ParaView plays a list of meshes at their times, with velocities, normals and
// attributes.
func TestParaViewMeshes(t *testing.T) {
	folder := t.TempDir()
	d, err := store.OpenDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const frames = 3
	frame := func(i int) (*Frame, error) { return archiveFrame(i, NeedsMesh), nil }
	info := archiveInfo(NeedsMesh, frames)
	for i := range frames {
		f, _ := frame(i)
		if err := d.Write(info.File(i), func(w io.Writer) error { return (&vtp{}).Encode(w, f) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeArchive(t.Context(), d, "wave.pvd", &pvd{}, info, frame); err != nil {
		t.Fatal(err)
	}
	got := programs.Seen[struct {
		Time                      float64
		Points, Velocity, Normals [][3]float64
		Speed                     []float64
		Triangles                 int
	}](t, programs.Run(t, []string{"QT_QPA_PLATFORM=offscreen"}, "pvpython", filepath.Join("testdata", "meshes.py"), filepath.Join(folder, "wave.pvd")))
	if len(got) != frames {
		t.Fatalf("saw %d times, want %d", len(got), frames)
	}
	for i, g := range got {
		f, _ := frame(i)
		equal := func(what string, v [][3]float64, want []vec.Vec3) {
			if !slices.EqualFunc(v, want, func(a [3]float64, b vec.Vec3) bool { return vec.New(a[0], a[1], a[2]) == b }) {
				t.Errorf("frame %d: other %s than were written", i+1, what)
			}
		}
		equal("points", g.Points, f.Mesh.Pos)
		equal("velocities", g.Velocity, f.Mesh.Vel)
		equal("normals", g.Normals, f.Mesh.Nrm)
		if g.Time != info.Time(i) || g.Triangles != len(f.Mesh.Tri) || !slices.Equal(g.Speed, f.Fields[0].Scalar) {
			t.Errorf("frame %d: time %g, %d triangles, speeds %v", i+1, g.Time, g.Triangles, g.Speed)
		}
	}
}

// ParaView has the bodies as a part of their own, where they are at each time, with their
// names and with velocities of rigid bodies.
func TestParaViewBodies(t *testing.T) {
	folder := t.TempDir()
	d, err := store.OpenDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const frames = 3
	info := archiveInfo(NeedsMesh, frames)
	info.Bodies = func(i int) string { return store.FrameName("bodies/wave", i+1, frames, "vtp") }
	frame := func(i int) *Frame {
		f := withBodies(i)
		for k := range f.Objects {
			f.Objects[k].Body.V, f.Objects[k].Body.Spin = vec.New(0.5, -2, float64(k)), vec.New(1, float64(i), -3)
		}
		return f
	}
	for i := range frames {
		f := frame(i)
		if err := d.Write(info.File(i), func(w io.Writer) error { return (&vtp{}).Encode(w, f) }); err != nil {
			t.Fatal(err)
		}
		if err := d.Write(info.Bodies(i), func(w io.Writer) error { return BodiesVTP{}.Encode(w, f) }); err != nil {
			t.Fatal(err)
		}
		if err := d.Fresh(info.Bodies(i), BodiesVTP{}, f.Fingerprint); err != nil {
			t.Error(err)
		}
	}
	if err := writeArchive(t.Context(), d, "wave.pvd", &pvd{}, info, nil); err != nil {
		t.Fatal(err)
	}
	got := programs.Seen[struct {
		Time             float64
		Liquid           int
		Names            []string
		Points, Velocity [][3]float64
		Body, Corners    []int
	}](t, programs.Run(t, []string{"QT_QPA_PLATFORM=offscreen"}, "pvpython", filepath.Join("testdata", "bodies.py"), filepath.Join(folder, "wave.pvd")))
	if len(got) != frames {
		t.Fatalf("saw %d times, want %d", len(got), frames)
	}
	for i, g := range got {
		f := frame(i)
		if g.Liquid != len(f.Mesh.Pos) || g.Time != info.Time(i) || !slices.Equal(g.Names, []string{"box-2", "ball"}) {
			t.Errorf("frame %d: the liquid of %d points, bodies %v, at %g s", i+1, g.Liquid, g.Names, g.Time)
		}
		var body, corners []int
		at := 0
		for k, o := range f.Objects {
			m := o.Placed()
			for _, tri := range m.Tri {
				corners = append(corners, at+int(tri[0]), at+int(tri[1]), at+int(tri[2]))
			}
			for _, x := range m.Pos {
				body = append(body, k+1)
				v := o.Body.V.Add(o.Body.Spin.Cross(x.Sub(o.Body.X)))
				p, u := g.Points[at], g.Velocity[at]
				if vec.New(p[0], p[1], p[2]).Sub(x).Len() > 1e-6 || vec.New(u[0], u[1], u[2]).Sub(v).Len() > 1e-6 {
					t.Fatalf("frame %d, point %d: at %v with %v, want %v with %v", i+1, at, p, u, x, v)
				}
				at++
			}
		}
		if !slices.Equal(g.Body, body) || !slices.Equal(g.Corners, corners) {
			t.Errorf("frame %d: other bodies or triangles than were written", i+1)
		}
	}
}

// Blender has the bodies of glTF as objects by their names, where they are.
func TestBlenderBodies(t *testing.T) {
	f := withBodies(2)
	f.Fields = nil
	path := filepath.Join(t.TempDir(), "bodies.glb")
	if err := os.WriteFile(path, encode(t, &glb{}, f), 0o666); err != nil {
		t.Fatal(err)
	}
	got := blender(t, path)[0]
	if got.Fault != "" || len(got.Objects) != 3 {
		t.Fatalf("%d objects, %s", len(got.Objects), got.Fault)
	}
	turned := f.In(Axes{ZUp: true})
	for _, want := range turned.Objects {
		k := slices.IndexFunc(got.Objects, func(o blenderObject) bool { return o.Name == want.Name })
		if k < 0 {
			t.Errorf("no object %s in %v", want.Name, got.Objects)
			continue
		}
		o, m := got.Objects[k], want.Placed()
		box := m.Bounds()
		if vec.New(o.Min[0], o.Min[1], o.Min[2]).Sub(box.Min).Len() > 1e-5 || vec.New(o.Max[0], o.Max[1], o.Max[2]).Sub(box.Max).Len() > 1e-5 {
			t.Errorf("%s: from %v to %v, want %v", o.Name, o.Min, o.Max, box)
		}
		if math.Abs(o.Volume/m.Volume()-1) > 1e-3 {
			t.Errorf("%s: a volume of %g m³, want %g", o.Name, o.Volume, m.Volume())
		}
	}
}
