package surface

import (
	"math"

	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// field is the colour field of SPH (Müller, Charypar and Gross 2003, section
// 3.4)
//
//	F(x) = Σ_j V_j W(x − x_j) / (1 − λ(x))
//
// with the volumes V_j = 1/(Σ_k W_jk + λ_j/d³) from summed densities, so that
// V_j W(0) is 1 for a lone particle, which therefore never vanishes. λ is the
// share of the kernel in the walls: dividing by what is left makes liquid at a
// wall look like liquid in the bulk, and the surface does not draw back from
// the wall. W is the cubic spline with a support of two spacings.
type field struct {
	walls
	x       []vec.Vec3 // particles, m, relative to the walls' origin
	v       []vec.Vec3 // velocities, m/s, or none
	vol     []float64  // V_j, m³
	near    []float64  // Σ_k (1 − |x_j − x_k|²/h²), of a neighbourhood filled up by walls
	spacing float64    // m
	w       *kernel.CubicSpline
	find    neighbor.Grid
}

// fullNear is field.near in the bulk: of a cubic lattice 12.5, of a liquid a
// little more (Löschner et al. 2023, section 4, give 13).
const fullNear = 13

// measure computes vol and near.
func (f *field) measure() {
	f.w = kernel.NewCubicSpline(3, f.h)
	f.find.Build(f.x, f.h)
	f.vol = make([]float64, len(f.x))
	f.near = make([]float64, len(f.x))
	cube := f.spacing * f.spacing * f.spacing
	par.For(len(f.x), func(lo, hi int) {
		var list []int32
		for i := lo; i < hi; i++ {
			var sum, near float64
			list = f.find.Near(list[:0], f.x[i])
			for _, j := range list {
				r2 := f.x[i].Sub(f.x[j]).Dot(f.x[i].Sub(f.x[j]))
				sum += f.w.W(math.Sqrt(r2))
				near += 1 - r2/(f.h*f.h)
			}
			near-- // the particle itself
			if d, _ := f.dist(f.x[i]); d < f.h {
				share, _ := f.share(f.x[i])
				sum += share / cube
				near += fullNear * behind(d/f.h)
			}
			f.vol[i], f.near[i] = 1/sum, near
		}
	})
}

// behind returns the share of the weight 1 − r²/h² that lies beyond a plane at
// distance s·h: 15/16 ∫ (1−z²)² dz from s to 1.
func behind(s float64) float64 {
	s = max(-1, min(1, s))
	return 0.5 - 15.0/16*(s-2*s*s*s/3+s*s*s*s*s/5)
}

// sample is the field and what it carries at a point.
type sample struct {
	f    float64
	grad vec.Vec3 // 1/m
	vel  vec.Vec3 // m/s
	near float64  // of the particles around
}

// at evaluates the field at x. list is scratch, which it returns.
func (f *field) at(x vec.Vec3, list []int32) (sample, []int32) {
	var s sample
	list = f.find.Near(list[:0], x)
	for _, j := range list {
		d := x.Sub(f.x[j])
		r := d.Len()
		w := f.vol[j] * f.w.W(r)
		s.f += w
		s.near += w * f.near[j]
		if r > 0 {
			s.grad = s.grad.Add(d.Mul(f.vol[j] * f.w.DW(r) / r))
		}
		if f.v != nil {
			s.vel = s.vel.Add(f.v[j].Mul(w))
		}
	}
	if s.f > 0 {
		s.near /= s.f
		s.vel = s.vel.Mul(1 / s.f)
	}
	if len(f.all) > 0 {
		if share, grad := f.share(x); share > 0 {
			left := 1 - share
			s.f, s.grad = s.f/left, s.grad.Mul(1/left).Add(grad.Mul(s.f/(left*left)))
		}
	}
	return s, list
}

// clearance is the distance to a wall, in cells, up to which a node counts as
// behind it. It keeps vertices apart that leave a node along different edges.
const clearance = 0.01

// level returns the field at a node of b where Σ V_j W is sum.
func (f *field) level(b *block, node vec.Vec3, sum float64) float64 {
	if !b.near {
		return sum
	}
	share, _ := f.share(node)
	return sum / (1 - share)
}

// holds reports whether a node of b where Σ V_j W is sum lies in the liquid:
// its level is above t, and it is before all walls.
func (f *field) holds(b *block, node vec.Vec3, sum, t, cell float64) bool {
	if !b.near {
		return sum > t
	}
	if sum <= (1-mostShare)*t || sum <= t && f.level(b, node, sum) <= t {
		return false
	}
	d, _ := f.dist(node)
	return d > clearance*cell
}

// evaluate fills the nodes of block b.
func (g *grid) evaluate(b *block, f *field) {
	b.f = make([]float32, side*side*side)
	mid := 0.5 * (side - 1) * g.cell
	b.near = len(f.all) > 0 && f.within(b.corner.Add(vec.New(mid, mid, mid)), mid*math.Sqrt(3)+g.h)
	g.around(b, f.x, func(i int32, x vec.Vec3) {
		g.splat(b.f, x.Sub(b.corner), f.vol[i])
	})
}

// mark finds the nodes of block b that lie inside the liquid for threshold t.
func (g *grid) mark(b *block, f *field, t float64) {
	for row := range b.inside {
		b.inside[row] = 0
		y, z := row%side, row/side
		for x, sum := range b.f[row*side : (row+1)*side] {
			if sum > 0 && f.holds(b, g.node(b, x, y, z), float64(sum), t, g.cell) {
				b.inside[row] |= 1 << x
			}
		}
	}
}

// splat adds the kernel of a particle of volume vol at x, in metres from node
// 0, to the nodes of a block. It is
//
//	for i := range f { f[i] += vol·W(|x_i − x|) }
//
// with W(q) = 8/(πh³)·(2(1−q)³ − 8(½−q)³), each cube only where positive: the
// cubic spline without its two cases.
func (g *grid) splat(f []float32, x vec.Vec3, vol float64) {
	px, py, pz := x.X/g.cell, x.Y/g.cell, x.Z/g.cell
	h := g.h / g.cell
	invH, scale := float32(1/h), float32(vol*8/(math.Pi*g.h*g.h*g.h))
	for k := max(0, int(math.Ceil(pz-h))); k < side && float64(k) <= pz+h; k++ {
		dz := float64(k) - pz
		for j := max(0, int(math.Ceil(py-h))); j < side && float64(j) <= py+h; j++ {
			dy := float64(j) - py
			rest := h*h - dz*dz - dy*dy
			if rest <= 0 {
				continue
			}
			reach := math.Sqrt(rest)
			from, to := max(0, int(math.Ceil(px-reach))), min(side-1, int(math.Floor(px+reach)))
			if from > to {
				continue
			}
			row := f[(k*side+j)*side+from : (k*side+j)*side+to+1]
			d2, dx := float32(dz*dz+dy*dy), float32(float64(from)-px)
			for i := range row {
				q := float32(math.Sqrt(float64(dx*dx+d2))) * invH
				u := 1 - q
				w := 2 * u * u * u
				if q < 0.5 {
					v := 0.5 - q
					w -= 8 * v * v * v
				}
				row[i] += scale * w
				dx++
			}
		}
	}
}
