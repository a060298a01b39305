package march

import (
	"math"
	"slices"

	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Channels is the number of quantities of a particle.
const Channels = 4

// Puffs are particles, each of which stands for some volume of a gas.
type Puffs struct {
	X, V   []vec.Vec3
	Volume float64             // of a particle, m³
	Of     [][Channels]float32 // quantities of a particle, such as shares of its volume
	Edge   float64             // of a voxel, m
	Time   float64             // for which the shutter is open, s
	Spread float64             // standard deviation of all puffs along an axis, m; 0 for shapes by the neighbours
}

// Field has the quantities of the particles in the voxels of a leaf: for each of them the
// sum over the particles, times their volume over the volume of a voxel.
type Field struct {
	At     [3]int32
	Values [Count][Channels]float32
}

const (
	// neighbours is the number of particles whose places make the shape of a puff: enough
	// that the gaps between the particles do not show.
	neighbours = 32
	// wider is the variance of a puff over the variance of its neighbours.
	wider = 1.6
	// softest and widest bound the standard deviation of a puff along an axis, in voxels.
	// One below softest would depend on its place between the voxels.
	softest = 0.75
	widest  = 4
	// reach is the radius of a puff over its standard deviation. The kernel (1 − q²)³ has
	// the variance 1/11 along each axis.
	reach = 3.3166247903554
)

// puff is a particle's kernel: (1 − dᵀ A d)³.
type puff struct {
	a      vec.Sym3
	lo, hi [3]int  // the first and the last voxels of its box
	height float32 // that makes the sum over all voxels the particle's volume over a voxel's
}

// Leaves returns the medium of the particles on the grid, where each field of them becomes a leaf.
// A puff is as long, wide and thick as the cloud of the closest particles around it, so that sheets
// stay thin and sparse smoke has no grains (Yu and Turk 2013 shape the particles of a liquid
// likewise). It is also stretched along its way while the shutter is open. A field is valid until
// leaf returns.
func (p *Puffs) Leaves(leaf func(*Field) Leaf) []Leaf { return onGrid(p, leaf) }

// onGrid calls of with each field that is not empty, and returns the results in order. There is one
// field per thread at a time, since a field takes four times the memory of a leaf.
func onGrid[T any](p *Puffs, of func(*Field) T) []T {
	list := p.shapes()
	// The puffs of each leaf.
	type part struct {
		at   [3]int32
		puff int32
	}
	const chunk = 1 << 12
	parts := make([][]part, (len(list)+chunk-1)/chunk)
	par.Each(len(parts), func(k int) {
		for i := k * chunk; i < min(len(list), (k+1)*chunk); i++ {
			if list[i].height == 0 {
				continue
			}
			lo, hi := &list[i].lo, &list[i].hi
			for x := floorDiv(lo[0], Side); x <= floorDiv(hi[0], Side); x++ {
				for y := floorDiv(lo[1], Side); y <= floorDiv(hi[1], Side); y++ {
					for z := floorDiv(lo[2], Side); z <= floorDiv(hi[2], Side); z++ {
						parts[k] = append(parts[k], part{[3]int32{int32(x * Side), int32(y * Side), int32(z * Side)}, int32(i)})
					}
				}
			}
		}
	})
	number := map[[3]int32]int{}
	var places [][3]int32
	var members [][]int32
	for _, l := range parts {
		for _, q := range l {
			k, ok := number[q.at]
			if !ok {
				k = len(members)
				number[q.at] = k
				places, members = append(places, q.at), append(members, nil)
			}
			members[k] = append(members[k], q.puff)
		}
	}
	all, full := make([]T, len(places)), make([]bool, len(places))
	par.For(len(places), func(lo, hi int) {
		f := new(Field)
		for k := lo; k < hi; k++ {
			*f = Field{At: places[k]}
			for _, i := range members[k] {
				p.add(f, int(i), &list[i])
			}
			if full[k] = f.Values != [Count][Channels]float32{}; full[k] {
				all[k] = of(f)
			}
		}
	})
	n := 0
	for k, f := range full {
		if f {
			all[n] = all[k]
			n++
		}
	}
	return all[:n]
}

// along returns the kernel of puff q in a row of voxels along z, dx and dy away from its place:
// it is (1 − c − b dz − A_zz dz²)³ where that is above 0. It reports whether it is so anywhere.
func (q *puff) along(dx, dy float64) (c, b float64, some bool) {
	c = float64(q.a.XX*dx*dx) + float64(q.a.YY*dy*dy) + float64(2*q.a.XY*dx*dy)
	b = float64(2 * (float64(q.a.YZ*dy) + float64(q.a.ZX*dx)))
	return c, b, float64(b*b) > float64(4*q.a.ZZ*(c-1))
}

// add adds puff i to f.
func (p *Puffs) add(f *Field, i int, q *puff) {
	at, of := p.X[i], p.Of[i]
	for k := range of {
		of[k] *= q.height
	}
	edge, a := float32(p.Edge), float32(q.a.ZZ)
	z := float32(float64(float64(f.At[2])*p.Edge) - at.Z)
	first, last := f.At[:], [3]int{int(f.At[0]) + Side - 1, int(f.At[1]) + Side - 1}
	for x := max(q.lo[0], int(first[0])); x <= min(q.hi[0], last[0]); x++ {
		dx := float64(float64(x)*p.Edge) - at.X
		for y := max(q.lo[1], int(first[1])); y <= min(q.hi[1], last[1]); y++ {
			if c, b, some := q.along(dx, float64(float64(y)*p.Edge)-at.Y); some {
				n := (x-int(first[0]))*64 + (y-int(first[1]))*8
				addRow((*[Side][Channels]float32)(f.Values[n:n+Side]), &of, float32(c), float32(b), a, z, edge)
			}
		}
	}
}

// farthest is the largest coordinate of a voxel.
const farthest = 1 << 28

// shapes returns the puffs of all particles. Those beyond the farthest voxel have no
// height.
func (p *Puffs) shapes() []puff {
	list := make([]puff, len(p.X))
	round := vec.Sym3{XX: 1, YY: 1, ZZ: 1}.Scale(p.Spread * p.Spread / wider)
	covariance := func(int) vec.Sym3 { return round }
	if p.Spread == 0 {
		list := p.covariances()
		covariance = func(i int) vec.Sym3 { return list[i] }
	}
	par.For(len(list), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x := p.X[i]
			if p.Of[i] == [Channels]float32{} || !(max(math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z)) < farthest*p.Edge) {
				continue
			}
			list[i] = p.shape(i, covariance(i))
		}
	})
	return list
}

