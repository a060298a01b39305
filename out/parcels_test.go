package out

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/numbers"
	"breakwater/out/outtest"
	"breakwater/out/particles"
	"breakwater/out/programs"
	"breakwater/out/store"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/voxel/voxeltest"
)

// parcelFrame returns frame i of a run with whitewater: particles with a width, a kind
// and an age each, whose number changes from frame to frame.
func parcelFrame(i int) *Frame {
	n := []int{5, 0, 300}[i%3]
	f := &Frame{Index: i + 1, Time: float64(i) / 24, Fingerprint: "00c0ffee", Particles: testParticles(n)}
	width, kind, age := []float64{}, []float64{}, []float64{}
	for k := range n {
		width = append(width, float64(float32(1e-4*float64(1+k%40))))
		kind = append(kind, float64(k%4))
		age = append(age, float64(float32(k)/7))
	}
	f.Fields = []particles.Field{{Name: "width", Scalar: width, Length: true}, {Name: "kind", Scalar: kind, Whole: true}, {Name: "age", Scalar: age}}
	return f
}

// floats returns a sample as numbers.
func (p *abcRead) floats(i int) []float64 {
	list := []float64{}
	for _, bits := range p.ints(i, 4) {
		list = append(list, float64(math.Float32frombits(uint32(bits))))
	}
	return list
}

// halves returns radii as files keep them.
func halves(widths []float64) []float64 {
	r := []float64{}
	for _, w := range widths {
		r = append(r, float64(float32(w/2)))
	}
	return r
}

// Alembic has a width for each particle, its radius as pscale, and whole numbers as such.
func TestAlembicWidths(t *testing.T) {
	const frames = 3
	d := outtest.Dir(t, store.OpenDir)
	frame := func(i int) (*Frame, error) { return parcelFrame(i), nil }
	if err := writeArchive(t.Context(), d, "a.abc", &alembic{}, archiveInfo(NeedsParticles, frames), frame); err != nil {
		t.Fatal(err)
	}
	o := readABC(t, outtest.Contents(t, d, "a.abc"))
	if got := o.props[".geom/.widths"]; !strings.Contains(got.meta, "geoScope=var;") || got.scalar {
		t.Errorf("widths are %s", got.meta)
	}
	if got := o.props[".geom/.arbGeomParams/kind"]; got.pod != 6 || !strings.HasSuffix(got.meta, "podName=int32_t") {
		t.Errorf("kinds are of type %d, %s", got.pod, got.meta)
	}
	if o.props[".geom/.arbGeomParams/width"] != nil {
		t.Error("widths are there twice")
	}
	for i := range frames {
		f := parcelFrame(i)
		width, kind, age := f.Fields[0].Scalar, f.Fields[1].Scalar, f.Fields[2].Scalar
		kinds := []float64{}
		for _, k := range o.props[".geom/.arbGeomParams/kind"].ints(i, 4) {
			kinds = append(kinds, float64(int32(k)))
		}
		if got := o.props[".geom/.widths"].floats(i); !slices.Equal(got, width) {
			t.Errorf("frame %d: widths %v, want %v", i, got, width)
		}
		if got := o.props[".geom/.arbGeomParams/pscale"].floats(i); !slices.Equal(got, halves(width)) {
			t.Errorf("frame %d: radii %v, want %v", i, got, halves(width))
		}
		if got := o.props[".geom/.arbGeomParams/age"].floats(i); !slices.Equal(got, age) || !slices.Equal(kinds, kind) {
			t.Errorf("frame %d: ages %v and kinds %v, want %v and %v", i, got, kinds, age, kind)
		}
		if got := o.props[".geom/.velocities"].vectors(i); !slices.Equal(got, inFilm(f.Particles.V)) {
			t.Errorf("frame %d: velocities %v", i, got)
		}
		for k, id := range o.props[".geom/.pointIds"].ints(i, 8) {
			if id != uint64(f.Particles.ID[k]) {
				t.Errorf("frame %d: particle %d has the number %d", i, k, id)
			}
		}
	}
}

