package grains

import (
	"breakwater/sim/par"
)

// Cloud are the grains of one medium, lit. It is safe for concurrent use.
type Cloud struct {
	*grid
	*voxels
	light  Light
	glow   *glow // what one scattering makes of the light from around
	grains []grain
	balls  []ball    // of grains
	lit    []shine   // of grains
	moving bool      // they leave streaks
	clear  float64   // part of the radius of a large grain on its way that is not seen
	sight  *sighting // of grains that are seen through a frame alone; nil for cells
}

// ball is where a grain may be seen, close together in memory for the search.
type ball struct {
	x, y, z, reach float32
	way            [3]float32
}

// shine is the light on a grain or a node.
type shine struct {
	sun   [3]float32 // irradiance
	open  [3]float32 // share of the light from around that comes straight
	multi [3]float32 // mean radiance of the light that was scattered more than once
	lean  [3]float32 // its increase towards a direction, as a share
}

// cellShare is the side of a cell over the spacing of the flow: short ways through cells
// with few grains, and voxels fine enough for shadows.
const cellShare = 0.7

// New returns the cloud of the parcels of some kinds in the light l; nil for none.
func New(p *Parcels, v View, l Light, kinds ...Kind) *Cloud {
	c := Dark(p, v, kinds...)
	c.Illuminate(l)
	return c
}

// Dark returns the cloud of the parcels of some kinds without light; nil for none. Mist is
// in the voxels alone.
func Dark(p *Parcels, v View, kinds ...Kind) *Cloud {
	cell := cellShare * p.Spacing
	list := p.spread(v, finest*cell, kinds...)
	if len(list) == 0 {
		return nil
	}
	c := &Cloud{grains: list, balls: make([]ball, len(list)), moving: v.Shutter > 0}
	c.grid = newGrid(list, cell, v.Frame == nil)
	c.voxels = newVoxels(c.grid, list)
	for i := range list {
		a := &list[i]
		c.balls[i] = ball{float32(a.x.X), float32(a.x.Y), float32(a.x.Z), float32(a.reach), narrow(a.way)}
	}
	if v.Frame != nil {
		c.sight = newSighting(&v, list, c.grid)
	}
	return c
}

// Illuminate sets the light on c, which may be nil.
func (c *Cloud) Illuminate(l Light) {
	if c == nil {
		return
	}
	if c.light = l; l.Surface == nil {
		c.clear = clearMiddle
	}
	c.voxels.straight = 1 - straightOn(l.Phase[1])
	c.glow = newGlow(&l)
	nodes := c.voxels.shine(&l, c.glow)
	c.lit = make([]shine, len(c.grains))
	par.For(len(c.lit), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if a := &c.grains[i]; a.reach > 0 {
				c.lit[i] = c.voxels.shineAt(nodes, a.x)
			}
		}
	})
	c.voxels.lit = nodes
}
