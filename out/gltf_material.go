package out

import (
	"math"

	"breakwater/surface/mesh"
)

// gltfMaterial is a material of glTF 2.0 (section 3.9) with extensions of Khronos.
type gltfMaterial struct {
	Name       string         `json:"name"`
	PBR        gltfPBR        `json:"pbrMetallicRoughness"`
	Emissive   []float32      `json:"emissiveFactor,omitempty"`
	Extensions gltfExtensions `json:"extensions,omitzero"`
}

type gltfPBR struct {
	Color     []float32 `json:"baseColorFactor"`
	Metallic  float32   `json:"metallicFactor"`
	Roughness float32   `json:"roughnessFactor"`
}

type gltfExtensions struct {
	Transmission *gltfTransmission `json:"KHR_materials_transmission,omitempty"`
	Volume       *gltfVolume       `json:"KHR_materials_volume,omitempty"`
	IOR          *gltfIOR          `json:"KHR_materials_ior,omitempty"`
	Specular     *gltfSpecular     `json:"KHR_materials_specular,omitempty"`
	Strength     *gltfStrength     `json:"KHR_materials_emissive_strength,omitempty"`
}

type gltfTransmission struct {
	Factor float32 `json:"transmissionFactor"`
}

type gltfVolume struct {
	Thickness float32   `json:"thicknessFactor"` // for programs that do not trace rays
	Distance  float32   `json:"attenuationDistance,omitempty"`
	Color     []float32 `json:"attenuationColor,omitempty"`
}

type gltfIOR struct {
	IOR float32 `json:"ior"`
}

type gltfSpecular struct {
	Factor float32 `json:"specularFactor"`
}

type gltfStrength struct {
	Strength float32 `json:"emissiveStrength"`
}

// used lists the extensions that there are.
func (e *gltfExtensions) used() (names []string) {
	for _, x := range []struct {
		name string
		used bool
	}{
		{"KHR_materials_emissive_strength", e.Strength != nil},
		{"KHR_materials_ior", e.IOR != nil},
		{"KHR_materials_specular", e.Specular != nil},
		{"KHR_materials_transmission", e.Transmission != nil},
		{"KHR_materials_volume", e.Volume != nil},
	} {
		if x.used {
			names = append(names, x.name)
		}
	}
	return names
}

// gltfMaterialOf returns m as a document has it, for a mesh in a unit of length.
func gltfMaterialOf(m *Material, of *mesh.Mesh, unit float64) gltfMaterial {
	g := gltfMaterial{Name: m.Name, PBR: gltfPBR{Color: append(float32s(m.Color), 1), Roughness: float32(m.Roughness)}}
	if m.Metal {
		g.PBR.Metallic = 1
	}
	switch {
	case m.Index > 1:
		g.Extensions.IOR = &gltfIOR{float32(m.Index)}
	case !m.Metal: // a surface that mirrors nothing, where the format expects an index of 1.5
		g.Extensions.Specular = &gltfSpecular{}
	}
	if most := max(m.Glow.X, m.Glow.Y, m.Glow.Z); most > 0 {
		if most > 1 {
			g.Extensions.Strength = &gltfStrength{float32(most)}
		}
		g.Emissive = float32s(m.Glow.Mul(1 / max(1, most)))
	}
	if m.Clear {
		g.PBR.Color = []float32{1, 1, 1, 1} // its colour is in its volume
		v := &gltfVolume{Thickness: float32(meanChord(of))}
		if d, left := m.fade(); !math.IsInf(d, 0) {
			v.Distance, v.Color = float32(d/unit), float32s(left)
		}
		g.Extensions.Transmission, g.Extensions.Volume = &gltfTransmission{1}, v
	}
	return g
}

// meanChord returns the mean length of straight lines within a closed surface: 4V/S (Cauchy
// 1841).
func meanChord(m *mesh.Mesh) float64 {
	area := 0.0
	for _, t := range m.Tri {
		a := m.Pos[t[0]]
		area += float64(m.Pos[t[1]].Sub(a).Cross(m.Pos[t[2]].Sub(a)).Len() / 2)
	}
	if !(area > 0) {
		return 0
	}
	return 4 * math.Abs(m.Volume()) / area
}
