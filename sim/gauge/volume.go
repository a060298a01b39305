package gauge

import (
	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	Gauges.Add("volume", "volume of liquid in an axis-parallel box", "", func() Gauge { return &VolumeIn{} })
}

// VolumeIn measures the volume of liquid in a box: each particle counts as a
// cube with an edge of one spacing, cut by the box. In two dimensions it is the
// area.
type VolumeIn struct {
	Min vec.Vec3 `toml:"min" unit:"m" doc:"Lower corner."`
	Max vec.Vec3 `toml:"max" unit:"m" doc:"Upper corner."`
}

// Columns implements Gauge.
func (g *VolumeIn) Columns() []string { return []string{"volume_m3"} }

// Read implements Gauge.
func (g *VolumeIn) Read(dst []float64, w *sim.World, _ []float64) []float64 {
	r := float64(w.Spacing / 2)
	overlap := func(x, lo, hi float64) float64 { return max(0, min(x+r, hi)-max(x-r, lo)) }
	return append(dst, total(w, func(i int) float64 {
		x := w.X[i]
		v := float64(overlap(x.X, g.Min.X, g.Max.X) * overlap(x.Y, g.Min.Y, g.Max.Y))
		if w.Dim() == 3 {
			v *= overlap(x.Z, g.Min.Z, g.Max.Z)
		}
		return v
	}))
}
