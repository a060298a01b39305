package boundary

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// ParticleLayer is a wall whose surface is made of particles, the alternative to a
// density map (Akinci et al., Versatile Rigid-Fluid Coupling for Incompressible SPH, ACM
// Trans. Graph. 31, 2012).
//
// They lie in one layer half a spacing behind the surface, where the lattice of a liquid
// at rest would continue. A second layer would be beyond the kernel. Each stands for the
// volume
//
//	V_b = γ / Σ_c W_bc,  γ = d ∫ W dA over a plane through a particle,
//
// so that it does not matter how closely they lie (Akinci et al., eq. 4). With γ, 0.7 for
// a cubic spline, a flat layer has the volume of a layer of the liquid, though nothing is
// behind it (Band et al., Pressure Boundaries for Implicit Incompressible SPH, ACM Trans.
// Graph. 37, 2018). They add λ = Σ_b V_b W_ib to the relative density and −k_i ∇λ_i to
// the acceleration. The wall gets the opposite force.
//
// With this sum alone, half the force is missing (see layers.Mirror): the liquid sank
// until it was held back, a quarter of a spacing off the wall. A wall particle with the
// pressure of the fluid particle that it pushes gives twice the force at the same λ. The
// solve then corrects twice the present error, and the first layer at rest lay 0.09
// spacings up and down. So a wall particle approaches the liquid as a mirror image does.
// It moves along the normal n_b by the image's distance from its place half a spacing
// before the surface,
//
//	λ = Σ_b V_b W(u + n_b (n_b·u − d)),  u = x_i − x_b.
type ParticleLayer interface {
	// Mirror returns λ at x and its gradient, as Boundary.Mirror does.
	Mirror(x vec.Vec3) (sum float64, grad vec.Vec3)
}

// layerGap is the least distance of a layer's particles, in spacings.
const layerGap = 0.5

// CheckParticles returns an error if a wall cannot be made of particles.
func CheckParticles(b Boundary, k kernel.Kernel) error {
	const most = 4e6 // particles
	if k.Dim() != 3 {
		return errors.New("walls of particles are not supported in two dimensions")
	}
	if _, ok := b.(*Plane); ok {
		return nil
	}
	if _, ok := b.(Bounded); !ok {
		return errors.New("a wall of this shape cannot be made of particles")
	}
	if n := LayerSize(b, kernel.Spacing(k)); n > most {
		return fmt.Errorf("its surface would need about %.2g particles; expected at most %.2g: make the spacing at least %.2g m, make the wall smaller, or use a density map", n, float64(most), float64(kernel.Spacing(k)*math.Sqrt(n/most)))
	}
	return nil
}

// LayerSize returns about how many particles the layer of a wall has.
func LayerSize(b Boundary, d float64) float64 {
	const dense = 2.8 // to a square spacing
	e, ok := b.(Bounded)
	if !ok {
		return 0
	}
	s := e.Extent().Size()
	return 2 * dense * (float64(s.X*s.Y) + float64(s.Y*s.Z) + float64(s.Z*s.X)) / (d * d)
}

// ParticleBytes is the memory of a wall particle.
const ParticleBytes = 70

// NewParticleLayer makes the layer of a wall for which CheckParticles found nothing.
func NewParticleLayer(b Boundary, k kernel.Kernel) ParticleLayer {
	if p, ok := b.(*Plane); ok {
		return newLattice(p, k)
	}
	return newScattered(b, k)
}

// scattered is a layer of particles on any surface, sorted by cell.
type scattered struct {
	k     kernel.Kernel
	wall  Boundary
	part  []wallParticle
	cells neighbor.Cells
}

type wallParticle struct {
	x, n   vec.Vec3 // place, and normal into the liquid
	volume float64  // m³
}

// The range of the layer, in h. A wall particle that approaches the liquid by t − d, from
// t before it, is within h from √(4+¼) d on. So the layer has no effect beyond √(4+¼) − ½
// spacings off the surface.
const (
	fromParticle = 1.04
	fromSurface  = 0.79
)

