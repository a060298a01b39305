package whitewater

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// sampleTime is the longest time between two samples of the surface, s. What closes and opens
// again between two samples is not seen, so they are as frequent at any frame rate.
const sampleTime = 1. / 150

// mostSamples bounds the samples between two frames.
const mostSamples = 16

// samples returns how many parts the time between the frames has for samples of the surface.
func (f *flow) samples() int { return Samples(f.dt) }

// Samples returns how often a step between two frames, dt apart in s, looks at the surface.
func Samples(dt float64) int { return int(min(mostSamples, max(1, math.Ceil(dt/sampleTime-1e-6)))) }

// part is the liquid between two samples of the surface. It has the particles of the next
// frame, in their order.
type part struct {
	whole *flow
	k     int        // the number of the part between the frames, from 0
	n     int        // of parts
	x     []vec.Vec3 // positions at the end, m
	rho   []float64  // densities at the end, kg/m³
	old   []vec.Vec3 // positions at the start, m
	dt    float64    // s
}

// start prepares p for the first of n parts of the time between the frames of f.
func (p *part) start(f *flow, n int) {
	*p = part{whole: f, k: -1, n: n, dt: f.dt / float64(n), rho: make([]float64, f.next.Len()), x: make([]vec.Vec3, f.next.Len()), old: make([]vec.Vec3, f.next.Len())}
	p.next()
}

// next brings p to the next part.
func (p *part) next() {
	p.k++
	f := p.whole
	p.old, p.x = p.x, p.old
	par.For(len(p.x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if p.k == 0 {
				p.old[i] = p.at(i, 0)
			}
			p.x[i], p.rho[i] = p.at(i, 1), f.next.Rho[i]
			if j := f.from[i]; j >= 0 {
				p.rho[i] += float64((1 - p.share(1)) * (f.prev.Rho[j] - p.rho[i]))
			}
		}
	})
}

// share returns the share of the time between the frames at which the share s of the part
// has gone.
func (p *part) share(s float64) float64 { return (float64(p.k) + s) / float64(p.n) }

// at returns where particle i is at the share s of the part.
func (p *part) at(i int, s float64) vec.Vec3 {
	if p.k+1 == p.n && s == 1 {
		return p.whole.next.X[i]
	}
	return p.whole.at(i, p.share(s))
}

// velocity returns the velocity of particle i at the share s of the part.
func (p *part) velocity(i int, s float64) vec.Vec3 { return p.whole.velocity(i, p.share(s)) }

// age returns the age, at the frame before, of a parcel born at the share s of the part.
func (p *part) age(s float64) float64 { return -p.share(s) * p.whole.dt }