// USD has them too, and an extent that holds the spheres.
func TestUSDWidths(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	info := archiveInfo(NeedsParticles, 3)
	info.Axes = Axes{Unit: 0.01}
	frame := func(i int) (*Frame, error) { return parcelFrame(i).In(info.Axes), nil }
	if err := writeArchive(t.Context(), d, "a", &usda{}, info, frame); err != nil {
		t.Fatal(err)
	}
	u := readUSD(t, outtest.Contents(t, d, "a"))
	const points = "/liquid/particles"
	for _, name := range []string{"widths", "primvars:pscale", "primvars:kind", "primvars:age"} {
		if got := u.about[points+"."+name]; got != `map[interpolation:"vertex"]` {
			t.Errorf("%s: %s", name, got)
		}
	}
	for i := range 3 {
		f, _ := frame(i)
		width := []float64{}
		for _, w := range f.Fields[0].Scalar {
			width = append(width, float64(float32(w)))
		}
		for key, want := range map[string][]float64{
			"float[] .widths": width, "float[] .primvars:pscale": halves(f.Fields[0].Scalar),
			"int[] .primvars:kind": f.Fields[1].Scalar, "float[] .primvars:age": f.Fields[2].Scalar,
		} {
			if got := u.numbers(strings.Replace(key, " ", " "+points, 1), 1+i); !slices.Equal(got, want) {
				t.Errorf("frame %d: %s is %v, want %v", i, key, got, want)
			}
		}
		if i == 0 && width[3] != float64(float32(4e-2)) { // 0.4 mm
			t.Errorf("a width of %g cm", width[3])
		}
		extent := u.numbers("float3[] "+points+".extent", 1+i)
		for k, x := range f.Particles.X {
			r := 0.499 * width[k]
			if x.X-r < extent[0] || x.Y-r < extent[1] || x.Z-r < extent[2] || x.X+r > extent[3] || x.Y+r > extent[4] || x.Z+r > extent[5] {
				t.Errorf("frame %d: particle %d at %v of width %g is not in %v", i, k, x, width[k], extent)
			}
		}
	}
}

// An archive says which frame has no widths where the first has some, and which value
// is not a whole number.
func TestWidthsFail(t *testing.T) {
	for what, change := range map[string]func(f *Frame){
		"frame 3 has the attributes": func(f *Frame) { f.Fields = f.Fields[1:] },
		"frame 3: ":                  func(f *Frame) { f.Fields[0].Scalar[7] = math.NaN() },
		"not a whole number":         func(f *Frame) { f.Fields[1].Scalar[7] = 1.5 },
		"already used":               func(f *Frame) { f.Fields[2].Name = "pscale" },
	} {
		for _, a := range []Archive{&alembic{}, &usda{}} {
			d := outtest.Dir(t, store.OpenDir)
			err := writeArchive(t.Context(), d, "a", a, archiveInfo(NeedsParticles, 3), func(i int) (*Frame, error) {
				f := parcelFrame(i)
				if i == 2 {
					change(f)
				}
				return f, nil
			})
			if err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: %v, want %q", a.Ext(), err, what)
			}
		}
	}
}

