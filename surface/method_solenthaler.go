package surface

import (
	"sync"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"breakwater/surface/simd"
)

func init() {
	Methods.Add("solenthaler", "zhu-bridson with a smaller distance where the mean position changes faster than the point of evaluation, which removes its ghosts",
		"Solenthaler et al. 2007", func() Method { return &solenthaler{meshing: defaults(), Radius: 1, Low: 0.4, High: 3.5} })
}

// solenthaler meshes the surface of Solenthaler, Schläfli and Pajarola, A unified
// particle model for fluid–solid interactions, Comput. Animat. Virtual Worlds 18, 2007,
// section 4.1: the surface of Zhu and Bridson with r̄·f in place of r̄,
//
//	f = 1 for λ ≤ low, else γ³ − 3γ² + 3γ,  γ = (high − λ)/(high − low)
//
// where λ is the largest eigenvalue of ∇x̄ (of its symmetric part: the other is
// small). Between blobs x̄ jumps from one to the next, and λ is large.
type solenthaler struct {
	meshing
	Radius float64 `toml:"radius" unit:"particle radii" range:"[0.7, 1.5]" doc:"Distance of the surface from the mean position of nearby particles."`
	Low    float64 `toml:"low" unit:"1" range:"[0, 1]" doc:"Rate of change of the mean position up to which the full distance is used."`
	High   float64 `toml:"high" unit:"1" range:"(1, 10]" doc:"Rate of change above which there is no surface."`

	mirrored
}

// slopes are the sums of the mean places and of their derivatives.
type slopes [len(simd.Block{})]struct {
	d  vec.Vec3 // Σ c·d with c = dw/d|d|/|d|
	dd vec.Sym3 // Σ c·d⊗d
}

var slopesPool = sync.Pool{New: func() any { return new(slopes) }}

// Surface implements Method.
func (s *solenthaler) Surface(dst *mesh.Mesh, cloud Cloud) error { return s.surface(dst, cloud, s) }

func (s *solenthaler) fill(g *grid, f *field) {
	r := s.reach(f.spacing)
	s.take(f, r)
	par.Each(len(g.blocks), func(i int) {
		b := g.blocks[i]
		m, n := meansPool.Get().(*means), slopesPool.Get().(*slopes)
		defer meansPool.Put(m)
		defer slopesPool.Put(n)
		*m, *n = means{}, slopes{}
		s.scatter(g, b, r, func(_ int32, node int, d vec.Vec3, r2 float64) {
			u := 1 - r2/(r*r)
			w, c := float64(u*u*u), -6*u*u/(r*r)
			m[node].w += w
			m[node].d = m[node].d.Add(d.Mul(w))
			a := &n[node]
			a.d = a.d.Add(d.Mul(c))
			a.dd.XX += float64(c * d.X * d.X)
			a.dd.YY += float64(c * d.Y * d.Y)
			a.dd.ZZ += float64(c * d.Z * d.Z)
			a.dd.XY += float64(c * d.X * d.Y)
			a.dd.YZ += float64(c * d.Y * d.Z)
			a.dd.ZX += float64(c * d.Z * d.X)
		})
		radius := float64(s.Radius / 2 * f.spacing)
		for i := range m {
			v := m.level(i, radius)
			if v > 0 { // f takes only away
				v -= float64(radius * (1 - s.factor(m, n, i)))
			}
			b.f[i] = float32(v / f.spacing)
		}
	})
}

// factor returns f at a node. With d = x − x_j, x̄ is x − Σ w d/W, and so
//
//	∇x̄ = (Σ w d)⊗(Σ c d)/W² − Σ c d⊗d/W.
func (s *solenthaler) factor(m *means, n *slopes, i int) float64 {
	w, p, q := m[i].w, m[i].d.Mul(1/m[i].w), n[i].d
	dd := &n[i].dd
	slope := vec.Sym3{
		XX: (float64(p.X*q.X) - dd.XX) / w,
		YY: (float64(p.Y*q.Y) - dd.YY) / w,
		ZZ: (float64(p.Z*q.Z) - dd.ZZ) / w,
		XY: (float64((float64(p.X*q.Y)+float64(p.Y*q.X))/2) - dd.XY) / w,
		YZ: (float64((float64(p.Y*q.Z)+float64(p.Z*q.Y))/2) - dd.YZ) / w,
		ZX: (float64((float64(p.Z*q.X)+float64(p.X*q.Z))/2) - dd.ZX) / w,
	}
	gamma := (s.High - slope.LargestEigenvalue()) / (s.High - s.Low)
	gamma = max(0, min(1, gamma))
	return float64(gamma * (float64(gamma*(gamma-3)) + 3))
}
