package out

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/sim/vec"
)

// usdRead is a text of USD, read by its grammar alone.
type usdRead struct {
	t      *testing.T
	tokens []string
	meta   map[string]string         // of the layer
	prims  map[string]string         // path: type
	attrs  map[string]map[int]string // path of the attribute, with its type: values by time code; −1 for one without time
	about  map[string]string         // path of the attribute: its metadata
}

func readUSD(t *testing.T, text string) *usdRead {
	t.Helper()
	text, ok := strings.CutPrefix(text, "#usda 1.0\n")
	if !ok {
		t.Fatal("it does not begin as a text of USD")
	}
	u := &usdRead{t: t, meta: map[string]string{}, prims: map[string]string{}, attrs: map[string]map[int]string{}, about: map[string]string{}}
	for len(text) > 0 {
		n := 1
		switch c := text[0]; {
		case c == '"':
			n = strings.IndexByte(text[1:], '"') + 2
		case strings.IndexByte(" \n,", c) >= 0:
			text = text[1:]
			continue
		case c == '#':
			text = text[strings.IndexByte(text, '\n'):]
			continue
		case c == '<' || c == '@': // a path or a file
			n = strings.IndexByte(text[1:], map[byte]byte{'<': '>', '@': '@'}[c]) + 2
		case strings.IndexByte("(){}=:", c) < 0 && c != '[' && c != ']':
			n = strings.IndexAny(text, " \n,(){}=:")
			for text[n] == ':' && text[n+1] != ' ' { // of a name with namespaces
				n += 1 + strings.IndexAny(text[n+1:], " \n,(){}=:")
			}
			if k := strings.IndexByte(text[:n], ']'); k >= 0 && !strings.HasSuffix(text[:n], "[]") {
				n = k
			}
		}
		u.tokens, text = append(u.tokens, text[:n]), text[n:]
	}
	u.meta = u.metadata()
	for len(u.tokens) > 0 {
		u.prim("")
	}
	return u
}

func (u *usdRead) next() (s string) {
	if len(u.tokens) == 0 {
		u.t.Fatal("cut short")
	}
	s, u.tokens = u.tokens[0], u.tokens[1:]
	return s
}

func (u *usdRead) want(s string) {
	if got := u.next(); got != s {
		u.t.Fatalf("%q, want %q, before %q", got, s, u.tokens[:min(8, len(u.tokens))])
	}
}

