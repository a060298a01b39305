package surface

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/simd"
)

// sheets are the particles of liquid that is one layer thin. Their kernels are flattened
// as by Yu and Turk (see yuTurk), but only there. A stretched sheet therefore stays
// closed for longer, and keeps its thickness. How flat a kernel is grows smoothly with
// how thin the liquid is, so that nothing pops.
type sheets struct {
	of     []int32 // one more than the place of each particle in flat, 0 for most
	list   []int32 // the particles
	flat   []shape
	shares []float32 // of their kernels that are flattened
}

// The bounds decide whether a particle lies in a sheet, from not at all to fully. The
// relative density is 0.85 at the surface of a pool, 0.7 in a layer, and less in a
// stretched one. The ratios compare the mean square distances of the neighbours along the
// three principal axes: the least to the middle, and the middle to the greatest. The
// latter is small in threads. The last bounds are for the number of neighbours.
var (
	thinnest  = ramp{0.8, 0.66}
	planest   = ramp{0.3, 0.12}
	broadest  = ramp{0.15, 0.4}
	companion = ramp{3, 6}
)

// stretch is how much longer a flattened kernel is along its sheet. Its volume
// stays.
const stretch = 1.4

// ramp rises smoothly from 0 at its first number to 1 at its second.
type ramp [2]float64

func (r ramp) at(x float64) float64 { return num.Smoothstep(r[0], r[1], x) }

// find finds the sheets of f.
func (s *sheets) find(f *field) {
	n := len(f.x)
	s.of = resize(s.of, n)
	s.list = s.list[:0]
	for i, fill := range f.Fill[:n] {
		if s.of[i] = 0; float64(fill) < thinnest[0] {
			s.list = append(s.list, int32(i))
		}
	}
	s.flat, s.shares = resize(s.flat, len(s.list)), resize(s.shares, len(s.list))
	par.For(len(s.list), func(lo, hi int) {
		var near lookup
		for k := lo; k < hi; k++ {
			i := s.list[k]
			if s.flat[k], s.shares[k] = flattened(f, i, near.runs(f, f.x[i])); s.shares[k] > 0 {
				s.of[i] = int32(k) + 1
			}
		}
	})
}

// flattened returns the kernel of particle i if it lay in a sheet, and to which
// share it does.
func flattened(f *field, i int32, runs *simd.Runs) (flat shape, share float32) {
	x := f.x[i]
	around := spreadAround(x, f.x, f.h, (*[9][2]int32)(runs))
	dense := companion.at(float64(around.n - 1)) // without itself
	if dense == 0 {
		return flat, 0
	}
	values, axes := around.dd.Eigen()
	across, along := 0, 0
	for k, v := range values {
		if v < values[across] {
			across = k
		}
		if v > values[along] {
			along = k
		}
	}
	if across == along {
		return flat, 0
	}
	middle := values[3-across-along]
	share = float32(dense * thinnest.at(float64(f.Fill[i])) * planest.at(values[across]/middle) * broadest.at(middle/values[along]))
	flat = shape{x: x, s: cube(f.spacing) / float64(f.Fill[i]), reach: f.h}
	for k := range axes {
		wide := stretch
		if k == across {
			wide = 1 / (stretch * stretch)
		}
		flat.g[k] = axes[k].Mul(1 / (wide * f.h))
	}
	return flat, share
}

// add adds the flattened share of kernel k to the nodes of b, no farther than the
// others reach, for which there are blocks.
func (s *sheets) add(g *grid, b *block, f *field, k int32) {
	flat, share := &s.flat[k], float64(s.shares[k])
	p := flat.x.Sub(b.corner)
	lo, hi := g.span(p, flat.reach)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				d := vec.New(float64(float64(x)*g.cell)-p.X, float64(float64(y)*g.cell)-p.Y, float64(float64(z)*g.cell)-p.Z)
				e := vec.New(flat.g[0].Dot(d), flat.g[1].Dot(d), flat.g[2].Dot(d))
				if q2 := e.Dot(e); q2 < 1 && d.Dot(d) < f.h*f.h {
					b.f[(z*side+y)*side+x] += float32(share * flat.s * f.w.W(f.h*math.Sqrt(q2)))
				}
			}
		}
	}
}
