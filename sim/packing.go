package sim

import (
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// Constants of the packing.
const (
	// packingCycles is the number of cycles of shifts. A full sphere of 25 spacings in radius
	// is packed after 12 cycles, and after 240 shifts of equal rates.
	packingCycles = 12

	// packingRate is the shift relative to h∇C in spacings, but for the factor of cycle; see
	// shiftParticles.
	packingRate = 0.2

	// packingMove bounds a shift, and packingReach the sum of a particle's shifts, in spacings:
	// thin liquid with steps, as on a curved floor, would spread over them.
	packingMove  = 0.1
	packingReach = 0.8

	// cutDist is the distance from a wall, in spacings, up to which a particle may be the last
	// before the wall of a lattice that the wall cuts. Where the last is farther away, there is no
	// liquid at the wall, and the particle is at the surface.
	cutDist = 1.1

	// wholeLayer is the relative density beside a wall that only liquid of more than a layer has.
	wholeLayer = 0.85

	// closeRepulsion bounds the additional repulsion of close particles, relative to the
	// kernel's: with more of it pairs keep swinging.
	closeRepulsion = 1
)

// cycle returns the rates of the shifts in a cycle, relative to packingRate. Together they are 1.6
// times as far as five shifts of equal rates, and as stable: particles are spread by diffusion, and
// these are the steps of super-time-stepping with N = 5 and ν = 0.1 (Alexiades, Amiez and Gremaud,
// Super-time-stepping acceleration of explicit schemes for parabolic problems, Commun. Numer.
// Methods Eng. 12, 1996, eq. 10).
func cycle() (rates [5]float64) {
	const nu = 0.1
	for k, j := range [5]float64{3, 5, 1, 4, 2} {
		rates[k] = 1 / (float64((nu-1)*math.Cos((2*j-1)*math.Pi/10)) + 1 + nu)
	}
	return rates
}

// packing spreads the particles of Fill evenly.
type packing struct {
	slope       []Vec4    // h∇C, which points to where particles are dense
	inner, mean []float32 // 1 inside the liquid and 0 at its surface, and its average over the neighbours
	by          []vec.Vec3
	moved       []vec.Vec3 // from the places of Fill, by ID, m
}

// FillFor has Fill place particles for the first steps of s. Call it before Fill.
//
// A lattice that a curved or sloping wall cuts has voids beside it, if particles keep half a
// spacing off the wall. Gravity closes them within the first steps: the liquid falls, and its
// impact on the wall makes it slosh for seconds. With ISPH, Fill takes all places outside the
// wall, which have the volume of the liquid, and Pack spreads them. Solvers that keep the
// density sum of each particle need the voids: the sums beside the wall read some 5 % too high
// once the particles are packed.
func (w *World) FillFor(s Solver) {
	_, ok := s.(*ISPH)
	w.packs = ok && !highlyViscous(w) && !dampedByViscosity(w)
}

// Packs reports whether Fill places particles closer than half a spacing to walls.
func (w *World) Packs() bool { return w.packs }

// Pack spreads the particles that Fill placed closer than half a spacing to a wall, and their
// neighbours, before the first step. It is called once, after Init; Advance calls it for runs that
// have not. It does nothing if every lattice fits the walls, or if no FillFor asked for it.
//
// The particles are shifted along −∇C until they are evenly spread, with the walls' share in C
// (Colagrossi et al., Particle packing algorithm for SPH schemes, Comput. Phys. Commun. 183,
// 2012). Particles closer than a spacing repel each other more than in ∇C, since the slope of the
// cubic spline vanishes at r = 0 and leaves pairs together. The surface of the liquid stays where
// it is: beside it there is no shift across it, as in arrangement.
func (w *World) Pack() error {
	if !w.unpacked {
		return nil
	}
	w.unpacked = false
	if err := w.PlaceBodies(w.Set.Bodies); err != nil {
		return err
	}
	for _, wall := range w.Walls {
		wall.Move(w.Time)
	}
	w.placed = true
	defer func() { w.pairs.complete = false }() // the solver may treat walls differently
	var s packing
	s.moved = make([]vec.Vec3, slices.Max(w.ID)+1)
	for range packingCycles {
		for _, rate := range cycle() {
			p, err := w.updateNeighbors(nil)
			if err != nil {
				return err
			}
			s.find(w, p)
			s.shift(w, p, packingRate*rate)
		}
	}
	_, err := w.updateNeighbors(nil) // which sets the densities
	return err
}

// find finds the slopes and the surface. Where a wall cuts the lattice, the surface is where
// particles are missing along the wall: those missing at the wall belong to a void, which shifts
// shall close, unless the liquid is so thin that its surface is beside the wall.
func (s *packing) find(w *World, p *Pairs) {
	const inside, outside = 0.3, 0.7 // as in surroundings
	s.slope = slices.Grow(s.slope[:0], p.n)[:p.n]
	s.inner = slices.Grow(s.inner[:0], p.numItems())[:p.numItems()]
	s.mean = slices.Grow(s.mean[:0], p.numItems())[:p.numItems()]
	d2 := w.Spacing / float64(p.h) * w.Spacing / float64(p.h)
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			var sum, more vec.Vec3
			for j, f := range blk.Of(i - lo) {
				d := p.between(i, int(j))
				sum = sum.Add(d.Mul(float64(f)))
				if r2 := d.Dot(d); r2 < d2 {
					more = more.Add(d.Mul(float64(f) * min(closeRepulsion, d2/max(r2, 1e-4*d2)-1)))
				}
			}
			lack := sum
			if blk.besideWall(i - lo) {
				cut := false // whether the lattice has no room for a particle between this one and a wall
				for _, wall := range blk.solids {
					push, near := closeWall(w, wall, w.X[i])
					more, cut = more.Sub(push), cut || near
				}
				for _, k := range blk.bodies {
					push, near := closeWall(w, w.rigid.Bodies[k], w.X[i])
					more, cut = more.Sub(push), cut || near
				}
				n := vec3(blk.walls[i-lo])
				sum = sum.Add(n.Mul(float64(p.h / 2))) // a mirror's gradient is twice a solid's
				lack = sum
				if in := sum.Dot(n); cut && (in < 0 || w.Rho[i] > wholeLayer*w.Rho0) && n.Dot(n) > 0 {
					lack = sum.Sub(n.Mul(in / n.Dot(n)))
				}
			}
			s.slope[i] = vec4(sum.Add(more))
			s.inner[i] = 1
			if !w.Closed {
				s.inner[i] = float32(1 - min(1, max(0, (lack.Len()-inside)/(outside-inside))))
			}
		}
	})
	diffuse(w, p, s.mean, s.inner)
	updateImages(p, s.mean)
}

