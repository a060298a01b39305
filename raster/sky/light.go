package sky

import (
	"math"
)

// Light is the lighting of the picture. The scene's [light] table decodes into it.
type Light struct {
	Kind        Surroundings `toml:"kind" oneof:"studio dark hall sky hills overcast" doc:"Surroundings that light the scene and that the water mirrors. studio is a seamless backdrop with softboxes; dark is a black one with graded softboxes behind the scene, which outline water and glass; hall is a room with tall windows; sky is a clear sky (Preetham et al. 1999); hills is the same over distant hills; overcast is a dull day (Moon and Spencer 1942). Without this key, the liquid mercury lies in a hall, and all else in a studio."`
	Environment string       `toml:"environment" doc:"Radiance picture (.hdr) of the surroundings, by longitude and latitude, as a path from the folder of the scene file. It replaces kind: it lights the scene and is its background. Its sun, or its brightest lamp, casts the shadows and is turned to azimuth. Elevation and turbidity have no effect. Its brightness is scaled to match the studio."`
	Panorama    *Panorama    `toml:"-"` // of Environment
	Azimuth     float64      `toml:"azimuth" unit:"deg" range:"[-360, 360]" doc:"Direction towards the sun, measured from +z towards +x."`
	Elevation   float64      `toml:"elevation" unit:"deg" range:"[5, 90]" doc:"Height of the sun above the horizon."`
	Sun         float64      `toml:"sun" unit:"1" range:"[0, 100]" doc:"Strength of the sun, or of the spotlight that replaces it indoors."`
	Sky         float64      `toml:"sky" unit:"1" range:"[0, 100]" doc:"Strength of the sky, or of the backdrop and the softboxes."`
	Turbidity   float64      `toml:"turbidity" unit:"1" range:"[2, 10]" doc:"Haze in a clear sky and before hills: 2 after rain, 3 on a fine day, 10 on a hazy one."`
	Exposure    float64      `toml:"exposure" unit:"EV" range:"[-10, 10]" doc:"Exposure correction of the picture, in stops."`
}

// DefaultLight is a studio with a high spotlight behind the tank, to the left of a camera
// at the default azimuth. It shines through the water, and shadows fall towards the
// viewer.
func DefaultLight() Light {
	return Light{Kind: Studio, Azimuth: -105, Elevation: 52, Sun: 1, Sky: 1, Turbidity: 3}
}

// Gain returns the factor of the picture's radiance before tone mapping.
func (l Light) Gain() float64 { return exposure * math.Exp2(l.Exposure) }

// exposure brings the open floor under DefaultLight to a light grey, which leaves room
// above it for highlights.
const exposure = 1.1
