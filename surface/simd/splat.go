package simd

import "math"

// Side is the number of nodes along an edge of a block: a row of nodes is two
// vectors.
const Side = 2 * width

// Block holds the field at the nodes of a cube. Node (x, y, z) has the place
// (z·Side + y)·Side + x.
type Block [Side * Side * Side]float32

// Bricks is the memory that Splat works in. The assembly sums over bricks,
// cubes of two nodes an edge: a kernel's ball fills them better than rows, and
// they are half as many vectors.
type Bricks struct {
	f         [8 * 8 * 8][width]float32 // (z·8 + y)·8 + x of bricks; nodes as in a block
	x, y, z   [8][width]float32         // where the nodes of the bricks of a slab lie along an axis
	low, high [8]float32                // the first and the second nodes of the slabs
	//lint:ignore U1000 the assembly alone works in this and the next
	dx2 [8][width]float32
	//lint:ignore U1000 see dx2
	rest [8]float32
	//lint:ignore U1000 see dx2
	first, last [8]int32
}

// Splat sets the nodes of a block to the sums of the kernels of particles. A particle
// lies at (X, Y, Z) from node 0, and its S is the Height of its volume. Nodes are edge
// apart. It is
//
//	f[i] = Σ S w(|x_i − x|)  for all i,
//
// particle by particle.
func Splat(f *Block, b *Bricks, p []Vec4, edge float32) {
	if len(p) == 0 {
		clear(f[:])
		return
	}
	splat(f, b, p, edge)
}

// beyond is a little more than the kernel's support: what lies there counts
// for 0, and rounding leaves out nothing that counts for more.
const beyond = 1.0001

func splatGo(f *Block, p []Vec4, edge float32) {
	clear(f[:])
	inv := 1 / edge
	for half := 0; half < Side; half += width {
		first, last := float32(half)*edge, float32(half+width-1)*edge
		for _, p := range p {
			if p.X-beyond > last || p.X+beyond < first {
				continue
			}
			var dx2 [width]float32
			for i := range dx2 {
				d := float32(float32(half+i)*edge) - p.X
				dx2[i] = float32(d * d)
			}
			z, endZ := nodes(p.Z, beyond, inv)
			for ; z <= endZ; z++ {
				dz := float32(float32(z)*edge) - p.Z
				dz2 := float32(dz * dz)
				y, endY := nodes(p.Y, float32(math.Sqrt(float64(max(beyond-dz2, 0)))), inv)
				for ; y <= endY; y++ {
					dy := float32(float32(y)*edge) - p.Y
					rest := dz2 + float32(dy*dy)
					row := f[(z*Side+y)*Side+half:][:width]
					for i := range row {
						q := float32(math.Sqrt(float64(dx2[i] + rest)))
						u, t := max(1-q, 0), max(0.5-q, 0)
						w := float32(float32(u*u)*u) - float32(4*float32(float32(t*t)*t))
						row[i] += float32(p.S * w)
					}
				}
			}
		}
	}
}

// nodes returns the first and the last node of a block along an axis that are within r
// of x. 1/inv is the distance of nodes.
func nodes(x, r, inv float32) (first, last int) {
	return max(0, int(math.Ceil(float64((x-r)*inv)))), min(Side-1, int(math.Floor(float64((x+r)*inv))))
}
