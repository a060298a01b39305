// Package grid has grids of equal cells for vortex particles: interpolation, deposits, lists
// of the particles in each cell, and Poisson's equation.
//
//	grid.go       grids, interpolation, derivatives
//	bins.go       the particles in each cell
//	multigrid.go  Poisson's equation
package grid

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Grid is a box of equal cells. Its points are the corners of the cells, x fastest.
type Grid struct {
	Min  vec.Vec3
	Edge vec.Vec3 // of a cell, m
	N    [3]int   // cells along each axis
}

// FitGrid returns a grid over a box with about as many cells as there are vortons (Gourlay,
// part 3). The number of cells along each axis is a power of two from 2 on. Their product is
// less than 8 times the number of vortons, or least possible.
func FitGrid(box vec.Box, vortons int) Grid {
	size := box.Size()
	most := 8 * max(vortons, 1)
	edge := math.Cbrt(size.X * size.Y * size.Z / float64(max(vortons, 1)))
	g := Grid{Min: box.Min}
	for a, l := range size.Array() {
		g.N[a] = 1 << max(1, int(math.Round(math.Log2(l/edge))))
	}
	for g.N[0]*g.N[1]*g.N[2] >= most {
		a := 0
		for b := range g.N {
			if g.N[b] > g.N[a] {
				a = b
			}
		}
		if g.N[a] == 2 {
			break
		}
		g.N[a] /= 2
	}
	g.Edge = vec.New(size.X/float64(g.N[0]), size.Y/float64(g.N[1]), size.Z/float64(g.N[2]))
	return g
}

// Halved returns the grid with half as many cells along each axis that has several.
func (g *Grid) Halved() Grid {
	h := *g
	edge := g.Edge.Array()
	for a := range h.N {
		if h.N[a] > 1 {
			h.N[a], edge[a] = h.N[a]/2, edge[a]*2
		}
	}
	h.Edge = vec.New(edge[0], edge[1], edge[2])
	return h
}

// CellVolume returns the volume of a cell in m³.
func (g *Grid) CellVolume() float64 { return g.Edge.X * g.Edge.Y * g.Edge.Z }

// Size returns the edges of the box in m.
func (g *Grid) Size() vec.Vec3 {
	return vec.New(float64(g.N[0])*g.Edge.X, float64(g.N[1])*g.Edge.Y, float64(g.N[2])*g.Edge.Z)
}

// Cells returns the number of cells.
func (g *Grid) Cells() int { return g.N[0] * g.N[1] * g.N[2] }

// Points returns the number of points.
func (g *Grid) Points() int { return (g.N[0] + 1) * (g.N[1] + 1) * (g.N[2] + 1) }

// Strides returns how far apart the numbers of two points are that follow each other
// along y and along z.
func (g *Grid) Strides() (row, slice int) { return g.N[0] + 1, (g.N[0] + 1) * (g.N[1] + 1) }

// Place returns the indices of point p along the axes.
func (g *Grid) Place(p int) (i, j, k int) {
	row, slice := g.Strides()
	return p % row, p % slice / row, p / slice
}

// Point returns where point p is.
func (g *Grid) Point(p int) vec.Vec3 {
	i, j, k := g.Place(p)
	return g.Min.Add(vec.New(float64(i)*g.Edge.X, float64(j)*g.Edge.Y, float64(k)*g.Edge.Z))
}

// Cell returns the indices of the cell that x is in, or of the nearest, and the position
// of x in it from 0 to 1.
func (g *Grid) Cell(x vec.Vec3) (c [3]int, f [3]float64) {
	c[0], f[0] = Nearest((x.X-g.Min.X)/g.Edge.X, g.N[0])
	c[1], f[1] = Nearest((x.Y-g.Min.Y)/g.Edge.Y, g.N[1])
	c[2], f[2] = Nearest((x.Z-g.Min.Z)/g.Edge.Z, g.N[2])
	return c, f
}

// Nearest returns the cell of n in a row that x is in, or the nearest, and the position of
// x in it. x is in units of a cell.
func Nearest(x float64, n int) (c int, f float64) {
	c = int(within(x, float64(n-1)))
	return c, within(x-float64(c), 1)
}

// within returns the number from 0 to most that is nearest to x.
func within(x, most float64) float64 {
	if !(x > 0) {
		return 0
	}
	if x > most {
		return most
	}
	return x
}

// CellAt returns the indices of cell c along the axes.
func (g *Grid) CellAt(c int) [3]int {
	return [3]int{c % g.N[0], c / g.N[0] % g.N[1], c / (g.N[0] * g.N[1])}
}

// Number returns the number of the cell with the given indices along the axes.
func (g *Grid) Number(at [3]int) int { return (at[2]*g.N[1]+at[1])*g.N[0] + at[0] }

// InCells returns x in units of a cell from the grid's corner.
func (g *Grid) InCells(x vec.Vec3) [3]float64 {
	rel := x.Sub(g.Min)
	return [3]float64{rel.X / g.Edge.X, rel.Y / g.Edge.Y, rel.Z / g.Edge.Z}
}

// Holds reports whether a place in units of a cell is in the cell with the indices at, or next
// to it by 1e-4 of its edge.
func Holds(at [3]int, place *[3]float64) bool {
	const margin = 1e-4
	for a, d := range place {
		if d < float64(at[a])-margin || d > float64(at[a]+1)+margin {
			return false
		}
	}
	return true
}