// shape returns puff i, whose neighbours have the given covariance.
func (p *Puffs) shape(i int, c vec.Sym3) (q puff) {
	e2 := p.Edge * p.Edge
	c = c.Scale(wider)
	if most := 3 * widest * widest * e2; c.Trace() > most {
		c = c.Scale(most / c.Trace())
	}
	c = c.Add(vec.Sym3{XX: 1, YY: 1, ZZ: 1}.Scale(softest * softest * e2))
	if p.Time > 0 {
		c.AddOuter(p.V[i], p.Time*p.Time/12) // the variance of an even stretch
	}
	inverse, det := c.Adjugate()
	q.a = inverse.Scale(1 / (det * reach * reach))
	x, half := p.X[i].Array(), vec.New(math.Sqrt(c.XX), math.Sqrt(c.YY), math.Sqrt(c.ZZ)).Mul(reach).Array()
	for a := range x {
		q.lo[a], q.hi[a] = int(math.Ceil((x[a]-half[a])/p.Edge)), int(math.Floor((x[a]+half[a])/p.Edge))
	}
	if sum := p.sum(i, &q, c.Trace(), det); sum > 0 {
		q.height = float32(p.Volume / (e2 * p.Edge * sum))
	}
	return q
}

// thinnest is the variance of a puff along its shortest axis, in voxels, from which on the sum
// over the voxels is the integral within 3 in 10,000.
const thinnest = 0.8

