package grains

import (
	"math"

	"breakwater/raster/scatter"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// glow is the light from around after one scattering, by the direction in which it goes
// on: the convolution of the surroundings with the phase function.
type glow struct {
	table [rows + 1][columns]vec.Vec3
	faces [6]vec.Vec3 // irradiance over π from −x, +x, −y, +y, −z and +z
}

const (
	rows    = 24
	columns = 48
)

// newGlow convolves l.Around. A constant radiance stays what it is, to rounding.
func newGlow(l *Light) *glow {
	g := &glow{}
	const levels, turns, fine = 24, 48, 3
	type sample struct{ d, c vec.Vec3 }
	sky := make([]sample, levels*turns)
	par.Each(levels, func(i int) {
		for j := range turns {
			s := &sky[i*turns+j]
			for k := range fine * fine { // the mean of nine
				y := 1 - 2*(float64(i)+(float64(k%fine)+0.5)/fine)/levels
				sin, cos := math.Sincos(2 * math.Pi * (float64(j) + (float64(k/fine)+0.5)/fine) / turns)
				d := vec.Vec3{X: float64(math.Sqrt(1-float64(y*y)) * sin), Y: y, Z: float64(math.Sqrt(1-float64(y*y)) * cos)}
				s.c, s.d = s.c.Add(l.Around(d).Mul(1.0/(fine*fine))), s.d.Add(d)
			}
			s.d = s.d.Unit()
		}
	})
	// The phase functions by the cosine, since the table by angle needs one arc cosine per pair.
	var by [3][finePhase + 2]float64
	for c, p := range l.Phase {
		by[c] = tabulate(p)
	}
	par.Each(rows+1, func(i int) {
		sinT, cosT := math.Sincos(math.Pi * float64(i) / rows)
		for j := range columns {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / columns)
			d := vec.Vec3{X: float64(sinT * sin), Y: cosT, Z: float64(sinT * cos)}
			var sum, all vec.Vec3
			for k := range sky {
				s := &sky[k]
				x := float64((1 + d.Dot(s.d)) * (finePhase / 2))
				at := min(finePhase, max(0, int(x)))
				x -= float64(at)
				p := vec.Vec3{
					X: by[0][at] + float64(x*(by[0][at+1]-by[0][at])),
					Y: by[1][at] + float64(x*(by[1][at+1]-by[1][at])),
					Z: by[2][at] + float64(x*(by[2][at+1]-by[2][at])),
				}
				all = all.Add(p)
				sum = sum.Add(times(p, s.c))
			}
			g.table[i][j] = vec.Vec3{X: sum.X / all.X, Y: sum.Y / all.Y, Z: sum.Z / all.Z}
		}
	})
	for f, n := range axes {
		sum, all := vec.Vec3{}, 0.0
		for k := range sky {
			if cos := n.Dot(sky[k].d); cos > 0 {
				sum, all = sum.Add(sky[k].c.Mul(cos)), all+cos
			}
		}
		g.faces[f] = sum.Mul(1 / all)
	}
	return g
}

// axes are the directions of the faces of a voxel.
var axes = [6]vec.Vec3{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// finePhase is the number of steps of a phase function over the cosine.
const finePhase = 2048

func tabulate(p *scatter.Phase) (by [finePhase + 2]float64) {
	for i := range by {
		by[i] = p.At(float64(2*float64(i)/finePhase) - 1)
	}
	return by
}

// along returns the radiance along a ray of unit direction d, which looks against the
// light: the light goes on along −d, and came from around d.
func (g *glow) along(d vec.Vec3) vec.Vec3 {
	u := float64(math.Acos(min(1, max(-1, d.Y))) * (rows / math.Pi))
	v := float64(math.Atan2(d.X, d.Z) * (columns / (2 * math.Pi)))
	if v < 0 {
		v += columns
	}
	i, j := min(rows-1, int(u)), int(v)
	u, v = u-float64(i), v-float64(j)
	j0, j1 := j%columns, (j+1)%columns
	a := g.table[i][j0].Lerp(g.table[i][j1], v)
	b := g.table[i+1][j0].Lerp(g.table[i+1][j1], v)
	return a.Lerp(b, u)
}

func times(a, b vec.Vec3) vec.Vec3 { return vec.Vec3{X: a.X * b.X, Y: a.Y * b.Y, Z: a.Z * b.Z} }

func narrow(a vec.Vec3) [3]float32 { return [3]float32{float32(a.X), float32(a.Y), float32(a.Z)} }

// shine returns the light on the nodes.
func (v *voxels) shine(l *Light, glow *glow) []shine {
	lit := make([]shine, len(v.sigma))
	open := v.openness()
	par.For(len(lit), func(lo, hi int) {
		for n := lo; n < hi; n++ {
			if !v.filled(int32(n)) {
				continue
			}
			p := v.nodePoint(n)
			s := &lit[n]
			left := num.Exp(-v.straight * v.Depth(p, l.ToSun, 0, math.Inf(1)))
			s.sun = narrow(l.Sun(p).Mul(left))
			share := vec.Vec3{X: 1, Y: 1, Z: 1}
			if l.Open != nil {
				share = l.Open(p)
			}
			s.open = narrow(share)
		}
	})
	v.diffuse(l, glow, lit, open)
	return lit
}

// openness returns the share of the light from around that reaches each node in a
// straight line: the mean over the six axes, along which the optical depth follows from
// the next node's.
func (v *voxels) openness() []float32 {
	open := make([]float32, len(v.sigma))
	depth := make([]float32, len(v.sigma))
	for axis := range 3 {
		for _, way := range [2]int{-1, 1} {
			// Lines of nodes begin where a block has no next one.
			par.Each(len(v.g.place), func(b int) {
				place := v.g.place[b]
				at := [3]int{int(place[0]), int(place[1]), int(place[2])}
				next := at
				next[axis] += way
				if v.g.blockAt(next[0], next[1], next[2]) >= 0 {
					return
				}
				before := int32(-1)
				for block := int32(b); block >= 0; block = v.g.blockAt(at[0], at[1], at[2]) {
					v.sweep(block, before, axis, way, depth)
					before = block
					at[axis] -= way
				}
			})
			for n, x := range depth {
				if v.filled(int32(n)) {
					open[n] += float32(num.Exp(-v.straight*float64(x))) / 6
				}
			}
		}
	}
	return open
}

// sweep fills in the optical depth of the nodes of a block behind the block before, −1 for
// none, from the side that light comes from.
func (v *voxels) sweep(block, before int32, axis, way int, depth []float32) {
	half := float32(v.step / 2)
	stride := [3]int32{1, nodeSide, nodeSide * nodeSide}[axis]
	u, w := [3]int32{nodeSide, nodeSide * nodeSide, 1}[axis], [3]int32{nodeSide * nodeSide, 1, nodeSide}[axis]
	first, last := (nodeSide-1)*stride, int32(0) // along a line, where the light comes from +
	if way < 0 {
		first, last, stride = last, first, -stride
	}
	for i := range int32(nodeSide) {
		for j := range int32(nodeSide) {
			line := i*u + j*w
			sum, sigma := float32(0), float32(0)
			if before >= 0 {
				n := before*nodes + line + last
				sum, sigma = depth[n], v.total(n)
			}
			for k := range int32(nodeSide) {
				n := block*nodes + line + first - k*stride
				now := v.total(n)
				sum += float32(half * (sigma + now))
				depth[n], sigma = sum, now
			}
		}
	}
}
