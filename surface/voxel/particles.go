package voxel

import (
	"math"
	"slices"

	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// FromParticles returns the density of particles at x relative to the rest density,
// and their velocity, in voxels of the given edge, m, wherever a particle's kernel
// reaches. The particles lie spacing apart. The density is the SPH sum
//
//	φ(x) = Σ_j d³ W(x − x_j), no more than 1,
//
// with the cubic spline and a support of two spacings; the velocity is the mean
// weighted by the kernel (Shepard 1968). Without velocities v its grid is nil.
func FromParticles(x, v []vec.Vec3, spacing, edge float64) (density, velocity *Grid) {
	h := kernel.Support(spacing)
	w := kernel.NewCubicSpline(3, h)
	density = &Grid{Name: "density", Class: Fog, Width: 1}
	if len(v) > 0 {
		velocity = &Grid{Name: "velocity", Class: Field, Width: 3}
	}
	places := leavesNear(x, h, edge)
	density.Leaves = make([]Leaf, len(places))
	if velocity != nil {
		velocity.Leaves = make([]Leaf, len(places))
	}
	var cells neighbor.Cells
	cells.Build(x, neighbor.Edge(h))
	order := cells.Order()
	volume := float64(spacing * spacing * spacing)
	par.Each(len(places), func(k int) {
		at := places[k]
		first := voxelAt(at, edge)
		last := first.Add(vec.New(1, 1, 1).Mul(float64((Side - 1) * edge)))
		reach := vec.New(h, h, h)
		var sum [Count]float64
		var flow [Count]vec.Vec3
		for _, run := range cells.RunsIn(nil, vec.Box{Min: first.Sub(reach), Max: last.Add(reach)}) {
			for _, j := range order[run[0]:run[1]] {
				each(x[j], h, edge, at, func(i int, r float64) {
					f := float64(volume * w.W(r))
					sum[i] += f
					if velocity != nil {
						flow[i] = flow[i].Add(v[j].Mul(f))
					}
				})
			}
		}
		rho := Leaf{At: at, Values: make([]float32, Count)}
		var u Leaf
		if velocity != nil {
			u = Leaf{At: at, Values: make([]float32, 3*Count)}
		}
		for i, s := range sum {
			if s <= 0 {
				continue
			}
			rho.Set(i)
			rho.Values[i] = float32(min(1, s))
			if velocity != nil {
				u.Set(i)
				mean := flow[i].Mul(1 / s)
				u.Values[3*i], u.Values[3*i+1], u.Values[3*i+2] = float32(mean.X), float32(mean.Y), float32(mean.Z)
			}
		}
		density.Leaves[k] = rho
		if velocity != nil {
			velocity.Leaves[k] = u
		}
	})
	density.Leaves = withValues(density.Leaves)
	if velocity != nil {
		velocity.Leaves = withValues(velocity.Leaves)
	}
	return density, velocity
}

// withValues returns the leaves that have any.
func withValues(l []Leaf) []Leaf {
	return slices.DeleteFunc(l, func(l Leaf) bool { return l.Len() == 0 })
}

// voxelAt returns the centre of a voxel.
func voxelAt(at [3]int32, edge float64) vec.Vec3 {
	return vec.New(float64(at[0]), float64(at[1]), float64(at[2])).Mul(edge)
}

// each calls f for the voxels of the leaf at a place that are closer than h to
// x, with their distance.
func each(x vec.Vec3, h, edge float64, at [3]int32, f func(i int, r float64)) {
	var lo, hi [3]int
	for a, v := range [3]float64{x.X, x.Y, x.Z} {
		lo[a] = max(0, int(math.Ceil((v-h)/edge))-int(at[a]))
		hi[a] = min(Side-1, int(math.Floor((v+h)/edge))-int(at[a]))
	}
	for i := lo[0]; i <= hi[0]; i++ {
		dx := float64(float64(int(at[0])+i)*edge) - x.X
		for j := lo[1]; j <= hi[1]; j++ {
			dy := float64(float64(int(at[1])+j)*edge) - x.Y
			for k := lo[2]; k <= hi[2]; k++ {
				dz := float64(float64(int(at[2])+k)*edge) - x.Z
				if r2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz); r2 < h*h {
					f(i*64+j*8+k, math.Sqrt(r2))
				}
			}
		}
	}
}

// farthest is the largest coordinate of voxels. A file keeps them as int32.
const farthest = 1 << 30

// leavesNear returns the places of the leaves that have voxels no farther than
// r from any of x by any coordinate, in order. It leaves out points beyond the farthest
// voxel.
func leavesNear(x []vec.Vec3, r, edge float64) [][3]int32 {
	const chunk = 1 << 14
	parts := make([][][3]int32, (len(x)+chunk-1)/chunk)
	par.Each(len(parts), func(p int) {
		seen := map[[3]int32]bool{}
		for _, v := range x[p*chunk : min(len(x), (p+1)*chunk)] {
			if math.Max(math.Max(math.Abs(v.X), math.Abs(v.Y)), math.Abs(v.Z)) < edge*farthest {
				addLeaves(seen, v, v, r, edge)
			}
		}
		for at := range seen {
			parts[p] = append(parts[p], at)
		}
	})
	return sortedLeaves(parts)
}

// addLeaves adds the places of the leaves that have voxels in the box from lo to
// hi, or no farther than r from it.
func addLeaves(to map[[3]int32]bool, lo, hi vec.Vec3, r, edge float64) {
	leaf := func(v float64) int32 { return int32(math.Floor(v)) &^ (Side - 1) }
	a := [3]int32{leaf(math.Ceil((lo.X - r) / edge)), leaf(math.Ceil((lo.Y - r) / edge)), leaf(math.Ceil((lo.Z - r) / edge))}
	b := [3]int32{leaf((hi.X + r) / edge), leaf((hi.Y + r) / edge), leaf((hi.Z + r) / edge)}
	for i := a[0]; i <= b[0]; i += Side {
		for j := a[1]; j <= b[1]; j += Side {
			for k := a[2]; k <= b[2]; k += Side {
				to[[3]int32{i, j, k}] = true
			}
		}
	}
}

// sortedLeaves returns the places in all of the parts, each once, in order.
func sortedLeaves(parts [][][3]int32) [][3]int32 {
	all := slices.Concat(parts...)
	slices.SortFunc(all, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(all)
}
