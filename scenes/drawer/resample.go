package drawer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"breakwater/out/vdb"
	"breakwater/raster"
	"breakwater/raster/march"
	"breakwater/scenes/host"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// lattice are the voxels of the pictures: the middle of voxel (x, y, z) is at the origin
// plus the edge times these.
type lattice struct {
	edge   float64 // m
	origin vec.Vec3
}

// gas is a volume file made ready to be drawn.
type gas struct {
	density, flame, fuel, temperature, velocity *sampler

	scale   Scale
	ambient float64 // of the gas around, K
	shutter float64 // time that it is open, s
}

// bytesLeaf is the memory of a leaf of a picture's medium: its quantities, extinction, glow
// and light.
const bytesLeaf = march.Count*(4*march.Channels+4+12) + 729*(4+16)

// unknownMemory is the memory in bytes that is relied on where the system does not tell it.
const unknownMemory = 4 << 30

// volume returns the gas on the lattice. Where the file has its voxels on the lattice, as
// the first file of a film has, these are taken as they are; values between voxels are
// linear.
func (g *gas) volume(l lattice) (*raster.Volume, error) {
	places, err := g.places(l)
	if err != nil {
		return nil, err
	}
	fields := make([]march.Field, len(places))
	par.Each(len(places), func(i int) {
		fields[i].At = places[i]
		g.fill(&fields[i], l)
	})
	fields = slices.DeleteFunc(fields, func(f march.Field) bool { return f.Values == [march.Count][march.Channels]float32{} })
	return &raster.Volume{Edge: l.edge, Origin: l.origin, Fields: fields, Ambient: g.ambient}, nil
}

// places returns the leaves of the lattice that the smoke and the flames reach, in order.
func (g *gas) places(l lattice) ([][3]int32, error) {
	have, _ := host.Memory()
	if have == 0 {
		have = unknownMemory
	}
	most := float64(have) / 2 / bytesLeaf
	seen := map[[3]int32]bool{}
	var fault error
	for _, s := range []*sampler{g.density, g.flame} {
		if s == nil {
			continue
		}
		// mark marks the leaves around the voxels from at on of a cube.
		mark := func(at [3]int32, side int32) {
			lo, hi, ok := g.reach(s, l, at, side)
			count := 1.0
			for a := range lo {
				count *= float64(hi[a] - lo[a] + 1)
			}
			if !ok {
				fault = fmt.Errorf("the grid %s reaches too far for voxels of %.3g m; draw it with larger voxels by --voxel, or remove distant voxels", s.grids[0].Name, l.edge)
				return
			}
			if float64(len(seen))+count > most {
				fault = fmt.Errorf("the volume has %.3g voxels of %.3g m or more, which need more than half of the memory of %.2g GB; draw it with larger voxels, such as --voxel %.2g", (float64(len(seen))+count)*march.Count, l.edge, float64(have)/1e9, 2*l.edge)
				return
			}
			for x := lo[0]; x <= hi[0]; x++ {
				for y := lo[1]; y <= hi[1]; y++ {
					for z := lo[2]; z <= hi[2]; z++ {
						seen[[3]int32{int32(x) * march.Side, int32(y) * march.Side, int32(z) * march.Side}] = true
					}
				}
			}
		}
		grid := s.grids[0]
		for i := range grid.Leaves {
			if fault == nil && slices.ContainsFunc(grid.Leaves[i].Values, func(v float32) bool { return v > 0 }) {
				mark(grid.Leaves[i].At, vdb.Side)
			}
		}
		for _, t := range grid.Tiles {
			if fault == nil && t.Value[0] > 0 {
				mark(t.At, t.Side)
			}
		}
	}
	if fault != nil {
		return nil, fault
	}
	var list [][3]int32
	for at := range seen {
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b [3]int32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
	})
	return list, nil
}

// reach returns the first and the last leaves of the lattice that a cube of voxels of s
// reaches while the shutter is open. It reports whether they have coordinates.
func (g *gas) reach(s *sampler, l lattice, at [3]int32, side int32) (lo, hi [3]int, ok bool) {
	b := vec.Empty()
	var c cursors
	for k := range 8 {
		var p [3]float64
		for a := range p {
			p[a] = float64(at[a]) - 1 + snap // linear values reach to the next voxel
			if k>>a&1 == 1 {
				p[a] = float64(at[a]) + float64(side) - snap
			}
		}
		x := vector(s.toWorld.At(p))
		b = b.Include(x)
		if g.shutter > 0 && g.velocity != nil {
			way := g.velocity.vector(x, &c).Mul(g.scale.Velocity * g.shutter / 2)
			b = b.Include(x.Add(way)).Include(x.Sub(way))
		}
	}
	low, high := b.Min.Sub(l.origin).Mul(1/l.edge).Array(), b.Max.Sub(l.origin).Mul(1/l.edge).Array()
	for a := range lo {
		if !(math.Abs(low[a]) < 1<<28 && math.Abs(high[a]) < 1<<28) {
			return lo, hi, false
		}
		lo[a], hi[a] = int(math.Floor(math.Ceil(low[a])/march.Side)), int(math.Floor(math.Floor(high[a])/march.Side))
	}
	return lo, hi, true
}

// mostBlur is the most places along the way of a voxel while the shutter is open.
const mostBlur = 16

// fill sets the values of a leaf. With motion blur a voxel has the mean of what passes it:
// of the gas upstream and downstream.
func (g *gas) fill(f *march.Field, l lattice) {
	var d, fl, fu, te, ve cursors
	shares := func(x vec.Vec3) [march.Channels]float32 {
		smoke := float64(max(0, g.density.number(x, &d)) * g.scale.Density)
		flame := float64(max(0, g.flame.number(x, &fl)) * g.scale.Flame)
		if smoke+flame == 0 {
			return [march.Channels]float32{}
		}
		kelvin := g.ambient
		switch {
		case g.temperature != nil:
			kelvin = g.scale.Cold + float64((g.scale.Hot-g.scale.Cold)*g.temperature.number(x, &te))
		case g.flame != nil: // which is as hot as it is strong
			kelvin = g.scale.Cold + float64((g.scale.Hot-g.scale.Cold)*min(1, flame))
		}
		return raster.GasShares(smoke, flame, max(0, g.fuel.number(x, &fu)), max(0, kelvin))
	}
	for n := range f.Values {
		i := [3]int32{f.At[0] + int32(n>>6), f.At[1] + int32(n>>3&7), f.At[2] + int32(n&7)}
		x := vec.New(float64(i[0]), float64(i[1]), float64(i[2])).Mul(l.edge).Add(l.origin)
		times := 1
		var way vec.Vec3
		if g.shutter > 0 && g.velocity != nil {
			way = g.velocity.vector(x, &ve).Mul(float64(g.scale.Velocity * g.shutter))
			times = int(min(mostBlur, 1+math.Ceil(way.Len()/l.edge)))
		}
		if times == 1 {
			f.Values[n] = shares(x)
			continue
		}
		for k := range times {
			t := (float64(k)+0.5)/float64(times) - 0.5
			for c, v := range shares(x.Sub(way.Mul(t))) {
				f.Values[n][c] += v / float32(times)
			}
		}
	}
}
