package raster

import "breakwater/sim/vec"

// The clear liquids that a scene can name, drawn as water is, each with its index of
// refraction for yellow light and its absorption.
func init() {
	for _, l := range []struct {
		name, doc, cite string
		water
	}{
		{"seawater", "clear sea, bluer than water", "Quan and Fry 1995",
			water{1.340, vec.Vec3{X: 0.42, Y: 0.80, Z: 0.92}, 1}},
		{"ethanol", "clear as water, without its tint", "CRC Handbook of Chemistry and Physics",
			water{1.361, vec.Vec3{X: 0.93, Y: 0.95, Z: 0.95}, 1}},
		{"glycerol", "clear and bright, with a hint of yellow", "CRC Handbook of Chemistry and Physics",
			water{1.473, vec.Vec3{X: 0.94, Y: 0.93, Z: 0.86}, 1}},
		{"oil", "olive oil, green gold", "CRC Handbook of Chemistry and Physics",
			water{1.468, vec.Vec3{X: 0.80, Y: 0.72, Z: 0.08}, 0.1}},
		{"honey", "gold in a thread, amber where it is thick", "Bogdanov 2009",
			water{1.490, vec.Vec3{X: 0.86, Y: 0.45, Z: 0.05}, 0.02}},
	} {
		Looks.Add(l.name, l.doc, l.cite, func() Look { w := l.water; return &w })
	}
}