// Files of particles keep whole numbers as such, and are read back as they were.
func TestParcelPoints(t *testing.T) {
	types := map[string]string{
		"csv": "width,kind,age\n", "npz": "{'descr': '<i4', 'fortran_order': False, 'shape': (300,)", "ply": "property int kind\n",
		"vtp": `type="Int32" Name="kind"`,
	}
	eachPointFormat(t, func(t *testing.T, name string, format PerFrame) {
		f := parcelFrame(2)
		data := encode(t, format, f)
		if want := types[format.Ext()]; !strings.Contains(string(data), want) {
			t.Errorf("no %q in the file", want)
		}
		if format.Ext() == "csv" {
			if line := strings.Split(string(data), "\n")[4]; !strings.Contains(line, ",3,") {
				t.Errorf("the fourth line %q has no kind 3", line)
			}
		}
		got, err := particles.Read(name, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range f.Fields {
			k := slices.IndexFunc(got.Fields, func(g particles.Field) bool { return g.Name == w.Name })
			if k < 0 {
				t.Fatalf("no %s among %v", w.Name, got.Names)
			}
			for i, v := range got.Fields[k].Scalar {
				if float64(float32(v)) != w.Scalar[i] {
					t.Fatalf("%s of particle %d is %g, want %g", w.Name, i, v, w.Scalar[i])
				}
			}
		}
		f.Fields[1].Scalar[3] = 1 << 31
		if err := format.Encode(io.Discard, f); err == nil || !strings.Contains(err.Error(), "value 3 ") {
			t.Errorf("a number of more than 32 bits: %v", err)
		}
	})
}

// ParaView reads the particles' numbers, velocities, widths, kinds and ages as they were.
func TestParcelsInParaView(t *testing.T) {
	f := parcelFrame(2)
	path := filepath.Join(t.TempDir(), "parcels.vtp")
	if err := os.WriteFile(path, encode(t, &vtpPoints{}, f), 0o666); err != nil {
		t.Fatal(err)
	}
	got := programs.Seen[struct {
		Types map[string]string
		X, V  [][3]float64
		ID    []uint32
		Width []float64
		Kind  []float64
		Age   []float64
	}](t, programs.Run(t, []string{"QT_QPA_PLATFORM=offscreen"}, "pvpython", filepath.Join("testdata", "parcels.py"), path))
	if len(got) != 1 {
		t.Fatalf("%d files", len(got))
	}
	g, s := got[0], f.Particles
	if g.Types["kind"] != "int" || g.Types["id"] != "unsigned int" || g.Types["width"] != "float" {
		t.Errorf("types %v", g.Types)
	}
	if !slices.Equal(g.ID, s.ID) || !slices.Equal(g.Width, f.Fields[0].Scalar) || !slices.Equal(g.Kind, f.Fields[1].Scalar) || !slices.Equal(g.Age, f.Fields[2].Scalar) {
		t.Error("other numbers, widths, kinds or ages than were written")
	}
	for k := range s.X {
		if g.X[k] != [3]float64{s.X[k].X, s.X[k].Y, s.X[k].Z} || g.V[k] != [3]float64{s.V[k].X, s.V[k].Y, s.V[k].Z} {
			t.Fatalf("particle %d is at %v with %v, want %v with %v", k, g.X[k], g.V[k], s.X[k], s.V[k])
		}
	}
}

// parcelVolume returns a frame of whitewater with its volume, whose grids hold the
// parcels between z = 0 and 0.5 m.
func parcelVolume(t *testing.T) *Frame {
	t.Helper()
	f := parcelFrame(2)
	count := particles.Field{Name: ParcelCount}
	for k := range f.Particles.X {
		x := float64(k)
		f.Particles.X[k] = vec.New(0.3*math.Sin(x), 0.2*math.Cos(1.7*x), 0.25+0.25*math.Sin(2.3*x)).Round()
		f.Particles.V[k] = vec.New(1, x/300, -2).Round()
		if f.Fields[1].Scalar[k] == 3 {
			f.Fields[1].Scalar[k] = 2 // no mist
		}
		count.Scalar = append(count.Scalar, float64(100+k))
	}
	f.Fields = append(f.Fields, count)
	var err error
	if f.Volume, err = f.ParcelVolume(0.02, ParcelGrids); err != nil {
		t.Fatal(err)
	}
	return f
}

// The extinction of each kind adds up to the cross-section of its drops or bubbles.
func TestParcelVolume(t *testing.T) {
	f := parcelVolume(t)
	width, kind, count := f.Fields[0].Scalar, f.Fields[1].Scalar, f.Fields[3].Scalar
	for k, g := range f.Volume.Grids[:4] {
		want, got := 0., 0.
		for i := range width {
			if kind[i] == float64(k) {
				want += count[i] * math.Pi * width[i] * width[i] / 4
			}
		}
		for _, l := range g.Leaves {
			for _, v := range l.Values {
				got += float64(v) * 0.02 * 0.02 * 0.02
			}
		}
		if g.Name != ParcelGrids[k] || math.Abs(got-want) > 1e-6*want || (want == 0) != (k == 3) {
			t.Errorf("%s: a cross-section of %g m², want %g", g.Name, got, want)
		}
	}
	for what, change := range map[string]func(f *Frame){
		"no widths":         func(f *Frame) { f.Fields = f.Fields[1:] },
		"has 299 numbers":   func(f *Frame) { f.Fields[3].Scalar = f.Fields[3].Scalar[1:] },
		"particle 7 at":     func(f *Frame) { f.Fields[3].Scalar[7] = -1 },
		"particle 8 at":     func(f *Frame) { f.Particles.X[8].Y = math.NaN() },
		"no particles":      func(f *Frame) { f.Particles = nil },
		`a grid "foam_age"`: func(f *Frame) { f.Fields = f.Fields[:1] }, // no kinds: all are spray
	} {
		f := parcelVolume(t)
		change(f)
		if _, err := f.ParcelVolume(0.02, []string{"spray", "foam_age"}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
	// In centimetres it is the same volume.
	g := parcelVolume(t).In(Axes{Unit: 0.01})
	v, err := g.ParcelVolume(2, []string{"spray"})
	if err != nil {
		t.Fatal(err)
	}
	at := [3]int32{5, 6, 7}
	for _, l := range f.Volume.Grids[0].Leaves {
		at = l.At
	}
	a, _ := voxeltest.At(f.Volume.Grids[0], at)
	b, _ := voxeltest.At(v.Grids[0], at)
	if math.Abs(float64(a[0]-100*b[0])) > 1e-4*float64(a[0]) {
		t.Errorf("an extinction of %g/m and of %g/cm", a[0], b[0])
	}
}

// OpenVDB and Blender read the grids of whitewater, whose numbers are of 16 bits.
func TestParcelVolumeInPrograms(t *testing.T) {
	f := parcelVolume(t)
	path := filepath.Join(t.TempDir(), "parcels_0001.vdb")
	whole := encode(t, &vdb{}, f)
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (&vdb{}).Check(bytes.NewReader(whole), int64(len(whole))); err != nil {
		t.Error(err)
	}
	var places [][3]int32
	for _, l := range f.Volume.Grids[4].Leaves {
		for i := range 64 {
			places = append(places, [3]int32{l.At[0] + int32(i*37%8), l.At[1] + int32(i*5%8), l.At[2] + int32(i%8)})
		}
	}
	asked, err := json.Marshal(places)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	output := programs.OpenVDB(t, filepath.Join("testdata", "volume.py"), path, string(asked))
	for _, got := range programs.Seen[vdbSees](t, output) {
		g := f.Volume.Grids[slices.Index(ParcelGrids, got.Name)]
		seen[g.Name] = true
		on := 0
		for i := range g.Leaves {
			on += g.Leaves[i].Len()
		}
		if got.Count != on || got.Class == "fog volume" != (g.Width == 1) {
			t.Errorf("%s: %d voxels as %s, want %d", got.Name, got.Count, got.Class, on)
		}
		for i, at := range places {
			value, _ := voxeltest.At(g, at)
			saw, isList := got.Values[i].([]any)
			if !isList {
				saw = []any{got.Values[i]}
			}
			for c, v := range value {
				if want := numbers.Half(numbers.ToHalf(v)); saw[c].(float64) != want {
					t.Fatalf("%s is %v at %v, want %g", g.Name, saw, at, want)
				}
			}
		}
	}
	if len(seen) != len(ParcelGrids) {
		t.Errorf("OpenVDB sees the grids %v", seen)
	}
	o := blender(t, path)[0].Objects[0]
	want := map[string]string{"spray": "FLOAT", "foam": "FLOAT", "bubbles": "FLOAT", "mist": "FLOAT", "velocity": "VECTOR_FLOAT"}
	if o.Fault != "" || !maps.Equal(o.Grids, want) {
		t.Errorf("Blender sees the grids %v, %s", o.Grids, o.Fault)
	}
}

// Meshes carry foam and its depth at their vertices in every format with attributes; the
// depth follows the unit of the file.
func TestFoamOnMeshes(t *testing.T) {
	frame := testFrame(1, 4)
	foam, depth := particles.Field{Name: "foam"}, particles.Field{Name: "foam_depth", Length: true}
	for i := range frame.Mesh.Pos {
		foam.Scalar, depth.Scalar = append(foam.Scalar, float64(i)/8), append(depth.Scalar, float64(i)/1024)
	}
	frame.Fields = []particles.Field{foam, depth}
	frame = frame.In(Axes{ZUp: true, Unit: 0.25})
	want := map[string][]float64{"foam": foam.Scalar, "foam_depth": {}}
	for _, v := range depth.Scalar {
		want["foam_depth"] = append(want["foam_depth"], 4*v)
	}
	for _, name := range []string{"plymesh", "vtp"} {
		format := registrytest.New(t, &Formats, name)
		p, err := particles.Read("a."+format.Ext(), encode(t, format, frame), nil)
		if err != nil {
			t.Fatal(err)
		}
		for field, v := range want {
			k := slices.IndexFunc(p.Fields, func(f particles.Field) bool { return f.Name == field })
			if k < 0 || !slices.Equal(p.Fields[k].Scalar, v) {
				t.Errorf("%s: %s is not %v", name, field, v)
			}
		}
	}
	d := outtest.Dir(t, store.OpenDir)
	info := archiveInfo(NeedsMesh, 1)
	info.Axes = frame.Axes
	for _, a := range []Archive{&alembic{}, &usda{}} {
		if err := writeArchive(t.Context(), d, "a."+a.Ext(), a, info, func(int) (*Frame, error) { return frame, nil }); err != nil {
			t.Fatal(err)
		}
	}
	o, u := readABC(t, outtest.Contents(t, d, "a.abc")), readUSD(t, outtest.Contents(t, d, "a.usda"))
	for field, v := range want {
		p := o.props[".geom/.arbGeomParams/"+field]
		if p == nil || !strings.Contains(p.meta, "geoScope=vtx;") || !slices.Equal(p.floats(0), v) {
			t.Errorf("Alembic: %s is not %v at the vertices: %+v", field, v, p)
		}
		if got := u.numbers("float[] /liquid/surface.primvars:"+field, 1); !slices.Equal(got, v) || u.about["/liquid/surface.primvars:"+field] != `map[interpolation:"vertex"]` {
			t.Errorf("USD: %s is %v, want %v", field, got, v)
		}
	}
}