func newScattered(b Boundary, k kernel.Kernel) *scattered {
	d := kernel.Spacing(k)
	s := &scattered{k: k, wall: b}
	x := inCells(&s.cells, scatter(b, d), k.H()*fromParticle)
	s.part = make([]wallParticle, len(x))
	gamma := d * k.Marginal(0)
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, n := b.Dist(x[i])
			sum := 0.
			for _, r := range around27(&s.cells, x[i]) {
				for _, y := range x[r[0]:r[1]] {
					sum += k.W(y.Sub(x[i]).Len())
				}
			}
			s.part[i] = wallParticle{x[i], n, gamma / sum}
		}
	})
	return s
}

// around27 returns the runs of the points in the cells around x.
func around27(c *neighbor.Cells, x vec.Vec3) (rows [9][2]int32) {
	c.Rows(c.Nearest(x), &rows)
	return rows
}

func (s *scattered) Mirror(x vec.Vec3) (sum float64, grad vec.Vec3) {
	h := s.k.H()
	if r, ok := s.wall.(Rough); ok && r.Beyond(x, float64(fromSurface*h)) || len(s.part) == 0 {
		return 0, grad
	} else if !ok {
		if d, _ := s.wall.Dist(x); d > fromSurface*h {
			return 0, grad
		}
	}
	for _, r := range around27(&s.cells, x) {
		for j := range s.part[r[0]:r[1]] {
			p := &s.part[int(r[0])+j]
			u := x.Sub(p.x)
			t := u.Dot(p.n)
			if t >= 0.75*h || t <= -0.25*h { // 2t − d is beyond h
				continue
			}
			u = u.Add(p.n.Mul(t - float64(h/2)))
			if r2 := u.Dot(u); r2 < h*h && r2 > 0 {
				r := math.Sqrt(r2)
				sum += float64(p.volume * s.k.W(r))
				g := u.Mul(p.volume * s.k.DW(r) / r)
				grad = grad.Add(g).Add(p.n.Mul(g.Dot(p.n)))
			}
		}
	}
	return sum, grad
}

// lattice is the layer of an endless plane: a square lattice that is nowhere
// stored.
type lattice struct {
	k      kernel.Kernel
	point  vec.Vec3 // of the plane, above a particle
	n      vec.Vec3 // into the liquid
	u, v   vec.Vec3 // along the plane
	gap    float64  // m
	volume float64  // of a particle, m³
}

func newLattice(p *Plane, k kernel.Kernel) *lattice {
	d := kernel.Spacing(k)
	l := &lattice{k: k, point: p.Point, n: p.Normal.Unit(), gap: layerGap * d}
	l.u, l.v = l.n.Basis()
	l.volume = l.gap * l.gap * d
	return l
}

func (l *lattice) Mirror(x vec.Vec3) (sum float64, grad vec.Vec3) {
	h := l.k.H()
	r := x.Sub(l.point)
	t := 2 * r.Dot(l.n)
	if math.Abs(t) >= h {
		return 0, grad
	}
	reach := math.Sqrt(float64(h*h) - float64(t*t))
	a, b := r.Dot(l.u), r.Dot(l.v)
	for i := math.Ceil((a - reach) / l.gap); i*l.gap <= a+reach; i++ {
		for j := math.Ceil((b - reach) / l.gap); j*l.gap <= b+reach; j++ {
			p, q := a-float64(i*l.gap), b-float64(j*l.gap)
			if r := math.Sqrt(float64(t*t) + float64(p*p) + float64(q*q)); r < h && r > 0 {
				sum += float64(l.volume * l.k.W(r))
				f := l.volume * l.k.DW(r) / r
				grad = grad.Add(l.n.Mul(2 * f * t)).Add(l.u.Mul(f * p)).Add(l.v.Mul(f * q))
			}
		}
	}
	return sum, grad
}
