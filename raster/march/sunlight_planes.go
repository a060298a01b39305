package march

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// dense reports whether the box of the bricks has so few nodes of planes, for its bricks, that
// planes save work.
func (c *Cloud) dense() bool {
	const most = 8 // nodes for a voxel, most of them without medium around
	return float64(len(c.index))*Side*Side <= most*float64(len(c.at))*Count
}

// sunPlanes finds the optical depths from the voxels to the sun. The medium before each voxel is
// the same as before others: a ray ends at the next plane between the bricks, and goes on as the
// rays from the nodes of the plane. All rays are parallel, so those from one distance to the plane
// have the same samples around their starts. The samples' weights at the nodes are found once.
type sunPlanes struct {
	c     *Cloud
	limit float32 // extinction of a voxel at most
	most  float32 // depth that lets no light through
	axes  [3]int  // the axis of the planes, which is the closest to the direction to the sun, and the others
	up    bool    // whether the sun is at larger coordinates of the first axis
	low   [3]int  // first node of a window around a tile, from the first node of the tile on, along the axes
	size  [3]int  // bricks along the axes
	width int     // of the arrays of depths at a plane
	rays  [Side]sunRay
	from  []float32 // depths at the nodes of the plane on the sun's side of a layer
	to    []float32 // and on its other side
}

// sunRay is the way from a node to the next plane, from any node at one distance to it.
type sunRay struct {
	taps   []tap
	at     int        // the node before its end in the array of a plane, from its start on
	wu, wv [4]float32 // weights of nodes around its end
}

// tap is the weight of a node in the depth of a ray.
type tap struct {
	at     int     // from the start of the ray on, in a window
	weight float32 // m
}

// The nodes around a tile of 8 × 8 rays through a layer, and the nodes without medium around a plane.
const (
	windowSide = 2*Side + 1
	planeEdge  = 2 * Side
)

// window has the extinctions of a layer around a tile, along the axes of sunPlanes.
type window [brickSide * windowSide * windowSide]float32

// newSunPlanes returns the planes across rays in the unit direction to the sun, with samples in the length of a voxel.
func (c *Cloud) newSunPlanes(toSun vec.Vec3, limit, most float32, samples int) *sunPlanes {
	s := &sunPlanes{c: c, limit: limit, most: most}
	to, axis := toSun.Array(), 0
	for a, x := range to {
		if math.Abs(x) > math.Abs(to[axis]) {
			axis = a
		}
	}
	s.axes = [3]int{axis, (axis + 1) % 3, (axis + 2) % 3}
	s.up = to[axis] > 0
	var way [3]float64 // over a distance of 1 along the first axis
	for k, a := range s.axes {
		way[k] = to[a] / math.Abs(to[axis])
		s.size[k] = c.n[a]
		if k > 0 && way[k] < 0 {
			s.low[k] = -Side
		}
	}
	s.width = (s.size[2]+1)*Side + 2*planeEdge
	s.from = make([]float32, ((s.size[1]+1)*Side+2*planeEdge)*s.width)
	s.to = make([]float32, len(s.from))
	for k := range s.rays {
		s.rays[k] = s.newRay(way, float64(k+1), math.Abs(to[axis]), samples)
	}
	return s
}

// newRay returns the way over a distance in voxels along the first axis, which the ray goes
// along by the given share of its length.
func (s *sunPlanes) newRay(way [3]float64, distance, share float64, samples int) sunRay {
	length := distance / share
	n := math.Ceil(float64(length * float64(samples)))
	weights := map[int]float64{}
	var order []int
	for k := range int(n) {
		part := distance * (float64(k) + 0.5) / n
		var low [3]int
		var w [3][2]float64
		for a := range way {
			x := float64(part * way[a])
			low[a] = int(math.Floor(x))
			w[a][1] = x - float64(low[a])
			w[a][0] = 1 - w[a][1]
		}
		for corner := range 8 {
			x, y, z := corner>>2, corner>>1&1, corner&1
			weight := float64(w[0][x] * w[1][y] * w[2][z] * length / n * s.c.edge)
			if weight == 0 {
				continue
			}
			at := ((low[0]+x)*windowSide+low[1]+y)*windowSide + low[2] + z
			if _, ok := weights[at]; !ok {
				order = append(order, at)
			}
			weights[at] += weight
		}
	}
	var r sunRay
	for _, at := range order {
		r.taps = append(r.taps, tap{at, float32(weights[at])})
	}
	u, v := float64(distance*way[1]), float64(distance*way[2])
	i, j := math.Floor(u), math.Floor(v)
	r.at = int(i)*s.width + int(j)
	r.wu, r.wv = cubic(u-i), cubic(v-j)
	return r
}

// each finds the depths at the planes, from the one closest to the sun on, and calls f for each
// brick with the depths at its voxels.
func (s *sunPlanes) each(f func(brick int, depth *[Count]float32)) {
	tiles := s.size[2] + 1 // one more than bricks, for the nodes at their end
	for k := range s.size[0] {
		layer := k
		if s.up {
			layer = s.size[0] - 1 - k
		}
		par.Each((s.size[1]+1)*tiles, func(t int) { s.tile([3]int{layer, t / tiles, t % tiles}, f) })
		s.from, s.to = s.to, s.from
	}
}

