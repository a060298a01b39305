package vortex

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// near lists the vortons around others.
type nearby struct {
	v    *Vortons
	grid grid.Grid
	bins grid.Bins
}

// around prepares a search for vortons within reach, in m.
func around(v *Vortons, reach float64) *nearby {
	box := vec.Empty()
	for _, x := range v.X {
		box = box.Include(x)
	}
	n := &nearby{v: v, grid: cover(box, reach, v.Len())}
	n.bins.Sort(&n.grid, v.X)
	return n
}

// each calls f for the vortons in the cells around vorton i, without i, until f returns
// false.
func (n *nearby) each(i int, f func(j int) bool) {
	at, _ := n.grid.Cell(n.v.X[i])
	size := n.grid.N
	for c := max(at[2]-1, 0); c < min(at[2]+2, size[2]); c++ {
		for b := max(at[1]-1, 0); b < min(at[1]+2, size[1]); b++ {
			row := (c*size[1] + b) * size[0]
			for _, j := range n.bins.Row(row+max(at[0]-1, 0), row+min(at[0]+1, size[0]-1)) {
				if int(j) != i && !f(int(j)) {
					return
				}
			}
		}
	}
}

// split replaces vortons by two where their distance along their vorticity is more than
// gap core radii, and not more than three times that: then they belong to no common
// vortex. The core radius is core times the radius of a vorton. Vortons come in their order
// until there are most of them.
//
// Each half has half of the strength and lies a quarter of the distance off along the
// vorticity. So the total strength stays the same, and so do the impulses: x × α is the
// same for both halves, and their places have the mean x.
func (f *Flow) split(core, gap float64, most int) {
	v := &f.Vortons
	if v.Len() == 0 || v.Len() >= most {
		return
	}
	widest := par.Max(v.Len(), 0, func(lo, hi int) (r float64) {
		for _, a := range v.Radius[lo:hi] {
			r = max(r, a)
		}
		return r
	})
	n := around(v, 3*gap*core*widest)
	spacing := make([]float64, v.Len()) // of what is to be split
	par.For(v.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if s := n.spacing(i, 3*gap*core*v.Radius[i], gap*core*v.Radius[i]); s > gap*core*v.Radius[i] {
				spacing[i] = s
			}
		}
	})
	for i, s := range spacing {
		if s == 0 {
			continue
		}
		if v.Len() == most {
			return
		}
		off := v.W[i].Unit().Mul(s / 4)
		v.W[i] = v.W[i].Mul(0.5)
		f.AddVorton(v.X[i].Add(off), v.W[i], v.Radius[i], v.Density[i], Blend{v.Mix.Fuel[i], v.Mix.Flame[i], v.Mix.Smoke[i]})
		v.X[i] = v.X[i].Sub(off)
		last := v.Len() - 1
		v.V[last], v.Age[last] = v.V[i], v.Age[i]
	}
}

// spacing returns the mean distance of vorton i from the nearest vorton ahead and the
// nearest behind along its vorticity, within 60° of that and of like direction. It is 0 if
// a side has no such vorton within reach, and may be too long if it is less than enough.
func (n *nearby) spacing(i int, reach, enough float64) float64 {
	x, w := n.v.X[i], n.v.W[i]
	along := w.Unit()
	ahead, behind := math.Inf(1), math.Inf(1)
	n.each(i, func(j int) bool {
		d := n.v.X[j].Sub(x)
		l2 := d.Dot(d)
		if l2 > reach*reach || n.v.W[j].Dot(w) <= 0 {
			return true
		}
		l := math.Sqrt(l2)
		if c := d.Dot(along); c > l/2 {
			ahead = min(ahead, l)
		} else if c < -l/2 {
			behind = min(behind, l)
		}
		return ahead+behind > 2*enough
	})
	if s := (ahead + behind) / 2; !math.IsInf(s, 1) {
		return s
	}
	return 0
}
