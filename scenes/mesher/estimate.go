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
// It looks at the neighbourhoods of some particles. The dense ones are neither at an edge
// nor in a drop, and a lattice as dense has the spacing. If all of the liquid is drops
// and threads, that is too much. The distances to the nearest neighbours then give the
// spacing. If they are all the same, it is their median. The more they differ the more it
// exceeds the median, up to 1.8 times for particles strewn at random.
//
// Positions must be finite. However large or small they are, no product of them
// leaves the range of a float64: they are brought near to 1 first.
func Spacing(x []vec.Vec3, guess float64) float64 {
	ordered, dense := spacings(x, guess)
	return min(ordered, dense)
}

// spacings returns the two that Spacing takes the smaller of: by the distances
// to the nearest neighbours, and by the density.
func spacings(x []vec.Vec3, guess float64) (ordered, dense float64) {
	if x = withoutOutliers(x); len(x) < 2 {
		return 0, 0
	}
	box := neighbor.Bounds(x)
	half := box.Max.Mul(0.5).Sub(box.Min.Mul(0.5)) // no difference overflows
	far := max(half.X, half.Y, half.Z)
	_, e := math.Frexp(far)
	switch {
	case far == 0:
		return 0, 0
	case -100 < e && e < 100: // their cubes are in the range of a float64
		return measure(x, guess)
	}
	// Large values are scaled down before the difference, or it may overflow.
	before, after := 0, -e
	if e > 0 {
		before, after = -e, 0
	}
	near, from := make([]vec.Vec3, len(x)), scaled(box.Min, before)
	for i, p := range x {
		near[i] = scaled(scaled(p, before).Sub(from), after)
	}
	ordered, dense = measure(near, math.Ldexp(guess, -e))
	return math.Ldexp(ordered, e), math.Ldexp(dense, e)
}

// scaled returns p times two to the power e.
func scaled(p vec.Vec3, e int) vec.Vec3 {
	return vec.New(math.Ldexp(p.X, e), math.Ldexp(p.Y, e), math.Ldexp(p.Z, e))
}

// flown limits how far a particle may be from the middle three quarters of the
// particles to be counted among them. It is a multiple of their extent along an axis.
const flown = 1e6

// withoutOutliers returns the particles x without those that have flown away, which are
// so far from most of the others that the space between would be all there is.
func withoutOutliers(x []vec.Vec3) []vec.Vec3 {
	const sample = 1 << 10
	n := min(len(x), sample)
	if n == 0 {
		return x
	}
	var low, high [3]float64
	var part [3][]float64
	for k := range n {
		p := x[int((float64(k)+0.5)*float64(len(x))/float64(n))]
		for a, c := range [3]float64{p.X, p.Y, p.Z} {
			part[a] = append(part[a], c/2) // half, so that no difference overflows
		}
	}
	wide := 0.0
	for a := range part {
		slices.Sort(part[a])
		low[a], high[a] = part[a][n/8], part[a][n-1-n/8]
		wide = max(wide, high[a]-low[a])
	}
	if wide == 0 || wide > math.MaxFloat64/flown/4 {
		wide = math.MaxFloat64 / flown / 4
	}
	away := func(p vec.Vec3) bool {
		for a, c := range [3]float64{p.X / 2, p.Y / 2, p.Z / 2} {
			if c < low[a]-float64(flown*wide) || c > high[a]+float64(flown*wide) {
				return true
			}
		}
		return false
	}
	if !slices.ContainsFunc(x, away) {
		return x
	}
	return slices.DeleteFunc(slices.Clone(x), away)
}

// measure is spacings for at least two positions, not all of them equal, whose
// cubes are in the range of a float64.
func measure(x []vec.Vec3, guess float64) (ordered, dense float64) {
	size := neighbor.Bounds(x).Size()
	reach := float64(3.5 * guess)
	if !(reach > 0) {
		reach = float64(0.5 * math.Cbrt(float64(wanted/float64(len(x))*max(float64(size.X*size.Y*size.Z), float64(1e-6*size.Len()*size.Len()*size.Len())))))
	}
	reach = max(float64(1e-12*size.Len()), min(float64(4*size.Len()), reach)) // a guess may be of another world
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
		return 0, 0
	}
	slices.Sort(nearest)
	slices.Sort(density)
	n := len(nearest)
	// Lattices with every particle shifted by up to 0.01 to 1 spacings along
	// each axis have 1.35 to 1.7 for this.
	const perSpread = 1.6
	ordered = nearest[n/2] + float64(perSpread*(nearest[3*n/4]-nearest[n/4]))
	return ordered, 1 / math.Cbrt(density[len(density)*3/4])
}

// A neighborhood is the set of points in a cube around a particle.
type neighborhood struct {
	center vec.Vec3
	count  int
	x      []vec.Vec3 // the first most of them
}

// The sample: the number of neighbourhoods, and of particles in each, wanted and at most.
const (
	seeds  = 64
	wanted = 400
	most   = 3000
)

// around returns the points in cubes of half edge reach around particles spread over x.
func around(x []vec.Vec3, reach float64) []neighborhood {
	n := min(seeds, len(x))
	near := make([]neighborhood, n)
	for k := range near {
		near[k].center = x[int((float64(k)+0.5)*float64(len(x))/float64(n))]
	}
	// Each axis is cut into slices, each with a list of the cubes that overlap it.
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