// brick returns the number of the brick at a place along the axes, -1 for none.
func (s *sunPlanes) brick(at [3]int) int {
	var p [3]int
	for k, a := range s.axes {
		if at[k] < 0 || at[k] >= s.size[k] {
			return -1
		}
		p[a] = at[k]
	}
	return int(s.c.index[s.c.place(p[0], p[1], p[2])])
}

// tile finds the depths at the voxels of the brick at a place, and at 8 × 8 nodes of the plane on
// the side away from the sun.
func (s *sunPlanes) tile(at [3]int, f func(brick int, depth *[Count]float32)) {
	var w window
	some := s.fill(&w, at)
	node := (at[1]*Side+planeEdge)*s.width + at[2]*Side + planeEdge
	var depths [Side * Side]float32
	s.depths(&depths, &w, some, Side, node)
	for u := range Side {
		copy(s.to[node+u*s.width:][:Side], depths[u*Side:])
	}
	i := s.brick(at)
	if i < 0 {
		return
	}
	var all [Count]float32
	var step [3]int // in a leaf
	for k, a := range s.axes {
		step[k] = 1 << (6 - 3*a)
	}
	for x := range Side {
		switch {
		case s.up && x > 0:
			s.depths(&depths, &w, some, Side-x, node)
		case !s.up && x > 0:
			s.depths(&depths, &w, some, x, node)
		case !s.up: // on the plane; if the sun is above, the depths are of this place already
			for u := range Side {
				copy(depths[u*Side:][:Side], s.from[node+u*s.width:])
			}
		}
		for u := range Side {
			for v := range Side {
				all[x*step[0]+u*step[1]+v*step[2]] = depths[u*Side+v]
			}
		}
	}
	f(i, &all)
}

// fill copies the extinctions of the four bricks that rays from a tile go through in its layer. It
// reports whether there are any.
func (s *sunPlanes) fill(w *window, at [3]int) bool {
	some := false
	var step [3]int // in a brick
	for k, a := range s.axes {
		step[k] = [3]int{strideX, strideY, 1}[a]
	}
	for k := range 4 {
		du, dv := k>>1, k&1
		i := s.brick([3]int{at[0], at[1] + s.low[1]/Side + du, at[2] + s.low[2]/Side + dv})
		if i < 0 {
			continue
		}
		some = true
		b := &s.c.sigma[i]
		for x := range brickSide {
			for u := range brickSide {
				row := w[(x*windowSide+du*Side+u)*windowSide+dv*Side:][:brickSide]
				n := x*step[0] + u*step[1]
				for v := range row {
					row[v] = min(b[n+v*step[2]], s.limit)
				}
			}
		}
	}
	return some
}

// depths returns the depths from 8 × 8 nodes at a distance in voxels to the next plane. The first of
// them lies over the given node of the planes. There may be no medium in the window.
func (s *sunPlanes) depths(depths *[Side * Side]float32, w *window, some bool, distance, node int) {
	r := &s.rays[distance-1]
	var rows [Side + 3][Side]float32 // between the nodes of the plane along its rows
	first := node + r.at - s.width - 1
	for u := range rows {
		from := s.from[first+u*s.width:][:Side+3]
		row := &rows[u]
		for v := range row {
			row[v] = float32(r.wv[0]*from[v]) + float32(r.wv[1]*from[v+1]) + float32(r.wv[2]*from[v+2]) + float32(r.wv[3]*from[v+3])
		}
	}
	start := distance // where the rays start in the layer
	if s.up {
		start = Side - distance
	}
	for u := range Side {
		var sum [Side]float32
		if some {
			origin := (start*windowSide+u-s.low[1])*windowSide - s.low[2]
			for _, t := range r.taps {
				near := w[origin+t.at:][:Side]
				for v := range sum {
					sum[v] += float32(t.weight * near[v])
				}
			}
		}
		a, b, c, d := &rows[u], &rows[u+1], &rows[u+2], &rows[u+3]
		for v := range sum {
			beyond := float32(r.wu[0]*a[v]) + float32(r.wu[1]*b[v]) + float32(r.wu[2]*c[v]) + float32(r.wu[3]*d[v])
			depths[u*Side+v] = min(sum[v]+max(0, beyond), s.most)
		}
	}
}

// cubic returns the weights of the nodes -1, 0, 1 and 2 at t between the nodes 0 and 1, by cubic
// convolution (Keys 1981, equation 8).
func cubic(t float64) [4]float32 {
	t2 := float64(t * t)
	t3 := float64(t2 * t)
	return [4]float32{
		float32((float64(2*t2) - t - t3) / 2),
		float32((float64(3*t3) - float64(5*t2) + 2) / 2),
		float32((t + float64(4*t2) - float64(3*t3)) / 2),
		float32((t3 - t2) / 2),
	}
}
