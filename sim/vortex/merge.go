package vortex

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// merge merges pairs of vortons that are each other's nearest, and less than share core
// radii of the thinner one apart. The core radius is core times the radius of a vorton.
//
// The place of a pair is weighted by strength. Its strength, volume, mass and mixture add
// up. One vorton cannot have both impulses of two, so all vortons then change by the
// least that restores total strength, impulse and angular impulse.
func (f *Flow) merge(core, share float64) {
	v := &f.Vortons
	before := f.moments()
	widest := par.Max(v.Len(), 0, func(lo, hi int) (r float64) {
		for _, a := range v.Radius[lo:hi] {
			r = max(r, a)
		}
		return r
	})
	n := around(v, share*core*widest)
	nearest := make([]int32, v.Len())
	par.For(v.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			nearest[i] = n.nearest(i, share*core)
		}
	})
	gone := make([]bool, v.Len())
	for i, j := range nearest {
		if int(j) > i && int(nearest[j]) == i {
			v.join(i, int(j))
			gone[j] = true
		}
	}
	v.Keep(func(i int) bool { return !gone[i] })
	f.restore(before)
}

// nearest returns the vorton next to i within share radii of the thinner of both, the
// first of equals, or −1.
func (n *nearby) nearest(i int, share float64) int32 {
	best, least := -1, math.Inf(1)
	n.each(i, func(j int) bool {
		d := n.v.X[j].Sub(n.v.X[i])
		l2, r := d.Dot(d), share*min(n.v.Radius[i], n.v.Radius[j])
		if l2 < r*r && (l2 < least || l2 == least && j < best) {
			best, least = j, l2
		}
		return true
	})
	return int32(best)
}

// join adds vorton j to vorton i.
func (v *Vortons) join(i, j int) {
	a, b := v.Strength(i), v.Strength(j)
	va, vb := v.Volume(i), v.Volume(j)
	share := 0.5 // of j
	if all := a.Len() + b.Len(); all > 0 {
		share = b.Len() / all
	}
	v.X[i], v.V[i] = v.X[i].Lerp(v.X[j], share), v.V[i].Lerp(v.V[j], share)
	v.Age[i] += float64((v.Age[j] - v.Age[i]) * share)
	part := vb / (va + vb)
	for _, q := range [][]float64{v.Density, v.Mix.Fuel, v.Mix.Flame, v.Mix.Smoke} {
		q[i] += float64((q[j] - q[i]) * part)
	}
	v.Radius[i] = BallRadius(va + vb)
	v.W[i] = a.Add(b).Mul(1 / v.Volume(i))
}

// moments are total strength, Σ x × α and Σ x × (x × α) about a fixed place.
type moments struct {
	about vec.Vec3
	sum   [9]float64
}

// moments returns the moments about the middle of the vortons.
func (f *Flow) moments() moments {
	box := vec.Empty()
	for _, x := range f.Vortons.X {
		box = box.Include(x)
	}
	return f.momentsAbout(box.Center())
}

func (f *Flow) momentsAbout(x0 vec.Vec3) moments {
	m := moments{about: x0}
	for i, x := range f.Vortons.X {
		a := f.Vortons.Strength(i)
		for k, row := range rows(x.Sub(x0)) {
			m.sum[k] += row.Dot(a)
		}
	}
	return m
}

// rows returns the vectors whose products with α are α, x × α and x × (x × α).
func rows(x vec.Vec3) [9]vec.Vec3 {
	r2 := x.Dot(x)
	return [9]vec.Vec3{
		{X: 1}, {Y: 1}, {Z: 1},
		{Y: -x.Z, Z: x.Y}, {X: x.Z, Z: -x.X}, {X: -x.Y, Y: x.X},
		x.Mul(x.X).Sub(vec.New(r2, 0, 0)), x.Mul(x.Y).Sub(vec.New(0, r2, 0)), x.Mul(x.Z).Sub(vec.New(0, 0, r2)),
	}
}

// restore changes strengths so that the flow has the given moments, by the least
// Σ |δα|²/|α|. With the rows r_k, δα = |α| Σ_k λ_k r_k, and λ solves
// Σ_m (Σ |α| r_k·r_m) λ_m = the moments that are missing. Where a combination of rows is
// zero at all vortons, as in a flat ring, it is left out.
func (f *Flow) restore(want moments) {
	v := &f.Vortons
	got := f.momentsAbout(want.about)
	var a [9][10]float64
	for i, x := range v.X {
		w, r := v.Strength(i).Len(), rows(x.Sub(want.about))
		for k := range r {
			for m := range r {
				a[k][m] += float64(w * r[k].Dot(r[m]))
			}
		}
	}
	for k := range a {
		a[k][9] = want.sum[k] - got.sum[k]
	}
	lambda := solveSymmetric(&a)
	for i, x := range v.X {
		w, vol := v.Strength(i).Len(), v.Volume(i)
		for k, row := range rows(x.Sub(want.about)) {
			v.W[i] = v.W[i].Add(row.Mul(lambda[k] * w / vol))
		}
	}
}

// solveSymmetric solves nine equations with a positive semidefinite matrix, whose right
// side is the last column, by elimination with the largest diagonal as the pivot. An
// unknown whose pivot is below 1e-10 of its own diagonal becomes 0.
func solveSymmetric(a *[9][10]float64) (x [9]float64) {
	var diagonal [9]float64
	var order []int
	for k := range a {
		diagonal[k] = a[k][k]
	}
	used := [9]bool{}
	for range a {
		p, best := -1, 1e-10
		for k := range a {
			if !used[k] && diagonal[k] > 0 && a[k][k] > best*diagonal[k] {
				p, best = k, a[k][k]/diagonal[k]
			}
		}
		if p < 0 {
			break
		}
		used[p] = true
		order = append(order, p)
		for k := range a {
			if !used[k] {
				factor := a[k][p] / a[p][p]
				for m := range a[k] {
					a[k][m] -= float64(factor * a[p][m])
				}
			}
		}
	}
	for n := len(order) - 1; n >= 0; n-- {
		p := order[n]
		x[p] = a[p][9]
		for _, m := range order[n+1:] {
			x[p] -= float64(a[p][m] * x[m])
		}
		x[p] /= a[p][p]
	}
	return x
}
