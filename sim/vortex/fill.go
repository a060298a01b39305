package vortex

import (
	"math"

	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// Fill adds vortons on a cubic lattice with the given edge in m, centred in the bounds of
// the distribution, with the vorticity at their places. Their volume is the volume of a
// cell of the lattice, so that the sum of their strengths is the integral of the
// vorticity. Places with less than 1e-4 of the largest vorticity stay empty.
func (f *Flow) Fill(d vorticity.Distribution, edge, density float64, mix Blend) {
	var x, w []vec.Vec3
	most := 0.
	places(d.Bounds(), edge, func(at vec.Vec3) {
		v := d.Vorticity(at)
		x, w = append(x, at), append(w, v)
		most = max(most, v.Len())
	})
	radius := BallRadius(edge * edge * edge)
	for i := range x {
		if w[i].Len() > 1e-4*most {
			f.AddVorton(x[i], w[i], radius, density, mix)
		}
	}
}

// AddRing adds a ring of n vortons on one circle, whose strengths are its circulation
// times the length of an arc. Their radius is in m.
func (f *Flow) AddRing(r *vorticity.Ring, n int, radius, density float64) {
	axis := r.Axis.Unit()
	u, v := axis.Basis()
	arc := 2 * math.Pi * r.Radius / float64(n)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		away := u.Mul(cos).Add(v.Mul(sin))
		f.AddVorton(r.Center.Add(away.Mul(r.Radius)), axis.Cross(away).Mul(r.Circulation*arc/ballVolume(radius)), radius, density, Blend{})
	}
}

// places calls visit for the points of a cubic lattice that is centred in a box.
func places(b vec.Box, edge float64, visit func(x vec.Vec3)) {
	size, center := b.Size(), b.Center()
	var n [3]int
	for a, l := range size.Array() {
		n[a] = max(1, int(math.Ceil(l/edge-1e-9)))
	}
	first := center.Sub(vec.New(float64(n[0]-1), float64(n[1]-1), float64(n[2]-1)).Mul(edge / 2))
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				visit(first.Add(vec.New(float64(i), float64(j), float64(k)).Mul(edge)))
			}
		}
	}
}
