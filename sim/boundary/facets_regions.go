package boundary

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// regionSide is how many blocks of a distGrid a region is wide.
const regionSide = 8

// gridRegions marks the regions, of regionSide³ blocks of a distGrid, that may have
// blocks that are kept. The others are nearly all of a large grid, and the surface's
// distances are not computed there. From the middle of a round tank, for example, all
// faces are equally far, and none can be left out.
type gridRegions struct {
	dim    [3]int
	near   []bool    // of each region, whether the surface may be near
	low    []float32 // a lower bound of the distances in each region that is not near, m
	corner []float32 // distances of the regions' corners, m
}

func newGridRegions(g *distGrid, f *facets, deep, far float64) *gridRegions {
	r := new(gridRegions)
	for i, n := range g.dim {
		r.dim[i] = (n + regionSide - 1) / regionSide
	}
	edge := float64(g.cell * blockSide)
	size := float64(edge * regionSide)
	dist := func(i, j, k float64) float64 {
		d, _ := f.dist(g.origin.Add(vec.New(i, j, k).Mul(size)))
		return d
	}
	r.near = make([]bool, r.dim[0]*r.dim[1]*r.dim[2])
	r.low = make([]float32, len(r.near))
	r.corner = make([]float32, (r.dim[0]+1)*(r.dim[1]+1)*(r.dim[2]+1))
	par.Each((r.dim[1]+1)*(r.dim[2]+1), func(row int) {
		j, k := row%(r.dim[1]+1), row/(r.dim[1]+1)
		for i := range r.dim[0] + 1 {
			r.corner[r.cornerAt(i, j, k)] = float32(dist(float64(i), float64(j), float64(k)))
			if i == r.dim[0] || j == r.dim[1] || k == r.dim[2] {
				continue
			}
			// Half a diagonal from the middle to a corner, and the extent of a block.
			d := dist(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5)
			half := float64(math.Sqrt(3) / 2 * size)
			reach := half + float64(math.Sqrt(3)*edge)
			at := i + r.dim[0]*(j+r.dim[1]*k)
			r.near[at] = d > -deep-reach && d < far+reach
			r.low[at] = float32(d - half)
		}
	})
	return r
}

func (r *gridRegions) cornerAt(i, j, k int) int { return i + (r.dim[0]+1)*(j+(r.dim[1]+1)*k) }

// of returns the region of a block.
func (r *gridRegions) of(i, j, k int) int {
	return i/regionSide + r.dim[0]*(j/regionSide+r.dim[1]*(k/regionSide))
}

// touches reports whether a corner of blocks belongs to a near region.
func (r *gridRegions) touches(i, j, k int) bool {
	for c := range 8 {
		a, b, d := i-c&1, j-c>>1&1, k-c>>2
		if a >= 0 && b >= 0 && d >= 0 && a/regionSide < r.dim[0] && b/regionSide < r.dim[1] && d/regionSide < r.dim[2] && r.near[r.of(a, b, d)] {
			return true
		}
	}
	return false
}

// between interpolates the distance of a block's corner from its region's corners.
func (r *gridRegions) between(i, j, k int) float32 {
	var first [3]int
	var u [3]float32
	for a, n := range [3]int{i, j, k} {
		first[a] = min(n/regionSide, r.dim[a]-1)
		u[a] = float32(n-first[a]*regionSide) / regionSide
	}
	sum := float32(0)
	for c := range 8 {
		in := [3]int{c & 1, c >> 1 & 1, c >> 2}
		weight := float32(1)
		for a := range in {
			if in[a] == 1 {
				weight *= u[a]
			} else {
				weight *= 1 - u[a]
			}
		}
		sum += float32(weight * r.corner[r.cornerAt(first[0]+in[0], first[1]+in[1], first[2]+in[2])])
	}
	return sum
}
