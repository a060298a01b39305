package voxel

import (
	"math"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// FromSpheres returns the extinction of light by small spheres at x, and their
// velocity, in voxels of the given edge, m. Each is of the cross-section area, m². The
// extinction is their cross-section per volume, 1/m,
//
//	σ(x) = Σ_j A_j w(x − x_j)/edge³,  w(d) = Π (1 − |d_a|/edge) over the axes a,
//
// so σ edge³ adds up to the whole cross-section. The tents w stand at the middles of
// the voxels, which do not move, so spheres that drift do not flicker. The velocity
// is the mean weighted by A w. Without velocities v its grid is nil. The values are
// kept as float16.
func FromSpheres(x, v []vec.Vec3, area []float64, edge float64) (extinction, velocity *Grid) {
	extinction = &Grid{Name: "extinction", Class: Fog, Width: 1, Half: true}
	places := leavesNear(x, edge, edge)
	extinction.Leaves = make([]Leaf, len(places))
	if len(v) > 0 {
		velocity = &Grid{Name: "velocity", Class: Field, Width: 3, Half: true, Leaves: make([]Leaf, len(places))}
	}
	var cells neighbor.Cells
	cells.Build(x, float64(Side*edge)) // a leaf is of eight of them or fewer
	order := cells.Order()
	reach := vec.New(edge, edge, edge)
	perVolume := 1 / (edge * edge * edge)
	par.Each(len(places), func(k int) {
		at := places[k]
		first := voxelAt(at, edge)
		last := first.Add(vec.New(1, 1, 1).Mul(float64((Side - 1) * edge)))
		var sum [Count]float64
		var flow []vec.Vec3
		if velocity != nil {
			flow = make([]vec.Vec3, Count)
		}
		for _, run := range cells.RunsIn(nil, vec.Box{Min: first.Sub(reach), Max: last.Add(reach)}) {
			for _, j := range order[run[0]:run[1]] {
				tents(x[j], edge, at, func(i int, w float64) {
					f := float64(area[j] * w)
					sum[i] += f
					if velocity != nil {
						flow[i] = flow[i].Add(v[j].Mul(f))
					}
				})
			}
		}
		sigma := Leaf{At: at, Values: make([]float32, Count)}
		for i, s := range sum {
			if s > 0 {
				sigma.Set(i)
				sigma.Values[i] = float32(s * perVolume)
			}
		}
		extinction.Leaves[k] = sigma
		if velocity == nil {
			return
		}
		u := Leaf{At: at, On: sigma.On, Values: make([]float32, 3*Count)}
		for i, s := range sum {
			if s > 0 {
				mean := flow[i].Mul(1 / s)
				u.Values[3*i], u.Values[3*i+1], u.Values[3*i+2] = float32(mean.X), float32(mean.Y), float32(mean.Z)
			}
		}
		velocity.Leaves[k] = u
	})
	extinction.Leaves = withValues(extinction.Leaves)
	if velocity != nil {
		velocity.Leaves = withValues(velocity.Leaves)
	}
	return extinction, velocity
}

// tents calls f for the voxels of the leaf at a place whose tents are above 0 at x, with
// their heights there.
func tents(x vec.Vec3, edge float64, at [3]int32, f func(i int, w float64)) {
	var low [3]int
	var height [3][2]float64
	for a, c := range [3]float64{x.X, x.Y, x.Z} {
		cell := math.Floor(c / edge)
		beyond := c/edge - cell
		low[a] = int(cell) - int(at[a])
		height[a] = [2]float64{1 - beyond, beyond}
		if low[a] < -1 || low[a] >= Side {
			return
		}
	}
	for di, wx := range height[0] {
		for dj, wy := range height[1] {
			for dk, wz := range height[2] {
				i, j, k, w := low[0]+di, low[1]+dj, low[2]+dk, wx*wy*wz
				if w > 0 && uint(i) < Side && uint(j) < Side && uint(k) < Side {
					f(i*64+j*8+k, w)
				}
			}
		}
	}
}
