package mesher

import (
	"cmp"
	"math"
	"slices"

	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Spacing returns how far the particles x lie from each other at rest, 0 if
// that cannot be said. Guess is where the search begins; 0 if nothing is known.
//
// It looks at the neighbourhoods of some particles. Where they are dense, which
// is neither at an edge nor in a drop, a lattice as dense has the spacing. Of a
// liquid that is all drops and threads that is too much; then it is what the
// distances to the nearest neighbours say: the spacing of a lattice is their
// median if they are all the same, and the more they differ the more it is
// above the median, up to 1.8 times for particles strewn at random.
func Spacing(x []vec.Vec3, guess float64) float64 {
	if len(x) < 2 {
		return 0
	}
	size := neighbor.Bounds(x).Size()
	reach := 3.5 * guess
	if !(reach > 0) {
		reach = 0.5 * math.Cbrt(wanted/float64(len(x))*max(size.X*size.Y*size.Z, 1e-6*size.Len()*size.Len()*size.Len()))
	}
	var near []neighborhood
	for range 20 {
		near = around(x, reach)
		counts := make([]int, len(near))
		for k := range near {
			counts[k] = near[k].count
		}
		slices.Sort(counts)
		middle := float64(counts[len(counts)/2])
		if middle > wanted/3 && middle < wanted*3 || middle <= wanted && reach > size.Len() {
			break
		}
		reach *= max(0.25, min(4, math.Cbrt(wanted/middle)))
	}
	lists, density := make([][]float64, len(near)), make([]float64, len(near))
	par.Each(len(near), func(k int) {
		lists[k], density[k] = near[k].nearest(), near[k].density(reach)
	})
	nearest := slices.Concat(lists...)
	if len(nearest) == 0 {
		return 0
	}
	slices.Sort(nearest)
	slices.Sort(density)
	n := len(nearest)
	// Lattices with every particle shifted by up to 0.01 to 1 spacings along
	// each axis have 1.35 to 1.7 for this.
	const perSpread = 1.6
	ordered := nearest[n/2] + perSpread*(nearest[3*n/4]-nearest[n/4])
	return min(ordered, 1/math.Cbrt(density[len(density)*3/4]))
}

// A neighborhood is what lies in a cube around a particle.
type neighborhood struct {
	center vec.Vec3
	count  int
	x      []vec.Vec3 // the first most of them
}

// What is looked at: so many neighbourhoods, of so many particles about, and
// not more than that.
const (
	seeds  = 64
	wanted = 400
	most   = 3000
)

// around returns what lies in cubes of half edge reach around particles spread
// over x.
func around(x []vec.Vec3, reach float64) []neighborhood {
	n := min(seeds, len(x))
	near := make([]neighborhood, n)
	for k := range near {
		near[k].center = x[int((float64(k)+0.5)*float64(len(x))/float64(n))]
	}
	// Each axis is cut into slices, which know what cubes reach into them.
	box := neighbor.Bounds(x)
	const slices = 1 << 10
	var cubes [3][slices]uint64
	size, low := box.Size(), box.Min
	inv := vec.New((slices-1)/max(size.X, 1e-300), (slices-1)/max(size.Y, 1e-300), (slices-1)/max(size.Z, 1e-300))
	for k := range near {
		c := near[k].center
		for a, p := range [3][3]float64{{c.X, low.X, inv.X}, {c.Y, low.Y, inv.Y}, {c.Z, low.Z, inv.Z}} {
			first := max(0, (p[0]-reach-p[1])*p[2])
			last := min(slices-1, (p[0]+reach-p[1])*p[2])
			for s := int(first); s <= int(last); s++ {
				cubes[a][s] |= 1 << k
			}
		}
	}
	const chunk = 1 << 14
	parts := make([][]neighborhood, (len(x)+chunk-1)/chunk)
	par.Each(len(parts), func(c int) {
		part := make([]neighborhood, n)
		for _, p := range x[c*chunk : min(len(x), (c+1)*chunk)] {
			in := cubes[0][int((p.X-low.X)*inv.X)] & cubes[1][int((p.Y-low.Y)*inv.Y)] & cubes[2][int((p.Z-low.Z)*inv.Z)]
			if in == 0 {
				continue
			}
			for k := range near {
				d := p.Sub(near[k].center)
				if in>>k&1 != 0 && max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)) < reach {
					if part[k].count++; part[k].count <= most {
						part[k].x = append(part[k].x, p)
					}
				}
			}
		}
		parts[c] = part
	})
	for _, part := range parts {
		for k := range part {
			near[k].count += part[k].count
			near[k].x = append(near[k].x, part[k].x[:min(len(part[k].x), most-len(near[k].x))]...)
		}
	}
	return near
}

// nearest returns the distances from some of the particles, those nearest to the
// middle, to their nearest neighbours.
func (n *neighborhood) nearest() (list []float64) {
	from := func(p vec.Vec3) float64 { d := p.Sub(n.center); return d.Dot(d) }
	slices.SortStableFunc(n.x, func(a, b vec.Vec3) int { return cmp.Compare(from(a), from(b)) })
	for i, p := range n.x[:min(len(n.x), 16)] {
		least := math.Inf(1)
		for j, q := range n.x {
			if d := q.Sub(p); j != i && d.Dot(d) < least {
				least = d.Dot(d)
			}
		}
		if !math.IsInf(least, 1) {
			list = append(list, math.Sqrt(least))
		}
	}
	return list
}

// density returns the number of particles in a cubic metre, around the middle
// of the cube with the half edge reach: the mean of SPH's sums at 27 points.
func (n *neighborhood) density(reach float64) (sum float64) {
	h, step := 0.6*reach, 0.2*reach
	w := kernel.NewCubicSpline(3, h)
	for k := range 27 {
		at := n.center.Add(vec.New(float64(k%3-1), float64(k/3%3-1), float64(k/9-1)).Mul(step))
		for _, p := range n.x {
			if d := p.Sub(at); d.Dot(d) < h*h {
				sum += w.W(d.Len())
			}
		}
	}
	return sum / 27 * float64(n.count) / float64(len(n.x))
}
