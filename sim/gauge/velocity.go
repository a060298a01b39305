package gauge

import (
	"math"

	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	Gauges.Add("velocity", "velocity at a point", "Dilts 1999", func() Gauge { return &VelocityAt{} })
}

// VelocityAt measures the velocity at a point.
type VelocityAt struct {
	At     vec.Vec3 `toml:"at" unit:"m" doc:"Position of the gauge."`
	Radius float64  `toml:"radius" unit:"m" range:"[0, inf)" doc:"Radius within which particles count. 0 is two spacings; a smaller radius finds no particles."`
}

// Columns implements Gauge.
func (g *VelocityAt) Columns() []string {
	return []string{"velocity_x_m_s", "velocity_y_m_s", "velocity_z_m_s"}
}

// Read implements Gauge. Without liquid it gives no reading.
func (g *VelocityAt) Read(dst []float64, w *sim.World, _ []float64) []float64 {
	r := radius(w, g.Radius)
	for _, part := range []func(v vec.Vec3) float64{
		func(v vec.Vec3) float64 { return v.X },
		func(v vec.Vec3) float64 { return v.Y },
		func(v vec.Vec3) float64 { return v.Z },
	} {
		v, ok := valueAt(w, g.At, r, func(i int32) float64 { return part(w.V[i]) })
		if !ok {
			v = math.NaN()
		}
		dst = append(dst, v)
	}
	return dst
}
