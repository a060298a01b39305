package sim

import (
	"math"
	"slices"
	"sync/atomic"

	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// surfaceViscosity takes velocities that differ from particle to particle at the free
// surface, where biharmonicViscosity does not act.
//
// The pressure there is near 0, so nothing holds a particle of the outermost layer to its
// place. Such particles slid over the layer below for seconds, at 0.03 √(gH) in a cube whose
// last layer is not full. The viscosity
//
//	ν = (surfaceAlpha + restAlpha / (1 + (u / (restSpeed √(g d)))⁴)) d √(g d)
//
// acts between particles along the line of their centres (Monaghan, Smoothed particle
// hydrodynamics, Rep. Prog. Phys. 68, 2005, sec. 4.1, with √(g d), the frequency of a
// particle on the layer below times the spacing, for the speed of sound), in the mean of the
// open of both. So it conserves momentum, and a rotation as a whole keeps its angular
// momentum. A wave of wavelength λ loses energy in the outermost layer alone, at a rate
// proportional to (d/λ)³ √(g/d).
//
// u is the speed of a particle relative to its neighbours. The second term acts at rest: a wave that
// particles resolve, higher than a fraction of d, is faster. Without it the layers at the surface of
// water at rest slide over each other after 1 to 3 s: rows that a wall has stretched a little go on
// stretching, by a factor of 2 per second. Particles beside free bodies have no such viscosity of
// their own: they must get out from between bodies that close.
//
// At the waterline of a wall that slopes, where the liquid ends in a wedge a few particles thick, the
// same sum has a third term, waterlineAlpha / (1 + (u / (waterlineSpeed √(g d)))⁴) times the share
// that findWaterline finds.
type surfaceViscosity struct {
	change    []Vec4    // acceleration by a viscosity of 1 m²/s, times h²
	waterline []float32 // 1 at the waterline of a slope of 1:1 and 0 away from it
	sloping   []float32 // sin 2θ of the slope θ of a wall below a particle near the surface, with images
}

// surfaceAlpha is the factor of the viscosity. With 0.1, a wave with 25 particles per wavelength
// loses 9 % of its height in three periods in place of 8 %. With 0.05, single particles in the
// corners of a cube of 40 layers start to move again after 1.8 s.
const surfaceAlpha = 0.065

// restAlpha is the factor that is added at rest, and restSpeed is the relative speed, in √(g d), up to
// which a layer is at rest. With 0.2 in place of 0.35 the fastest particle of water 200 layers deep is
// three times as fast after 3 s. If the power is 2 in place of 4, waves with 50 particles per wavelength
// lose 12 to 13 % of their height in ten periods in place of 5 %.
const (
	restAlpha = 0.35
	restSpeed = 0.008
)

// waterlineAlpha is the factor that is added at a waterline, up to relative speeds of waterlineSpeed
// √(g d). Without it the particles of the wedge go round in it for as long as they are watched. On
// a slope of 1:2 they have 0.02 √(gH) with 100 layers, and in three dimensions 0.07 √(gH) with 25.
// If the factor is 3, they move more in three dimensions.
const (
	waterlineAlpha = 1
	waterlineSpeed = 0.5
)

// findWaterline finds the particles at the waterline of slopes: in the two outermost layers, above
// such a wall or with a neighbour there. Upright walls and level floors have none. Upright ones would
// take 5 % in place of 1 % of the height of a standing wave in ten periods, with 100 particles per
// wavelength. On level floors, and along their edges, the viscosity would act in all thin layers: a
// wave that falls back in a tank would plunge earlier and take down a third more air.
func (s *surfaceViscosity) findWaterline(w *World, p *Pairs, around *surroundings) {
	s.waterline = slices.Grow(s.waterline[:0], p.n)[:p.n]
	s.sloping = slices.Grow(s.sloping[:0], p.numItems())[:p.numItems()]
	down := w.Gravity.Unit()
	var found atomic.Bool // whether any wall slopes
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		var walls []boundary.Boundary
		last := -1
		for i := lo; i < hi; i++ {
			s.sloping[i] = 0
			if !blk.besideWall(i-lo) || around.innerMean[i] == 1 {
				continue
			}
			x := w.X[i]
			if cell := w.cells.Cell(x); cell != last {
				last, walls = cell, w.wallsNear(walls[:0], cell)
			}
			for _, wall := range walls {
				if d, n := wall.Dist(x); d < w.Spacing {
					cos := max(0, -n.Dot(down))
					s.sloping[i] = max(s.sloping[i], float32(2*cos*math.Sqrt(max(0, 1-float64(cos*cos)))))
				}
			}
		}
		if slices.Max(s.sloping[lo:hi]) > 0 {
			found.Store(true)
		}
	})
	if !found.Load() {
		clear(s.waterline)
		return
	}
	updateImages(p, s.sloping)
	p.each(func(b, lo, hi int) {
		blk := &p.blocks[b]
		for i := lo; i < hi; i++ {
			s.waterline[i] = 0
			near := max(around.open[i], 1-around.innerMean[i])
			if near <= 0 {
				continue
			}
			most := s.sloping[i]
			for j := range blk.Of(i - lo) {
				most = max(most, s.sloping[j])
			}
			s.waterline[i] = near * most
		}
	})
}

// apply changes the velocities of w and p, for which around was found. S of p.At loses its
// meaning. In a closed liquid there is no surface, and without gravity nothing calms it.
func (s *surfaceViscosity) apply(w *World, p *Pairs, dt float64, around *surroundings) {
	g := w.Gravity.Len()
	if w.Closed || g == 0 {
		return
	}
	s.change = slices.Grow(s.change[:0], p.n)[:p.n]
	factor, lattice := resistanceFactors(w.Dim())
	s.findWaterline(w, p, around)
	slow := 1 / float32(restSpeed*restSpeed*g*w.Spacing)
	slowAtWaterline := 1 / float32(waterlineSpeed*waterlineSpeed*g*w.Spacing)
	p.each(func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			u2 := around.speed2[i] * slow
			nu := float32(factor / lattice * around.open[i] * (surfaceAlpha + restAlpha/(1+float32(u2*u2))))
			if line := s.waterline[i]; line > 0 {
				u2 := around.speed2[i] * slowAtWaterline
				nu += float32(factor / lattice * line * (waterlineAlpha / (1 + float32(u2*u2))))
			}
			p.At[i].S = nu
		}
		couplings := p.blocks[b].couplings
		for k := range couplings {
			p.At[lo+int(couplings[k].i)].S = 0
		}
	})
	p.updateImageScalars()
	p.each(func(b, lo, hi int) { p.blocks[b].Strain(s.change[lo:hi], p.At, p.V) })
	scale := w.Spacing * math.Sqrt(float64(g*w.Spacing))
	addAcceleration(w, p, s.change, vec.Vec3{}, dt*scale/float64(p.h*p.h))
}
