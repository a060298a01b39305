package out

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// looks returns a frame of water with a ball of metal and a box, of which every third
// triangle is of honey and the others of paint.
func looks() *Frame {
	f := withBodies(1)
	f.Fields = nil
	water := Water()
	f.Material = &water
	f.Objects[0].Materials = []Material{
		{Name: "paint", Color: vec.New(0.6, 0.1, 0.05), Index: 1, Roughness: 1, Glow: vec.New(0.5, 0.25, 0)},
		{Name: "honey", Color: vec.New(0.9, 0.6, 0.2), Clear: true, Index: 1.49, Absorption: vec.New(7.5, 40, 150)},
	}
	for i := range f.Objects[0].Mesh.Tri {
		of := int32(0)
		if i%3 == 0 {
			of = 1
		}
		f.Objects[0].Of = append(f.Objects[0].Of, of)
	}
	f.Objects[1].Materials = []Material{{Name: "steel", Color: vec.New(0.62, 0.6, 0.57), Index: 1, Roughness: 0.03, Metal: true}}
	return f
}

// colors returns the colour of each triangle of a file of the materials in f, in the order
// of the file.
func colors(f *Frame) (list []vec.Vec3) {
	for range f.Mesh.Tri {
		list = append(list, f.Material.Color)
	}
	for i := range f.Objects {
		parts, err := f.Objects[i].painted()
		if err != nil {
			panic(err)
		}
		for _, p := range parts {
			for range p.tri {
				list = append(list, p.material.Color)
			}
		}
	}
	return list
}

