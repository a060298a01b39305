package gauge

import (
	"math"

	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	Gauges.Add("pressure", "pressure at a point, in the liquid or on a wall", "Dilts 1999", func() Gauge { return &PressureAt{} })
}

// PressureAt measures the pressure at a point, above ambient.
type PressureAt struct {
	At     vec.Vec3 `toml:"at" unit:"m" doc:"Position of the gauge."`
	Radius float64  `toml:"radius" unit:"m" range:"[0, inf)" doc:"Radius of the sensor, within which particles count. 0 is two spacings; a smaller radius finds no particles."`
}

// Columns implements Gauge.
func (g *PressureAt) Columns() []string { return []string{"pressure_pa"} }

// Read implements Gauge. In the air the pressure is 0.
func (g *PressureAt) Read(dst []float64, w *sim.World, p []float64) []float64 {
	if p == nil {
		return append(dst, math.NaN())
	}
	r := radius(w, g.Radius)
	for k, wall := range w.Walls {
		if d, n := wall.Dist(g.At); d < w.Spacing/2 {
			return append(dst, onWall(w, k, g.At, n, r, p))
		}
	}
	near := within(w, g.At, r+w.Kernel.H())
	value := func(i int32) float64 { return thrust(w, int(i), near, p) }
	if w.PressureField() {
		value = func(i int32) float64 { return p[i] }
	}
	v, _ := valueAt(w, g.At, r, value)
	return append(dst, max(0, v))
}

// thrust returns the pressure of particle i as a force per area, Pa. It is the mean
// normal stress of the forces between the particle and its neighbours, which are among
// near (Irving and Kirkwood, J. Chem. Phys. 18, 1950),
//
//	−1/D Σ_j V (p_i + p_j)/2 (x_i − x_j)·∇W_ij,
//
// with a wall's mirror image among them. This is the pressure that bears a weight. The
// p_i themselves are off by a factor that depends on the particles' order. With supports
// of two spacings it is 1.02 in a cubic lattice and 0.97 in the closest packing.
func thrust(w *sim.World, i int, near []int32, p []float64) float64 {
	var sum float64
	for _, j := range near {
		if r := w.X[i].Sub(w.X[j]).Len(); r < w.Kernel.H() {
			sum -= float64(w.ParticleVolume() * (p[i] + p[j]) / 2 * r * w.Kernel.DW(r))
		}
	}
	dim := float64(w.Dim())
	for _, wall := range w.Walls {
		// Image layers have ∫ z ∂W/∂z dA = z M′(z) and, by parts, ∫ x ∂W/∂x dA =
		// −M(z) for each direction in their plane, with M the kernel's marginal.
		// The nearest of them, at z = 2t, has nearly all of the gradient, 2M′.
		if share, grad := wall.Mirror(w.X[i]); share > 0 {
			t, n := wall.Dist(w.X[i])
			sum += float64(p[i] * (float64((dim-1)*share) - float64(max(0, t)*grad.Dot(n))))
		}
	}
	return sum / dim
}

// onWall returns the pressure on wall k about its point x, Pa. It is the force of the
// particles on it per area, see ForceOn, weighted with a kernel of radius r in the plane
// of the wall. The particles' own pressures are not accurate there: in the first layer
// they are a tenth too high, since the layer is packed more closely.
func onWall(w *sim.World, k int, x, n vec.Vec3, r float64, p []float64) float64 {
	wall := w.Walls[k]
	forces := sim.NewWallForces(w)
	layer := newWallLayer(w, wall, within(w, x, r+w.Kernel.H()), forces, r)
	var force, cover float64
	layer.around(x, n, r, func(i int32, area float64) {
		force += float64(forces.Pressure(wall, i, p[i]) * area)
		cover += area
	})
	area := open(w, x, n, r, 16)
	if area == 0 {
		return 0
	}
	if w.PressureField() {
		force *= whole(cover / area)
	}
	return max(0, force/area)
}