// sum returns the sum of puff i over the voxels, whose covariance has the given trace and
// determinant.
func (p *Puffs) sum(i int, q *puff, trace, det float64) (sum float64) {
	// The product of the two largest eigenvalues is at most the square of half their sum. So the
	// least one is det over that or more, which bounds the sum again.
	least := 0.0
	for range 8 {
		least = 4 * det / ((trace - least) * (trace - least))
	}
	if least > thinnest*p.Edge*p.Edge {
		return 64 * math.Pi / 315 * reach * reach * reach * math.Sqrt(det) / (p.Edge * p.Edge * p.Edge)
	}
	at := p.X[i]
	for x := q.lo[0]; x <= q.hi[0]; x++ {
		for y := q.lo[1]; y <= q.hi[1]; y++ {
			c, b, some := q.along(float64(float64(x)*p.Edge)-at.X, float64(float64(y)*p.Edge)-at.Y)
			for z := q.lo[2]; some && z <= q.hi[2]; z++ {
				dz := float64(float64(z)*p.Edge) - at.Z
				w := max(0, 1-(c+float64(dz*(b+float64(q.a.ZZ*dz)))))
				sum += float64(w * w * w)
			}
		}
	}
	return sum
}

// covariances returns the covariance of the closest particles around each particle, where
// a particle counts less the farther away it is.
func (p *Puffs) covariances() []vec.Sym3 {
	list := make([]vec.Sym3, len(p.X))
	if len(p.X) == 0 {
		return list
	}
	// Particles without others that near are as wide as a puff can be.
	far := 2 * widest * p.Edge
	var cells neighbor.Cells
	cells.Build(p.X, far/2)
	order := cells.Order()
	par.For(len(order), func(lo, hi int) {
		var runs [][2]int32
		var d2 []float64
		var near []int32
		r := far / 2 // that had enough around the particle before, in the order of the cells
		for _, i := range order[lo:hi] {
			x := p.X[i]
			for {
				runs, d2, near = cells.RunsIn(runs[:0], vec.Box{Min: x, Max: x}.Grow(r)), d2[:0], near[:0]
				for _, run := range runs {
					for _, j := range order[run[0]:run[1]] {
						s := p.X[j].Sub(x)
						if square := s.Dot(s); square < r*r {
							d2, near = append(d2, square), append(near, j)
						}
					}
				}
				if len(near) > neighbours || r >= far {
					break
				}
				r = min(far, 1.3*r)
			}
			var h float64
			list[i], h = p.covariance(int(i), near, d2, far)
			r = min(far, max(far/16, 1.1*h)) // particles at one place have a distance of 0
		}
	})
	return list
}

// covariance returns the covariance of some particles around particle i, of which the
// closest count, and the distance at which they no longer count.
func (p *Puffs) covariance(i int, near []int32, d2 []float64, far float64) (c vec.Sym3, h float64) {
	h2 := far * far
	if len(near) > neighbours {
		h2 = num.NthSmallest(slices.Clone(d2), neighbours)
	}
	// Where there are too few, the missing ones count as even around.
	total := 0.0
	for k, j := range near {
		if d2[k] >= h2 {
			continue
		}
		w := 1 - d2[k]/h2
		c.AddOuter(p.X[j].Sub(p.X[i]), w)
		total += w
	}
	if missing := 0.4*neighbours - total; missing > 0 { // the mean of the weights in a ball is 2/5
		c = c.Add(vec.Sym3{XX: 1, YY: 1, ZZ: 1}.Scale(missing * h2 / 7)) // their variance, ∫(1−r²)r⁴/3∫(1−r²)r²
		total += missing
	}
	return c.Scale(1 / max(total, 1e-300)), math.Sqrt(h2)
}