// Corners returns the numbers of the 8 points around x and their weights, which add up
// to 1.
func (g *Grid) Corners(x vec.Vec3) (p [8]int, w [8]float64) {
	c, f := g.Cell(x)
	row, slice := g.Strides()
	base := c[2]*slice + c[1]*row + c[0]
	p = [8]int{base, base + 1, base + row, base + row + 1}
	x0, y0 := 1-f[0], 1-f[1]
	w = [8]float64{x0 * y0, f[0] * y0, x0 * f[1], f[0] * f[1]}
	z := 1 - f[2]
	for b := range 4 {
		p[b+4] = p[b] + slice
		w[b], w[b+4] = w[b]*z, w[b]*f[2]
	}
	return p, w
}

// share returns the weight of the upper or lower end of an edge.
func share(f float64, upper int) float64 {
	if upper == 1 {
		return f
	}
	return 1 - f
}

// Fetch interpolates values at the points to x, trilinearly. Outside, it returns the
// value at the nearest place inside.
func (g *Grid) Fetch(values []vec.Vec3, x vec.Vec3) (sum vec.Vec3) {
	i, fx := Nearest((x.X-g.Min.X)/g.Edge.X, g.N[0])
	j, fy := Nearest((x.Y-g.Min.Y)/g.Edge.Y, g.N[1])
	k, fz := Nearest((x.Z-g.Min.Z)/g.Edge.Z, g.N[2])
	row, slice := g.Strides()
	v := values[k*slice+j*row+i:]
	gx, gy, gz := 1-fx, 1-fy, 1-fz
	for _, w := range [2]float64{gz, fz} {
		sum = plus(sum, &v[0], gx*gy*w)
		sum = plus(sum, &v[1], fx*gy*w)
		sum = plus(sum, &v[row], gx*fy*w)
		sum = plus(sum, &v[row+1], fx*fy*w)
		v = v[min(slice, len(v)):] // the last round needs no next slice
	}
	return sum
}

// plus returns sum + v w.
func plus(sum vec.Vec3, v *vec.Vec3, w float64) vec.Vec3 {
	return vec.Vec3{X: sum.X + float64(v.X*w), Y: sum.Y + float64(v.Y*w), Z: sum.Z + float64(v.Z*w)}
}

// FetchNumber is Fetch for numbers.
func (g *Grid) FetchNumber(values []float64, x vec.Vec3) (sum float64) {
	i, fx := Nearest((x.X-g.Min.X)/g.Edge.X, g.N[0])
	j, fy := Nearest((x.Y-g.Min.Y)/g.Edge.Y, g.N[1])
	k, fz := Nearest((x.Z-g.Min.Z)/g.Edge.Z, g.N[2])
	row, slice := g.Strides()
	v := values[k*slice+j*row+i:]
	gx, gy, gz := 1-fx, 1-fy, 1-fz
	for _, w := range [2]float64{gz, fz} {
		sum += float64(v[0] * (gx * gy * w))
		sum += float64(v[1] * (fx * gy * w))
		sum += float64(v[row] * (gx * fy * w))
		sum += float64(v[row+1] * (fx * fy * w))
		v = v[min(slice, len(v)):]
	}
	return sum
}

// Deposit calls add for each point with each particle in the cells around it and the
// particle's trilinear weight at the point. The particles of a point always come in the
// same order, and no two calls for a point are concurrent, so that add may sum.
func (g *Grid) Deposit(b *Bins, x []vec.Vec3, add func(point, i int, w float64)) {
	row, slice := g.Strides()
	par.Each((g.N[1]+1)*(g.N[2]+1), func(line int) {
		j, k := line%(g.N[1]+1), line/(g.N[1]+1)
		for r := range 4 { // the rows of cells around a line of points
			cj, ck := j-1+r&1, k-1+r>>1
			if cj < 0 || ck < 0 || cj >= g.N[1] || ck >= g.N[2] {
				continue
			}
			first := (ck*g.N[1] + cj) * g.N[0]
			for _, n := range b.Row(first, first+g.N[0]-1) {
				c, f := g.Cell(x[n])
				p := k*slice + j*row + c[0]
				// The line is the upper end of the cells before it.
				wy, wz := share(f[1], 1-r&1), share(f[2], 1-r>>1)
				add(p, int(n), (1-f[0])*wy*wz)
				add(p+1, int(n), f[0]*wy*wz)
			}
		}
	})
}

// Slopes returns the derivatives of a field at point p along the axes: by central
// differences, and one-sided at the sides.
func (g *Grid) Slopes(u []vec.Vec3, p int) (d [3]vec.Vec3) {
	lo, hi, length := g.neighbors(p)
	for a := range d {
		d[a] = u[hi[a]].Sub(u[lo[a]]).Mul(1 / length[a])
	}
	return d
}

// SlopesOfNumber is Slopes for numbers.
func (g *Grid) SlopesOfNumber(u []float64, p int) vec.Vec3 {
	lo, hi, length := g.neighbors(p)
	return vec.New((u[hi[0]]-u[lo[0]])/length[0], (u[hi[1]]-u[lo[1]])/length[1], (u[hi[2]]-u[lo[2]])/length[2])
}

// neighbors returns the points before and after p along each axis, or p itself at a side,
// and their distance in m.
func (g *Grid) neighbors(p int) (lo, hi [3]int, length [3]float64) {
	i, j, k := g.Place(p)
	row, slice := g.Strides()
	step, at, edge := [3]int{1, row, slice}, [3]int{i, j, k}, g.Edge.Array()
	for a := range lo {
		lo[a], hi[a] = p, p
		if at[a] > 0 {
			lo[a] -= step[a]
		}
		if at[a] < g.N[a] {
			hi[a] += step[a]
		}
		length[a] = edge[a] * float64((hi[a]-lo[a])/step[a])
	}
	return lo, hi, length
}
