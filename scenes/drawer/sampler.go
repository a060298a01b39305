package drawer

import (
	"math"

	"breakwater/out"
	"breakwater/out/vdb"
	"breakwater/sim/vec"
)

func vector(a [3]float64) vec.Vec3 { return vec.New(a[0], a[1], a[2]) }

// sampler gives the values of a grid, or of three grids of the parts of a vector, anywhere
// in the world of the picture.
type sampler struct {
	grids   []*vdb.Grid
	axes    out.Axes
	toWorld vdb.Map // from the voxels of the first grid
	parts   []part
}

// part is a grid whose voxels can be found by their coordinates.
type part struct {
	grid    *vdb.Grid
	leaves  map[[3]int32]*vdb.Leaf // by their coordinates over a leaf's edge
	tiles   [3]map[[3]int32]*vdb.Tile
	toVoxel vdb.Map
}

// tileShifts are the edges of tiles, in bits.
var tileShifts = [3]uint{3, 7, 12}

func newSampler(grids []*vdb.Grid, axes out.Axes) *sampler {
	s := &sampler{grids: grids, axes: axes, toWorld: inPicture(grids[0].Map, axes)}
	for _, g := range grids {
		p := part{grid: g, leaves: make(map[[3]int32]*vdb.Leaf, len(g.Leaves))}
		m := inPicture(g.Map, axes)
		p.toVoxel = m.Inverse()
		for i := range g.Leaves {
			l := &g.Leaves[i]
			p.leaves[over(l.At, 3)] = l
		}
		for i := range g.Tiles {
			t := &g.Tiles[i]
			for k, shift := range tileShifts {
				if t.Side == 1<<shift {
					if p.tiles[k] == nil {
						p.tiles[k] = map[[3]int32]*vdb.Tile{}
					}
					p.tiles[k][over(t.At, shift)] = t
				}
			}
		}
		s.parts = append(s.parts, p)
	}
	return s
}

// over returns coordinates divided by a power of two, rounded down.
func over(at [3]int32, shift uint) [3]int32 {
	return [3]int32{at[0] >> shift, at[1] >> shift, at[2] >> shift}
}

// inPicture returns the map from voxels to the world of the picture: metres, y up.
func inPicture(m vdb.Map, axes out.Axes) vdb.Map {
	for i, a := range m.Axes {
		m.Axes[i] = axes.Back(vector(a)).Array()
	}
	m.Origin = axes.Back(vector(m.Origin)).Array()
	return m
}

// edge returns the edge of a cube as large as a voxel, m.
func (s *sampler) edge() float64 { return math.Cbrt(math.Abs(s.toWorld.Det())) }

// cursor remembers the place of the last voxel, as the next is near, mostly.
type cursor struct {
	at     [3]int32
	known  bool
	values []float32 // of the leaf at it; nil without a leaf
	tile   [3]float32
}

// snap is how near to a voxel, in voxels, a point counts as on it: nearer than files say.
const snap = 1e-3

// at returns the value at a point of the world, linear between the voxels.
func (p *part) at(x vec.Vec3, c *cursor) (v [3]float64) {
	q := p.toVoxel.At(x.Array())
	var i [3]int32
	var f [3]float64
	for a := range q {
		if !(math.Abs(q[a]) < 1<<30) {
			return wide(p.grid.Background, p.grid.Width)
		}
		low := math.Floor(q[a] + snap)
		i[a], f[a] = int32(low), q[a]-low
		if f[a] < snap {
			f[a] = 0
		}
	}
	if i[0]&7 < 7 && i[1]&7 < 7 && i[2]&7 < 7 {
		if p.move(c, i); c.values != nil {
			return p.within(c.values, i, f)
		}
		return wide(c.tile, p.grid.Width)
	}
	for k := range 8 {
		w, at := 1.0, i
		for a := range at {
			if k>>a&1 == 1 {
				at[a]++
				w *= f[a]
			} else {
				w *= 1 - f[a]
			}
		}
		if w == 0 {
			continue
		}
		value := p.voxel(at, c)
		for n := range p.grid.Width {
			v[n] += float64(w * float64(value[n]))
		}
	}
	return v
}

// within returns the value at the fractions f behind the voxel i, all of whose neighbours are
// in the leaf with the values.
func (p *part) within(values []float32, i [3]int32, f [3]float64) (v [3]float64) {
	n, w := int(i[0]&7)<<6|int(i[1]&7)<<3|int(i[2]&7), p.grid.Width
	mix := func(a, b float32, f float64) float64 { return float64(a) + float64(f*(float64(b)-float64(a))) }
	for k := range w {
		b := values[n*w+k:]
		at := func(m int) float64 { return mix(b[m*w], b[(m+1)*w], f[2]) }
		low, high := at(0), at(64)
		low += float64(f[1] * (at(8) - low))
		high += float64(f[1] * (at(72) - high))
		v[k] = low + float64(f[0]*(high-low))
	}
	return v
}

func wide(v [3]float32, width int) (x [3]float64) {
	for n := range width {
		x[n] = float64(v[n])
	}
	return x
}

// move moves c to the place of a voxel.
func (p *part) move(c *cursor, at [3]int32) {
	place := over(at, 3)
	if c.known && place == c.at {
		return
	}
	*c = cursor{at: place, known: true, tile: p.grid.Background}
	if l := p.leaves[place]; l != nil {
		c.values = l.Values
		return
	}
	for k, tiles := range p.tiles {
		if t := tiles[over(at, tileShifts[k])]; t != nil {
			c.tile = t.Value
			return
		}
	}
}

// voxel returns the value of a voxel.
func (p *part) voxel(at [3]int32, c *cursor) (v [3]float32) {
	p.move(c, at)
	if c.values == nil {
		return c.tile
	}
	n := int(at[0]&7)<<6 | int(at[1]&7)<<3 | int(at[2]&7)
	w := p.grid.Width
	copy(v[:], c.values[w*n:w*(n+1)])
	return v
}

// cursors are of the parts of a sampler.
type cursors [3]cursor

// number returns a number at a point; s may be nil, which has 0 everywhere.
func (s *sampler) number(x vec.Vec3, c *cursors) float64 {
	if s == nil {
		return 0
	}
	return s.parts[0].at(x, &c[0])[0]
}

// vector returns a velocity at a point, in m/s.
func (s *sampler) vector(x vec.Vec3, c *cursors) vec.Vec3 {
	var v [3]float64
	if len(s.parts) == 1 {
		v = s.parts[0].at(x, &c[0])
	} else {
		for k := range v {
			v[k] = s.parts[k].at(x, &c[k])[0]
		}
	}
	return s.axes.Back(vector(v))
}
