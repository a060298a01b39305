package vortex

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Eddies are random motions of a source's gas.
type Eddies struct {
	Speed float64 // root mean square of the velocity that they gain in the time in which they turn over, m/s; 0 for none
	Size  float64 // m
}

// turnover is the time in s after which other eddies come.
func (e *Eddies) turnover() float64 { return e.Size / e.Speed }

// stir lets the eddies of sources act on the gas for dt. It adds the curl of the velocity that they
// give, so the vorticity has no sources. The velocity has the mean 0 over the nodes of a source, and so no
// impulse. Forces at random that change after a time of their own are usual in simulations of
// turbulence (Eswaran and Pope 1988).
func (s *Mesh) stir(f *Flow, dt float64) {
	some := false
	for k := range f.Sources {
		some = some || s.open[k] && f.Sources[k].Eddies.Speed > 0
	}
	if !some {
		return
	}
	s.cleared(s.wall[:])
	s.cleared(s.out[:])
	for k := range f.Sources {
		x := &f.Sources[k]
		if !s.open[k] || x.Eddies.Speed == 0 {
			continue
		}
		turnover := x.Eddies.turnover()
		seed := dice.New(uint64(k), 2, uint64(math.Floor(f.Time/turnover)))
		turns := dt / turnover
		gain := x.Eddies.Speed * min(turns, math.Sqrt(turns)) // a random walk, if others come within dt
		type given struct {
			node int
			u    vec.Vec3
		}
		planes := make([][]given, s.lattice.N[2])
		s.givers(f, x.Region, func(c, p int) {
			planes[c] = append(planes[c], given{p, eddy(seed, s.lattice.At(p).Mul(1/x.Eddies.Size))})
		})
		var mean vec.Vec3
		nodes := 0
		for _, list := range planes {
			for _, g := range list {
				mean = mean.Add(g.u)
			}
			nodes += len(list)
		}
		mean = mean.Mul(1 / max(1, float64(nodes)))
		for _, list := range planes {
			for _, g := range list {
				for a, u := range g.u.Sub(mean).Mul(gain).Array() {
					s.wall[a][g.node] += float32(u)
				}
			}
		}
	}
	s.lattice.Wrap(s.wall[:]...)
	s.lattice.FineCurl(s.out, s.wall, 1)
	for a, w := range s.vorticity() {
		par.For(len(w), func(lo, hi int) {
			for p := lo; p < hi; p++ {
				w[p] += s.out[a][p]
			}
		})
	}
	s.lattice.Wrap(s.node[:3]...)
}

// eddy returns a random vector that changes smoothly over a length of 1: between the
// corners of a cubic lattice with random vectors. The mean of its square is 1.
func eddy(seed dice.Dice, x vec.Vec3) (u vec.Vec3) {
	var at [3]int64
	var w [3][2]float64
	for a, c := range x.Array() {
		low := math.Floor(c)
		t := c - low
		at[a] = int64(low)
		w[a][1] = float64(t * t * (3 - float64(2*t)))
		w[a][0] = 1 - w[a][1]
	}
	for corner := range 8 {
		i, j, k := corner>>2, corner>>1&1, corner&1
		d := seed.Of(uint64(at[0]) + uint64(i)).Of(uint64(at[1]) + uint64(j)).Of(uint64(at[2]) + uint64(k))
		u = u.Add(vec.New(d.Float(0)-0.5, d.Float(1)-0.5, d.Float(2)-0.5).Mul(float64(w[0][i] * w[1][j] * w[2][k])))
	}
	// The three components at a corner have the mean square 1/4 together, and the squares of the two weights
	// along an axis add up to 26/35 in the mean.
	return u.Mul(2 * 35. / 26 * math.Sqrt(35./26))
}
