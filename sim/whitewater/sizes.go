package whitewater

import (
	"math"
	"sort"

	"breakwater/sim/num"
)

// power returns the integral of r^p from a to b.
func power(p, a, b float64) float64 {
	if math.Abs(p+1) < 1e-9 {
		return math.Log(b / a)
	}
	return (num.Pow(b, p+1) - num.Pow(a, p+1)) / (p + 1)
}

// quantile returns the r below which lies the share u of the integral of r^p from a to b.
func quantile(p, a, b, u float64) float64 {
	if math.Abs(p+1) < 1e-9 {
		return a * num.Pow(b/a, u)
	}
	lo, hi := num.Pow(a, p+1), num.Pow(b, p+1)
	return min(b, max(a, num.Pow(lo+float64(u*(hi-lo)), 1/(p+1))))
}

// sizes are the radii that parcels are born with.
type sizes struct {
	family family
	mist   family
	crest  family

	// Of bubbles: n(r) ∝ r^(−3/2) below Hinze's radius and r^(−10/3) above (Deane and
	// Stokes, Nature 418, 2002).
	least, most float64
	hinze       float64 // Hinze's radius times ε^(2/5), ε in W/kg
}

// mistRadii are the radii of the drops of mist, m.
var mistRadii = [2]float64{20e-6, 100e-6}

func (s *sizes) init(set *Settings, scene *Scene) {
	d := scene.Spacing
	s.least, s.most = set.Bubble[0], set.Bubble[1]
	s.hinze = 0.36 * num.Pow(scene.SurfaceTension/scene.Rho0, 0.6)
	perVolume := set.Detail * 1e6 // parcels per m³
	v := d * d * d * (1 - set.Mist)
	s.family.init(set.Drop, set.DropPower, v, perVolume*v)
	s.mist.init(mistRadii[:], set.DropPower, d*d*d*set.Mist, perVolume*d*d*d*set.Mist)
	// The drops of crests are the finer half of the drops.
	s.crest.init([]float64{set.Drop[0], math.Sqrt(set.Drop[0] * set.Drop[1])}, set.DropPower, d*d*d, perVolume*d*d*d)
}

// bubble returns the radius and the number of the bubbles of a parcel that stands for
// the given mean volume of air. u in [0, 1) chooses the radius, and eps is the rate of
// dissipation, W/kg.
//
// Parcels are as frequent as the cross-section of the bubbles, r² n(r), which is what is
// seen of them; so the volume of each is proportional to its radius.
func (s *sizes) bubble(mean, u, eps float64) (r, n float64) {
	a, b := s.least, s.most
	h := float64(s.hinze * num.Pow(eps, -0.4))
	h = min(b, max(a, h)) // NaN cannot be: eps > 0
	// The two laws meet at h: r^(1/2) / h^(1/2) and r^(−4/3) / h^(−4/3).
	fine, coarse := power(0.5, a, h)/math.Sqrt(h), power(-4./3, h, b)/num.Pow(h, -4./3)
	all := fine + coarse
	if !(all > 0) {
		return a, mean / volume(float32(a), 1)
	}
	mid := (power(1.5, a, h)/math.Sqrt(h) + power(-1./3, h, b)/num.Pow(h, -4./3)) / all // mean radius
	if t := float64(u * all); t < fine {
		r = quantile(0.5, a, h, t/fine)
	} else {
		r = quantile(-4./3, h, b, (t-fine)/coarse)
	}
	return r, mean * r / mid / (4 * math.Pi / 3 * r * r * r)
}

// family says how a volume is broken into drops with n(r) ∝ r^p: a table of the parcels'
// radii. Large drops are parcels of their own; of the small ones, which are many, a
// parcel stands for several, and parcels are as frequent as the logarithm of the radius.
type family struct {
	lo, hi  float64
	p       float64
	parcels float64 // expected
	drops   float64 // c of the number of drops, c r^p dr
	fine    float64 // parcels in a unit of ln r, for small drops
	split   float64 // radius from which drops are single
	below   float64 // parcels below split
}

// init prepares the breaking of v into drops of the given radii, with some number of parcels
// at most.
func (f *family) init(radii []float64, p, v, most float64) {
	*f = family{p: p, lo: radii[0], hi: radii[1]}
	// No drop has more than half of the volume.
	f.hi = min(f.hi, math.Cbrt(v/2*3/(4*math.Pi)))
	f.lo = min(f.lo, f.hi)
	if !(v > 0) {
		return
	}
	if f.hi < f.lo*(1+1e-6) { // drops of one size
		f.drops = v / volume(float32(f.lo), 1)
		f.parcels = min(most, f.drops)
		return
	}
	f.drops = v / (4 * math.Pi / 3 * power(p+3, f.lo, f.hi))
	all := float64(f.drops * power(p, f.lo, f.hi))
	if all <= most {
		f.split, f.parcels = f.lo, all
		return
	}
	// Find the split with the right number of parcels, which falls with it if drops are
	// the fewer the larger.
	split := sort.Search(1000, func(k int) bool {
		at := float64(f.lo * num.Pow(f.hi/f.lo, float64(k)/1000))
		return f.above(at)+float64(f.density(at)*math.Log(at/f.lo)) <= most
	})
	f.split = float64(f.lo * num.Pow(f.hi/f.lo, float64(split)/1000))
	f.fine = f.density(f.split)
	f.below = float64(f.fine * math.Log(f.split/f.lo))
	f.parcels = f.below + f.above(f.split)
	if f.parcels > most && f.above(f.split) < 1e-9*f.parcels || f.split >= f.hi {
		// Even one parcel a drop in the coarsest is too much: all stand for several.
		f.split, f.fine = f.hi, most/math.Log(f.hi/f.lo)
		f.below, f.parcels = most, most
	}
}

// above returns the number of drops larger than r.
func (f *family) above(r float64) float64 { return float64(f.drops * power(f.p, r, f.hi)) }

// density returns the number of drops in a unit of ln r.
func (f *family) density(r float64) float64 { return float64(f.drops * num.Pow(r, f.p+1)) }

// at returns the radius of the parcel at the share u of all, ordered by radius, and how
// many drops it stands for.
func (f *family) at(u float64) (r, n float64) {
	if f.split == 0 {
		return f.lo, f.drops / f.parcels
	}
	t := float64(u * f.parcels)
	if t < f.below {
		r = float64(f.lo * num.Exp(t/f.fine))
		return r, max(f.density(r)/f.fine, 1e-3)
	}
	share := (t - f.below) / max(f.parcels-f.below, 1e-300)
	return quantile(f.p, f.split, f.hi, share), 1
}
