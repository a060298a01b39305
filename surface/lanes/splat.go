package lanes

import "math"

// Side is the number of nodes along an edge of a block: a row of nodes is two
// vectors.
const Side = 2 * width

// Block holds the field at the nodes of a cube. Node (x, y, z) has the place
// (z·Side + y)·Side + x.
type Block [Side * Side * Side]float32

// Splat adds the kernels of particles to the nodes of a block, a particle at
// (X, Y, Z) from node 0 with S = Height of its volume. Nodes are edge apart. It
// is
//
//	f[i] += S w(|x_i − x|)  for all i,
//
// particle by particle, in each half of the block along x.
func Splat(f *Block, p []Vec4, edge float32) {
	if len(p) > 0 {
		splat(f, p, edge)
	}
}

func splatGo(f *Block, p []Vec4, edge float32) {
	inv := 1 / edge
	for half := 0; half < Side; half += width {
		first, last := float32(half)*edge, float32(half+width-1)*edge
		for _, p := range p {
			if !(p.X-1 < last) || !(p.X+1 > first) {
				continue
			}
			var dx2 [width]float32
			for i := range dx2 {
				d := float32(float32(half+i)*edge) - p.X
				dx2[i] = float32(d * d)
			}
			z, endZ := nodes(p.Z, 1, inv)
			for ; z <= endZ; z++ {
				dz := float32(float32(z)*edge) - p.Z
				dz2 := float32(dz * dz)
				y, endY := nodes(p.Y, float32(math.Sqrt(float64(max(1-dz2, 0)))), inv)
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

// nodes returns the nodes from first to last, of those of a block along an
// axis, that are no farther than r from x, or one beyond by rounding, which
// does no harm. 1/inv is the distance of nodes.
func nodes(x, r, inv float32) (first, last int) {
	return max(0, int(math.Ceil(float64((x-r)*inv)))), min(Side-1, int(math.Floor(float64((x+r)*inv))))
}