// value reads a value: brackets nest.
func (u *usdRead) value() string {
	depth, all := 0, []string{}
	for {
		s := u.next()
		switch all = append(all, s); s {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth == 0 {
			return strings.Join(all, " ")
		}
	}
}

func (u *usdRead) metadata() map[string]string {
	m := map[string]string{}
	if len(u.tokens) == 0 || u.tokens[0] != "(" {
		return m
	}
	for u.want("("); u.tokens[0] != ")"; {
		key := u.next()
		if key == "prepend" {
			key += " " + u.next()
		}
		u.want("=")
		m[key] = u.value()
	}
	u.want(")")
	return m
}

func (u *usdRead) prim(path string) {
	u.want("def")
	typ := u.next()
	path += "/" + strings.Trim(u.next(), `"`)
	u.prims[path] = typ
	u.about[path] = fmt.Sprint(u.metadata())
	for u.want("{"); u.tokens[0] != "}"; {
		if u.tokens[0] == "def" {
			u.prim(path)
			continue
		}
		if u.tokens[0] == "uniform" || u.tokens[0] == "custom" {
			u.next()
		}
		typ, name := u.next(), u.next()
		name, timed := strings.CutSuffix(name, ".timeSamples")
		key := path + "." + name
		if len(u.tokens) > 0 && u.tokens[0] == "(" {
			u.about[key] = fmt.Sprint(u.metadata())
			continue
		}
		if u.tokens[0] != "=" {
			u.attrs[typ+" "+key] = map[int]string{}
			continue
		}
		u.want("=")
		key = typ + " " + key
		if u.attrs[key] != nil {
			u.t.Fatalf("%s is there twice", key)
		}
		u.attrs[key] = map[int]string{}
		if !timed {
			u.attrs[key][-1] = u.value()
			if u.tokens[0] == "(" {
				u.about[path+"."+name] = fmt.Sprint(u.metadata())
			}
			continue
		}
		for u.want("{"); u.tokens[0] != "}"; {
			code, err := strconv.Atoi(u.next())
			if err != nil {
				u.t.Fatal(err)
			}
			u.want(":")
			u.attrs[key][code] = u.value()
		}
		u.want("}")
	}
	u.want("}")
}

// numbers returns the numbers of an attribute at a time code.
func (u *usdRead) numbers(key string, code int) []float64 {
	text, ok := u.attrs[key][code]
	if !ok {
		u.t.Fatalf("%s has no value at %d", key, code)
	}
	v := []float64{}
	for _, s := range strings.Fields(text) {
		if strings.Trim(s, "()[]") == "" {
			continue
		}
		x, err := strconv.ParseFloat(s, 32)
		if strings.HasPrefix(key, "int") {
			x, err = strconv.ParseFloat(s, 64)
		}
		if err != nil {
			u.t.Fatal(err)
		}
		v = append(v, x)
	}
	return v
}

func TestUSDMesh(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	info := archiveInfo(NeedsMesh, 5)
	info.First, info.Axes = 3, Axes{ZUp: true, Unit: 0.01}
	if err := writeArchive(t.Context(), d, "a", &usda{}, info, func(i int) (*Frame, error) { return archiveFrame(i, NeedsMesh), nil }); err != nil {
		t.Fatal(err)
	}
	u := readUSD(t, outtest.Contents(t, d, "a"))
	for key, want := range map[string]string{
		"defaultPrim": `"liquid"`, "startTimeCode": "3", "endTimeCode": "7", "timeCodesPerSecond": "24", "framesPerSecond": "24", "upAxis": `"Z"`, "metersPerUnit": "0.01",
	} {
		if u.meta[key] != want {
			t.Errorf("%s is %s, want %s", key, u.meta[key], want)
		}
	}
	const surface = "/liquid/surface"
	if u.prims["/liquid"] != "Xform" || u.prims[surface] != "Mesh" || len(u.prims) != 2 {
		t.Errorf("prims %v", u.prims)
	}
	if got := u.attrs["token "+surface+".subdivisionScheme"][-1]; got != `"none"` {
		t.Errorf("subdivision %s", got)
	}
	if got := u.attrs["token "+surface+".orientation"][-1]; got != `"rightHanded"` {
		t.Errorf("orientation %s", got)
	}
	for _, name := range []string{"normals", "primvars:speed", "primvars:vorticity"} {
		if got := u.about[surface+"."+name]; got != `map[interpolation:"vertex"]` {
			t.Errorf("%s: %s", name, got)
		}
	}
	for i := range 5 {
		f := archiveFrame(i, NeedsMesh)
		box := f.Mesh.Bounds()
		var corners, counts []float64
		for _, tri := range f.Mesh.Tri {
			corners, counts = append(corners, float64(tri[0]), float64(tri[1]), float64(tri[2])), append(counts, 3)
		}
		for key, want := range map[string][]float64{
			"point3f[] .points": inRows(f.Mesh.Pos), "normal3f[] .normals": inRows(f.Mesh.Nrm), "vector3f[] .velocities": inRows(inFilm(f.Mesh.Vel)),
			"int[] .faceVertexIndices": corners, "int[] .faceVertexCounts": counts, "float3[] .extent": inRows([]vec.Vec3{box.Min, box.Max}),
			"float[] .primvars:speed": f.Fields[0].Scalar, "vector3f[] .primvars:vorticity": inRows(f.Fields[1].Vector),
		} {
			key = strings.Replace(key, " ", " "+surface, 1)
			within := map[string]float64{"points": 0x1p-24, "velocities": 1e-5, "normals": 1e-5}[key[strings.LastIndex(key, ".")+1:]]
			near := func(a, b float64) bool { return math.Abs(a-b) <= within }
			if got := u.numbers(key, 3+i); !slices.EqualFunc(got, want, near) {
				t.Errorf("frame %d: %s is %v, want %v", 3+i, key, got, want)
			}
			if len(u.attrs[key]) != 5 {
				t.Errorf("%s has %d samples", key, len(u.attrs[key]))
			}
		}
	}
	if len(u.attrs) != 10 {
		t.Errorf("%d attributes", len(u.attrs))
	}
}

func TestUSDParticles(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	info := archiveInfo(NeedsParticles, 3)
	frame := func(i int) (*Frame, error) {
		f := archiveFrame(i, NeedsParticles)
		if i == 1 { // none in this one
			f = &Frame{Particles: testParticles(0), Fields: []particles.Field{{Name: "speed", Scalar: []float64{}}, {Name: "vorticity", Vector: []vec.Vec3{}}}}
		}
		return f, nil
	}
	if err := writeArchive(t.Context(), d, "a", &usda{}, info, frame); err != nil {
		t.Fatal(err)
	}
	u := readUSD(t, outtest.Contents(t, d, "a"))
	const points = "/liquid/particles"
	if u.prims[points] != "Points" {
		t.Errorf("prims %v", u.prims)
	}
	for i := range 3 {
		f, _ := frame(i)
		s := f.Particles
		ids := []float64{}
		for _, id := range s.ID {
			ids = append(ids, float64(id))
		}
		for key, want := range map[string][]float64{
			"point3f[] " + points + ".points": inRows(s.X), "vector3f[] " + points + ".velocities": inRows(inFilm(s.V)), "int64[] " + points + ".ids": ids,
		} {
			if got := u.numbers(key, 1+i); !slices.Equal(got, want) {
				t.Errorf("frame %d: %s is %v, want %v", 1+i, key, got, want)
			}
		}
	}
	if got := u.numbers("float[] "+points+".widths", -1); !slices.Equal(got, []float64{float64(float32(info.Width))}) || u.about[points+".widths"] != `map[interpolation:"constant"]` {
		t.Errorf("widths %v, %s", got, u.about[points+".widths"])
	}
	const most = math.MaxFloat32
	if got := u.numbers("float3[] "+points+".extent", 2); !slices.Equal(got, []float64{most, most, most, -most, -most, -most}) {
		t.Errorf("nothing reaches over %v", got)
	}
}
