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
	most := -math.Log(opaque) / scale // depth that lets no light through
	// Light fades over a voxel at the least, or the voxels would show as steps of light.
	limit := float32(1 / (c.edge * scale))
	light := func(i int, depth *[Count]float32) {
		for m := range Count {
			x, y, z := m>>6, m>>3&7, m&7
			if c.sigma[i][(x*brickSide+y)*brickSide+z] == 0 {
				continue
			}
			left := num.Decay(float64(scale * float64(depth[m])))
			if l.Shade != nil && left > opaque {
				left *= l.Shade(c.node(i, x, y, z))
			}
			sun[i][m] = float32(left)
		}
	}
	if l.Effort.Planes && c.dense() {
		c.newSunPlanes(l.ToSun, limit, float32(most), l.Effort.Samples).each(light)
		return sun
	}
	soft := make([][brickNodes]float32, len(c.at))
	par.Each(len(c.at), func(i int) {
		for n, sigma := range &c.sigma[i] {
			soft[i][n] = min(sigma, limit)
		}
	})
	par.Each(len(c.at), func(i int) {
		var depth [Count]float32
		for m := range Count {
			x, y, z := m>>6, m>>3&7, m&7
			if c.sigma[i][(x*brickSide+y)*brickSide+z] != 0 {
				depth[m] = float32(c.depth(soft, c.node(i, x, y, z), l.ToSun, 0, math.Inf(1), most, l.Effort.Samples))
			}
		}
		light(i, &depth)
	})
	return sun
}
