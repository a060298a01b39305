package sim

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// tension is the pull of the liquid's surface, σκ per area, inward, with κ the sum of the
// two curvatures. It is a force on the outermost layer of particles (the continuum
// surface force of Brackbill, Kothe and Zemach, A continuum method for modeling surface
// tension, J. Comput. Phys. 100, 1992; for particles Morris, Simulating surface tension
// with smoothed particle hydrodynamics, Int. J. Numer. Meth. Fluids 33, 2000). σ is the
// liquid's surface tension in N/m: nothing is fitted.
//
// Forces between pairs that pull the liquid together (Akinci et al., Versatile
// surface tension and adhesion for SPH fluids, 2013) were tried first. With a
// support of two spacings their energy depends on how the particles lie more
// than on the surface's area, so that drops freeze on their way to a ball.
//
// Pressure is never negative. A hollow surface can pull outward only where the liquid is
// under pressure for another reason, its weight or a ball's curvature elsewhere. A liquid
// does not hang from its surface.
type tension struct {
	grad       []Vec4 // h Σ V∇W over particles and walls: inward at a surface, of length 1; S is the share of the particle that is surface
	normals    []Vec4 // outward normal of surface particles; S as in grad
	curvatures []float32
	areas      []float32    // of each particle's part of the surface by itself, in h/2V
	sums       []tensionSum // by block
	scale      float32      // 2σ/(ρh), m/s²
	correction vec.Vec3     // taken from the acceleration for each area, so that the forces add up to nothing
}

// tensionSum is a block's part of the sums over the surface.
type tensionSum struct {
	force vec.Vec3 // Σ of area times pull, m/s²
	area  float64  // Σ of area
	wall  bool     // whether the surface is in contact with a wall
}

const (
	// Inside a flow |g| is up to 0.4; the outermost layer of a flat surface has 1.
	tensionInside, tensionSurface = 0.5, 0.9

	// tensionDamping is the least viscosity of a liquid with surface tension, in √(σd/ρ).
	// Particles out of place bend the surface about them. With half of this viscosity
	// such ripples grew in drops of 40 spacings' radius.
	tensionDamping = 0.1

	// tensionStep is the step in periods of the shortest ripple: half of the limit of
	// Brackbill et al. 1992, eq. 61.
	tensionStep = 0.5
)

// find prepares add. It leaves S of p.At without meaning.
func (t *tension) find(l *Liquid, p *Pairs) {
	t.grad = slices.Grow(t.grad[:0], p.numItems())[:p.numItems()]
	t.normals = slices.Grow(t.normals[:0], p.numItems())[:p.numItems()]
	t.curvatures = slices.Grow(t.curvatures[:0], p.numItems())[:p.numItems()]
	t.areas = slices.Grow(t.areas[:0], p.numItems())[:p.numItems()]
	t.sums = slices.Grow(t.sums[:0], blocks(p.n))[:blocks(p.n)]
	p.each(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			p.At[i].S = 0.5
		}
	})
	p.updateImageScalars()
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		blk.Gradient(t.grad, p.At)
		half := p.h / 2 // a mirror's gradient is twice a solid's
		for i, wall := range blk.walls {
			g := &t.grad[lo+i]
			g.X, g.Y, g.Z = g.X+float32(half*wall.X), g.Y+float32(half*wall.Y), g.Z+float32(half*wall.Z)
		}
		for i := lo; i < hi; i++ {
			t.grad[i].S = min(1, max(0, (length(t.grad[i])-tensionInside)/(tensionSurface-tensionInside)))
		}
	})
	updateImages(p, t.grad)
	sin, cos := math.Sincos(l.ContactAngle * math.Pi / 180)
	p.each(func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			t.normals[i] = Vec4{}
			if t.grad[i].S > 0 {
				t.normals[i] = t.normal(&p.blocks[b], i, p.At, sin, cos)
			}
		}
	})
	updateImages(p, t.normals)
	p.each(func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			t.curvatures[i], t.areas[i] = 0, 0
			if t.normals[i].S > 0 {
				t.areas[i] = t.normals[i].S * length(t.grad[i])
				t.curvatures[i] = float32(l.Dim()-1) * t.curvature(&p.blocks[b], i, p) / p.h
			}
		}
	})
	updateImages(p, t.curvatures)
	updateImages(p, t.areas)
	// The weight of layers has the sum 4h/3 along a line and πh²/2 in a plane. The
	// surface through the particles' centres is half a spacing in. A length on it is
	// shorter than on the true surface, and its curvatures are larger by the same factor,
	// so that one of the two directions remains.
	norm, bulge := float32(3./8), float32(0)
	if l.Dim() == 3 {
		norm, bulge = 1/(2*math.Pi), float32(l.Spacing/4)
	}
	p.each(func(b, lo, hi int) {
		var sum tensionSum
		for i := lo; i < hi; i++ {
			if t.normals[i].S == 0 {
				t.grad[i].S = 0
				continue
			}
			blk, area := &p.blocks[b], t.areas[i]
			wet := len(blk.walls) > 0 && blk.walls[i-lo] != Vec4{}
			if !wet { // beside a wall the surface ends
				area /= t.layers(blk, i, p.At, norm)
			}
			// S is the surface force and X the area from here on; g is no longer needed.
			curve := t.smoothed(blk, i, p.At)
			t.grad[i] = Vec4{X: area, S: area * curve * (1 + float32(bulge*curve))}
			sum.force = sum.force.Sub(vec3(t.normals[i]).Mul(float64(t.grad[i].S)))
			sum.area += float64(area)
			sum.wall = sum.wall || wet
		}
		t.sums[b] = sum
	})
	// A closed surface pulls itself nowhere. One on a wall pulls at the wall.
	var all tensionSum
	for _, s := range t.sums {
		all.force, all.area, all.wall = all.force.Add(s.force), all.area+s.area, all.wall || s.wall
	}
	t.scale = float32(2*l.SurfaceTension/l.Rho0) / float32(l.Kernel.H())
	t.correction = vec.Vec3{}
	if all.area > 0 && !all.wall {
		t.correction = all.force.Mul(1 / all.area)
	}
}

