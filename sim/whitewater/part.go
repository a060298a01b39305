package whitewater

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// lookTime is the longest time between two looks at the surface, s. What closes and opens
// again between two looks is not seen, so they are as frequent at any frame rate.
const lookTime = 1. / 150

// mostLooks bounds the looks between two frames.
const mostLooks = 16

// looks returns how many parts the time between the frames has for looks at the surface.
func (f *flow) looks() int { return int(min(mostLooks, max(1, math.Ceil(f.dt/lookTime-1e-6)))) }

// part is the liquid between two looks at the surface. It has the particles of the next
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
				p.rho[i] += (1 - p.share(1)) * (f.prev.Rho[j] - p.rho[i])
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

// age returns the age, at the frame before, of what is born at the share s of the part.
func (p *part) age(s float64) float64 { return -p.share(s) * p.whole.dt }
