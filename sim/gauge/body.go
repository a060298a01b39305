package gauge

import (
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

func init() {
	Gauges.Add("body", "position, motion, force, torque and submerged volume of a body; in a gas its temperature in place of the volume", "", func() Gauge { return &BodyState{Body: 1} })
}

// BodyState measures the position and motion of a free body, the force and torque of the
// liquid's pressure on it, about its centre of mass, and its share under water.
type BodyState struct {
	Body int `toml:"body" range:"[1, inf)" doc:"Number of the body, 1 for the first [[body]]."`

	surface []patch // of the body as the scene places it
}

// patch is a small piece of a body's surface.
type patch struct{ at, area vec.Vec3 } // area along the normal, m²

// Columns implements Gauge.
func (g *BodyState) Columns() []string {
	return []string{
		"position_x_m", "position_y_m", "position_z_m", "velocity_x_m_s", "velocity_y_m_s", "velocity_z_m_s", "turn_x_rad_s", "turn_y_rad_s", "turn_z_rad_s",
		"force_x_n", "force_y_n", "force_z_n", "torque_x_n_m", "torque_y_n_m", "torque_z_n_m", "submerged_m3",
	}
}

// Read implements Gauge. Force and torque are as in ForceOn.
func (g *BodyState) Read(dst []float64, w *sim.World, p []float64) []float64 {
	b, s := w.FreeBodies()[g.Body-1], &w.Bodies[g.Body-1]
	for _, v := range []vec.Vec3{s.X, s.V, s.Spin} {
		dst = append(dst, v.X, v.Y, v.Z)
	}
	h := w.Kernel.H()
	near := where(w, func(x vec.Vec3) bool { return !b.Beyond(x, h) })
	force, torque := vec.New(math.NaN(), math.NaN(), math.NaN()), vec.New(math.NaN(), math.NaN(), math.NaN())
	if p != nil {
		force, torque = vec.Vec3{}, vec.Vec3{}
		for _, i := range near {
			if p[i] > 0 && !w.InBuffer(w.ID[i], w.Time) {
				_, grad := b.Mirror(w.X[i])
				f := grad.Mul(w.Mass() * p[i] / w.Rho0)
				force, torque = force.Add(f), torque.Add(w.X[i].Sub(s.X).Cross(f))
			}
		}
	}
	for _, v := range []vec.Vec3{force, torque} {
		dst = append(dst, v.X, v.Y, v.Z)
	}
	return append(dst, g.submerged(w, b, near))
}

// shoreline is the largest distance between a wet patch and a dry one at the water's edge,
// in spacings. The centres of patches with a common edge are at most 2/3 apart, because a
// patch's edges are at most a spacing long. It is wider so that an edge has many pairs.
const shoreline = 1.2

// submerged returns the volume of b under water. The surface is wet where particles fill
// more than wet of the kernel half a spacing before it. The wet part is closed by a
// plane, the water's level at the body; so the volume is
//
//	⅓ Σ (x − c)·A  over the wet patches, c a point of the plane, ½ in two dimensions,
//
// for which the mean of the places serves where wet meets dry.
func (g *BodyState) submerged(w *sim.World, b *body.Body, near []int32) float64 {
	const wet = 0.4 // of 0.85 in the liquid, half as much at its surface
	d, h := w.Spacing, w.Kernel.H()
	if g.surface == nil {
		g.surface = surfaceOf(b.Boundary, d)
		if w.Dim() == 2 {
			g.surface = flatSurfaceOf(b.Boundary, d)
		}
	}
	is := make([]bool, len(g.surface))
	volume := w.ParticleVolume()
	at := make([]vec.Vec3, len(g.surface))
	places := make([]vec.Vec3, len(near))
	for k, i := range near {
		places[k] = w.X[i]
	}
	var particles neighbor.Grid
	particles.Build(places, h)
	par.For(len(at), func(lo, hi int) {
		var list []int32
		for k := lo; k < hi; k++ {
			s := g.surface[k]
			at[k] = b.Place(s.at)
			x, sum := at[k].Add(b.Rotated(s.area).Unit().Mul(d/2)), 0.
			list = particles.Near(list[:0], x)
			for _, i := range list {
				sum += float64(volume * w.Kernel.W(places[i].Sub(x).Len()))
			}
			is[k] = sum > wet
		}
	})
	switch {
	case !slices.Contains(is, true):
		return 0
	case !slices.Contains(is, false):
		return b.Free.Volume()
	}
	var c vec.Vec3
	n := 0.
	var off []vec.Vec3
	for k := range at {
		if !is[k] {
			off = append(off, at[k])
		}
	}
	var dry neighbor.Grid
	dry.Build(off, shoreline*d)
	var list []int32
	for k := range at {
		if is[k] {
			list = dry.Near(list[:0], at[k])
			for _, i := range list {
				c, n = c.Add(at[k].Lerp(off[i], 0.5)), n+1
			}
		}
	}
	if n == 0 {
		return math.NaN()
	}
	c = c.Mul(1 / n)
	sum := 0.
	for k, s := range g.surface {
		if is[k] {
			sum += at[k].Sub(c).Dot(b.Rotated(s.area)) / float64(w.Dim())
		}
	}
	return min(b.Free.Volume(), max(0, sum))
}

// roundSides is the number of sides that stand for a round surface. A polygon of 48 sides
// has 0.3 % less area than its circle.
const roundSides = 48

// surfaceOf returns the surface of a solid in patches of about a spacing.
func surfaceOf(b boundary.Boundary, spacing float64) (list []patch) {
	var pos []vec.Vec3
	var tri [][3]int32
	switch s := b.(type) {
	case *boundary.Box:
		block := mesh.Cuboid(s.Extent())
		pos, tri = block.Pos, block.Tri
	case *boundary.Sphere:
		ball := boundary.Capsule{Bottom: s.Center, Top: s.Center.Add(vec.New(0, float64(1e-9*s.Radius), 0)), Radius: s.Radius}
		pos, tri = ball.Surface(roundSides)
	case *boundary.Cylinder:
		pos, tri = s.Prism(roundSides)
	case interface {
		Faces() ([]vec.Vec3, [][3]int32)
	}:
		pos, tri = s.Faces()
	}
	for _, t := range tri {
		list = addPatches(list, pos[t[0]], pos[t[1]], pos[t[2]], spacing)
	}
	return list
}

// addPatches halves a triangle's longest edge until none is longer than most.
func addPatches(list []patch, a, b, c vec.Vec3, most float64) []patch {
	ab, bc, ca := b.Sub(a).Len(), c.Sub(b).Len(), a.Sub(c).Len()
	switch long := max(ab, bc, ca); {
	case long <= most:
		return append(list, patch{a.Add(b).Add(c).Mul(1. / 3), b.Sub(a).Cross(c.Sub(a)).Mul(0.5)})
	case long == ab:
		m := a.Lerp(b, 0.5)
		return addPatches(addPatches(list, a, m, c, most), m, b, c, most)
	case long == bc:
		m := b.Lerp(c, 0.5)
		return addPatches(addPatches(list, a, b, m, most), a, m, c, most)
	default:
		m := c.Lerp(a, 0.5)
		return addPatches(addPatches(list, a, b, m, most), b, c, m, most)
	}
}
