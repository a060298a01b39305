package out

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"breakwater/sim/vec"
)

// extensionKeys are the keys of the extensions that the specifications of Khronos have,
// with the least and the largest value of each of its numbers.
var extensionKeys = map[string]map[string][2]float64{
	"KHR_materials_transmission":      {"transmissionFactor": {0, 1}},
	"KHR_materials_ior":               {"ior": {1, math.Inf(1)}},
	"KHR_materials_specular":          {"specularFactor": {0, 1}},
	"KHR_materials_emissive_strength": {"emissiveStrength": {0, math.Inf(1)}},
	"KHR_materials_volume":            {"thicknessFactor": {0, math.Inf(1)}, "attenuationDistance": {1e-30, math.Inf(1)}, "attenuationColor": {0, 1}},
}

// within checks that v, a number or a list of n, lies within bounds.
func within(t *testing.T, what string, v any, n int, bounds [2]float64) (list []float64) {
	t.Helper()
	all, ok := v.([]any)
	if !ok {
		all = []any{v}
	}
	if len(all) != n {
		t.Errorf("%s: %v, want %d numbers", what, v, n)
	}
	for _, x := range all {
		x, ok := x.(float64)
		if !ok || !(x >= bounds[0] && x <= bounds[1]) {
			t.Errorf("%s: %v is not from %g to %g", what, v, bounds[0], bounds[1])
		}
		list = append(list, x)
	}
	return list
}

// Materials of glTF keep to the specifications: each extension that is used is declared, its
// keys are known and its numbers in range, and there is no volume without transmission.
func TestGLBMaterials(t *testing.T) {
	for _, unit := range []float64{1, 0.01} {
		f := looks()
		f.Objects[0].Materials[0].Glow = vec.New(3, 1.5, 0)
		file := readGLB(t, encode(t, &glb{}, f.In(Axes{Unit: unit})))
		var used []string
		got := map[string]map[string]any{}
		for _, m := range file.doc["materials"].([]any) {
			m := m.(map[string]any)
			name := m["name"].(string)
			pbr := m["pbrMetallicRoughness"].(map[string]any)
			within(t, name+" baseColorFactor", pbr["baseColorFactor"], 4, [2]float64{0, 1})
			within(t, name+" metallicFactor", pbr["metallicFactor"], 1, [2]float64{0, 1})
			within(t, name+" roughnessFactor", pbr["roughnessFactor"], 1, [2]float64{0, 1})
			if e, glows := m["emissiveFactor"]; glows {
				within(t, name+" emissiveFactor", e, 3, [2]float64{0, 1})
			}
			extensions, _ := m["extensions"].(map[string]any)
			got[name] = extensions
			for key, values := range extensions {
				used = append(used, key)
				for k, v := range values.(map[string]any) {
					bounds, known := extensionKeys[key][k]
					if !known {
						t.Errorf("%s: %s has no key %s", name, key, k)
					}
					n := 1
					if k == "attenuationColor" {
						n = 3
					}
					within(t, fmt.Sprintf("%s %s %s", name, key, k), v, n, bounds)
				}
			}
			if extensions["KHR_materials_volume"] != nil && extensions["KHR_materials_transmission"] == nil {
				t.Errorf("%s: a volume that no light enters", name)
			}
		}
		slices.Sort(used)
		var declared []string
		for _, e := range file.doc["extensionsUsed"].([]any) {
			declared = append(declared, e.(string))
		}
		if !slices.Equal(slices.Compact(used), declared) || len(declared) != 5 {
			t.Errorf("declared %v, used %v", declared, slices.Compact(used))
		}
		for _, m := range f.Materials() {
			if !m.Clear {
				if got[m.Name]["KHR_materials_transmission"] != nil {
					t.Errorf("light passes %s", m.Name)
				}
				continue
			}
			volume := got[m.Name]["KHR_materials_volume"].(map[string]any)
			left, distance := volume["attenuationColor"].([]any), volume["attenuationDistance"].(float64)*unit
			a := m.Absorption
			for k, want := range []float64{a.X, a.Y, a.Z} {
				if got := -math.Log(left[k].(float64)) / distance; math.Abs(got/want-1) > 1e-4 {
					t.Errorf("%s absorbs %g per metre of colour %d, want %g", m.Name, got, k, want)
				}
			}
			if ior := got[m.Name]["KHR_materials_ior"].(map[string]any)["ior"].(float64); math.Abs(ior-m.Index) > 1e-6 {
				t.Errorf("%s: index %g, want %g", m.Name, ior, m.Index)
			}
		}
		faces := map[string]int{}
		for _, m := range file.doc["meshes"].([]any) {
			for _, p := range m.(map[string]any)["primitives"].([]any) {
				p := p.(map[string]any)
				vertices := len(file.arrays[int(p["attributes"].(map[string]any)["POSITION"].(float64))]) / 3
				corners := file.arrays[int(p["indices"].(float64))]
				if len(corners)%3 != 0 || len(corners) == 0 || int(slices.Max(corners)) >= vertices {
					t.Errorf("%d corners up to %g of %d vertices", len(corners), slices.Max(corners), vertices)
				}
				material := file.doc["materials"].([]any)[int(p["material"].(float64))]
				faces[material.(map[string]any)["name"].(string)] += len(corners) / 3
			}
		}
		box := &f.Objects[0]
		want := map[string]int{"liquid": len(f.Mesh.Tri), "steel": len(f.Objects[1].Mesh.Tri), "honey": (len(box.Mesh.Tri) + 2) / 3}
		want["paint"] = len(box.Mesh.Tri) - want["honey"]
		if fmt.Sprint(faces) != fmt.Sprint(want) {
			t.Errorf("triangles %v, want %v", faces, want)
		}
	}
}

// A ball's mean chord is two thirds of its diameter.
func TestMeanChord(t *testing.T) {
	m := ball().Mesh
	if got := meanChord(m); math.Abs(got/(4./3*0.125)-1) > 0.02 {
		t.Errorf("mean chord %g m", got)
	}
}
