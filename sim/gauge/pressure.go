package gauge

import (
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/boundary"
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
	v, _ := valueAt(w, g.At, r, func(i int32) float64 { return thrust(w, int(i), near, p) })
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
	wall, h := w.Walls[k], w.Kernel.H()
	u, v := n.LevelBasis()
	flat := w.Dim() == 2
	norm := 3 / (math.Pi * r * r)
	if flat {
		norm = 15 / (16 * r)
	}
	weight := func(y vec.Vec3) float64 {
		a, b := y.Dot(u), y.Dot(v)
		q2 := (float64(a*a) + float64(b*b)) / (r * r)
		if q2 >= 1 {
			return 0
		}
		return float64(norm * (1 - q2) * (1 - q2))
	}
	forces := sim.NewWallForces(w)
	force := 0.
	for _, i := range within(w, x, r+h) {
		y := w.X[i].Sub(x)
		if f := weight(y); f > 0 && math.Abs(y.Dot(n)) < h {
			force -= float64(w.ParticleVolume() * forces.Pressure(wall, i, p[i]) * forces.Gradient(wall, i).Dot(n) * f)
		}
	}
	// Where another wall is in the way, there is less of this one.
	const side = 16
	var area, all float64
	for a := range side {
		for b := range side {
			at := func(i int) float64 { return float64(r * (float64(2*(float64(i)+0.5)/side) - 1)) }
			y := u.Mul(at(a)).Add(v.Mul(at(b)))
			if flat {
				y = vec.New(-n.Y, n.X, 0).Mul(at(a))
			}
			f := weight(y)
			all += f
			y = x.Add(y).Add(n.Mul(float64(w.Spacing / 2)))
			if !slices.ContainsFunc(w.Walls, func(o boundary.Boundary) bool { d, _ := o.Dist(y); return d < 0 }) {
				area += f
			}
		}
	}
	if area == 0 {
		return 0
	}
	return max(0, force*all/area)
}