// closeWall returns by how much more the mirror image of a particle at x repels it than in h∇C,
// as a close neighbour does, and whether the wall is near: no farther than cutDist.
func closeWall(w *World, wall boundary.Boundary, x vec.Vec3) (push vec.Vec3, near bool) {
	if boundary.Beyond(wall, x, cutDist*w.Spacing) {
		return vec.Vec3{}, false
	}
	t, n := boundary.RoughDist(wall, x)
	half := float64(w.Spacing / 2)
	if t >= half {
		return vec.Vec3{}, t <= cutDist*w.Spacing
	}
	t = max(t, 0.01*w.Spacing)
	more := min(closeRepulsion, float64(half*half/float64(t*t))-1)
	return n.Mul(-w.Kernel.H() * w.volume * w.Kernel.DW(2*t) * more), true
}

// between returns the vector from particle i to item j over h.
func (p *Pairs) between(i, j int) vec.Vec3 {
	at := &p.positions
	return vec.New(float64(at.X[j]-at.X[i]), float64(at.Y[j]-at.Y[i]), float64(at.Z[j]-at.Z[i]))
}

// shift moves the particles by −rate h∇C, in spacings.
func (s *packing) shift(w *World, p *Pairs, rate float64) {
	s.by = slices.Grow(s.by[:0], p.n)[:p.n]
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			s.by[i] = vec.Vec3{}
			if s.inner[i] == 0 || p.Diagonal[i] == 0 { // at the surface, or of an inflow
				continue
			}
			by := vec3(s.slope[i]).Mul(-rate * float64(s.inner[i]) * w.Spacing)
			var across vec.Vec3
			for j, f := range blk.Of(i - lo) {
				if change := s.mean[j] - s.mean[i]; change != 0 {
					across = across.Add(p.between(i, int(j)).Mul(float64(f * change)))
				}
			}
			if steep := across.Len(); steep > besideSurface {
				n := across.Mul(1 / steep)
				by = by.Sub(n.Mul(by.Dot(n) * min(1, (steep-besideSurface)/(atSurface-besideSurface))))
			}
			if l := by.Len(); l > packingMove*w.Spacing {
				by = by.Mul(packingMove * w.Spacing / l)
			}
			s.by[i] = by
		}
	})
	near := float64(boundary.ParticleGap * w.Spacing)
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			if p.Diagonal[i] == 0 {
				continue
			}
			moved := &s.moved[w.ID[i]]
			all := moved.Add(s.by[i])
			if l := all.Len(); l > packingReach*w.Spacing {
				all = all.Mul(packingReach * w.Spacing / l)
			}
			x := w.X[i].Add(all.Sub(*moved))
			if blk.besideWall(i - lo) {
				w.projectOut(i, &x, new(vec.Vec3), near, blk.solids, blk.bodies, new([]body.Impact), new(motion))
			}
			*moved = moved.Add(x.Sub(w.X[i]))
			w.X[i] = w.Period.Wrap(x)
		}
	})
}