// normal returns the outward normal at particle i, from the gradients of all
// around it. Beside a wall it is the one that the angle of contact asks for
// (Brackbill et al. 1992, eq. 54).
func (t *tension) normal(blk *block, i int, at []Vec4, sin, cos float64) Vec4 {
	m := t.grad[i]
	for j := range blk.Of(i - blk.First) {
		u := near(&at[i], &at[j])
		f, g := float32(u*u), &t.grad[j]
		m.X += float32(f * g.X)
		m.Y += float32(f * g.Y)
		m.Z += float32(f * g.Z)
	}
	n := vec3(m).Unit().Neg()
	if len(blk.walls) > 0 {
		if in := vec3(blk.walls[i-blk.First]).Unit(); in != (vec.Vec3{}) {
			along := n.Sub(in.Mul(n.Dot(in))).Unit()
			n = along.Mul(sin).Sub(in.Mul(cos)).Unit()
		}
	}
	face := vec4(n)
	face.S = t.grad[i].S
	return face
}

// curvature returns the mean of the curvatures at particle i, times h. It is a
// least-squares fit of the change of the normals between neighbours in the surface, which
// is exact for a ball in any arrangement of its particles.
func (t *tension) curvature(blk *block, i int, p *Pairs) float32 {
	const fewest = 0.05 // of neighbours there must be for a surface to have a curvature
	xi, ni := &p.At[i], &t.normals[i]
	var turn, way float32
	for j := range blk.Of(i - blk.First) {
		xj, nj := &p.At[j], &t.normals[j]
		if nj.S == 0 {
			continue
		}
		x, y, z := xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z
		f := near(xi, xj) * nj.S
		turn += float32(f * (float32((nj.X-ni.X)*x) + float32((nj.Y-ni.Y)*y) + float32((nj.Z-ni.Z)*z)))
		up := (float32((nj.X+ni.X)*x) + float32((nj.Y+ni.Y)*y) + float32((nj.Z+ni.Z)*z)) / 2
		way += float32(f * (float32(x*x) + float32(y*y) + float32(z*z) - float32(up*up)))
	}
	if way < fewest {
		return 0
	}
	return turn / way
}

// layers returns the ratio of the surface area at particle i to its expected value. It is
// the mean over the particles around it along the surface, with the weight 1 − r²/h².
//
// The ratio of a single particle depends on the particles' arrangement. Where a drop's
// tips grow, particles concentrate along the surface, thin out across it, and rearrange
// with time. With single ratios, the surface force lagged behind the shape by a twelfth
// of a period. Each period it drove a disc's oscillation to two and a half times its
// size.
func (t *tension) layers(blk *block, i int, at []Vec4, norm float32) float32 {
	xi, ni := &at[i], &t.normals[i]
	sum := t.areas[i]
	for j := range blk.Of(i - blk.First) {
		if t.areas[j] == 0 {
			continue
		}
		xj, nj := &at[j], &t.normals[j]
		x, y, z := xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z
		up := float32(ni.X*x) + float32(ni.Y*y) + float32(ni.Z*z)
		along := float32(x*x) + float32(y*y) + float32(z*z) - float32(up*up)
		// The other side of a sheet does not belong to this one.
		same := float32(ni.X*nj.X) + float32(ni.Y*nj.Y) + float32(ni.Z*nj.Z)
		sum += float32(float32(max(0, same)*max(0, 1-along)) * t.areas[j])
	}
	return min(2, max(0.5, norm*sum)) // beyond which it is a drop of a few particles
}

// smoothed returns the mean of the curvatures around particle i, 1/m.
func (t *tension) smoothed(blk *block, i int, at []Vec4) float32 {
	all := t.normals[i].S
	sum := float32(all * t.curvatures[i])
	for j := range blk.Of(i - blk.First) {
		if s := t.normals[j].S; s > 0 {
			s *= near(&at[i], &at[j])
			sum += float32(s * t.curvatures[j])
			all += float32(s)
		}
	}
	return sum / all
}

// add adds to a the acceleration of the particles of block b by surface
// tension,
//
//	a_i = −2 σ/(ρh) κ_i |g_i| n_i,
//
// where 2V|g|/h adds up to the surface's area.
func (t *tension) add(b int, a []Vec4) {
	lo, f := b*blockLen, t.scale
	correction := vec4(t.correction)
	for i := range a {
		n, g := &t.normals[lo+i], &t.grad[lo+i]
		if n.S == 0 {
			continue
		}
		a[i].X -= float32(f * (float32(g.S*n.X) + float32(g.X*correction.X)))
		a[i].Y -= float32(f * (float32(g.S*n.Y) + float32(g.X*correction.Y)))
		a[i].Z -= float32(f * (float32(g.S*n.Z) + float32(g.X*correction.Z)))
	}
}

// near returns 1 − |b − a|², at least 0: a weight for neighbours.
func near(a, b *Vec4) float32 {
	x, y, z := b.X-a.X, b.Y-a.Y, b.Z-a.Z
	return max(0, 1-(float32(x*x)+float32(y*y)+float32(z*z)))
}

func length(v Vec4) float32 {
	return float32(math.Sqrt(float64(float32(v.X*v.X) + float32(v.Y*v.Y) + float32(v.Z*v.Z))))
}
