package voxel

import (
	"math"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Puffs are particles of a gas, each of which fills some space around it.
type Puffs struct {
	X, V    []vec.Vec3 // m and m/s; V is nil without velocities
	Amounts []Amount
	Means   []Mean
	Width   float64 // s of the kernel, m; it is Edge at the least
	Edge    float64 // of a voxel, m
}

// Amount is a volume in m³ that a puff holds. Its grid has the volume over the
// volume of the voxel.
type Amount struct {
	Name string
	Of   []float64
}

// Mean is a quantity of the gas at a puff. Its grid has the mean, and Outside in voxels
// that no puff reaches.
type Mean struct {
	Name    string
	Of      []float64
	Outside float64
}

// Grids returns grids of the amounts, the means and the velocity, in this order. A puff
// spreads over the voxels by cubic splines of the width s along the axes,
//
//	w(x) = Π M₄(|d_a|/s) / Σ M₄(|d_a|/s),
//
// which add up to 1 over the voxels. So a grid holds exactly what the puffs hold. The
// means are weighted by w (Shepard 1968).
func (p *Puffs) Grids() []*Grid {
	s := max(p.Width, p.Edge)
	var grids []*Grid
	for _, a := range p.Amounts {
		grids = append(grids, &Grid{Name: a.Name, Class: Fog, Width: 1})
	}
	for _, m := range p.Means {
		grids = append(grids, &Grid{Name: m.Name, Class: Field, Width: 1, Background: float32(m.Outside)})
	}
	if p.V != nil {
		grids = append(grids, &Grid{Name: "velocity", Class: Field, Width: 3})
	}
	places := leavesNear(p.X, 2*s, p.Edge)
	for _, g := range grids {
		g.Leaves = make([]Leaf, len(places))
	}
	var cells neighbor.Cells
	cells.Build(p.X, Side*p.Edge)
	order := cells.Order()
	par.Each(len(places), func(k int) {
		b := newPuffLeaf(p, places[k])
		first := voxelAt(places[k], p.Edge)
		last := first.Add(vec.New(1, 1, 1).Mul((Side - 1) * p.Edge))
		reach := vec.New(2*s, 2*s, 2*s)
		for _, run := range cells.RunsIn(nil, vec.Box{Min: first.Sub(reach), Max: last.Add(reach)}) {
			for _, j := range order[run[0]:run[1]] {
				b.add(p, int(j), s)
			}
		}
		for i, l := range b.leaves(p) {
			grids[i].Leaves[k] = l
		}
	})
	for _, g := range grids {
		g.Leaves = withValues(g.Leaves)
	}
	return grids
}

// puffLeaf has the sums of a leaf over the puffs.
type puffLeaf struct {
	at     [3]int32
	weight [Count]float64
	amount [][Count]float64
	mean   [][Count]float64
	flow   []vec.Vec3
}

func newPuffLeaf(p *Puffs, at [3]int32) *puffLeaf {
	b := &puffLeaf{at: at, amount: make([][Count]float64, len(p.Amounts)), mean: make([][Count]float64, len(p.Means))}
	if p.V != nil {
		b.flow = make([]vec.Vec3, Count)
	}
	return b
}

// add adds puff j.
func (b *puffLeaf) add(p *Puffs, j int, s float64) {
	var axes [3][Side]float64
	for a, x := range p.X[j].Array() {
		if !splineWeights(&axes[a], x, s, p.Edge, b.at[a]) {
			return
		}
	}
	for x, wx := range axes[0] {
		for y, wy := range axes[1] {
			if wx*wy == 0 {
				continue
			}
			for z, wz := range axes[2] {
				w, i := float64(wx*wy*wz), x*64+y*8+z
				if w == 0 {
					continue
				}
				b.weight[i] += w
				for q := range p.Amounts {
					b.amount[q][i] += float64(w * p.Amounts[q].Of[j])
				}
				for q := range p.Means {
					b.mean[q][i] += float64(w * p.Means[q].Of[j])
				}
				if b.flow != nil {
					b.flow[i] = b.flow[i].Add(p.V[j].Mul(w))
				}
			}
		}
	}
}

// leaves returns the leaf of each grid.
func (b *puffLeaf) leaves(p *Puffs) (list []Leaf) {
	perVolume := 1 / (p.Edge * p.Edge * p.Edge)
	for q := range b.amount {
		l := Leaf{At: b.at, Values: make([]float32, Count)}
		for i, v := range b.amount[q] {
			if v > 0 {
				l.Set(i)
				l.Values[i] = float32(v * perVolume)
			}
		}
		list = append(list, l)
	}
	for q := range b.mean {
		l := Leaf{At: b.at, Values: make([]float32, Count)}
		for i, w := range b.weight {
			l.Values[i] = float32(p.Means[q].Outside)
			if w > 0 {
				l.Set(i)
				l.Values[i] = float32(b.mean[q][i] / w)
			}
		}
		list = append(list, l)
	}
	if b.flow != nil {
		l := Leaf{At: b.at, Values: make([]float32, 3*Count)}
		for i, w := range b.weight {
			if w > 0 {
				l.Set(i)
				u := b.flow[i].Mul(1 / w)
				l.Values[3*i], l.Values[3*i+1], l.Values[3*i+2] = float32(u.X), float32(u.Y), float32(u.Z)
			}
		}
		list = append(list, l)
	}
	return list
}

// splineWeights sets the weights along an axis of the voxels of a leaf from first, for a
// puff at x, and reports whether any is above 0. The weights of all voxels along the axis
// add up to 1.
func splineWeights(w *[Side]float64, x, s, edge float64, first int32) (any bool) {
	lo, hi := int(math.Ceil((x-float64(2*s))/edge)), int(math.Floor((x+float64(2*s))/edge))
	if hi < int(first) || lo >= int(first)+Side {
		return false
	}
	sum := 0.
	for i := lo; i <= hi; i++ {
		v := m4(math.Abs(float64(float64(i)*edge)-x) / s)
		sum += v
		if k := i - int(first); k >= 0 && k < Side {
			w[k] = v
			any = any || v > 0
		}
	}
	for k := range w {
		w[k] /= sum
	}
	return any
}

// m4 returns the cubic B-spline M₄ at a distance, which is 0 from 2 on.
func m4(d float64) float64 {
	switch {
	case d < 1:
		return (4 - float64(6*d*d) + float64(3*d*d*d)) / 6
	case d < 2:
		return (2 - d) * (2 - d) * (2 - d) / 6
	}
	return 0
}
