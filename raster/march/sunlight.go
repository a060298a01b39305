package march

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// sunlight returns the share of the sun's light at the voxels of each brick. Light that is
// scattered forward counts as light that goes on.
func (c *Cloud) sunlight(l Light) [][Count]float32 {
	sun := make([][Count]float32, len(c.at))
	if l.Sun == (vec.Vec3{}) {
		return sun
	}
	scale := l.similar()
	s := &sunRays{c: c, to: l.ToSun, samples: l.Effort.Samples, most: -math.Log(opaque) / scale}
	// Light fades over a voxel at the least, or the voxels would show as steps of light.
	s.soft = make([][brickNodes]float32, len(c.at))
	limit := float32(1 / (c.edge * scale))
	par.Each(len(c.at), func(i int) {
		for n, sigma := range &c.sigma[i] {
			s.soft[i][n] = min(sigma, limit)
		}
	})
	light := func(i int, depth func(p vec.Vec3) float64) {
		for m := range Count {
			x, y, z := m>>6, m>>3&7, m&7
			if c.sigma[i][(x*brickSide+y)*brickSide+z] == 0 {
				continue
			}
			p := c.node(i, x, y, z)
			left := num.Decay(float64(scale * depth(p)))
			if l.Shade != nil && left > opaque {
				left *= l.Shade(p)
			}
			sun[i][m] = float32(left)
		}
	}
	if l.Effort.Planes && s.dense() {
		s.eachLayer(func(i int) { light(i, s.byPlanes) })
	} else {
		par.Each(len(c.at), func(i int) { light(i, s.exact) })
	}
	return sun
}

// sunRays are the rays from the voxels to the sun. The medium before each is the same as before
// others: a ray that ends at a plane between the bricks goes on as those that start from the
// nodes of the plane.
type sunRays struct {
	c       *Cloud
	to      vec.Vec3              // unit
	soft    [][brickNodes]float32 // extinctions
	samples int                   // in the length of a voxel
	most    float64               // depth that lets no light through
	axis    int                   // of the planes, the one closest to the direction to the sun
	planes  [][]float32           // the depths at the nodes of each plane; nil if no ray ends there now
}

// exact returns the optical depth from p to the sun, along a ray through all the medium.
func (s *sunRays) exact(p vec.Vec3) float64 {
	return s.c.depth(s.soft, p, s.to, 0, math.Inf(1), s.most, s.samples)
}

// sides returns the axes of a plane, and its nodes along them.
func (s *sunRays) sides() (b, c, nb, nc int) {
	b, c = (s.axis+1)%3, (s.axis+2)%3
	return b, c, s.c.n[b]*Side + 1, s.c.n[c]*Side + 1
}

// dense reports whether the box of the bricks has so few nodes of planes, for its bricks, that
// planes save work.
func (s *sunRays) dense() bool {
	const most = 8 // nodes for a voxel, most of them without medium around
	return float64(len(s.c.index))*Side*Side <= most*float64(len(s.c.at))*Count
}

// eachLayer finds the depths at the planes, from the one closest to the sun on, and calls f
// for each brick once the planes before it are known.
func (s *sunRays) eachLayer(f func(brick int)) {
	to := s.to.Array()
	for a, x := range to {
		if math.Abs(x) > math.Abs(to[s.axis]) {
			s.axis = a
		}
	}
	n := s.c.n[s.axis]
	layers := make([][]int, n)
	for i, at := range s.c.at {
		k := int(at[s.axis])/Side - s.c.lo[s.axis]
		layers[k] = append(layers[k], i)
	}
	b, c, nb, nc := s.sides()
	s.planes = make([][]float32, n+1)
	var spare []float32 // the memory of a plane that no ray ends at any more
	for k := range n + 1 {
		j, layer := k, k
		if to[s.axis] > 0 {
			j = n - k
			layer = j - 1
		}
		plane := spare
		if k < 2 {
			plane = make([]float32, nb*nc)
		}
		if k > 0 { // no medium is beyond the first
			par.Each(nb, func(u int) {
				var at [3]float64
				at[s.axis], at[b] = float64(j*Side), float64(u)
				for v := range nc {
					at[c] = float64(v)
					plane[u*nc+v] = float32(s.byPlanes(s.place(at)))
				}
			})
		}
		s.planes[j] = plane
		if 0 <= layer && layer < n {
			par.Each(len(layers[layer]), func(i int) { f(layers[layer][i]) })
		}
		if k > 0 { // rays end at the last two planes
			before := j - 1
			if to[s.axis] > 0 {
				before = j + 1
			}
			spare, s.planes[before] = s.planes[before], nil
		}
	}
}

// place returns the point with the given coordinates in voxels from the first brick on.
func (s *sunRays) place(at [3]float64) vec.Vec3 {
	for a := range at {
		at[a] = float64((at[a] + float64(s.c.lo[a]*Side)) * s.c.edge)
	}
	return vec.New(at[0], at[1], at[2]).Add(s.c.origin)
}

// byPlanes returns the optical depth from p to the sun, along a ray to the next plane.
func (s *sunRays) byPlanes(p vec.Vec3) float64 {
	at, to := p.Sub(s.c.origin).Array(), s.to.Array()
	for a := range at {
		at[a] = at[a]/s.c.edge - float64(s.c.lo[a]*Side)
	}
	// A point is on a plane if it is within a thousandth of a voxel of it.
	const on = 1e-3
	x := at[s.axis]
	j := int(math.Floor((x+on)/Side)) + 1
	if to[s.axis] < 0 {
		j = int(math.Ceil((x-on)/Side)) - 1
	}
	if j < 0 || j >= len(s.planes) {
		return 0
	}
	way := (float64(j*Side) - x) / to[s.axis] // voxels
	sum := s.c.depth(s.soft, p, s.to, 0, float64(way*s.c.edge), s.most, s.samples)
	if sum < s.most {
		b, c, nb, nc := s.sides()
		sum += between(s.planes[j], nb, nc, at[b]+float64(way*to[b]), at[c]+float64(way*to[c]))
	}
	return min(sum, s.most)
}

// between returns the value of a grid of nu × nv nodes at u, v, by cubic convolution (Keys
// 1981, equation 8), and 0 outside the grid.
func between(grid []float32, nu, nv int, u, v float64) float64 {
	i, j := int(math.Floor(u)), int(math.Floor(v))
	if i < 0 || j < 0 || i > nu-1 || j > nv-1 {
		return 0
	}
	wu, wv := cubic(u-float64(i)), cubic(v-float64(j))
	var sum float64
	for a, x := range wu {
		row := grid[max(0, min(nu-1, i+a-1))*nv:][:nv]
		var part float64
		for b, y := range wv {
			part += float64(y * float64(row[max(0, min(nv-1, j+b-1))]))
		}
		sum += float64(x * part)
	}
	return max(0, sum)
}

// cubic returns the weights of the nodes -1, 0, 1 and 2 at t between the nodes 0 and 1.
func cubic(t float64) [4]float64 {
	t2 := float64(t * t)
	t3 := float64(t2 * t)
	return [4]float64{
		float64((float64(2*t2) - t - t3) / 2),
		float64((float64(3*t3) - float64(5*t2) + 2) / 2),
		float64((t + float64(4*t2) - float64(3*t3)) / 2),
		float64((t3 - t2) / 2),
	}
}