// The file of materials colours the triangles of an OBJ file that names it.
func TestMTL(t *testing.T) {
	f := looks()
	f.Library = "wave.mtl"
	var library bytes.Buffer
	if err := (MTL{}).Encode(&library, "c0ffee", f.Materials()); err != nil {
		t.Fatal(err)
	}
	text := library.String()
	for _, want := range []string{
		"newmtl liquid\n", "Ni 1.333\n", "illum 7\n", "Tf 1 1 1\n", "d 1\n",
		"newmtl steel\nKa 0 0 0\nKd 0.62 0.6 0.57\nKs 0.62 0.6 0.57\n", "illum 3\nPr 0.03\nPm 1\n",
		"newmtl paint\nKa 0 0 0\nKd 0.6 0.1 0.05\nKs 0 0 0\nKe 0.5 0.25 0\nNs 0\nNi 1\nd 1\nillum 1\n",
	} {
		if strings.Count(text, want) == 0 {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	got, err := ReadPainted(bytes.NewReader(encode(t, &obj{}, f)), func(name string) ([]byte, error) {
		if name != "wave.mtl" {
			return nil, fmt.Errorf("asked for %q", name)
		}
		return library.Bytes(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := colors(f)
	if len(got.Paints) != len(want) {
		t.Fatalf("%d triangles, want %d", len(got.Paints), len(want))
	}
	for i, c := range want {
		if p := got.Paints[i]; p == nil || p.Color.Sub(c).Len() > 1e-4 {
			t.Fatalf("triangle %d: %v, want %v", i, p, c)
		}
	}
	if mark, err := (MTL{}).Check(bytes.NewReader(library.Bytes()), int64(library.Len())); mark != "c0ffee" || err != nil {
		t.Errorf("fingerprint %q, %v", mark, err)
	}
	for n := range library.Len() {
		if _, err := (MTL{}).Check(bytes.NewReader(library.Bytes()[:n]), int64(n)); err == nil {
			t.Fatalf("a file cut after %d bytes counts as whole", n)
		}
	}
}

func TestMaterialFails(t *testing.T) {
	for what, change := range map[string]func(f *Frame){
		"a name with a space":      func(f *Frame) { f.Material.Name = "blue sea" },
		"a color above 1":          func(f *Frame) { f.Material.Color.Y = 1.5 },
		"an index below 1":         func(f *Frame) { f.Material.Index = 0.9 },
		"an index of no number":    func(f *Frame) { f.Material.Index = math.NaN() },
		"a roughness above 1":      func(f *Frame) { f.Material.Roughness = 2 },
		"an endless absorption":    func(f *Frame) { f.Material.Absorption.X = math.Inf(1) },
		"a negative glow":          func(f *Frame) { f.Material.Glow.Z = -1 },
		"two materials of a name":  func(f *Frame) { f.Material.Name = "steel" },
		"triangles of no material": func(f *Frame) { f.Objects[0].Of[1] = 7 },
		"too few triangles":        func(f *Frame) { f.Objects[0].Of = f.Objects[0].Of[1:] },
	} {
		f := looks()
		f.Library = "wave.mtl"
		change(f)
		if (MTL{}).Encode(io.Discard, "ab", f.Materials()) == nil && (&obj{}).Encode(io.Discard, f) == nil {
			t.Errorf("wrote %s", what)
		}
	}
}

// Blender takes the materials with their transmission, their index and their metal.
func TestBlenderMaterials(t *testing.T) {
	folder, f := t.TempDir(), looks()
	f.Library = "wave.mtl"
	var files []string
	for _, name := range []string{"obj", "glb"} {
		format := registrytest.New(t, &Formats, name)
		files = append(files, filepath.Join(folder, name+"."+format.Ext()))
		if err := os.WriteFile(files[len(files)-1], encode(t, format, f), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var library bytes.Buffer
	if err := (MTL{}).Encode(&library, "c0ffee", f.Materials()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, f.Library), library.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, seen := range blender(t, files...) {
		if seen.Fault != "" {
			t.Fatalf("%s: %s", seen.File, seen.Fault)
		}
		got := map[string]blenderMaterial{}
		for _, o := range seen.Objects {
			if !o.Smooth && o.Name != "box-2" { // which has no normals
				t.Errorf("%s: %s has flat faces", seen.File, o.Name)
			}
			for _, m := range o.Materials {
				got[m.Name] = m
			}
			if o.Name != "box-2" {
				continue
			}
			for i, m := range []string{"paint", "honey"} {
				k := slices.IndexFunc(o.Materials, func(x blenderMaterial) bool { return x.Name == m })
				n, want := 0, 0
				for t := range o.Of {
					if o.Of[t] == k {
						n++
					}
					if int(f.Objects[0].Of[t]) == i {
						want++
					}
				}
				if n != want || n == 0 {
					t.Errorf("%s: %d triangles of %s, want %d", seen.File, n, m, want)
				}
			}
		}
		for _, want := range f.Materials() {
			m, there := got[want.Name]
			share := func(is bool) float64 {
				if is {
					return 1
				}
				return 0
			}
			if !there {
				t.Errorf("%s: no material %s", seen.File, want.Name)
				continue
			}
			if m.Transmission != share(want.Clear) || m.Metallic != share(want.Metal) || m.Alpha != 1 {
				t.Errorf("%s: %s: transmission %g, metallic %g, alpha %g", seen.File, want.Name, m.Transmission, m.Metallic, m.Alpha)
			}
			if want.Index > 1 && math.Abs(m.Index-want.Index) > 1e-4 {
				t.Errorf("%s: %s: index %g, want %g", seen.File, want.Name, m.Index, want.Index)
			}
			if math.Abs(m.Roughness-want.Roughness) > 1e-3 {
				t.Errorf("%s: %s: roughness %g, want %g", seen.File, want.Name, m.Roughness, want.Roughness)
			}
			if seen.File == "glb.glb" && want.Clear {
				d, left := want.fade()
				if got := vec.New(m.Left[0], m.Left[1], m.Left[2]); got.Sub(left).Len() > 1e-3 || math.Abs(m.Density*d-1) > 1e-3 {
					t.Errorf("%s: %s: inside %v and %g per metre, want %v and %g", seen.File, want.Name, got, m.Density, left, 1/d)
				}
				if cycles := (1 - m.Left[2]) * m.Density; math.Abs(cycles/want.Absorption.Z-1) > 0.06 {
					t.Errorf("%s: %s: Cycles absorbs %g per metre of blue, want %g", seen.File, want.Name, cycles, want.Absorption.Z)
				}
				want.Color = vec.New(1, 1, 1)
			}
			color := vec.New(m.Color[0], m.Color[1], m.Color[2])
			if color.Sub(want.Color).Len() > 1e-3 {
				t.Errorf("%s: %s: color %v, want %v", seen.File, want.Name, color, want.Color)
			}
			if glow := vec.New(m.Glow[0], m.Glow[1], m.Glow[2]); glow.Sub(want.Glow).Len() > 1e-3 {
				t.Errorf("%s: %s: glow %v, want %v", seen.File, want.Name, glow, want.Glow)
			}
		}
	}
}
