package gauge

import (
	"fmt"
	"math"

	"breakwater/sim"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

func init() {
	Gauges.Add("force", "force of the liquid's pressure or of a gas on a wall", "", func() Gauge { return &ForceOn{Wall: 1} })
}

// ForceOn measures the force that the pressure has on a wall: the sum of the wall's
// forces on the particles, reversed. It includes neither friction nor the impulses on
// drops too thin for pressure.
type ForceOn struct {
	Wall int    `toml:"wall" range:"[1, inf)" doc:"Number of the wall, 1 for the first [[wall]]."`
	Side string `toml:"side" oneof:"x- x+ y- y+ z- z+" doc:"Side of a tank whose force is measured, such as \"y-\" for the floor or \"x+\" for the far end. The default is the whole wall."`
}

// Check reports a wall that is not there.
func (g *ForceOn) Check(walls int) error {
	if g.Wall > walls {
		return fmt.Errorf("there is no wall %d; the last is %d", g.Wall, walls)
	}
	return nil
}

// Columns implements Gauge.
func (g *ForceOn) Columns() []string { return []string{"force_x_n", "force_y_n", "force_z_n"} }

// Read implements Gauge. The force on the wall by particle i is m k_i ∇λ_i, the
// opposite of its part in pressureAccel, with the corrections along walls. For isph see whole.
func (g *ForceOn) Read(dst []float64, w *sim.World, p []float64) []float64 {
	if p == nil {
		return append(dst, math.NaN(), math.NaN(), math.NaN())
	}
	wall, h := w.Walls[g.Wall-1], w.Kernel.H()
	near := where(w, func(x vec.Vec3) bool { d, _ := wall.Dist(x); return d < h })
	forces := sim.NewWallForces(w)
	layer := newWallLayer(w, wall, near, forces, h)
	factors := make([]float64, len(near))
	par.Each(len(near), func(k int) {
		if i := near[k]; p[i] > 0 && !w.InBuffer(w.ID[i], w.Time) {
			factors[k] = layer.whole(wall, i)
		}
	})
	var sum vec.Vec3
	for k, i := range near {
		if factors[k] > 0 {
			sum = sum.Add(g.towards(layer.push[k]).Mul(forces.Pressure(wall, i, p[i]) * factors[k]))
		}
	}
	return append(dst, sum.X, sum.Y, sum.Z)
}

// towards returns the part of v that points to the side.
func (g *ForceOn) towards(v vec.Vec3) vec.Vec3 {
	switch g.Side {
	case "x-":
		return vec.New(min(0, v.X), 0, 0)
	case "x+":
		return vec.New(max(0, v.X), 0, 0)
	case "y-":
		return vec.New(0, min(0, v.Y), 0)
	case "y+":
		return vec.New(0, max(0, v.Y), 0)
	case "z-":
		return vec.New(0, 0, min(0, v.Z))
	case "z+":
		return vec.New(0, 0, max(0, v.Z))
	}
	return v
}
