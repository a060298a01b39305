package out

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// afloat returns two bodies that have moved and turned.
func afloat() []particle.Body {
	list := []particle.Body{
		{X: vec.New(1, 2, 3), V: vec.New(0.1, -2, 1), Turn: vec.Turn(vec.New(0.3, -1, 2)), Spin: vec.New(4, 5, 6)},
		{X: vec.New(-1, 0.5, 0.25), Turn: vec.NoTurn},
	}
	for i := range list {
		list[i].Round()
	}
	return list
}

// TestBodies writes bodies into files of particles and of meshes and reads them
// back, in all axes.
func TestBodies(t *testing.T) {
	cube := mesh.Box(vec.Box{Min: vec.New(-1, -1, -1), Max: vec.New(1, 1, 1)})
	for _, axes := range []Axes{{}, {ZUp: true}, {ZUp: true, Unit: 0.5}} {
		for _, name := range []string{"ply", "plymesh"} {
			format := registrytest.New(t, &Formats, name)
			f := &Frame{Index: 1, Mesh: cube, Particles: &particle.Set{X: []vec.Vec3{{X: 1}}, V: make([]vec.Vec3, 1), Rho: []float64{1}, ID: []uint32{0}, Bodies: afloat()}}
			for _, b := range afloat() {
				f.Objects = append(f.Objects, Object{Name: "box", Mesh: cube, Body: b})
			}
			var b bytes.Buffer
			if err := format.Encode(&b, f.In(axes)); err != nil {
				t.Fatal(err)
			}
			if _, err := format.Check(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := format.Check(bytes.NewReader(b.Bytes()), int64(b.Len()-1)); err == nil {
				t.Errorf("%s: a file that lacks a byte counts as whole", name)
			}
			g, err := format.(Decoder).Decode(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			g = g.Ours()
			var got []particle.Body
			if g.Particles != nil {
				got = g.Particles.Bodies
			}
			for _, o := range g.Objects {
				got = append(got, o.Body)
			}
			if !reflect.DeepEqual(got, afloat()) {
				t.Errorf("%s, %v: wrote %v, read %v", name, axes, afloat(), got)
			}
		}
	}
}

// TestBodyRows reads bodies that cannot be.
func TestBodyRows(t *testing.T) {
	file := func(row string) string {
		return "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n" + plyBodyHead(1) + "end_header\n0 0 0\n" + row + "\n"
	}
	for row, want := range map[string]string{
		"0 0 0 0 0 0 1 0 0 0 0 0 0":     "",
		"0 0 0 0 0 0 0 0 0 0 0 0 0":     "length 0",
		"0 0 0 0 0 0 2 0 0 0 0 0 0":     "length 2",
		"nan 0 0 0 0 0 1 0 0 0 0 0 0":   "property x is NaN",
		"0 0 0 0 0 0 1 0 0 0 0 0 1e999": "not a number",
		"0 0 0":                         "cut short",
	} {
		_, err := (&plyFormat{}).Decode(strings.NewReader(file(row)))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", row, err, want)
		}
	}
}

// TestObjects writes solids beside a liquid: they are named objects where the
// bodies are, and the liquid is read without them, whole or empty.
func TestObjects(t *testing.T) {
	cube := mesh.Box(vec.Box{Min: vec.New(-0.5, -0.5, -0.5), Max: vec.New(0.5, 0.5, 0.5)})
	for _, liquid := range []*mesh.Mesh{mesh.Sphere(vec.Vec3{}, 1, 12), {}} {
		f := &Frame{Index: 7, Time: 0.5, Mesh: liquid, Fingerprint: "abc"}
		var plain bytes.Buffer
		if err := (&obj{}).Encode(&plain, f); err != nil {
			t.Fatal(err)
		}
		for i, b := range afloat() {
			f.Objects = append(f.Objects, Object{Name: []string{"barrel", "box-2"}[i], Mesh: cube, Body: b})
		}
		var b bytes.Buffer
		if err := (&obj{}).Encode(&b, f); err != nil {
			t.Fatal(err)
		}
		if fp, err := (&obj{}).Check(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil || fp != "abc" {
			t.Errorf("fingerprint %q, %v", fp, err)
		}
		if n := strings.Count(b.String(), "\no "); n != 3 || !strings.Contains(b.String(), "\no barrel\n") || !strings.Contains(b.String(), "\no box-2\n") {
			t.Errorf("%d objects in\n%s", n, b.String())
		}
		want, errWant := (&obj{}).Decode(&plain)
		got, err := (&obj{}).Decode(bytes.NewReader(b.Bytes()))
		if (err == nil) != (errWant == nil) {
			t.Fatal(err, errWant)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Error("the liquid is not what it was")
		}
		// Another program sees all of it.
		text := strings.TrimPrefix(b.String(), "#")
		all, err := (&obj{}).Decode(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(liquid.Tri) + 2*len(cube.Tri); len(all.Mesh.Tri) != n {
			t.Errorf("%d triangles, want %d", len(all.Mesh.Tri), n)
		}
		if v := all.Mesh.Volume(); v < liquid.Volume()+1.999 {
			t.Errorf("the solids enclose %g m³, want 2", v-liquid.Volume())
		}
	}
	f := &Frame{Mesh: &mesh.Mesh{}, Objects: []Object{{Name: "a b", Mesh: cube}}}
	if err := (&obj{}).Encode(new(bytes.Buffer), f); err == nil {
		t.Error("a name with a space is written")
	}
}
